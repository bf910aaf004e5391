"""What the entrants of a tournament got a game, where payoffs are more than points.

Games that share their luck are one observation: all of an encounter, and all encounters of a round that have the same
opening and the same deal.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from zermelo.arena.scheduled import GameOutcome, PlayedGame
from zermelo.arena.statistics import CoursePoint, PayoffEstimate, mean_payoff, say_chance

BLIND_PARTS = 1_000
"""mbb: thousandths of a big blind."""
EXACT = 1e-9
"""Sums of payoffs that differ by less are the same."""
Worth = Callable[[GameOutcome], Sequence[float] | None]


def payoffs_of(outcome: GameOutcome) -> Sequence[float] | None:
    """What every seat got: adjusted, if the game was."""
    return outcome.record.utilities if outcome.payoffs is None else outcome.payoffs


def paid(outcome: GameOutcome) -> Sequence[float] | None:
    """What every seat was paid."""
    return outcome.record.utilities


class Meeting(NamedTuple):
    """Two entrants, in the games in which both sat."""

    mine: PayoffEstimate
    theirs: PayoffEstimate
    half: PayoffEstimate
    """Half of what the first got more: the same as `mine` where one wins what the other loses."""
    paid: PayoffEstimate
    """What the first was paid, before luck was taken off."""

    @property
    def opposite(self) -> bool:
        """Whether one wins what the other loses."""
        return abs(self.mine.mean + self.theirs.mean) <= EXACT * max(1.0, abs(self.mine.mean))


class PayoffTable:
    """The payoffs of games that count."""

    def __init__(self, entrants: Sequence[str], games: Sequence[PlayedGame], unit: str, big_blind: float | None = None):
        self.entrants = tuple(entrants)
        self.unit = unit
        self.big_blind = big_blind
        known = [game for game in games if payoffs_of(game[1]) is not None]
        self.unknown = len(games) - len(known)
        """Games whose payoffs nobody knows, as when one of three resigns."""
        self.games = whole_encounters(known)
        self.adjusted = sum(payoffs_of(outcome) != paid(outcome) for _, outcome in self.games)
        """Games whose payoffs had luck taken off."""

    def groups(self, one: int, value: Worth, other: int | None = None) -> list[list[float]]:
        """What `one` got, in games with `other` if given, by groups that share their luck."""
        found: dict[tuple[int, int], list[float]] = defaultdict(list)
        for scheduled, outcome in self.games:
            if one in scheduled.seats and (other is None or other in scheduled.seats):
                worth = value(outcome)
                assert worth is not None
                found[scheduled.round, scheduled.encounter].append(worth[scheduled.seats.index(one)])
        return list(found.values())

    @cached_property
    def means(self) -> dict[int, PayoffEstimate]:
        """Everybody's mean payoff, the best first."""
        found = {one: mean_payoff(self.groups(one, payoffs_of)) for one in range(len(self.entrants))}
        known = {one: each for one, each in found.items() if each is not None}
        return dict(sorted(known.items(), key=lambda item: -item[1].mean))

    def meeting(self, one: int, other: int) -> Meeting | None:
        """How `one` and `other` fared where both sat; `None` if they have not met."""
        mine, theirs = self.groups(one, payoffs_of, other), self.groups(other, payoffs_of, one)
        half = [[(a - b) / 2 for a, b in zip(*both, strict=True)] for both in zip(mine, theirs, strict=True)]
        as_paid = self.groups(one, paid, other)
        found = [mean_payoff(each) for each in (mine, theirs, half, as_paid)]
        return None if found[0] is None else Meeting(*filter(None, found))

    # For people.

    def text(self) -> str:
        """A table, one line per entrant."""
        width = max((len(self.entrants[one]) for one in self.means), default=0)
        return "\n".join(
            f"{place:>3}. {self.entrants[one]:<{width}}  {self.say(found):<40} {found.games:>7} games"
            for place, (one, found) in enumerate(self.means.items(), 1)
        )

    def say(self, found: PayoffEstimate) -> str:
        """`+0.167 [+0.102, +0.231] chips a game`, in thousandths of a big blind, too, if there is one."""
        told = f"{found.line()} {self.unit} a game"
        if self.big_blind is None:
            return told
        return f"{told}, {self.in_blinds(found).line()} mbb/g"

    def in_blinds(self, found: PayoffEstimate) -> PayoffEstimate:
        assert self.big_blind is not None
        return found.scaled(BLIND_PARTS / self.big_blind)

    def line(self, one: int, other: int) -> str:
        """How two fared against each other."""
        names, found = f"{self.entrants[one]} – {self.entrants[other]}", self.meeting(one, other)
        if found is None:
            return f"{names}: no payoff is known"
        mine, pairs = found.mine, f"{found.mine.groups} {self.call_groups()}"
        if not found.opposite:
            return f"{names}: {self.say(mine)}, and {self.say(found.theirs)}; {pairs}"
        error = f"standard error {mine.said(mine.error).lstrip('+')}"
        raw = "" if found.paid == mine else f"; as paid {found.paid.line()}"
        sure = f"{say_chance(found.half.superiority)} sure to gain"
        return f"{names}: {self.say(mine)} ({error}, {pairs}{raw}), {sure}"

    def call_groups(self) -> str:
        """What people call games that share their luck."""
        return "pairs" if all(len(scheduled.entrants) == 2 for scheduled, _ in self.games) else "deals"

    # For programs.

    def facts(self, found: PayoffEstimate) -> dict[str, object]:
        told = ("mean", "error", "low", "high", "superiority", "games", "groups")
        facts: dict[str, object] = {name: getattr(found, name) for name in told}
        return facts if self.big_blind is None else {**facts, "mbb": self.in_blinds(found).mean}

    def rows(self) -> list[dict[str, object]]:
        return [{"player": self.entrants[one], **self.facts(found)} for one, found in self.means.items()]

    def pair(self, one: int, other: int) -> dict[str, object] | None:
        found = self.meeting(one, other)
        if found is None:
            return None
        more = {"theirs": self.facts(found.theirs), "paid": self.facts(found.paid)}
        return {**self.facts(found.mine), "superiority": found.half.superiority, **more}

    # For pictures.

    def course(self, steps: int) -> dict[str, list[CoursePoint]]:
        """How everybody's mean and its bar went, after every so many games."""
        every = max(len(self.games) // steps, 2)
        counts = [*range(every, len(self.games), every), len(self.games)]
        lines: dict[str, list[CoursePoint]] = defaultdict(list)
        for count in counts:
            part = PayoffTable(self.entrants, self.games[:count], self.unit)
            for one, found in part.means.items():
                if found.groups > 1:
                    lines[self.entrants[one]].append(CoursePoint(count, found.mean, found.low, found.high))
        return dict(lines)


def encounter_of(game: PlayedGame) -> tuple[int, int, int]:
    scheduled = game[0]
    return scheduled.round, scheduled.meeting, scheduled.encounter


def whole_encounters(games: Sequence[PlayedGame]) -> list[PlayedGame]:
    """The games of encounters in which everybody has had every seat; all games if there is no such encounter yet."""
    sizes = Counter(map(encounter_of, games))
    return [game for game in games if sizes[encounter_of(game)] == len(game[0].entrants)] or list(games)


def settle(encounter: Sequence[PlayedGame]) -> dict[int, float] | None:
    """What everybody got in an encounter, all games added up; `None` if that is not known of all games."""
    sums: dict[int, float] = defaultdict(float)
    for scheduled, outcome in encounter:
        worth = payoffs_of(outcome)
        if worth is None:
            return None
        for entrant, payoff in zip(scheduled.entrants, scheduled.of_entrants(worth), strict=True):
            sums[entrant] += payoff
    return {entrant: round(total / EXACT) * EXACT for entrant, total in sums.items()}


def encounters(games: Sequence[PlayedGame]) -> Iterator[list[PlayedGame]]:
    """Games by the encounters they belong to."""
    found: dict[tuple[int, int, int], list[PlayedGame]] = defaultdict(list)
    for game in games:
        found[encounter_of(game)].append(game)
    yield from found.values()
