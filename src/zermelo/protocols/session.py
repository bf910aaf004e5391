"""One game under discussion with a program outside: its position, its settings and the search under way.

A protocol turns lines into calls of a `Session` and its answers into lines. Everything that takes long happens in the
thread of a `Search`, which can be stopped at any time; the rules are compiled by the first search, or by `prepare`.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.analysis import Analysis
from zermelo.errors import ActionError, MethodError
from zermelo.game import CHANCE, Game
from zermelo.protocols.notation import legal_actions, read_action, read_position
from zermelo.protocols.searcher import Searcher
from zermelo.protocols.timing import Budget, Order, budget

PATIENCE = 5.0
"""Seconds that a search is given to heed its stop before it is left alone: rules in Python may never come back."""


DEEPEST = 250
"""Plies that a search without limits deepens to: in a small game every further one would be done at once, for ever."""


@dataclass(slots=True)
class Settings:
    """What a peer may set; a change counts from the next search on."""

    threads: int = 1
    table_mb: int = 64
    lines: int = 1
    overhead: float = 0.01
    """Seconds of a clock that pass beside the search."""


@dataclass(frozen=True, slots=True)
class Position:
    """A state and how it came about."""

    state: Any
    history: tuple[Any, ...] = ()
    start: str | None = None
    """What the first state was read from; `None` if the game begins there."""
    words: tuple[str, ...] = ()
    """The moves since, as they were sent."""


class Session:
    """A game, its current position, and at most one search."""

    def __init__(self, game: Game):
        if game.can("view"):
            raise MethodError(
                f"{game.name} hides information, and an engine would look through it; there is no engine for it"
            )
        self.game = game
        self.settings = Settings()
        self.position = Position(game.initial())
        self.search: Search | None = None
        self._searcher: Searcher | None = None
        self._made_for: tuple[int, int] | None = None
        self._lock = threading.Lock()

    def set_position(self, start: str | None, words: Sequence[str]) -> None:
        """Goes to the position that the moves `words` lead to; stays where it was if one of them is not legal."""
        old = self.position
        known = len(old.words)
        if start == old.start and tuple(words[:known]) == old.words:
            state, history = old.state, list(old.history)
        else:
            state, history, known = self.game.initial() if start is None else read_position(self.game, start), [], 0
        for number, word in enumerate(words[known:], start=known + 1):
            try:
                action = read_action(self.game, state, word, history)
            except ActionError as error:
                raise ActionError(f"move {number}: {error}; the position stays as it was") from error
            history.append(state)
            state = self.game.result(state, action)
        self.position = Position(state, tuple(history), start, tuple(words))

    def prepare(self) -> Searcher:
        """The searcher for the current settings, with the rules compiled."""
        with self._lock:
            wanted = (self.settings.threads, self.settings.table_mb)
            if self._searcher is None or (self._made_for != wanted and self._searcher.adjustable):
                self._searcher = self._make_searcher(*wanted)
                self._made_for = (self.settings.threads, self.settings.table_mb)
            return self._searcher

    def _make_searcher(self, threads: int, table_mb: int) -> Searcher:
        """A new searcher; with the default table if there is no memory for the one that was asked for."""
        try:
            return Searcher(self.game, threads, table_mb)
        except MemoryError:
            self.settings.table_mb = Settings().table_mb
        searcher = Searcher(self.game, threads, self.settings.table_mb)
        searcher.excuse = f"there is no memory for a table of {table_mb} MB; it has {self.settings.table_mb}"
        return searcher

    def forget(self) -> None:
        """Forgets what earlier searches found out; a search under way is stopped first."""
        self.stop()
        if self._searcher is not None:
            self._searcher.clear()

    def go(self, order: Order, tell: Callable[[Search, Analysis], None], answer: Callable[[Search], None]) -> Search:
        """Begins a search; one under way is stopped, and answered, first.

        The thread of the search calls `tell` for every depth and, once, `answer`.
        """
        self.stop()
        self.search = Search(self, self.position, order, tell, answer)
        self.search.start()
        return self.search

    def stop(self) -> None:
        """Ends the search under way, if there is one, and waits for its answer."""
        if self.search is not None:
            self.search.stop()
            self.search.join(PATIENCE)


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
        self.lines = session.settings.lines
        self.best: Analysis | None = None
        self.error: BaseException | None = None
        """What the rules or the search raised, if they did."""
        self.excuse = ""
        self.legal: list[Any] = []
        self._stopped = threading.Event()
        self._released = threading.Event()
        """Set when the answer need not wait for the peer."""
        self._hit = threading.Event()
        self._deadline: float | None = None
        self._budget = Budget()
        if not (order.infinite or order.ponder):
            self._released.set()

    def stop(self) -> None:
        self._stopped.set()
        self._released.set()

    def ponder_hit(self) -> None:
        """The move that was pondered on has been played: from now on the time counts."""
        if self.order.ponder and not self._hit.is_set():
            self._hit.set()
            self._start_clock()
            if not self.order.infinite:
                self._released.set()

    @property
    def action(self) -> Any:
        """What it chose; the first legal action if it came to nothing, and `None` where nobody chooses."""
        if self.best is not None and self.best.action in self.legal:
            return self.best.action
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
        # The clock of a player runs while its engine compiles, so it is started before.
        self._budget = budget(self.order, self.game.player(state), self.session.settings.overhead)
        if not self.order.ponder or self._hit.is_set():
            self._start_clock()
        searcher = self.session.prepare()
        self.excuse = searcher.excuse
        depth = DEEPEST if self.order.depth is None else self.order.depth
        limits: dict[str, Any] = {"depth": depth, "nodes": self.order.nodes, "stop": self._must_stop}
        if self._deadline is not None:
            limits["seconds"] = max(self._deadline - time.perf_counter(), 0.0)
        narrowed = self.legal if len(self.legal) < len(legal) else None
        for found in searcher.think(state, history, self.lines, narrowed, **limits):
            self.best = found
            self.tell(self, found)
            if self._must_stop() or self._is_enough():  # a depth may be done before the engine asks whether to stop
                break

    def _start_clock(self) -> None:
        if self._budget.hard is not None:
            self._deadline = time.perf_counter() + self._budget.hard

    def _must_stop(self) -> bool:
        late = self._deadline is not None and time.perf_counter() >= self._deadline
        return late or self._stopped.is_set()

    def _is_enough(self) -> bool:
        """Whether another depth would be a waste of the clock: too long, or nothing to choose."""
        if self._budget.soft is None or self._deadline is None or self._budget.hard is None:
            return False
        spent = time.perf_counter() - (self._deadline - self._budget.hard)
        return len(self.legal) == 1 or spent > self._budget.soft
