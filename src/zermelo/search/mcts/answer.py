"""From a tree to an `Analysis`: the most visited action, or one that is proved to be as good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zermelo.analysis import Analysis
from zermelo.game import CHANCE, Game
from zermelo.search.mcts.dice import Dice
from zermelo.search.mcts.settings import MctsSettings
from zermelo.search.mcts.simulate import Simulator
from zermelo.search.mcts.tree import MctsNode

BY_ITSELF = ("proved", "settled")
"""Reasons to stop that are not limits."""


class Tried(NamedTuple):
    """What is known of one action, in the view of the player who may take it."""

    action: object
    visits: int
    value: float
    lower: float
    upper: float
    closed: bool = False
    """Whether the rule of repetition forbids it, or the caller does not ask for it."""
    values: Sequence[float] = ()
    """Every player's."""
    line: Sequence[object] = ()
    """From the action on."""


class Found(NamedTuple):
    """The result of a search; the native search returns the same."""

    actions: list[Tried]
    """Those visited, or all of them if none was, in the order of the tree: of a million, a short search visits few."""
    visits: dict[object, int]
    """Of every action that may be chosen."""
    best: int
    """The place of the recommended action in `actions`."""
    value: float
    values: list[float]
    bounds: tuple[float, float]
    end: str
    """`proved`, `settled`, `simulations`, `nodes`, `seconds`, `stop` or `interrupt`."""
    simulations: int
    nodes: int
    probed: int = 0
    """Positions that endgame tables settled."""
    told: bool = False
    """Whether endgame tables tell the value of the root."""


def find(simulator: Simulator, end: str) -> Found:
    """The result in the tree of `simulator`."""
    game, root = simulator.game, simulator.root
    assert root.children is not None
    assert root.mover is not None
    solver = simulator.selector.solver
    *_, lower, upper = describe(game, root, root.mover, solver)[:5]
    told = (lower, upper), end, simulator.simulations, simulator.nodes
    visits = {child.action: child.visits for child in root.children if not child.is_closed}
    known = [child for child in root.children if child.visits and not child.is_closed] or root.children
    if root.mover == CHANCE:
        tried = [describe(game, child, root.mover, solver) for child in known]
        values = means(game, root)
        if solver:
            values = simulator.shares(max(min(values[0], root.upper), root.lower))
        return Found(tried, visits, 0, values[0], values, *told)
    tried = [describe_whole(simulator, child, lower, upper) for child in known]
    best = best_place(tried, solver, game.bounds[0])
    best = next((place for place, each in enumerate(tried) if not each.closed), 0) if best is None else best
    values = list(tried[best].values)
    return Found(tried, visits, best, values[root.mover], values, *told)


def means(game: Game, node: MctsNode) -> list[float]:
    """Every player's mean utility in the simulations through `node`."""
    return [total / node.visits for total in node.sums] if node.visits else [game.neutral] * game.players


def describe(game: Game, node: MctsNode, mover: int, solver: bool) -> Tried:
    """A child of a node in which `mover` chooses."""
    lower, upper = node.lower, node.upper
    if solver and mover == 1:
        lower, upper = 2 * game.neutral - upper, 2 * game.neutral - lower
    value = means(game, node)[max(mover, 0)]
    if solver:
        value = max(min(value, upper), lower)
    return Tried(node.action, node.visits, value, lower, upper, node.is_closed)


def describe_whole(simulator: Simulator, child: MctsNode, lower: float, upper: float) -> Tried:
    """A child of the root, whose value lies between `lower` and `upper`, with everybody's values and its line."""
    game, mover, solver = simulator.game, simulator.root.mover, simulator.selector.solver
    assert mover is not None
    tried, values = describe(game, child, mover, solver), means(game, child)
    if solver:
        shares = simulator.shares(max(min(tried.value, upper), lower))
        values = shares if mover == 0 else shares[::-1]
    return tried._replace(values=values, line=best_line(simulator, child))


def best_place(tried: list[Tried], solver: bool, low: float) -> int | None:
    """The place of the recommended action: the most visited of those that may still be better than what is sure.

    If nothing may be better, or what is sure is no worse, it is the most visited of those that are sure.
    """
    visited = [place for place, each in enumerate(tried) if each.visits and not each.closed]
    secured = max([low, *(tried[place].lower for place in visited)]) if solver else low
    open_ones = [place for place in visited if not solver or tried[place].upper > secured]
    sure_ones = [place for place in visited if solver and tried[place].lower >= secured]

    def rank(place: int) -> tuple[int, float]:
        return tried[place].visits, tried[place].value

    likely, sure = max(open_ones, key=rank, default=None), max(sure_ones, key=rank, default=None)
    if likely is None or (sure is not None and tried[sure].lower >= tried[likely].value):
        return sure
    return likely


def best_line(simulator: Simulator, node: MctsNode) -> list[object]:
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


def to_analysis(
    game: Game, state: object, found: Found, settings: MctsSettings, seconds: float, throw: int = 0
) -> Analysis:
    """`found` as an `Analysis`; `throw` numbers the searches of one player, to seed its dice."""
    allowed = [each for each in found.actions if not each.closed]
    value, values, best = found.value, tuple(found.values), None
    if game.player(state) != CHANCE:
        best = found.actions[found.best]
        drawn = best if settings.temperature == 0 else draw_action(game, allowed, settings, throw)
        if drawn is not best:
            best, value, values = drawn, drawn.value, tuple(drawn.values)
    proved = (found.end == "proved" or found.told) and value == found.value
    by_visits = sorted((each for each in allowed if each.visits), key=lambda each: (each is not best, -each.visits))
    return Analysis(
        action=None if best is None else best.action,
        value=value,
        values=values,
        line=() if best is None else tuple(best.line),
        depth=None,
        nodes=found.nodes,
        leaves=found.simulations,
        cutoffs=0,
        seconds=seconds,
        exact=proved,
        bounds=(value, value) if proved else found.bounds,
        method=settings.method(game),
        stopped="" if found.end in BY_ITSELF else found.end,
        probed=found.probed,
        actions={each.action: each.value for each in allowed if each.visits},
        lines=() if best is None else tuple((each.value, tuple(each.line)) for each in by_visits),
        visits=found.visits,
        origin=(game, state),
    )


def draw_action(game: Game, tried: list[Tried], settings: MctsSettings, throw: int) -> Tried:
    """An action by the temperature: its probability goes with visits ^ (1 / temperature).

    One that is proved to be worse than another is not drawn, nor one that is proved lost, as long as there are others.
    """
    if settings.solves(game):
        secured = max(each.lower for each in tried)
        tried = [each for each in tried if each.upper >= secured and each.upper > game.bounds[0]] or tried
    most = max(each.visits for each in tried)
    weights = [(each.visits / most) ** (1 / settings.temperature) if most else 1.0 for each in tried]
    total = sum(weights)
    dice = Dice(settings.seed + 1 + throw)
    return tried[dice.draw([weight / total for weight in weights])]


def over(game: Game, state: object, settings: MctsSettings) -> Analysis:
    """The analysis of a position in which there is nothing to search."""
    values = game.utilities(state)
    value = values[0]
    proved, method = (value, value), settings.method(game)
    return Analysis(None, value, values, (), 0, 1, 1, 0, 0.0, True, proved, method, origin=(game, state))
