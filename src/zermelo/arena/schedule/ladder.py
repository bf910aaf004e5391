"""A ladder: neighbours meet, and who wins stands above.

The seeds stand in order at first. In each round the tables are neighbours, shifted by one seat from round to round, so
that everybody meets those above in one round and those below in another. Those at a table then stand in the order of
their points; whoever is level stays where they are. Without upsets the order is right after as many rounds as entrants,
whatever it was at first: it is the odd-even sort.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.arena.schedule import Meeting, MeetingResult, check_results, check_size


class Ladder:
    """`rounds` rounds; as many as there are entrants, if not said."""

    name = "ladder"

    def __init__(self, entrants: int, seats: int, rounds: int | None = None):
        check_size(entrants, seats, rounds)
        self.entrants = entrants
        self.seats = seats
        self.rounds = rounds or entrants

    def next_round(self, played: Sequence[Sequence[MeetingResult]]) -> list[Meeting] | None:
        order = self.standing(played)
        if len(played) >= self.rounds:
            return None
        first = len(played) % self.seats
        if first + self.seats > self.entrants:
            first = 0
        starts = range(first, self.entrants - self.seats + 1, self.seats)
        return [Meeting(tuple(sorted(order[start : start + self.seats]))) for start in starts]

    def standing(self, played: Sequence[Sequence[MeetingResult]]) -> list[int]:
        """The ladder, from the top."""
        check_results(played, self.entrants)
        order = list(range(self.entrants))
        for results in played:
            for result in results:
                points = dict(zip(result.entrants, result.points, strict=True))
                places = sorted(order.index(entrant) for entrant in result.entrants)
                table = sorted((order[place] for place in places), key=lambda entrant: -points[entrant])
                for place, entrant in zip(places, table, strict=True):
                    order[place] = entrant
        return order


KINDS = {"ladder": Ladder}
