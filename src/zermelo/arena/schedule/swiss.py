"""Swiss system: equals meet equals, and after a few rounds the best stands out.

In each round the best placed who is unpaired meets the nearest in score whom it has not met, as far as that leaves
everybody else an opponent whom they have not met; within a group of equal score the upper half meets the lower half.
So nobody meets twice while that can be avoided: pairings are perfect matchings of the graph of those who have not met.
Where it cannot, everybody may meet a second time, then a third.

Who is left over has a bye, worth as much as winning every game of a meeting of that round. It goes to the lowest
placed, and to nobody twice before everybody had one. With more than two seats, tables are filled from the top with
those who met those at the table least often, then nearest in score; rematches are then few, and not provably fewest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from zermelo.arena.schedule._matching import Graph, first_perfect_matching, has_perfect_matching
from zermelo.arena.schedule._meeting import (
    Meeting,
    Result,
    check_results,
    check_size,
    count_meetings,
    sum_points,
    total,
)


class Swiss:
    """`rounds` rounds; as many as halving takes to come down from all to one, if not said."""

    name = "swiss"

    def __init__(self, entrants: int, seats: int, rounds: int | None = None):
        check_size(entrants, seats, rounds)
        self.entrants = entrants
        self.seats = seats
        self.rounds = rounds or (entrants - 1).bit_length()

    def next_round(self, played: Sequence[Sequence[Result]]) -> list[Meeting] | None:
        check_results(played, self.entrants)
        if len(played) >= self.rounds:
            return None
        points = self.points(played)
        ranked = sorted(range(self.entrants), key=lambda entrant: (-points[entrant], entrant))
        met = count_meetings(played)
        if self.seats == 2:
            return self.pair(ranked, points, met, played)
        resting = self.by_need(ranked, played)[: self.entrants % self.seats]
        return fill_tables([entrant for entrant in ranked if entrant not in resting], self.seats, points, met)

    def pair(
        self, ranked: list[int], points: list[float], met: Counter[tuple[int, int]], played: Sequence[Sequence[Result]]
    ) -> list[Meeting]:
        """Pairs with as few meetings before this one as can be, the most of any pair counted."""
        for most in range(max(met.values(), default=0) + 1):
            graph = {
                one: {other for other in ranked if other != one and met[min(one, other), max(one, other)] <= most}
                for one in ranked
            }
            playing = ranked if self.entrants % 2 == 0 else self.without_bye(ranked, graph, played)
            if playing is None:
                continue
            pairs = first_perfect_matching(playing, graph, lambda unpaired: by_closeness(unpaired, points))
            if pairs is not None:
                return [Meeting((min(pair), max(pair))) for pair in pairs]
        raise AssertionError("a complete graph of an even number of vertices has a perfect matching")

    def without_bye(self, ranked: list[int], graph: Graph, played: Sequence[Sequence[Result]]) -> list[int] | None:
        """All but the lowest placed of those in turn for a bye whom the others can do without."""
        byes = self.count_byes(played)
        for resting in self.by_need(ranked, played):
            playing = [entrant for entrant in ranked if entrant != resting]
            if byes[resting] == min(byes) and has_perfect_matching(playing, graph):
                return playing
        return None

    def by_need(self, ranked: list[int], played: Sequence[Sequence[Result]]) -> list[int]:
        """Who should rest, the first one first: those with the fewest byes, from the lowest placed up."""
        byes = self.count_byes(played)
        return sorted(ranked, key=lambda entrant: (byes[entrant], -ranked.index(entrant)))

    def count_byes(self, played: Sequence[Sequence[Result]]) -> list[int]:
        """How many rounds each entrant sat out."""
        byes = [len(played)] * self.entrants
        for entrant in (entrant for results in played for result in results for entrant in result.entrants):
            byes[entrant] -= 1
        return byes

    def points(self, played: Sequence[Sequence[Result]]) -> list[float]:
        """Everybody's points, with those of byes."""
        points = sum_points(played, self.entrants)
        for results in played:
            # All points of a game are half as many as the seats, so this is the number of games of a meeting.
            bye = max((2 * sum(result.points) / len(result.points) for result in results), default=0.0)
            playing = {entrant for result in results for entrant in result.entrants}
            for entrant in {*range(self.entrants)} - playing:
                points[entrant] = total((points[entrant], bye))
        return points

    def standing(self, played: Sequence[Sequence[Result]]) -> list[int]:
        """By points, then by the points of all whom one has met (Buchholz), then by seed."""
        check_results(played, self.entrants)
        points = self.points(played)
        strength = [0.0] * self.entrants
        for (one, other), times in count_meetings(played).items():
            strength[one] += times * points[other]
            strength[other] += times * points[one]
        return sorted(
            range(self.entrants), key=lambda entrant: (-points[entrant], -total((strength[entrant],)), entrant)
        )


def by_closeness(unpaired: Sequence[int], points: list[float]) -> Iterator[int]:
    """Partners for the first of `unpaired`, who are ranked: the lower half of its group, the upper half, the rest."""
    group = [entrant for entrant in unpaired if points[entrant] == points[unpaired[0]]]
    half = max(len(group) // 2, 1)
    yield from group[half:]
    yield from reversed(group[1:half])
    yield from unpaired[len(group) :]


def fill_tables(ranked: list[int], seats: int, points: list[float], met: Counter[tuple[int, int]]) -> list[Meeting]:
    """Tables from the top, each with the best placed who is left and those who suit it."""
    waiting = list(ranked)
    tables = []
    while waiting:
        table = [waiting.pop(0)]
        while len(table) < seats:
            again = [sum(met[min(one, other), max(one, other)] for one in table) for other in waiting]
            gaps = [points[table[0]] - points[other] for other in waiting]
            suits = list(zip(again, gaps, strict=True))
            table.append(waiting.pop(suits.index(min(suits))))
        tables.append(Meeting(tuple(sorted(table))))
    return tables


KINDS = {"swiss": Swiss}
