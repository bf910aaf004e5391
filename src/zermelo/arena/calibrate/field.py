"""Who plays the games of a calibration: a crew, from a book of openings, until the budget is spent."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence

from zermelo.arena.crew import Crew
from zermelo.arena.fixture import Job, Outcome, Terms
from zermelo.arena.openings import OpeningBook
from zermelo.arena.statistics import Result, comparisons
from zermelo.errors import PlayerError

LONGEST = 1_000
"""Actions after which a game counts as drawn: weak players need not come to an end."""
RULED = ("", "repetition", "length")
"""How a game ends in which nobody fails."""


class Field:
    """Plays meetings: each is played from several openings, and from each opening everybody sits in every seat."""

    def __init__(
        self,
        game: str,
        seats: int,
        crew: Crew,
        book: OpeningBook,
        *,
        seed: int,
        games: int,
        deadline: float | None,
        progress: Callable[[int], None] | None = None,
    ):
        self.game = game
        self.seats = seats
        self.crew = crew
        self.book = book
        self.seed = seed
        self.left = games
        self.deadline = deadline
        """When to stop, by the monotonic clock."""
        self.progress = progress
        self.played = 0
        self.encounters = 0
        self.ended = ""
        """What has ended the playing: `games`, `minutes` or `interrupt`; empty as long as there is more to come."""

    def play(self, meetings: Sequence[tuple[str, ...]], games: int) -> list[Result]:
        """The results of `games` games of each meeting, or of as many as the budget still allows."""
        jobs = self.jobs(meetings, games)
        jobs = jobs[: self.left - self.left % self.seats]
        self.left -= len(jobs)
        try:
            outcomes = self._run(jobs)
        except KeyboardInterrupt:
            self.ended = "interrupt"
            return []
        if self.left < self.seats and not self.ended:
            self.ended = "games"
        players = {job.number: job.players for job in jobs}
        return [
            result
            for outcome in sorted(outcomes, key=lambda outcome: outcome.number)
            for result in comparisons(players[outcome.number], outcome.points)
        ]

    def jobs(self, meetings: Sequence[tuple[str, ...]], games: int) -> list[Job]:
        """The games of `meetings`, whole encounters, all meetings taking turns."""
        found: list[Job] = []
        for _ in range(-(-games // self.seats)):
            opening = self.book.pick(self.encounters % len(self.book))
            seed = random.Random(f"{self.seed}:{self.encounters}").getrandbits(48)
            self.encounters += 1
            for meeting in meetings:
                for turn in range(self.seats):
                    players = meeting[turn:] + meeting[:turn]
                    number = self.played + len(found)
                    found.append(Job(number, self.game, players, opening, seed, Terms(longest=LONGEST)))
        return found

    def _run(self, jobs: Sequence[Job]) -> list[Outcome]:
        waiting, playing, done = list(reversed(jobs)), 0, list[Outcome]()
        while waiting or playing:
            if self.deadline is not None and time.monotonic() > self.deadline:
                waiting, self.ended = [], "minutes"
            while waiting and playing < self.crew.size:
                self.crew.submit(waiting.pop())
                playing += 1
            for outcome in self.crew.collect():
                playing -= 1
                self.played += 1
                done.append(checked(outcome))
                if self.progress is not None:
                    self.progress(self.played)
        return done


def checked(outcome: Outcome) -> Outcome:
    """`outcome`, if the game was played to an end; a player of ours that fails is no weak player but a fault."""
    if outcome.record.reason not in RULED:
        raise PlayerError(f"a game broke off: {outcome.record.detail}; `zermelo check` may say why")
    return outcome
