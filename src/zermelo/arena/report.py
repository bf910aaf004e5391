"""The results of a tournament: scores, ratings or mean payoffs with error bars, and the sequential test."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Any

from zermelo.arena.copies import without_copies
from zermelo.arena.payoffs import PayoffTable
from zermelo.arena.scheduled import GameOutcome, ScheduledGame, unit_seen
from zermelo.arena.sequential import SequentialTest, make_test
from zermelo.arena.statistics import (
    Estimate,
    Ratings,
    Tally,
    comparisons,
    count_pairs,
    course,
    draw_course,
    draw_crosstable,
    draw_payoffs,
    elo_from_games,
    elo_from_pairs,
    rate,
    say_chance,
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
        games: Sequence[tuple[ScheduledGame, GameOutcome]],
        anchors: Mapping[str, float] | None = None,
        sprt: tuple[float, float] | None = None,
        *,
        unit: str | None = None,
        big_blind: float | None = None,
        varying: Collection[int] = (),
    ):
        self.entrants = tuple(entrants)
        self.games = games
        self.anchors = dict(anchors or {})
        self.sprt = sprt
        self.unit = unit_seen(games) if unit is None else unit
        """What payoffs count; empty where points do. Files from before it was kept show it by their games."""
        self.big_blind = big_blind
        self.varying = varying
        """The entrants, by number, who say that they vary."""

    @cached_property
    def news(self) -> list[tuple[ScheduledGame, GameOutcome]]:
        """The games that statistics count: all but copies of earlier ones."""
        return without_copies(self.games, self.varying)

    @property
    def copies(self) -> int:
        """The number of games that are copies of others."""
        return len(self.games) - len(self.news)

    @cached_property
    def results(self) -> list[Result]:
        """Every game that is not a copy, as comparisons of two players."""
        return [
            result
            for scheduled, outcome in self.news
            for result in comparisons(
                [self.entrants[entrant] for entrant in scheduled.entrants], scheduled.of_entrants(outcome.points)
            )
        ]

    @cached_property
    def tally(self) -> Tally:
        return tally(self.results)

    @cached_property
    def payoffs(self) -> PayoffTable | None:
        """What everybody got a game, where a game is about more than points."""
        return PayoffTable(self.entrants, self.news, self.unit, self.big_blind) if self.unit else None

    @cached_property
    def ratings(self) -> Ratings:
        """The ratings of all entrants that have played, the best first."""
        anchors = {name: elo for name, elo in self.anchors.items() if name in self.tally.names}
        return rate(self.tally, anchors)

    @cached_property
    def shared(self) -> dict[tuple[int, int], list[tuple[ScheduledGame, GameOutcome]]]:
        """For each two entrants, the lower number first, the games in which both sat."""
        found: dict[tuple[int, int], list[tuple[ScheduledGame, GameOutcome]]] = defaultdict(list)
        for game in self.games:
            for pair in combinations(sorted(game[0].entrants), 2):
                found[pair].append(game)
        return dict(found)

    def between(self, one: int, other: int) -> list[tuple[ScheduledGame, GameOutcome]]:
        """The games in which both sat."""
        return self.shared.get((min(one, other), max(one, other)), [])

    def _news_between(self, one: int, other: int) -> list[tuple[ScheduledGame, GameOutcome]]:
        return [game for game in self.between(one, other) if game[0].number in self._fresh]

    @cached_property
    def _fresh(self) -> set[int]:
        return {scheduled.number for scheduled, _ in self.news}

    @cached_property
    def sequential(self) -> SequentialTest | None:
        """The test of the first two entrants, if there is one."""
        return None if self.sprt is None else SequentialTest(make_test(self.sprt, self.unit), self.games, self.varying)

    def pairs(self, one: int, other: int) -> tuple[int, int, int, int, int]:
        """How often an encounter of two games brought `one` 0, ½, 1, 1½ and 2 points against `other`."""
        scores: dict[tuple[int, int, int], list[float]] = defaultdict(list)
        for scheduled, outcome in self._news_between(one, other):
            if len(scheduled.entrants) == 2:
                key = scheduled.round, scheduled.meeting, scheduled.encounter
                scores[key].append(outcome.points[scheduled.seats.index(one)])
        return count_pairs(sum(each) for each in scores.values() if len(each) == 2)

    def compare(self, one: int, other: int) -> Estimate | None:
        """How much stronger `one` is than `other`, from their games alone; `None` if they have not met alone."""
        pairs = self.pairs(one, other)
        if sum(pairs):
            return elo_from_pairs(pairs)
        found = Counter(
            outcome.points[scheduled.seats.index(one)]
            for scheduled, outcome in self._news_between(one, other)
            if len(scheduled.entrants) == 2
        )
        return elo_from_games(found[1.0], found[0.5], found[0.0]) if found else None

    def score(self, one: int, other: int) -> tuple[float, float, int]:
        """The points of both in the games they played together, and the number of these games."""
        mine = theirs = 0.0
        for scheduled, outcome in self.between(one, other):
            mine += outcome.points[scheduled.seats.index(one)]
            theirs += outcome.points[scheduled.seats.index(other)]
        return mine, theirs, len(self.between(one, other))

    def endings(self) -> Counter[str]:
        """The number of games that the rules did not end, by reason."""
        return Counter(outcome.record.reason for _, outcome in self.games if outcome.record.reason)

    def failures(self) -> dict[str, Counter[str]]:
        """For each entrant that failed, the number of failures by kind."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for scheduled, outcome in self.games:
            record = outcome.record
            if record.culprit is not None and record.reason != "resignation":
                found[self.entrants[scheduled.seats[record.culprit]]][record.reason] += 1
        return dict(found)

    def failure_details(self, name: str) -> dict[str, str]:
        """The first failure of each kind of the entrant `name`, in words."""
        found: dict[str, str] = {}
        for fixture, outcome in self.games:
            record = outcome.record
            if record.culprit is not None and self.entrants[fixture.seats[record.culprit]] == name and record.detail:
                found.setdefault(record.reason, record.detail)
        return found

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs; a number that is not finite is `None`, as JSON has none.

        Ratings are of games won, also where payoffs count.
        """
        met = sorted(self.shared)
        found: dict[str, Any] = _finite(self._facts(met))
        return found

    def _facts(self, met: Sequence[tuple[int, int]]) -> dict[str, object]:
        return {
            "games": len(self.games),
            "copies": self.copies,
            "unit": self.unit,
            "payoffs": [] if self.payoffs is None else self.payoffs.rows(),
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
            "sprt": None if self.sequential is None else self.sequential.facts(),
        }

    def text(self) -> str:
        """The table for a terminal."""
        if not self.games:
            return "No game has ended yet."
        if self.payoffs is None:
            lines = [self.ratings.text(), "", *(self._pair_line(one, other) for one, other in sorted(self.shared))]
        else:
            table = self.payoffs
            lines = [table.text(), "", *(table.line(one, other) for one, other in sorted(self.shared))]
            if table.unknown:
                lines.append(f"{table.unknown} of {len(self.games)} games are left out: nobody knows what was paid")
        if self.sequential is not None:
            lines.append(self.sequential.line())
        for name, counts in self.failures().items():
            said = ", ".join(f"{kind} {count}×" for kind, count in counts.items())
            lines.append(f"{name} lost by failing: {said}")
            details = self.failure_details(name)
            lines += [f"  {kind}: {details[kind]}" for kind in counts if kind in details]
        if self.copies:
            lines.append(
                f"{self.copies} of {len(self.games)} games are copies of others and count for nothing: "
                f"the players do not vary, so give them more openings"
            )
        return "\n".join(lines)

    def _pair_line(self, one: int, other: int) -> str:
        mine, theirs, count = self.score(one, other)
        found = self.compare(one, other)
        told = f"  {found.line()}, {say_chance(found.superiority)} sure to be stronger" if found else ""
        return f"{self.entrants[one]} – {self.entrants[other]}: {mine:g} – {theirs:g} of {count}{told}"

    def crosstable_svg(self) -> str:
        title = "Games won, and Elo by these" if self.unit else "Crosstable"
        return draw_crosstable(self.tally, self.ratings, title)

    def course_svg(self) -> str:
        """How the ratings, or the payoffs, came about, game by game."""
        if self.payoffs is not None:
            return draw_payoffs(self.payoffs.course(COURSE_STEPS), f"Payoffs, in {self.unit} a game")
        every = max(len(self.results) // COURSE_STEPS, 1)
        return draw_course(course(self.results, every, self.anchors))

    def _first_move(self) -> dict[str, float] | None:
        if not self.games:
            return None
        found = self.ratings.first_move
        return {"elo": found.elo, "low": found.low, "high": found.high}

    def _pair(self, one: int, other: int) -> dict[str, object]:
        mine, theirs, count = self.score(one, other)
        found = self.compare(one, other)
        facts: dict[str, object] = {
            "players": [self.entrants[one], self.entrants[other]],
            "games": count,
            "points": [mine, theirs],
        }
        if found is not None:
            told = ("elo", "low", "high", "normalised", "superiority", "draws")
            facts |= {name: getattr(found, name) for name in told}
            facts["pentanomial"] = list(self.pairs(one, other))
        if self.payoffs is not None:
            facts["payoff"] = self.payoffs.pair(one, other)
        return facts


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _finite(each) for name, each in value.items()}
    if isinstance(value, list):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
