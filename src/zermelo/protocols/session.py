"""One game under discussion with a program outside: its position, its settings and the search under way.

A protocol turns lines into calls of a `Session` and its answers into lines. Everything that takes long happens in the
thread of a `Search`, which can be stopped at any time; the rules are compiled by the first search, or by `prepare`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from zermelo.analysis import Analysis
from zermelo.errors import ActionError, MethodError
from zermelo.game import Game
from zermelo.protocols.notation import read_action, read_position
from zermelo.protocols.searcher import Searcher
from zermelo.protocols.thinking import Position, Search
from zermelo.protocols.timing import Order

PATIENCE = 5.0
"""Seconds that a search is given to heed its stop before it is left alone: rules in Python may never come back."""


class Weakened(Protocol):
    """Play below full strength, on a scale of ratings that was measured; whoever makes a session may bring it along."""

    @property
    def lowest(self) -> int: ...

    @property
    def highest(self) -> int: ...

    def new_game(self) -> None:
        """Another game begins."""

    def choose(self, game: Game, state: Any, history: Sequence[Any], elo: int) -> Any:
        """What a player of the rating `elo` does in `state`."""


@dataclass(slots=True)
class Settings:
    """What a peer may set; a change counts from the next search on."""

    threads: int = 1
    table_mb: int = 64
    lines: int = 1
    overhead: float = 0.01
    """Seconds of a clock that pass beside the search."""
    limited: bool = False
    """Whether to play like somebody of the rating `elo`."""
    elo: int = 0
    analysing: bool = False
    """Whether the moves are for somebody to look at: they are never weakened then."""


class Session:
    """A game, its current position, and at most one search."""

    def __init__(self, game: Game, weakened: Weakened | None = None):
        if game.kind.hidden:
            raise MethodError(
                f"{game.name} hides information, and an engine would look through it; there is no engine for it"
            )
        self.game = game
        self.weakened = weakened
        self.settings = Settings(elo=0 if weakened is None else weakened.highest)
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

    def new_game(self) -> None:
        """Whatever comes next has nothing to do with what was."""
        self.forget()
        if self.weakened is not None:
            self.weakened.new_game()

    def is_weakened(self, order: Order) -> bool:
        """Whether the answer to `order` is to be a move of limited strength: one that is played, not looked into."""
        wanted = self.settings.limited and not self.settings.analysing and self.weakened is not None
        return wanted and not order.infinite and order.only is None and order.mate is None

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
