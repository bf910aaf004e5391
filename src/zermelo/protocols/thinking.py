"""A search under way: what a session was asked for, in a thread of its own that can be stopped at any time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Analysis
from zermelo.game import CHANCE
from zermelo.protocols.notation import legal_actions
from zermelo.protocols.score import write_score
from zermelo.protocols.searcher import Searcher
from zermelo.protocols.timing import Budget, Order, Pace, budget

if TYPE_CHECKING:
    from zermelo.protocols.session import Session

DEEPEST = 250
"""Plies that a search without limits deepens to: in a small game every further one would be done at once, for ever."""


@dataclass(frozen=True, slots=True)
class Position:
    """A state and how it came about."""

    state: Any
    history: tuple[Any, ...] = ()
    start: str | None = None
    """What the first state was read from; `None` if the game begins there."""
    words: tuple[str, ...] = ()
    """The moves since, as they were sent."""


class Search(threading.Thread):
    """One search of one position, in a thread of its own."""

    def __init__(
        self,
        session: Session,
        position: Position,
        order: Order,
        tell: Callable[[Search, Analysis], None],
        answer: Callable[[Search], None],
    ):
        super().__init__(name="search", daemon=True)
        self.session = session
        self.game = session.game
        self.position = position
        self.order = order
        self.tell = tell
        self.answer = answer
        self.lines = session.settings.lines if order.lines is None else order.lines
        self.best: Analysis | None = None
        self.error: BaseException | None = None
        """What the rules or the search raised, if they did."""
        self.excuse = ""
        self.legal: list[Any] = []
        self._stopped = threading.Event()
        self._released = threading.Event()
        """Set when the answer need not wait for the peer."""
        self._hit = threading.Event()
        self.mated: bool | None = None
        """Whether the win that was asked for has been found; `None` if that was not asked or not settled."""
        self._since: float | None = None
        """When the time began to count."""
        self._pace = Pace(Budget(), session.game.bounds)
        self._chosen: Any = None
        if not (order.infinite or order.ponder):
            self._released.set()

    def stop(self) -> None:
        self._stopped.set()
        self._released.set()

    def ponder_hit(self) -> None:
        """The move that was pondered on has been played: from now on the time counts."""
        if self.order.ponder and not self._hit.is_set():
            self._hit.set()
            self._since = time.perf_counter()
            if not self.order.infinite:
                self._released.set()

    @property
    def action(self) -> Any:
        """What it chose; the first legal action if it came to nothing, and `None` where nobody chooses."""
        chosen = self._chosen if self.best is None else self.best.action
        if chosen is not None and chosen in self.legal:
            return chosen
        return self.legal[0] if self.legal else None

    def run(self) -> None:
        try:
            self._think()
        except BaseException as error:  # whatever the rules do, even `SystemExit`, the peer gets its answer
            self.error = error
        self._released.wait()
        self.answer(self)

    def _think(self) -> None:
        state, history = self.position.state, self.position.history
        if self.game.is_terminal(state) or self.game.player(state) == CHANCE:
            return
        legal = legal_actions(self.game, state, history)
        only = self.order.only
        self.legal = legal if only is None else [a for a in legal if a in only] or legal
        if self.session.is_weakened(self.order):
            assert self.session.weakened is not None
            self._chosen = self.session.weakened.choose(self.game, state, history, self.session.settings.elo)
            return
        # The clock of a player runs while its engine compiles, so it is started before.
        given = budget(self.order, self.game.player(state), self.session.settings.overhead)
        self._pace = Pace(given, self.game.bounds)
        if not self.order.ponder:
            self._since = time.perf_counter()
        searcher = self.session.prepare()
        self.excuse = searcher.excuse
        narrowed = self.legal if len(self.legal) < len(legal) else None
        if self.order.mate is None:
            limits = self._limits(DEEPEST)
            self._deepen(searcher.think(state, history, self.lines, narrowed, self.order.interval, **limits))
        else:
            self._find_mate(searcher, self.order.mate, narrowed)

    def _limits(self, deepest: int) -> dict[str, Any]:
        depth = deepest if self.order.depth is None else min(self.order.depth, deepest)
        limits: dict[str, Any] = {"depth": depth, "nodes": self.order.nodes, "stop": self._must_stop}
        if self._pace.given.hard is not None and self._since is not None:
            limits["seconds"] = max(self._pace.given.hard - self._spent(), 0.0)
        return limits

    def _deepen(self, depths: Iterator[Analysis]) -> bool:
        """Follows a search depth by depth; says whether it ended by itself, so that it has nothing more to say."""
        for found in depths:
            self.best = found
            self.tell(self, found)
            if self.order.mate is not None and self._is_mate(found):
                self.mated = True
                return False
            if found.stopped:
                return False
            self._pace.learn(found.action, found.value)
            if self._must_stop() or self._is_enough():  # a depth may be done before the engine asks whether to stop
                return False
        return True

    def _find_mate(self, searcher: Searcher, moves: int, only: list[Any] | None) -> None:
        """Looks for a win in so many moves: first as in play, which finds most of them soon, then without a gap."""
        state, history = self.position.state, self.position.history
        plies = min(2 * moves - 1, DEEPEST)
        if not self._deepen(searcher.think(state, history, self.lines, only, **self._limits(plies))):
            return
        before = self.best
        limits = self._limits(plies)
        if self.order.nodes is not None and before is not None:
            limits["nodes"] = max(self.order.nodes - before.nodes, 0)
        if self._deepen(searcher.think_through(state, history, only, **limits)):
            self.mated = False
        if not self.mated:
            self.best = before  # of moves that do not win in time, the one that plays best

    def _is_mate(self, found: Analysis) -> bool:
        """Whether `found` is a win for the player to move, soon enough."""
        if self.order.mate is None or found.value != self.game.bounds[1]:
            return False
        kind, moves = write_score(self.game, self.position.state, found.value, found.line)
        return kind == "mate" and 0 < moves <= self.order.mate

    def _spent(self) -> float:
        return 0.0 if self._since is None else time.perf_counter() - self._since

    def _must_stop(self) -> bool:
        if self._stopped.is_set():
            return True
        seconds = self._pace.seconds if self.best is not None else self._pace.given.hard
        return self._since is not None and seconds is not None and self._spent() >= seconds

    def _is_enough(self) -> bool:
        """Whether another depth would be a waste of the clock: too long, or nothing to choose."""
        if self._since is None or self._pace.given.soft is None:
            return False
        return len(self.legal) == 1 or self._pace.is_spent(self._spent())
