"""What a search counts, and the hooks by which the literal searches of the textbook count and write down their steps.

A literal search is a recursive function as it stands on the slide. At each step it calls one hook of its `Visit`:

    enter(s, alpha, beta)      a position is entered; counts it, or ends the search where a limit is reached
    leaf(v)                    its value is known without looking further
    actions(s), chances(s)     what can be done there
    back_up(v, alpha, beta)    a child is back, and `v` is the best so far
    cut(v, bound)              the actions that are left are skipped
    leave(v)                   the position is left with the value `v`

The hooks keep the path from the root and the line of play, and never decide anything.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Self, TypeAlias, TypeVar, cast

from zermelo.analysis import Limits
from zermelo.errors import ContractError
from zermelo.game import CHANCE, AnyGame
from zermelo.game.kind import no_number, real
from zermelo.game.validation import fair_chances, missing_chances, who_moves
from zermelo.search.interrupt import Interrupt
from zermelo.search.node import Line, SearchNode
from zermelo.search.recorder import Recorder
from zermelo.search.scores import Plain, Score

V = TypeVar("V", float, tuple[float, ...])
"""A value: MAX's utility, or every player's."""
FRAMES_PER_PLY = 3
"""Python frames that a literal search takes per ply, at most."""
SPARE_FRAMES = 300
"""Python frames reserved for the rules of the game and for the caller."""


class Stopped(Exception):  # noqa: N818 - not an error: a limit did its work
    """Raised inside a search by a limit; the argument names it."""


class TooDeep(Exception):  # noqa: N818 - not an error: the composable search takes over
    """Raised inside a literal search before Python's stack is full."""


@dataclass(slots=True)
class Method:
    """What every search decides, whichever techniques it uses."""

    name: str
    prune: bool = True
    """Whether the window cuts (alpha-beta) or not (minimax)."""
    hard: bool = False
    """Whether what lies outside the window is returned as the window's edge (fail-hard)."""
    deepen: bool = False
    """Whether the depth grows one ply at a time."""
    one_against_all: bool = False
    """Whether all players other than MAX count as one opponent."""
    window: tuple[float | None, float | None] = (None, None)
    """The window at the root, in the view of the player to move there; `None` for no bound."""
    view: str = "max"
    """Whose view a trace takes: `max`, or `mover` for the one-sided form."""
    scores: type[Plain] = Plain
    cutoff: Callable[[Any, int], bool] | None = None
    """CUTOFF(s, d) of the caller, d counting plies from the root."""
    evaluate: Callable[[Any, int], float] | None = None
    """EVAL(s) of the caller for player p, in place of the game's own."""

    @property
    def is_risky(self) -> bool:
        """Whether a technique may change the value, so that nothing found by it is a proof."""
        return False

    @property
    def raises_root(self) -> bool:
        """Whether the best of a search that is stopped is a lower bound on the value."""
        return self.window == (None, None)


class Search:
    """One running search: the game, the method, its counters and results."""

    def __init__(self, game: AnyGame, method: Method, limits: Limits, state: object):
        self.game = game
        self.method = method
        self.limits = limits
        self.state = state
        self.recorder: Recorder | None = None
        self.interrupt = Interrupt()
        self.nodes = 0
        self.leaves = 0
        self.cutoffs = 0
        self.started = time.perf_counter()
        self.maximiser = 0 if game.is_terminal(state) else max(who_moves(game, state), 0)
        self.scores = method.scores(game, self.maximiser)
        self.depth: float = 0
        """The depth of the current iteration."""
        self.cut_short = False
        """Whether the iteration reached its depth limit: if not, a deeper one would find the same."""
        self.bold = False
        """Whether an estimate was as good as a win or as bad as a loss, so that these prove nothing."""
        self.current: SearchNode | None = None
        """The root that is being searched."""
        self.expected: Line = None
        """The line of the previous iteration."""
        self.root_values: dict[object, Score] = {}
        """The score of each root action in the current iteration, in MAX's view."""
        self.previous_values: dict[object, Score] = {}
        """The same from the previous iteration."""

    def search_to(self, depth: float) -> SearchNode:
        """One iteration; returns the root, which holds the score and the line."""
        raise NotImplementedError

    def progress(self) -> tuple[int, int, int, int]:
        """The counters: nodes, leaves, cut-offs and events."""
        return self.nodes, self.leaves, self.cutoffs, self.recorder.noted if self.recorder else 0

    def resume(self, other: Search, progress: tuple[int, int, int, int]) -> Self:
        """Takes over from `other`, whose counters were `progress` before the iteration that is now repeated."""
        self.nodes, self.leaves, self.cutoffs, noted = progress
        self.started, self.interrupt, self.recorder = other.started, other.interrupt, other.recorder
        self.expected, self.root_values, self.bold = other.expected, other.previous_values, other.bold
        if self.recorder:
            self.recorder.repeats = self.recorder.noted - noted
        return self

    def begin(self, depth: float) -> None:
        """Prepares for an iteration."""
        self.depth = depth
        self.current = None
        self.cut_short = False
        self.previous_values, self.root_values = self.root_values, {}

    def root_window(self) -> tuple[Score, Score]:
        """The window at the root; without one, all scores lie in it."""
        low, high = self.method.window
        alpha = self.scores.lowest if low is None else self.scores.estimate(lambda _: low)
        beta = self.scores.highest if high is None else self.scores.estimate(lambda _: high)
        return alpha, beta

    def count(self) -> None:
        """Counts a node, or stops the search where a limit is reached."""
        if self.limits.nodes is not None and self.nodes >= self.limits.nodes:
            raise Stopped("nodes")
        self.check_clock()
        self.nodes += 1

    def check_clock(self) -> None:
        """Stops the search where its time is over, or its caller ends it."""
        limits = self.limits
        if limits.seconds is not None and time.perf_counter() - self.started >= limits.seconds:
            raise Stopped("seconds")
        if limits.stop is not None and limits.stop():
            raise Stopped("stop")
        if self.interrupt.asked:
            raise Stopped("interrupt")

    def evaluate(self, s: object, p: int) -> float:
        """EVAL: the caller's estimate, else the game's, else that of a draw."""
        game, own = self.game, self.method.evaluate
        value = own(s, p) if own is not None else game.evaluate(s, p) if game.can("evaluate") else game.neutral
        estimate = real(value)
        if estimate is None:
            raise no_number(game.name, "evaluate", value, game.write(s))
        low, high = game.bounds
        self.bold |= not low < estimate < high
        return estimate

    def no_actions(self, s: object) -> ContractError:
        return ContractError(
            f"{self.game.name} offers no action in {self.game.write(s)}, which is not terminal: "
            f"run `zermelo check` on the game"
        )


