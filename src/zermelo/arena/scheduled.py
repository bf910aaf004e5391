"""A game of a tournament: as scheduled, as handed to an executor, and as played.

    ScheduledGame   its place in the schedule, who sits where, which opening
    GameJob         all that another process needs to play it, as text and numbers
    GameOutcome     how it went, with the points of every seat

Points are 1 for a win, ½ for a draw and 0 for a loss; in a game of more than two, the mean over all others. Payoffs
are utilities, where a game is about more than that (`unit_of`), with luck taken off as the terms say.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from zermelo.arena.openings import Opening
from zermelo.game import Game
from zermelo.game.sides import for_sides
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
    """The entrant at each seat; in a game of teams one has all seats of a team."""
    opening: int
    """The place of its opening in the book."""
    seed: int
    """Seeds the dice; the same for all games of an encounter."""

    @property
    def entrants(self) -> tuple[int, ...]:
        """Those who play, each once, in the order of their first seats."""
        return tuple(dict.fromkeys(self.seats))

    def of_entrants(self, worth: Sequence[float]) -> tuple[float, ...]:
        """Of what every seat has, what every entrant has."""
        return tuple(worth[self.seats.index(entrant)] for entrant in self.entrants)


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
    adjust: str = "all-in"
    """How luck is taken off payoffs: one of `zermelo.arena.adjust.RULES`."""


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
    payoffs: tuple[float, ...] | None = None
    """Per seat, as statistics count them; `None` where points count, or nobody knows the utilities."""


def points_of(utilities: Sequence[float]) -> tuple[float, ...]:
    """The points of each, where everybody plays alone."""
    others = max(len(utilities) - 1, 1)
    return tuple(
        sum(0.5 if mine == theirs else float(mine > theirs) for q, theirs in enumerate(utilities) if q != p) / others
        for p, mine in enumerate(utilities)
    )


def seat_points(game: Game, utilities: Sequence[float]) -> tuple[float, ...]:
    """The points of each seat; partners have those of their team against the other teams."""
    points = points_of(for_sides(game, utilities))
    return tuple(points[side] for side in game.side_of)


MOST_PLAIN_UTILITY = 1.0
"""What is paid beyond this is more than a game won."""


def unit_of(game: Game) -> str:
    """What payoffs of `game` count, as `chips`; empty if it is won, drawn or lost, and points say all."""
    plain = game.kind.constant_sum and max(map(abs, game.bounds)) <= MOST_PLAIN_UTILITY
    return game.unit or ("" if plain else "points")


def unit_seen(games: Sequence[PlayedGame]) -> str:
    """The same, as far as games that have been played tell it."""
    found = [outcome.record.utilities for _, outcome in games if outcome.record.utilities is not None]
    if not found:
        return ""
    sums = [math.fsum(utilities) for utilities in found]
    plain = max(sums) - min(sums) < 1e-9 and max(abs(u) for each in found for u in each) <= MOST_PLAIN_UTILITY
    return "" if plain else "points"


def points_without(seats: int, culprit: int) -> tuple[float, ...]:
    """The points of a game that `culprit` has lost to all others, who are equal."""
    return points_of([0.0 if p == culprit else 1.0 for p in range(seats)])


def seat_points_without(game: Game, culprit: int) -> tuple[float, ...]:
    """The same for each seat: a team has lost with its member."""
    points = points_without(game.kind.sides, game.side_of[culprit])
    return tuple(points[side] for side in game.side_of)


PlayedGame = tuple[ScheduledGame, GameOutcome]
