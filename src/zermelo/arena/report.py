"""What a tournament has come to: scores, ratings, and how sure one may be of them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from zermelo.arena.fixture import Fixture, Outcome
from zermelo.arena.statistics import (
    Estimate,
    Ratings,
    Sprt,
    Tally,
    comparisons,
    count_pairs,
    course,
    draw_course,
    draw_crosstable,
    elo_from_games,
    elo_from_pairs,
    rate,
    tally,
)
from zermelo.arena.statistics.results import Result

COURSE_STEPS = 40
"""Points of the line that shows how ratings have changed."""


class Report:
    """The games of a tournament, added up."""

    def __init__(
        self,
        entrants: Sequence[str],
        games: Sequence[tuple[Fixture, Outcome]],
        anchors: Mapping[str, float] | None = None,
        sprt: tuple[float, float] | None = None,
    ):
        self.entrants = tuple(entrants)
        self.games = games
        self.anchors = dict(anchors or {})
        self.sprt = sprt

    @cached_property
    def results(self) -> list[Result]:
        """Every game as comparisons of two."""
        return [
            result
            for fixture, outcome in self.games
            for result in comparisons([self.entrants[entrant] for entrant in fixture.seats], outcome.points)
        ]

    @cached_property
    def tally(self) -> Tally:
        return tally(self.results)

    @cached_property
    def ratings(self) -> Ratings:
        """Of all who have played, the best first."""
        anchors = {name: elo for name, elo in self.anchors.items() if name in self.tally.names}
        return rate(self.tally, anchors)

    def pairs(self, one: int, other: int) -> tuple[int, int, int, int, int]:
        """How often an encounter of two games brought `one` 0, ½, 1, 1½ and 2 points against `other`."""
        scores: dict[tuple[int, int, int], list[float]] = defaultdict(list)
        for fixture, outcome in self.games:
            if set(fixture.seats) == {one, other}:
                key = fixture.round, fixture.meeting, fixture.encounter
                scores[key].append(outcome.points[fixture.seats.index(one)])
        return count_pairs(sum(each) for each in scores.values() if len(each) == 2)

    def compare(self, one: int, other: int) -> Estimate | None:
        """How much stronger `one` is than `other`, from their games alone; `None` if they have not met alone."""
        pairs = self.pairs(one, other)
        if sum(pairs):
            return elo_from_pairs(pairs)
        found = Counter(
            outcome.points[fixture.seats.index(one)]
            for fixture, outcome in self.games
            if set(fixture.seats) == {one, other}
        )
        return elo_from_games(found[1.0], found[0.5], found[0.0]) if found else None

    def score(self, one: int, other: int) -> tuple[float, float, int]:
        """Points of both in the games in which both sat, and how many these were."""
        mine = theirs = 0.0
        count = 0
        for fixture, outcome in self.games:
            if one in fixture.seats and other in fixture.seats:
                mine += outcome.points[fixture.seats.index(one)]
                theirs += outcome.points[fixture.seats.index(other)]
                count += 1
        return mine, theirs, count

    def endings(self) -> Counter[str]:
        """How often games ended otherwise than by the rules, and in which way."""
        return Counter(outcome.record.reason for _, outcome in self.games if outcome.record.reason)

    def failures(self) -> dict[str, Counter[str]]:
        """For each entrant that failed, how often and in which way."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for fixture, outcome in self.games:
            record = outcome.record
            if record.culprit is not None and record.reason != "resignation":
                found[self.entrants[fixture.seats[record.culprit]]][record.reason] += 1
        return dict(found)

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        met = [pair for pair in combinations(range(len(self.entrants)), 2) if self.score(*pair)[2]]
        return {
            "games": len(self.games),
            "ratings": [
                {
                    "player": each.name,
                    "elo": each.elo,
                    "low": each.low,
                    "high": each.high,
                    "games": each.games,
                    "score": each.score,
                }
                for each in (self.ratings.entrants if self.games else ())
            ],
            "first_move": self._first_move(),
            "pairs": [self._pair(one, other) for one, other in met],
            "endings": dict(self.endings()),
            "failures": {name: dict(counts) for name, counts in self.failures().items()},
            "sprt": self._sprt(),
        }

    def text(self) -> str:
        """The table for a terminal."""
        if not self.games:
            return "No game has ended yet."
        lines = [self.ratings.text(), ""]
        for one, other in combinations(range(len(self.entrants)), 2):
            mine, theirs, count = self.score(one, other)
            if count:
                found = self.compare(one, other)
                told = f"  {found.line()}, {found.superiority:.1%} sure to be stronger" if found else ""
                names = f"{self.entrants[one]} – {self.entrants[other]}"
                lines.append(f"{names}: {mine:g} – {theirs:g} of {count}{told}")
        if self.sprt is not None:
            lines.append(Sprt(*self.sprt).line(self.pairs(0, 1)))
        for name, counts in self.failures().items():
            said = ", ".join(f"{kind} {count}×" for kind, count in counts.items())
            lines.append(f"{name} lost by failing: {said}")
        return "\n".join(lines)

    def crosstable_svg(self) -> str:
        return draw_crosstable(self.tally, self.ratings)

    def course_svg(self) -> str:
        """How the ratings came about, game by game."""
        every = max(len(self.results) // COURSE_STEPS, 1)
        return draw_course(course(self.results, every, self.anchors))

    def _first_move(self) -> dict[str, float] | None:
        if not self.games:
            return None
        found = self.ratings.first_move
        return {"elo": found.elo, "low": found.low, "high": found.high}

    def _pair(self, one: int, other: int) -> dict[str, Any]:
        mine, theirs, count = self.score(one, other)
        found = self.compare(one, other)
        facts: dict[str, Any] = {
            "players": [self.entrants[one], self.entrants[other]],
            "games": count,
            "points": [mine, theirs],
        }
        if found is not None:
            told = ("elo", "low", "high", "normalised", "superiority", "draws")
            facts |= {name: getattr(found, name) for name in told}
            facts["pentanomial"] = list(self.pairs(one, other))
        return facts

    def _sprt(self) -> dict[str, Any] | None:
        if self.sprt is None:
            return None
        test, pairs = Sprt(*self.sprt), self.pairs(0, 1)
        return {
            "elo0": self.sprt[0],
            "elo1": self.sprt[1],
            "llr": test.llr(pairs),
            "lower": test.lower,
            "upper": test.upper,
            "decision": test.decision(pairs),
        }
