"""One game that an outside program analyses: its position, its settings and the search under way.

A protocol turns lines into calls of a `Session` and its answers into lines. Everything that takes long happens in a
`SearchThread`, which can be stopped at any time; the rules are compiled by the first search, or by `prepare`.
"""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from zermelo.analysis import Analysis, Limits, Progress
from zermelo.book import BookMove, book_of, given_book, read_book
from zermelo.engine import Searcher
from zermelo.engine.timeman import TimeBudget, TimeManager
from zermelo.errors import ActionError, MethodError
from zermelo.game import CHANCE, Game
from zermelo.play.notation import legal_actions, read_action, read_position
from zermelo.protocols.score import write_score
from zermelo.protocols.settings import SearchRequest, SessionSettings, Weakened

STOP_TIMEOUT_SECONDS = 5.0
"""How long a search may take to stop before it is answered without it: rules in Python may never come back."""
COMPILE_TIMEOUT_SECONDS = 60.0
"""How long a search that is stopped while its rules are compiled may take: that cannot be interrupted, but it ends."""
DEEPEST_PLIES = 250
"""The last depth of a search without limits: in a small game further depths would finish at once, without end."""


@dataclass(frozen=True, slots=True)
class SessionPosition:
    """A state and how it came about."""

    state: object
    history: tuple[object, ...] = ()
    start: str | None = None
    """The text that the first state was read from; `None` if the game begins there."""
    words: tuple[str, ...] = ()
    """The moves since, as they were sent."""


class Session:
    """A game, its current position, and at most one search."""

    def __init__(self, game: Game, weakened: Weakened | None = None):
        if game.kind.hidden:
            raise MethodError(
                f"{game.name} hides information, and an engine would look through it; there is no engine for it"
            )
        self.game = game
        self.weakened = weakened
        self.settings = SessionSettings(own_book=book_of(game) is given_book(game))
        if weakened is not None and weakened.elos is not None:
            self.settings.elo = weakened.elos[1]
        self.position = SessionPosition(game.initial())
        self.search: SearchThread | None = None
        self.book = book_of(game)
        self.dice = random.Random()
        self.excuse = ""
        """What the peer should know about the searcher: that it is not the engine, or has a smaller table."""
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
        self.position = SessionPosition(state, tuple(history), start, tuple(words))

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
        self.excuse = ""
        try:
            searcher = Searcher(self.game, threads=threads, table_mb=table_mb, quiet=True)
        except MemoryError:
            self.settings.table_mb = SessionSettings().table_mb
            searcher = Searcher(self.game, threads=threads, table_mb=self.settings.table_mb, quiet=True)
            self.excuse = f"there is no memory for a table of {table_mb} MB; it has {self.settings.table_mb}"
        if searcher.why_textbook:
            self.excuse = f"searching with the textbook: {searcher.why_textbook}"
        return searcher

    def forget(self) -> None:
        """Forgets what earlier searches found out; a search under way is stopped first."""
        self.stop()
        if self._searcher is not None:
            self._searcher.clear()

    def new_game(self) -> None:
        """The next position is unrelated to the previous ones."""
        self.forget()
        if self.weakened is not None:
            self.weakened.new_game()

    def is_weakened(self, request: SearchRequest) -> bool:
        """Whether the answer to `request` is a move of limited strength: one to be played, not analysed."""
        below = self.settings.limited or self.settings.level is not None
        return below and self.weakened is not None and self.is_played(request)

    def weaken(self, state: object, history: Sequence[object]) -> object:
        """What a player of limited strength does in `state`."""
        assert self.weakened is not None
        if self.settings.limited:
            return self.weakened.choose(self.game, state, history, elo=self.settings.elo)
        return self.weakened.choose(self.game, state, history, level=self.settings.level or 1)

    def is_played(self, request: SearchRequest) -> bool:
        """Whether the answer to `request` is a move to be played, not analysed."""
        free = request.only is None and request.mate is None
        return free and not (self.settings.analysing or request.infinite)

    def open_book(self, path: str) -> None:
        """Plays from the book in the file `path` from now on; without a name, from the one that came with the game."""
        self.book = read_book(path, self.game) if path else book_of(self.game)

    def find_in_book(self, position: SessionPosition, request: SearchRequest) -> BookMove | None:
        """The move of the book for `position`; none if there is none, or a search is asked for."""
        settings = self.settings
        if self.book is None or not settings.own_book or request.interval is not None or not self.is_played(request):
            return None
        return self.book.choose(position.state, self.dice, settings.variety, position.history)

    def go(
        self,
        request: SearchRequest,
        tell: Callable[[SearchThread, Analysis], None],
        answer: Callable[[SearchThread], None],
        watch: Callable[[SearchThread, Progress], None] | None = None,
    ) -> SearchThread:
        """Starts a search; one under way is stopped, and answered, first.

        The thread of the search calls `tell` for every depth, `watch` in the middle of long ones and, once, `answer`.
        """
        self.stop()
        self.search = SearchThread(self, self.position, request, tell, answer, watch)
        self.search.start()
        return self.search

    def stop(self) -> None:
        """Ends the search under way, if there is one, and waits for its answer."""
        if self.search is not None:
            self.search.stop()
            self.search.finish()


