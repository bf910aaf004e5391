"""Knock-out: losers are out, until one entrant is left.

The bracket is seeded: entrants come in the order of their strength, and the better two are, the later they can meet.
The first stage brings the number down to a power of the seats; the best seeds sit it out. A winner takes the place of
the best seed of its table, so that the bracket stays the same whatever the results.

A tied meeting is played again, the points adding up, while the others wait; after three ties the better seed goes on.
With more than two seats the best of a table goes on; where the numbers do not come out, the last table of a stage
sends on as many as the next stage needs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from zermelo.arena.schedule import Meeting, MeetingResult, check_results, check_size, total
from zermelo.errors import OptionError

MOST_TIES = 3
"""The number of tied meetings of one table before the seeds decide."""


class KnockOut:
    """Stages until one is left; `rounds` cannot be chosen."""

    name = "knock-out"

    def __init__(self, entrants: int, seats: int, rounds: int | None = None):
        check_size(entrants, seats, rounds)
        if rounds is not None:
            raise OptionError("a knock-out goes on until one is left: leave out the number of rounds")
        self.entrants = entrants
        self.seats = seats

    def next_round(self, played: Sequence[Sequence[MeetingResult]]) -> list[Meeting] | None:
        stage, _ = self.replay(played)
        return [Meeting(tuple(sorted(table.entrants))) for table in stage.open_tables()] if stage.tables else None

    def standing(self, played: Sequence[Sequence[MeetingResult]]) -> list[int]:
        """Who is still in, in the order of the bracket, then the others: the later out the better, then by points."""
        stage, out = self.replay(played)
        return stage.places + out

    def replay(self, played: Sequence[Sequence[MeetingResult]]) -> tuple[KnockOutStage, list[int]]:
        """The stage after all that was played, and those who are out, the best first."""
        check_results(played, self.entrants)
        stage, out = KnockOutStage(list(range(self.entrants)), self.seats), list[int]()
        for number, results in enumerate(played):
            wanted = {tuple(sorted(table.entrants)): table for table in stage.open_tables()}
            if wanted.keys() != {tuple(sorted(result.entrants)) for result in results}:
                raise OptionError(f"round {number} was not played by those whom the knock-out sent there")
            for result in results:
                wanted[tuple(sorted(result.entrants))].add(result)
            if not stage.open_tables():
                out = stage.losers() + out
                stage = KnockOutStage(stage.survivors(), self.seats)
        return stage, out


@dataclass
class KnockOutTable:
    """One table of a stage, with the points of all its meetings."""

    entrants: list[int]
    places: int
    """How many go on."""
    points: dict[int, float] = field(default_factory=dict)
    meetings: int = 0

    def add(self, result: MeetingResult) -> None:
        self.meetings += 1
        for entrant, points in zip(result.entrants, result.points, strict=True):
            self.points[entrant] = total((self.points.get(entrant, 0.0), points))

    def ranked(self) -> list[int]:
        return sorted(self.entrants, key=lambda entrant: (-self.points[entrant], entrant))

    def is_open(self) -> bool:
        """Whether it must meet, or meet again: the last to go on and the first not to are level."""
        if self.meetings == 0:
            return True
        ranked = self.ranked()
        level = self.points[ranked[self.places - 1]] == self.points[ranked[self.places]]
        return level and self.meetings < MOST_TIES


class KnockOutStage:
    """Those who are still in, by their place in the bracket, and the tables at which they meet."""

    def __init__(self, places: list[int], seats: int):
        self.places = places
        count = len(places)
        goal = 1
        while goal * seats < count:
            goal *= seats
        tables = 0 if count == 1 else min(-((goal - count) // (seats - 1)), count // seats)
        self.resting = places[: count - tables * seats]
        playing = places[len(self.resting) :]
        self.tables = [KnockOutTable([], 1) for _ in range(tables)]
        for row in range(0, len(playing), max(tables, 1)):
            # In alternating directions, so that the best place of a stage meets the worst.
            line = self.tables if row // tables % 2 == 0 else self.tables[::-1]
            for table, entrant in zip(line, playing[row : row + tables], strict=True):
                table.entrants.append(entrant)
        if tables:
            self.tables[-1].places += max(tables * (seats - 1) - (count - goal), 0)

    def open_tables(self) -> list[KnockOutTable]:
        return [table for table in self.tables if table.is_open()]

    def survivors(self) -> list[int]:
        """The places of the next stage: those who rested, the best of each table, then further ones of the last."""
        winners = [table.ranked()[0] for table in self.tables]
        return self.resting + winners + self.tables[-1].ranked()[1 : self.tables[-1].places]

    def losers(self) -> list[int]:
        """Who goes out in this stage, the best first."""
        out = [(-table.points[e], e) for table in self.tables for e in table.ranked()[table.places :]]
        return [entrant for _, entrant in sorted(out)]


KINDS = {"knock-out": KnockOut}
