"""Round robin: everybody meets everybody.

In each round every table of `seats` entrants that there can be meets once, so that all play equally often. For two
seats the meetings come in the order of the circle method: everybody has met one other before anybody meets a second.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations

from zermelo.arena.schedule._meeting import MOST_MEETINGS, Meeting, Result, check_results, check_size, sum_points
from zermelo.errors import OptionError


class RoundRobin:
    """All tables, `rounds` times over; once if not said."""

    name = "round-robin"

    def __init__(self, entrants: int, seats: int, rounds: int | None = None):
        check_size(entrants, seats, rounds)
        tables = math.comb(entrants, seats)
        if tables > MOST_MEETINGS:
            raise OptionError(f"{entrants} entrants make {tables:,} tables of {seats}: play a swiss tournament instead")
        self.entrants = entrants
        self.seats = seats
        self.rounds = rounds or 1

    def next_round(self, played: Sequence[Sequence[Result]]) -> list[Meeting] | None:
        check_results(played, self.entrants)
        if len(played) >= self.rounds:
            return None
        if self.seats == 2:
            return [Meeting(pair) for pair in circle(self.entrants)]
        return [Meeting(table) for table in combinations(range(self.entrants), self.seats)]

    def standing(self, played: Sequence[Sequence[Result]]) -> list[int]:
        """By points, then by seed."""
        check_results(played, self.entrants)
        points = sum_points(played, self.entrants)
        return sorted(range(self.entrants), key=lambda entrant: (-points[entrant], entrant))


def circle(entrants: int) -> Iterator[tuple[int, int]]:
    """Every pair once: the first stays, the others turn about it; with an odd number one rests each time."""
    ring = list(range(1, entrants + entrants % 2))
    for _ in ring:
        line = [0, *ring]
        for one, other in zip(line[: len(line) // 2], reversed(line), strict=False):
            if max(one, other) < entrants:
                yield min(one, other), max(one, other)
        ring = [ring[-1], *ring[:-1]]


KINDS = {"round-robin": RoundRobin}