class SearchThread(threading.Thread):
    """One search of one position, in a thread of its own."""

    def __init__(
        self,
        session: Session,
        position: SessionPosition,
        request: SearchRequest,
        tell: Callable[[SearchThread, Analysis], None],
        answer: Callable[[SearchThread], None],
        watch: Callable[[SearchThread, Progress], None] | None = None,
    ):
        super().__init__(name="search", daemon=True)
        self.session = session
        self.game = session.game
        self.position = position
        self.request = request
        self.tell = tell
        self.answer = answer
        self.watch = watch
        self.lines = session.settings.lines if request.lines is None else request.lines
        self.best: Analysis | None = None
        self.error: BaseException | None = None
        """What the rules or the search raised, if they did."""
        self.legal: list[object] = []
        self.mated: bool | None = None
        """Whether the win that was asked for has been found; `None` if that was not asked or not settled."""
        self._answered = threading.Lock()
        """Taken by the one thread that answers."""
        self._preparing = threading.Event()
        """Set while the rules are compiled."""
        self._stopped = threading.Event()
        self._released = threading.Event()
        """Set when the answer need not wait for the peer."""
        self._hit = threading.Event()
        self._time = TimeManager(TimeBudget(), session.game.bounds)
        self._chosen: object = None
        if not (request.infinite or request.ponder):
            self._released.set()

    def stop(self) -> None:
        self._stopped.set()
        self._released.set()

    def ponder_hit(self) -> None:
        """The move that was pondered on has been played: from now on the time counts."""
        if self.request.ponder and not self._hit.is_set():
            self._hit.set()
            self._time.start()
            if not self.request.infinite:
                self._released.set()

    @property
    def action(self) -> object:
        """The action it chose; the first legal one if it found nothing, and `None` where there is no choice."""
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
        self._answer_once()

    def finish(self) -> None:
        """Waits for the answer of a search that was stopped; answers in its place if it does not come back."""
        latest = time.monotonic() + COMPILE_TIMEOUT_SECONDS
        self.join(STOP_TIMEOUT_SECONDS)
        while self.is_alive() and self._preparing.is_set() and time.monotonic() < latest:
            self.join(STOP_TIMEOUT_SECONDS)
        if self.is_alive():
            self._answer_once()

    def _answer_once(self) -> None:
        if self._answered.acquire(blocking=False):
            self.answer(self)

    def _think(self) -> None:
        state, history, request = self.position.state, self.position.history, self.request
        if self.game.is_terminal(state) or self.game.player(state) == CHANCE:
            return
        legal = legal_actions(self.game, state, history)
        self.legal = legal if request.only is None else [a for a in legal if a in request.only] or legal
        if self.session.is_weakened(request):
            self._chosen = self.session.weaken(state, history)
            return
        known = self.session.find_in_book(self.position, request)
        if known is not None and known.action in self.legal:
            self._chosen = known.action
            return
        # The clock of a player runs while its engine compiles, so it is started before.
        given = request.budget(self.game.player(state), self.session.settings.overhead)
        running = not request.ponder or self._hit.is_set()
        self._time = TimeManager(given, self.game.bounds, len(self.legal), running)
        if self._hit.is_set():
            self._time.start()
        self._preparing.set()
        try:
            searcher = self.session.prepare()
        finally:
            self._preparing.clear()
        only = self.legal if len(self.legal) < len(legal) else None
        if request.mate is None:
            limits = self._limits(DEEPEST_PLIES)
            self._follow(self._depths(searcher, limits, only))
        else:
            self._find_mate(searcher, request.mate, only)

    def _limits(self, deepest: int, spent_nodes: int = 0) -> Limits:
        depth = deepest if self.request.depth is None else min(self.request.depth, deepest)
        nodes = None if self.request.nodes is None else max(self.request.nodes - spent_nodes, 0)
        return Limits(depth, nodes, stop=self._stopped.is_set)

    def _depths(
        self, searcher: Searcher, limits: Limits, only: list[object] | None, thorough: bool = False
    ) -> Iterator[Analysis]:
        return searcher.think(
            self.position.state,
            limits,
            clock=self._time,
            history=self.position.history,
            lines=1 if thorough else self.lines,
            only=only,
            interval=self.request.interval,
            watch=None if self.watch is None else self._look_up,
            thorough=thorough,
        )

    def _look_up(self, now: Progress) -> None:
        if self.watch is not None and not self._answered.locked():
            self.watch(self, now)

    def _follow(self, depths: Iterator[Analysis]) -> bool:
        """Reports a search depth by depth; returns whether it ended by itself, with nothing left to find out."""
        for found in depths:
            if self._answered.locked():
                return False
            self.best = found
            self.tell(self, found)
            if self.request.mate is not None and self._is_mate(found):
                self.mated = True
                return False
            if found.stopped:
                return False
        return not (self._stopped.is_set() or self._time.must_stop() or self._time.is_enough())

    def _find_mate(self, searcher: Searcher, moves: int, only: list[object] | None) -> None:
        """Looks for a win in that number of moves: first as in play, which finds most of them soon, then thoroughly."""
        plies = min(2 * moves - 1, DEEPEST_PLIES)
        if not self._follow(self._depths(searcher, self._limits(plies), only)):
            return
        before = self.best
        limits = self._limits(plies, 0 if before is None else before.nodes)
        if self._follow(self._depths(searcher, limits, only, thorough=True)):
            self.mated = False
        if not self.mated:
            self.best = before  # of moves that do not win in time, the one that plays best

    def _is_mate(self, found: Analysis) -> bool:
        """Whether `found` is a win for the player to move, soon enough."""
        if self.request.mate is None or found.value != self.game.bounds[1]:
            return False
        plies = next(iter(found.plies_to_end), 0)
        kind, moves = write_score(self.game, self.position.state, found.value, found.line, plies)
        return kind == "mate" and 0 < moves <= self.request.mate
