"""What all formats of play share: meetings, their results, and the sums over what was played."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, Protocol

from zermelo.errors import OptionError

MOST_MEETINGS = 1_000_000
"""More meetings than this in one round are surely a mistake."""


class Meeting(NamedTuple):
    """Those who meet at one table, in no order of seats."""

    entrants: tuple[int, ...]


class Result(NamedTuple):
    """What a meeting came to: points for each entrant, summed over all games of the meeting."""

    entrants: tuple[int, ...]
    points: tuple[float, ...]


class Schedule(Protocol):
    """A format of play. Both methods take the rounds that were played, each whole, the first one first."""

    name: str

    def next_round(self, played: Sequence[Sequence[Result]]) -> list[Meeting] | None:
        """The meetings of round `len(played)`; `None` when the tournament is over."""

    def standing(self, played: Sequence[Sequence[Result]]) -> list[int]:
        """All entrants, the best first."""


def check_size(entrants: int, seats: int, rounds: int | None) -> None:
    """Refuses numbers that make no tournament."""
    for name, value, least in (("seats", seats, 2), ("entrants", entrants, 2), ("rounds", rounds, 1)):
        if value is None and name == "rounds":
            continue
        if not isinstance(value, int) or isinstance(value, bool) or value < least:
            raise OptionError(f"{name} must be a whole number, {least} or more, not {value!r}")
    if entrants < seats:
        raise OptionError(f"a game for {seats} needs {seats} entrants or more, not {entrants}: enter more players")


def check_results(played: Sequence[Sequence[Result]], entrants: int) -> None:
    """Refuses results that are not of this tournament."""
    for number, results in enumerate(played):
        seen: Counter[tuple[int, ...]] = Counter()
        for result in results:
            known = all(0 <= entrant < entrants for entrant in result.entrants)
            if not known or len(result.points) != len(result.entrants) or len({*result.entrants}) < len(result.points):
                raise OptionError(f"round {number} has a result that is not of this tournament: {tuple(result)}")
            seen[tuple(sorted(result.entrants))] += 1
        if seen and max(seen.values()) > 1:
            raise OptionError(f"round {number} has two results of one meeting: add up all games of a meeting")


def total(points: Iterable[float]) -> float:
    """The sum without the dust of binary fractions, so that equal scores compare as equal."""
    return round(sum(points), 9)


def sum_points(played: Sequence[Sequence[Result]], entrants: int) -> list[float]:
    """The points of each entrant."""
    won: list[list[float]] = [[] for _ in range(entrants)]
    for result in (result for results in played for result in results):
        for entrant, points in zip(result.entrants, result.points, strict=True):
            won[entrant].append(points)
    return [total(points) for points in won]


def count_meetings(played: Sequence[Sequence[Result]]) -> Counter[tuple[int, int]]:
    """How often two have met, the lower number first."""
    met: Counter[tuple[int, int]] = Counter()
    for result in (result for results in played for result in results):
        met.update(combinations(sorted(result.entrants), 2))
    return met
