"""The sequential test of the first two entrants, fed with games in any order.

It weighs encounters in the order of the schedule, not in the order in which they end: short games differ from long
ones. So its decision depends on the games alone, not on how many are played at once, and does not change when more
games come in.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from zermelo.arena.copies import Sieve
from zermelo.arena.payoffs import settle
from zermelo.arena.scheduled import GameOutcome, PlayedGame, ScheduledGame
from zermelo.arena.statistics import Moments, PayoffSprt, Sprt
from zermelo.arena.statistics.sprt import Decision

ENCOUNTER_GAMES = 2
"""The number of games per encounter, one in each seat; their numbers are consecutive."""


def make_test(bounds: tuple[float, float], unit: str) -> Sprt | PayoffSprt:
    """The test between two bounds: of Elo, or of payoffs where these count."""
    return PayoffSprt(*bounds, unit) if unit else Sprt(*bounds)


class SequentialTest:
    """A test of the first entrant against the second."""

    def __init__(
        self,
        test: Sprt | PayoffSprt,
        games: Iterable[tuple[ScheduledGame, GameOutcome]] = (),
        varying: Collection[int] = (),
    ):
        self.test = test
        self.counts = [0] * (2 * ENCOUNTER_GAMES + 1)
        """Encounters that brought the first entrant 0, ½, 1, 1½ and 2 points, up to the one that decided."""
        self.means = Moments()
        """What it got a game, or half of what it got more than the other, in these encounters."""
        self.decision: Decision | None = None
        self._weighed = 0
        self._games: dict[int, list[PlayedGame]] = defaultdict(list)
        self._sieve = Sieve(varying)
        for scheduled, outcome in games:
            self.add(scheduled, outcome)

    def add(self, scheduled: ScheduledGame, outcome: GameOutcome) -> None:
        """Adds a game, and weighs all complete encounters without a gap before them, except copies."""
        self._games[scheduled.number // ENCOUNTER_GAMES].append((scheduled, outcome))
        while self.decision is None and len(self._games[self._weighed]) == ENCOUNTER_GAMES:
            encounter = self._games.pop(self._weighed)
            self._weighed += 1
            for counted in self._sieve.take(encounter):
                if self.decision is None:
                    self._weigh(counted)

    def _weigh(self, encounter: Sequence[PlayedGame]) -> None:
        points = sum(each.points[of.seats.index(0)] for of, each in encounter)
        self.counts[round(2 * points)] += 1
        if isinstance(self.test, Sprt):
            self.decision = self.test.decision(self.counts)
            return
        sums = settle(encounter)
        if sums is not None:
            self.means.add((sums[0] - sums[1]) / (2 * len(encounter)))
            self.decision = self.test.decision(self.means)

    @property
    def llr(self) -> float:
        return self.test.llr(self.counts) if isinstance(self.test, Sprt) else self.test.llr(self.means)

    def line(self) -> str:
        return self.test.line(self.counts) if isinstance(self.test, Sprt) else self.test.line(self.means)

    def facts(self) -> dict[str, object]:
        """The test, for programs."""
        test = self.test
        if isinstance(test, Sprt):
            bounds = {"elo0": test.elo0, "elo1": test.elo1}
        else:
            bounds = {"mean0": test.mean0, "mean1": test.mean1}
        return {**bounds, "llr": self.llr, "lower": test.lower, "upper": test.upper, "decision": self.decision}
