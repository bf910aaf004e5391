"""A game of a tournament: as scheduled, as handed to an executor, and as played.

    ScheduledGame   its place in the schedule, who sits where, which opening
    GameJob         all that another process needs to play it, as text and numbers
    GameOutcome     how it went, with the points of every seat

Points are 1 for a win, ½ for a draw and 0 for a loss; in a game of more than two, the mean over all others.

Players without dice of their own repeat themselves where an opening comes back. A hundred copies of one game are one
observation, so statistics leave copies out (`without_copies`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from zermelo.arena.openings import Opening
from zermelo.play import Record

if TYPE_CHECKING:
    from zermelo.arena.host import Host

MOVE_TIMEOUT_SECONDS = 300.0
"""Seconds that a player of the package may think about a move where no clock counts, before it counts as hanging."""


class ScheduledGame(NamedTuple):
    """A scheduled game."""

    number: int
    """Its place in the tournament, from 0 on."""
    round: int
    meeting: int
    """Which meeting of its round it belongs to."""
    encounter: int
    """Which of the meeting's openings it is played from; the games of an encounter differ only in the seats."""
    seats: tuple[int, ...]
    """The entrant at each seat."""
    opening: int
    """The place of its opening in the book."""
    seed: int
    """Seeds the dice; the same for all games of an encounter."""


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms that all games of a tournament are played under, as text and numbers."""

    clock: str = "none"
    margin: float = 0.1
    resign: str | None = None
    draw: str | None = None
    solution: str | None = None
    """A file of solved positions by which games are ended."""
    longest: int = 10_000
    """Actions after which a game counts as drawn."""
    patience: float = MOVE_TIMEOUT_SECONDS


class GameJob(NamedTuple):
    """A scheduled game as an executor receives it."""

    number: int
    game: str
    players: tuple[str, ...]
    opening: Opening
    seed: int
    terms: Terms

    @property
    def title(self) -> str:
        return f"game {self.number} of {self.game} ({' - '.join(self.players)})"

    @property
    def texts(self) -> tuple[str, ...]:
        return (self.game, *self.players, self.terms.solution or "")

    def play(self, host: Host) -> GameOutcome:
        return host.play(self)


class GameOutcome(NamedTuple):
    """A game that has been played, or lost without being played."""

    number: int
    record: Record
    points: tuple[float, ...]
    """Per seat."""
    started: str
    """When it began, as in `2026-11-15T20:17:00+00:00`."""
    duration: float
    """Seconds from the first move to the last."""
    versions: dict[str, str]
    """The versions used: `zermelo`, `python`."""


def points_of(utilities: Sequence[float]) -> tuple[float, ...]:
    """The points of each seat."""
    others = max(len(utilities) - 1, 1)
    return tuple(
        sum(0.5 if mine == theirs else float(mine > theirs) for q, theirs in enumerate(utilities) if q != p) / others
        for p, mine in enumerate(utilities)
    )


def points_without(seats: int, culprit: int) -> tuple[float, ...]:
    """The points of a game that `culprit` has lost to all others, who are equal."""
    return points_of([0.0 if p == culprit else 1.0 for p in range(seats)])


PlayedGame = tuple[ScheduledGame, GameOutcome]


def signature(encounter: Sequence[PlayedGame]) -> Hashable | None:
    """A key that is equal for an encounter and its copies; `None` if it cannot be a copy.

    A game lost by a failure is never a copy: that a player fails again is new information.
    """
    for _, outcome in encounter:
        record = outcome.record
        if not record.moves or (record.culprit is not None and record.reason != "resignation"):
            return None
    return frozenset((scheduled.seats, outcome.record.start, outcome.record.moves) for scheduled, outcome in encounter)


def without_copies(games: Iterable[PlayedGame]) -> list[PlayedGame]:
    """`games`, in their order, without the encounters that are copies of earlier ones."""
    kept = list(games)
    encounters: dict[tuple[int, int, int], list[PlayedGame]] = defaultdict(list)
    for scheduled, outcome in kept:
        encounters[scheduled.round, scheduled.meeting, scheduled.encounter].append((scheduled, outcome))
    seen: set[Hashable] = set()
    copies: set[int] = set()
    for encounter in encounters.values():
        mark = signature(encounter)
        if mark is not None and mark in seen:
            copies |= {scheduled.number for scheduled, _ in encounter}
        seen.add(mark)
    return [game for game in kept if game[0].number not in copies]
