"""The test that ends a match of two when enough is known.

Encounters are weighed in the order of the schedule, not in that of their ends: those that end soon are of another kind
than those that take long, and would have more than their say. So the verdict is a function of the games alone, however
many are played at once, and stays what it is when more games come in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable

from zermelo.arena.copies import Played, signature
from zermelo.arena.fixture import Fixture, Outcome
from zermelo.arena.statistics import Sprt
from zermelo.arena.statistics.sprt import Decision

GAMES = 2
"""Of an encounter, one in each seat; their numbers follow each other."""


class SequentialTest:
    """A test of the first entrant against the second, fed with games in any order."""

    def __init__(self, test: Sprt, games: Iterable[tuple[Fixture, Outcome]] = ()):
        self.test = test
        self.counts = [0] * (2 * GAMES + 1)
        """Encounters that brought the first entrant 0, ½, 1, 1½ and 2 points, up to the one that decided."""
        self.decision: Decision | None = None
        self._weighed = 0
        self._games: dict[int, list[Played]] = defaultdict(list)
        self._seen: set[Hashable] = set()
        for fixture, outcome in games:
            self.add(fixture, outcome)

    def add(self, fixture: Fixture, outcome: Outcome) -> None:
        """Takes a game in, and weighs all encounters that are whole and have no gap before them, but no copies."""
        self._games[fixture.number // GAMES].append((fixture, outcome))
        while self.decision is None and len(self._games[self._weighed]) == GAMES:
            encounter = self._games.pop(self._weighed)
            self._weighed += 1
            mark = signature(encounter)
            if mark is None or mark not in self._seen:
                points = sum(each.points[of.seats.index(0)] for of, each in encounter)
                self.counts[round(2 * points)] += 1
                self.decision = self.test.decision(self.counts)
            self._seen.add(mark)

    @property
    def llr(self) -> float:
        return self.test.llr(self.counts)

    def line(self) -> str:
        return self.test.line(self.counts)
