"""From a tree to an `Analysis`: the most visited action, or one that is proved to be as good."""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.analysis import Analysis
from zermelo.game import CHANCE, Game
from zermelo.search.mcts.dice import Dice
from zermelo.search.mcts.settings import Settings
from zermelo.search.mcts.simulate import Simulator
from zermelo.search.mcts.tree import Node

BY_ITSELF = ("proved", "settled")
"""Ends of a search that no limit has brought about."""


class Tried(NamedTuple):
    """What is known of one action, in the view of who may take it."""

    action: Any
    visits: int
    value: float
    lower: float
    upper: float
    banned: bool = False


class Found(NamedTuple):
    """What a search came to; the native one tells the same."""

    actions: list[Tried]
    """In the order of the tree."""
    best: int
    line: list[Any]
    value: float
    values: list[float]
    bounds: tuple[float, float]
    end: str
    """`proved`, `settled`, `simulations`, `nodes`, `seconds`, `stop` or `interrupt`."""
    simulations: int
    nodes: int


def find(simulator: Simulator, end: str) -> Found:
    """What the tree of `simulator` says in the end."""
    game, root = simulator.game, simulator.root
    assert root.children is not None
    assert root.mover is not None
    solver = simulator.selector.solver
    tried = [describe(game, child, root.mover, solver) for child in root.children]
    bounds = describe(game, root, root.mover, solver)[3:5]
    if root.mover == CHANCE:
        values = [total / root.visits for total in root.sums] if root.visits else [game.neutral] * game.players
        if solver:
            values = simulator.shares(max(min(values[0], root.upper), root.lower))
        return Found(tried, 0, [], values[0], values, bounds, end, simulator.simulations, simulator.nodes)
    best = best_place(tried, solver, game.bounds[0])
    best = 0 if best is None else best
    chosen = root.children[best]
    values = [total / chosen.visits for total in chosen.sums] if chosen.visits else [game.neutral] * game.players
    value = values[root.mover]
    if solver:
        value = max(min(tried[best].value, bounds[1]), bounds[0])
        shares = simulator.shares(value)
        values = shares if root.mover == 0 else shares[::-1]
    return Found(
        tried, best, best_line(simulator, chosen), value, values, bounds, end, simulator.simulations, simulator.nodes
    )


def describe(game: Game, node: Node, mover: int, solver: bool) -> Tried:
    """A child of a node in which `mover` chooses."""
    lower, upper = node.lower, node.upper
    if solver and mover == 1:
        lower, upper = 2 * game.neutral - upper, 2 * game.neutral - lower
    value = node.sums[max(mover, 0)] / node.visits if node.visits else game.neutral
    if solver:
        value = max(min(value, upper), lower)
    return Tried(node.action, node.visits, value, lower, upper, node.banned)


def best_place(tried: list[Tried], solver: bool, low: float) -> int | None:
    """The place of the recommended action: the most visited of those that may still be better than what is sure.

    If nothing may be better, or what is sure is no worse, it is the most visited of those that are sure.
    """
    visited = [place for place, each in enumerate(tried) if each.visits and not each.banned]
    secured = max([low, *(tried[place].lower for place in visited)]) if solver else low
    open_ones = [place for place in visited if not solver or tried[place].upper > secured]
    sure_ones = [place for place in visited if solver and tried[place].lower >= secured]

    def rank(place: int) -> tuple[int, float]:
        return tried[place].visits, tried[place].value

    likely, sure = max(open_ones, key=rank, default=None), max(sure_ones, key=rank, default=None)
    if likely is None or (sure is not None and tried[sure].lower >= tried[likely].value):
        return sure
    return likely


def best_line(simulator: Simulator, node: Node) -> list[Any]:
    """The principal line from `node` on, as far as the tree goes; it ends where chance moves."""
    line = [node.action]
    while node.children is not None and node.mover != CHANCE:
        assert node.mover is not None
        solver = simulator.selector.solver
        tried = [describe(simulator.game, child, node.mover, solver) for child in node.children]
        best = best_place(tried, solver, simulator.game.bounds[0])
        if best is None:
            break
        node = node.children[best]
        line.append(node.action)
    return line


def to_analysis(game: Game, state: Any, found: Found, settings: Settings, seconds: float, throw: int = 0) -> Analysis:
    """`found` as every search tells it; `throw` counts the searches of one player, for its dice."""
    allowed = [each for each in found.actions if not each.banned]
    best = None if game.player(state) == CHANCE else found.actions[found.best].action
    line = found.line
    if settings.temperature > 0 and best is not None:
        drawn = draw_action(allowed, settings, throw)
        best, line = drawn, line if drawn == best else [drawn]
    lower, upper = found.bounds
    return Analysis(
        action=best,
        value=found.value,
        values=tuple(found.values),
        line=tuple(line),
        depth=None,
        nodes=found.nodes,
        leaves=found.simulations,
        cutoffs=0,
        seconds=seconds,
        exact=found.end == "proved",
        bounds=(found.value, found.value) if found.end == "proved" else (lower, upper),
        method=settings.method(game),
        stopped="" if found.end in BY_ITSELF else found.end,
        actions={each.action: each.value for each in allowed if each.visits},
        visits={each.action: each.visits for each in allowed},
        origin=(game, state),
    )


def draw_action(tried: list[Tried], settings: Settings, throw: int) -> Any:
    """An action by the temperature: its probability goes with visits ^ (1 / temperature)."""
    most = max(each.visits for each in tried)
    weights = [(each.visits / most) ** (1 / settings.temperature) if most else 1.0 for each in tried]
    total = sum(weights)
    dice = Dice(settings.seed + 1 + throw)
    return tried[dice.draw([weight / total for weight in weights])].action


def over(game: Game, state: Any, settings: Settings) -> Analysis:
    """The analysis of a position in which there is nothing to search."""
    values = game.utilities(state)
    value = values[0]
    proved, method = (value, value), settings.method(game)
    return Analysis(None, value, values, (), 0, 1, 1, 0, 0.0, True, proved, method, origin=(game, state))
