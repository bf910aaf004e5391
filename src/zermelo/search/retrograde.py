"""Retrograde analysis: all positions that can be reached, solved from the ends backwards (a strong solution).

    value(s) = utility(s)                                  where s is terminal
    value(s) = the mover's best over value(result(s, a))   otherwise
    value(s) = neutral                                     where neither player can force an end that it prefers

Play may cycle forever, which counts as a draw: this is equivalent to `repetition = "draw"` under best play, and is
assumed of games without a rule of repetition. A player can force a payoff better than the draw, or a still better one,
exactly from the least set that holds the ends with these payoffs, its own positions with one action into the set, and
the opponent's with all actions into it. The sets are grown one payoff after the other, the best first, so that a
position enters with its value, and within one payoff by the distance from the ends:

    distance(s) = 1 + the least of the children of the same value      where the mover is to gain from it
    distance(s) = 1 + the greatest of the children of the same value   where it is to lose

A draw has no distance. This is the specification of the native solver, and stands in for it where rules do not compile.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from typing import Generic, NamedTuple, TypeAlias

from zermelo.errors import ContractError, MethodError, UnsolvedError
from zermelo.game import CHANCE, Game
from zermelo.game.contract import A, S
from zermelo.game.validation import check_key, legal_actions, missing_chances, who_moves


class Outcome(NamedTuple):
    """What best play from a position leads to."""

    mover: int | None
    """Who is to move, or `CHANCE`; `None` where the game is over."""
    values: tuple[float, ...]
    """Every player's utility."""
    distance: int | None
    """Plies to the end, the winner taking the shortest way and the loser the longest; `None` for a draw, and in a
    position of a game with chance that is not its end."""

    @property
    def value(self) -> float:
        """The utility of the player to move; of player 0 where the game is over or chance moves."""
        return self.values[max(self.mover or 0, 0)]


class GraphNode(Generic[S]):
    """One position of the graph."""

    __slots__ = ("before", "distance", "left", "mover", "state", "values")

    def __init__(self, state: S):
        self.state = state
        self.mover: int | None = None
        self.values: tuple[float, ...] | None = None
        """Unknown until it is resolved; ends know it from the start."""
        self.distance: int | None = None
        self.before: list[GraphNode[S]] = []
        """The positions from which an action leads here, one entry per action."""
        self.left = 0
        """The number of actions not known to lose."""


Solved: TypeAlias = dict[Hashable, tuple[S, Outcome]]
"""By key, each position as first met, and its outcome."""
Tell: TypeAlias = Callable[[int, int], None]
"""Called from time to time with the number of positions found and expanded; may raise to stop the solver."""


def check_fit(game: Game, *, repetition: tuple[str | None, ...] = (None, "draw")) -> None:
    """Refuses games whose positions have no value that retrograde analysis could find; `repetition` are the rules under
    which it can."""
    if game.kind.hidden:
        raise MethodError(
            f"{game.name} hides information, so its positions have no value of their own; solve zermelo.revealed(game)"
        )
    if not game.kind.scalar:
        raise MethodError(
            f"{game.name} is not a game of two with a constant sum, so it has no one solution; search it with maxn"
        )
    if game.repetition not in repetition:
        raise MethodError(
            f"{game.name} has repetition = {game.repetition!r}, so that a position's value depends on those before it, "
            f"which retrograde analysis does not know; a search from one position does, as in z.solve(game)"
        )


def retrograde(
    game: Game[S, A], state: S | None = None, *, most: int | None = None, tell: Tell | None = None
) -> Solved[S]:
    """Every position that can be reached from `state`; `UnsolvedError` if there are more than `most`."""
    check_fit(game)
    if game.kind.chance:
        raise MethodError(f"{game.name} has chance nodes, which retrograde analysis does not; use value iteration")
    nodes = explore(game, game.initial() if state is None else state, most, tell)
    ends: dict[float, list[GraphNode[S]]] = {}
    for node in nodes.values():
        if node.mover is None and node.values is not None and node.values[0] != game.neutral:
            ends.setdefault(node.values[0], []).append(node)
    # The most extreme first; the two sides of the draw never meet.
    for value in sorted(ends, key=lambda value: -abs(value - game.neutral)):
        attract(ends[value], winner=0 if value > game.neutral else 1)
    draw = (game.neutral,) * game.players
    return {key: (n.state, Outcome(n.mover, n.values or draw, n.distance)) for key, n in nodes.items()}


def explore(game: Game[S, A], root: S, most: int | None, tell: Tell | None) -> dict[Hashable, GraphNode[S]]:
    """The graph of all positions below `root`."""
    check_key(game, root)
    nodes = {game.key(root): GraphNode(root)}
    pending = list(nodes.values())
    for looked_into, node in enumerate(pending):  # the list grows during the loop
        if tell is not None and looked_into % 256 == 0:
            tell(len(nodes), looked_into)
        s = node.state
        if game.is_terminal(s):
            node.values, node.distance = checked_utilities(game, s), 0
            continue
        node.mover = who_moves(game, s)
        if node.mover == CHANCE:
            raise missing_chances(game, s)
        for action in legal_actions(game, s):
            child = game.result(s, action)
            key = game.key(child)
            if key not in nodes:
                nodes[key] = GraphNode(child)
                pending.append(nodes[key])
            nodes[key].before.append(node)
            node.left += 1
        if most is not None and len(nodes) > most:
            raise UnsolvedError(
                f"{game.name} is not solved: {len(nodes):,} positions found, {looked_into + 1:,} of them looked into, "
                f"and no memory for more; give memory_mb more, or a smaller game"
            )
    return nodes


def checked_utilities(game: Game[S, A], s: S) -> tuple[float, ...]:
    """Every player's utility at the end `s`, checked against `utility_sum`."""
    values = game.utilities(s)
    total = game.utility_sum or 0.0
    off = 0.0 if game.kind.single else abs(sum(values) - total)
    if any(map(math.isnan, values)) or off > 1e-9 * (1 + abs(values[0]) + abs(total)):
        raise ContractError(
            f"the utilities at the end {s} are {values}, but utility_sum is {game.utility_sum}: mend one of them"
        )
    return values


def attract(ends: list[GraphNode[S]], winner: int) -> None:
    """Gives the payoff of `ends` to all positions from which `winner` can force it, or enough of a better one."""
    frontier, values = ends, ends[0].values
    distance = 0
    while frontier:
        distance += 1
        entered = []
        for node in frontier:
            for before in node.before:
                if before.values is not None:
                    continue
                before.left -= 1
                if before.mover == winner or before.left == 0:
                    before.values, before.distance = values, distance
                    entered.append(before)
        frontier = entered
