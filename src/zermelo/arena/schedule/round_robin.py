"""Round-robin: every table of entrants that there can be. Gauntlet: every such table with the first entrant.

A gauntlet is the quickest way to learn how one player does against many: the others do not meet each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from zermelo.arena.schedule import MOST_MEETINGS, Meeting, MeetingResult, check_results, check_size, sum_points
from zermelo.errors import OptionError


class RoundRobin:
    """All tables, `rounds` times over; by default once."""

    name = "round-robin"

    def __init__(self, entrants: int, seats: int, rounds: int | None = None):
        check_size(entrants, seats, rounds)
        tables = math.comb(entrants, seats)
        if tables > MOST_MEETINGS:
            raise OptionError(f"{entrants} entrants make {tables:,} tables of {seats}: play a swiss tournament instead")
        self.entrants = entrants
        self.seats = seats
        self.rounds = rounds or 1

    def next_round(self, played: Sequence[Sequence[MeetingResult]]) -> list[Meeting] | None:
        check_results(played, self.entrants)
        if len(played) >= self.rounds:
            return None
        if self.seats == 2:
            return [Meeting(pair) for pair in circle(self.entrants)]
        return [Meeting(table) for table in combinations(range(self.entrants), self.seats)]

    def standing(self, played: Sequence[Sequence[MeetingResult]]) -> list[int]:
        """By points, then by seed."""
        check_results(played, self.entrants)
        points = sum_points(played, self.entrants)
        return sorted(range(self.entrants), key=lambda entrant: (-points[entrant], entrant))


def circle(entrants: int) -> Iterator[tuple[int, int]]:
    """Every pair once: the first stays, the others rotate around it; with an odd number one rests each time."""
    ring = list(range(1, entrants + entrants % 2))
    for _ in ring:
        line = [0, *ring]
        for one, other in zip(line[: len(line) // 2], reversed(line), strict=False):
            if max(one, other) < entrants:
                yield min(one, other), max(one, other)
        ring = [ring[-1], *ring[:-1]]


class Gauntlet:
    """Entrant 0 against the field, `rounds` times over; by default once."""

    name = "gauntlet"

    def __init__(self, entrants: int, seats: int, rounds: int | None = None):
        check_size(entrants, seats, rounds)
        tables = math.comb(entrants - 1, seats - 1)
        if tables > MOST_MEETINGS:
            raise OptionError(f"{entrants} entrants make {tables:,} tables of {seats}: enter fewer players")
        self.entrants = entrants
        self.seats = seats
        self.rounds = rounds or 1

    def next_round(self, played: Sequence[Sequence[MeetingResult]]) -> list[Meeting] | None:
        check_results(played, self.entrants)
        if len(played) >= self.rounds:
            return None
        return [Meeting((0, *others)) for others in combinations(range(1, self.entrants), self.seats - 1)]

    def standing(self, played: Sequence[Sequence[MeetingResult]]) -> list[int]:
        """By points per meeting, as the first entrant has more meetings than the others; then by seed."""
        check_results(played, self.entrants)
        points = sum_points(played, self.entrants)
        meetings = [0] * self.entrants
        for entrant in (entrant for results in played for result in results for entrant in result.entrants):
            meetings[entrant] += 1
        mean = [round(won / max(times, 1), 9) for won, times in zip(points, meetings, strict=True)]
        return sorted(range(self.entrants), key=lambda entrant: (-mean[entrant], entrant))


KINDS = {"round-robin": RoundRobin, "gauntlet": Gauntlet}