class VisitedNode(SearchNode):
    """A position on the path of a literal search, with what is tried there."""

    __slots__ = ("actions", "first_look", "place", "weights")

    def __init__(self, state: object, action: object, parent: SearchNode | None, depth: float, mode: str = ""):
        super().__init__(state, action, parent, depth, mode)
        self.actions: list[object] = []
        self.weights: list[float] | None = None
        """Where chance moves, the probability of each action."""
        self.place = 0
        """Which action is being tried."""
        self.first_look: VisitedNode | None = None
        """The child as a zero window saw it, if it is searched again."""


LiteralSearch: TypeAlias = Callable[[AnyGame, Any, "Visit"], Score]
"""From a game, a position and the hooks to the value of the position."""


@dataclass(frozen=True, slots=True)
class Literal:
    """A search as it stands on the slide."""

    search: LiteralSearch
    one_sided: bool = False
    """Whether one routine serves both players, so that values are in the view of the player to move."""
    takes: tuple[str, ...] = ()
    """Which of `window` and `hard` it knows."""


class Visit(Search):
    """The hooks of a literal search; values and windows are in MAX's view, or in the mover's if it is one-sided."""

    def __init__(self, game: AnyGame, method: Method, limits: Limits, state: object, literal: Literal):
        super().__init__(game, method, limits, state)
        self.literal = literal
        self.hard = method.hard
        self.path: list[VisitedNode] = []
        self.returned: VisitedNode
        """The position left most recently."""
        self.mode = ""
        """Why the next child is searched, if not as part of the main search."""
        self.deepest = 0
        """The number of plies for which Python's stack has room."""
        self.watches = False
        """Whether the hooks must know who moves: for a trace, or to turn one-sided values into MAX's."""
        self.looked_at: tuple[object, bool, int] = (None, False, CHANCE)
        """The position looked at last, whether it is terminal, and who moves."""

    def search_to(self, depth: float) -> SearchNode:
        self.begin(depth)
        self.path.clear()
        self.mode = ""
        self.watches = self.recorder is not None or self.literal.one_sided
        self.deepest = (sys.getrecursionlimit() - stack_depth() - SPARE_FRAMES) // FRAMES_PER_PLY
        self.literal.search(self.game, self.state, self)
        return self.returned

    # What the rules and the caller say.

    def cutoff(self, s: object, d: int) -> bool:
        """CUTOFF(s, d), d counting plies from the root: the depth limit, or the caller's."""
        own = self.method.cutoff
        return d >= self.depth or (own is not None and bool(own(s, d)))

    def actions(self, s: object) -> Iterator[Any]:
        """ACTIONS(s), one by one."""
        node = self.path[-1]
        if who_moves(self.game, s) == CHANCE:
            raise missing_chances(self.game, s)
        node.actions = list(self.game.actions(s))
        if not node.actions:
            raise self.no_actions(s)
        for place, action in enumerate(node.actions):
            node.place = place
            yield action

    def chances(self, s: object) -> Iterator[tuple[Any, float]]:
        """What chance can do in `s`, with the probabilities; what never happens is left out."""
        node = self.path[-1]
        outcomes = [(a, p) for a, p in fair_chances(self.game, s) if p > 0]
        node.actions, node.weights = [a for a, _ in outcomes], [p for _, p in outcomes]
        for place, outcome in enumerate(outcomes):
            node.place = place
            yield outcome

    def sign(self, s: object) -> int:
        """−1 where the opponent of MAX moves, 1 where MAX does or the game is over."""
        over, player = self.look(s)
        return 1 if over or player in (self.maximiser, CHANCE) else -1

    def look(self, s: object) -> tuple[bool, int]:
        """Whether the game is over in `s`, and who moves if it is not."""
        known, over, player = self.looked_at
        if known is not s:
            over = bool(self.game.is_terminal(s))
            player = CHANCE if over else self.game.player(s)
            self.looked_at = s, over, player
        return over, player

    # The steps.

    def enter(self, s: object, alpha: Score = None, beta: Score = None) -> None:
        """The search enters `s`, with this window."""
        self.count()
        path = self.path
        if path:
            above = path[-1]
            node = VisitedNode(s, above.actions[above.place], above, above.depth - 1, self.mode or above.mode)
            if len(path) > self.deepest:
                raise TooDeep
            if above.weights is not None:
                node.probability = above.weights[above.place]
            self.mode = ""
        else:
            node = self.current = VisitedNode(s, None, None, self.depth)
        path.append(node)
        node.alpha = self.scores.lowest if alpha is None else alpha
        node.beta = self.scores.highest if beta is None else beta
        if self.watches:
            node.over, node.player = self.look(s)
            node.flip = self.scores.opposed and self.sign(s) < 0
            if self.literal.one_sided:
                node.alpha, node.beta = node.window()
            if self.recorder:
                self.recorder.enter(node)

    def leaf(self, v: V, reason: str = "terminal") -> V:
        """The position is worth `v`, by the rules or, at a `cutoff`, by the evaluation."""
        node = self.returned = self.path.pop()
        plain = self.scores.plain(v)
        node.best = self.in_max_view(node, plain)
        node.estimated = reason == "cutoff"
        self.cut_short |= node.estimated and node.depth <= 0
        self.leaves += 1
        if self.recorder:
            self.recorder.leaf(node, node.best, reason)
        return cast(V, plain)

    def back_up(self, v: Score, alpha: Score = None, beta: Score = None) -> None:
        """A child is back, and `v` is now the best for the mover; (alpha, beta) is the window up to here."""
        node, child = self.path[-1], self.returned
        best = self.in_max_view(node, v)
        if node.first_look is not None:
            child.estimated |= node.first_look.estimated
            node.first_look = None
        improved = bool(node.best is None or best != node.best)
        node.estimated |= child.estimated
        if improved:
            node.best, node.line = best, (child.action, child.line)
        if node.parent is None:
            self.root_values[child.action] = child.best
        if self.recorder:
            self.recorder.value(node, child, node.turned(child.best), node.turned(best), improved)
            if alpha is not None:
                low, high = self.in_mover_view(node, alpha, beta)
                if node.turned(best) > low:
                    self.recorder.window(node, node.turned(best), high)

    def add_up(self, v: Score) -> None:
        """An outcome of chance is back, and `v` is the sum so far."""
        node, child = self.path[-1], self.returned
        node.estimated |= child.estimated
        if self.recorder:
            self.recorder.value(node, child, child.best, v, True)

    def cut(self, v: Score, bound: Score) -> None:
        """`v` has reached `bound`: the actions that are left cannot matter."""
        node = self.path[-1]
        skipped = node.actions[node.place + 1 :]
        if skipped:
            self.cutoffs += 1
            if self.recorder:
                best, limit = node.turned(self.in_max_view(node, v)), node.turned(self.in_max_view(node, bound))
                self.recorder.cutoff(node, "alpha" if node.flip else "beta", best, limit, skipped)

    def scout(self) -> None:
        """The next child is searched with a zero window."""
        self.mode = "zero window"

    def research(self, v: Score, beta: Score) -> None:
        """The child that is back is searched again, with the window (v, beta)."""
        node = self.path[-1]
        node.first_look = self.returned
        if self.recorder:
            self.recorder.research(node, self.returned, "the zero window failed high", v, beta)

    def leave(self, v: V) -> V:
        """The search leaves the position, which is worth `v`."""
        node = self.returned = self.path.pop()
        node.best = self.in_max_view(node, v)
        if self.recorder:
            self.recorder.leave(node, node.turned(node.best), *node.window())
        return v

    def in_max_view(self, node: SearchNode, v: Score) -> Score:
        return node.turned(v) if self.literal.one_sided else v

    def in_mover_view(self, node: SearchNode, alpha: Score, beta: Score) -> tuple[Score, Score]:
        return (-beta, -alpha) if node.flip and not self.literal.one_sided else (alpha, beta)


def stack_depth() -> int:
    """The number of frames on Python's stack."""
    frame, count = sys._getframe(), 0
    while frame.f_back is not None:
        frame, count = frame.f_back, count + 1
    return count
