"""Gauntlet: the first entrant meets all others, who do not meet each other.

The quickest way to learn how one player does against many. In games for more than two the first entrant sits at a table
with every choice of the others that there can be.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from zermelo.arena.schedule._meeting import MOST_MEETINGS, Meeting, Result, check_results, check_size, sum_points
from zermelo.errors import OptionError


class Gauntlet:
    """Entrant 0 against the field, `rounds` times over; once if not said."""

    name = "gauntlet"

    def __init__(self, entrants: int, seats: int, rounds: int | None = None):
        check_size(entrants, seats, rounds)
        tables = math.comb(entrants - 1, seats - 1)
        if tables > MOST_MEETINGS:
            raise OptionError(f"{entrants} entrants make {tables:,} tables of {seats}: enter fewer players")
        self.entrants = entrants
        self.seats = seats
        self.rounds = rounds or 1

    def next_round(self, played: Sequence[Sequence[Result]]) -> list[Meeting] | None:
        check_results(played, self.entrants)
        if len(played) >= self.rounds:
            return None
        return [Meeting((0, *others)) for others in combinations(range(1, self.entrants), self.seats - 1)]

    def standing(self, played: Sequence[Sequence[Result]]) -> list[int]:
        """By points a meeting, as the first entrant has more meetings than the others; then by seed."""
        check_results(played, self.entrants)
        points = sum_points(played, self.entrants)
        meetings = [0] * self.entrants
        for entrant in (entrant for results in played for result in results for entrant in result.entrants):
            meetings[entrant] += 1
        mean = [round(won / max(times, 1), 9) for won, times in zip(points, meetings, strict=True)]
        return sorted(range(self.entrants), key=lambda entrant: (-mean[entrant], entrant))


KINDS = {"gauntlet": Gauntlet}
