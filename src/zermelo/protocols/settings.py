"""What a peer may set for a session, and what it may ask of a search."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from zermelo.analysis import Clock
from zermelo.engine.timeman import TimeBudget, budget
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.play import Wish


class Weakened(Protocol):
    """Play below full strength that was measured; the caller may give one to a session."""

    @property
    def levels(self) -> int:
        """The number of levels, from 1 for the weakest on."""

    @property
    def elos(self) -> tuple[int, int] | None:
        """The least and the greatest Elo, on a scale that people know; `None` where the levels have none."""

    def new_game(self) -> None:
        """Another game begins."""

    def choose(
        self, game: Game[S, A], state: S, history: Sequence[S], *, level: int = 1, elo: int | None = None
    ) -> A | Wish:
        """What a player of that level, or of that `elo`, does in `state`."""


@dataclass(slots=True)
class SessionSettings:
    """What a peer may set; a change counts from the next search on."""

    threads: int = 1
    table_mb: int = 64
    lines: int = 1
    shows_odds: bool = False
    """Whether a score comes with the chances to win, draw and lose."""
    overhead: float = Clock().overhead
    """Seconds of a clock that pass outside the search."""
    level: int | None = None
    """The level to play at; `None` for full strength."""
    limited: bool = False
    """Whether to play like a player of the rating `elo`, whatever the level."""
    elo: int = 0
    analysing: bool = False
    """Whether the moves are for analysis: they are never weakened then, and never from a book."""
    own_book: bool = True
    """Whether to play from the book, if there is one; at first not from that of the package, as a peer brings openings
    of its own."""
    variety: float = 1.0
    """How far from its best move a move of the book may be; 0 for always the best."""


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """What `go` asks for; `None` where it is not given."""

    clock: Clock = field(default_factory=Clock)
    nodes: int | None = None
    depth: int | None = None
    mate: int | None = None
    """Find a win in this number of moves of the player to move, and nothing else."""
    infinite: bool = False
    """Whether the answer waits for `stop`."""
    ponder: bool = False
    """Whether the answer waits for `ponderhit`, with which the time begins to count."""
    only: tuple[object, ...] | None = None
    """The actions of the root to choose from."""
    lines: int | None = None
    """The number of best lines to report; `None` for the session's setting."""
    interval: float | None = None
    """Seconds between two answers, of searches that have no depths."""

    def budget(self, p: int, overhead: float) -> TimeBudget:
        """The time that player `p` has for this move."""
        return TimeBudget() if self.infinite else budget(replace(self.clock, overhead=overhead), p)
