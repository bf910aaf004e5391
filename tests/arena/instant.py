"""Tournaments without games: outcomes are drawn, and come in whatever order."""

from __future__ import annotations

import random

from zermelo.arena.scheduled import GameOutcome, points_of
from zermelo.play import Record


def outcome_of(job, utilities):
    record = Record(job.game, job.players, "", (), (), tuple(utilities), "")
    return GameOutcome(job.number, record, points_of(utilities), "", 0.0, {})


def drawn(job):
    """Utilities that a game's number settles."""
    dice = random.Random(f"{job.number} {job.players}")
    return [float(dice.randrange(3)) for _ in job.players]


class Instant:
    """An executor that knows at once how every game ends, and tells so in the order that its dice say."""

    def __init__(self, size=1, order=0, judge=drawn, stop_after=None):
        self.size = size
        self.dice = random.Random(order)
        self.judge = judge
        self.jobs = []
        self.done = 0
        self.stop_after = stop_after

    def submit(self, job):
        self.jobs.append(job)
        assert len(self.jobs) <= self.size

    def collect(self):
        if self.stop_after is not None and self.done >= self.stop_after:
            raise KeyboardInterrupt
        self.dice.shuffle(self.jobs)
        count = self.dice.randrange(len(self.jobs) + 1)
        found, self.jobs = self.jobs[:count], self.jobs[count:]
        self.done += count
        return [outcome_of(job, self.judge(job)) for job in found]

    def close(self):
        self.jobs.clear()
