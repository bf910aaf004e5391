"""Multi-ProbCut (Buro, 1995): a shallow search foretells what a deep one would find.

    V(deep) = slope · V(shallow) + offset ± error      measured for a game, at a stage of it

    V(shallow) foretells beta + risk · error or more   ⇒  V(deep) ≥ beta       with the risk that is taken
    V(shallow) foretells alpha − risk · error or less  ⇒  V(deep) ≤ alpha      likewise

A zero window asks the shallow search whether it is that far beyond; the evaluation says on which side. Where errors
are distributed normally, an answer is wrong once in 15 times for a risk of 1.5, and once in 44 for 2. Several shallow
depths may be asked, the shallowest first. The root itself is always searched.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from zermelo.analysis import Limits
from zermelo.errors import InputError, OptionError
from zermelo.game import AnyGame
from zermelo.search.composable import Composable, SearchRecipe, Subsearch
from zermelo.search.node import SearchNode
from zermelo.search.scores import Score

RISK = 1.5
LEAST_POSITIONS = 8
"""Fewer say nothing about an error."""
LEAST_SLOPE = 0.01
"""What foretells less is not asked."""
MOST_DEPTH, MOST_STAGE = 100, 1 << 16
"""Of a pair."""
MEASURED_DEPTH, MEASURED_POSITIONS = 4, 40


@dataclass(frozen=True, slots=True)
class DepthPair:
    """What searches of one depth foretell of deeper ones; values count from the neutral utility on."""

    stage: int
    depth: int
    shallow: int
    slope: float
    offset: float
    error: float
    """The standard deviation."""

    def __post_init__(self) -> None:
        counts = all(isinstance(each, int) for each in (self.stage, self.depth, self.shallow))
        if not counts or not 0 <= self.stage <= MOST_STAGE or not 0 < self.shallow < self.depth <= MOST_DEPTH:
            raise InputError(
                f"a pair of depths is a deep one up to {MOST_DEPTH} and a shallower one from 1 on, not {self}"
            )
        numbers = (self.slope, self.offset, self.error)
        if not all(map(math.isfinite, numbers)) or self.slope < LEAST_SLOPE or self.error < 0:
            raise InputError(f"a pair of depths has a positive slope and an error from 0 on, not {self}")


@dataclass(frozen=True, slots=True)
class MeasuredPosition:
    """What searches of depth 1, 2, 3, … found in a position; `None` where they proved it."""

    stage: int
    values: Sequence[float | None]


def shallow_depths(depth: int) -> list[int]:
    """The depths to ask before a search of `depth`: about a quarter and half of it, odd if it is odd."""
    about = (depth // 4, depth // 2)
    return sorted({found for each in about if (found := each - (depth - each) % 2) > 0})


def fit_pairs(positions: Iterable[MeasuredPosition], least: int = LEAST_POSITIONS) -> list[DepthPair]:
    """The pairs of depths that at least so many positions tell of, by linear regression."""
    found = []
    by_stage: dict[int, list[Sequence[float | None]]] = {}
    for position in merge_stages(positions, 2 * least):
        by_stage.setdefault(position.stage, []).append(position.values)
    for stage, rows in sorted(by_stage.items()):
        for depth in range(2, max(map(len, rows)) + 1):
            for shallow in shallow_depths(depth):
                known = [(row[shallow - 1], row[depth - 1]) for row in rows if len(row) >= depth]
                both = [(x, y) for x, y in known if x is not None and y is not None]
                if len(both) >= least and (pair := _fit(stage, depth, shallow, both)) is not None:
                    found.append(pair)
    return found


def merge_stages(positions: Iterable[MeasuredPosition], least: int) -> list[MeasuredPosition]:
    """The positions with their stages in groups of at least so many; each group is called by its first stage."""
    rows = sorted(positions, key=lambda each: each.stage)
    found: list[MeasuredPosition] = []
    first, count, before = 0, 0, 0
    for each in rows:
        if each.stage != before and count >= least:
            first, count = each.stage, 0
        before, count = each.stage, count + 1
        found.append(MeasuredPosition(first, each.values))
    if count < least and found:  # the last group is too small: it goes with the one before it
        greatest = max((each.stage for each in found if each.stage < first), default=0)
        found = [MeasuredPosition(min(each.stage, greatest), each.values) for each in found]
    return found


def _fit(stage: int, depth: int, shallow: int, both: Sequence[tuple[float, float]]) -> DepthPair | None:
    """The pair that fits values of a shallow and a deep search; `None` if one says nothing of the other."""
    xs, ys = zip(*both, strict=True)
    if min(xs) == max(xs):
        return None
    slope, offset = statistics.linear_regression(xs, ys)
    if slope < LEAST_SLOPE:
        return None
    squares = math.fsum((y - slope * x - offset) ** 2 for x, y in both)
    return DepthPair(stage, depth, shallow, slope, offset, math.sqrt(squares / (len(both) - 2)))


def stage_of(game: AnyGame, state: object) -> int:
    """The stage of the game; 0 in a game without stages."""
    return int(game.stage(state)) if game.can("stage") else 0


def measure_pairs(
    game: AnyGame,
    depth: int = MEASURED_DEPTH,
    positions: int = MEASURED_POSITIONS,
    seed: int = 0,
    evaluate: Callable[[Any, int], float] | None = None,
) -> list[DepthPair]:
    """The pairs up to `depth`, by plain alpha-beta in positions of random games."""
    chance = random.Random(seed)
    recipe = SearchRecipe("alphabeta", evaluate=evaluate)
    found = []
    for _ in range(positions):
        state = draw_position(game, chance)
        values: list[float | None] = []
        for shallower in range(depth):
            search = Composable(game, recipe, Limits(), state)
            root = search.search_to(shallower + 1)
            values.append(search.scores.value(root.best) - game.neutral if root.estimated else None)
        found.append(MeasuredPosition(stage_of(game, state), values))
    return fit_pairs(found)


def draw_position(game: AnyGame, chance: random.Random) -> object:
    """A position of a random game, from which somebody moves."""
    path = [game.initial()]
    while not game.is_terminal(path[-1]):
        path.append(game.result(path[-1], chance.choice(list(game.actions(path[-1])))))
    return path[chance.randrange(max(len(path) - 1, 1))]


class ProbCut:
    """The technique, with what was measured and the risk that is taken, in standard errors."""

    def __init__(self, pairs: Iterable[DepthPair] | None = None, risk: float = RISK):
        """Without `pairs` they are measured in the game that is searched."""
        if not risk > 0:
            raise OptionError(f"risk must be a number of standard errors above 0, not {risk!r}")
        self.pairs = None if pairs is None else tuple(pairs)
        self.risk = risk

    def __call__(self, search: Composable, node: SearchNode) -> Subsearch:
        """A score outside the window if shallow searches foretell it, in MAX's view, else `None`."""
        if node.parent is None or not 2 <= node.depth <= MOST_DEPTH or node.excluded is not None or node.probing:
            return None
        alpha, beta = node.window()
        guess = node.turned(search.scores.estimate(lambda p: search.evaluate(node.state, p)))
        high = guess >= beta
        if not high and guess > alpha:
            return None
        for pair in self._pairs_at(search, node):
            bar = self._bar(search, node, pair, beta if high else alpha, high)
            if bar is None or not (yield from self._is_beyond(search, node, pair.shallow, bar, high)):
                continue
            node.estimated = True
            best = beta if high else alpha
            node.best = node.turned(best)
            search.cutoffs += 1
            if search.recorder:
                search.recorder.cutoff(node, "probcut", best, best, list(search.game.actions(node.state)))
                search.recorder.leave(node, best, alpha, beta)
            return node.best
        return None

    def _pairs_at(self, search: Composable, node: SearchNode) -> Iterator[DepthPair]:
        """The pairs of the node's stage and depth, the shallowest first.

        A stage or a depth that was not measured has those of the nearest below, with as many plies more."""
        if self.pairs is None:
            self.pairs = tuple(measure_pairs(search.game, evaluate=search.recipe.evaluate))
        here = stage_of(search.game, node.state)
        stage = max((pair.stage for pair in self.pairs if pair.stage <= here), default=None)
        found = [pair for pair in self.pairs if pair.stage == stage and pair.depth <= node.depth]
        deepest = max((pair.depth for pair in found), default=0)
        for pair in sorted(found, key=lambda pair: pair.shallow):
            if pair.depth == deepest:
                yield replace(pair, depth=int(node.depth), shallow=pair.shallow + int(node.depth) - deepest)

    def _bar(self, search: Composable, node: SearchNode, pair: DepthPair, edge: Score, high: bool) -> Score:
        """What the shallow search must reach for the deep one to be beyond `edge`; `None` if no estimate can."""
        game = search.game
        neutral = node.turned(game.neutral)
        safe = search.scores.value(edge) - neutral + (self.risk if high else -self.risk) * pair.error
        value = node.turned((safe - pair.offset) / pair.slope + neutral)
        low, most = game.bounds
        if not (math.isfinite(value) and low < value < most):
            return None
        return node.turned(search.scores.estimate(lambda _: value))

    def _is_beyond(
        self, search: Composable, node: SearchNode, depth: int, bar: Score, high: bool
    ) -> Generator[SearchNode, Score, bool]:
        """Whether a search of `depth` finds `bar` or more (`high`), or `bar` or less."""
        shallow = search.settle(SearchNode(node.state, node.action, node.parent, depth, "shallow search"))
        alpha, beta = (-search.scores.above(-bar), bar) if high else (bar, search.scores.above(bar))
        shallow.alpha, shallow.beta = (-beta, -alpha) if node.flip else (alpha, beta)
        score = node.turned((yield shallow))
        node.on_path |= shallow.on_path
        return bool(score >= beta if high else score <= alpha)
