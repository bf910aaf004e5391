"""The game tree of any game, as data one can look at."""

from __future__ import annotations

from typing import Any

from zermelo.errors import MethodError
from zermelo.game.contract import CHANCE, Game
from zermelo.game.tree import Tree


def tree(game: Game, depth: int | None = None, state: Any = None, *, limit: int = 100_000) -> Tree:
    """The tree of `game` from `state` on, `depth` plies deep (to the end if `None`), as a `Tree`.

    A position at the depth limit becomes an end that is worth its evaluation, or a draw if the game has none.
    """
    root = game.initial() if state is None else state
    holder: list[Any] = [None]
    pending: list[tuple[Any, int, Any, Any]] = [(root, 0, holder, 0)]
    for nodes, (s, ply, parent, place) in enumerate(pending, start=1):
        if nodes > limit:
            raise MethodError(f"the tree has more than {limit:,} nodes: give a smaller depth, or a greater limit")
        if game.is_terminal(s):
            parent[place] = _end(game, game.utilities(s))
        elif depth is not None and ply >= depth:
            estimates = [game.evaluate(s, p) if game.can("evaluate") else game.neutral for p in range(game.players)]
            parent[place] = _end(game, tuple(estimates))
        else:
            parent[place] = record = _record(game, s)
            inner = record["children"] if "children" in record else next(iter(record.values()))
            for a in game.actions(s):
                label = game.show_action(s, a)
                child = (inner[label], 1) if game.player(s) == CHANCE else (inner, label)
                pending.append((game.result(s, a), ply + 1, *child))
    return Tree(holder[0])


def _end(game: Game, utilities: tuple[float, ...]) -> Any:
    if game.players == 2 and game.utility_sum == 0:
        return utilities[0]
    return {"payoffs": list(utilities)}


def _record(game: Game, s: Any) -> dict[str, Any]:
    """The node of `s`, with a place for each child."""
    mover = game.player(s)
    if mover == CHANCE:
        return {"chance": {game.show_action(s, a): [p, None] for a, p in game.chances(s)}}
    labels = {game.show_action(s, a): None for a in game.actions(s)}
    if game.players == 2:
        return {("max", "min")[mover]: labels}
    return {"player": mover, "children": labels}
