"""Who sits at a table of the studio: a person at the page, and players whose clocks tell them when to stop."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

from zermelo.analysis import Clock
from zermelo.errors import PlayerError
from zermelo.game import Game
from zermelo.play import Guest, LiveGame, TimeControl, Timekeeper
from zermelo.studio.workers import WorkerJob

NOBODY = -2
"""Neither a player nor chance."""
MOMENT = 0.05
"""Seconds between two looks whether somebody still waits."""


class Person:
    """Whoever sits at the page; moves come by clicks, so nobody ever asks for one."""

    name = "human"

    def choose(self, game: Game, state: Any, history: Any) -> Any:
        raise PlayerError("a person moves by clicking")


class Keeper(Timekeeper):
    """Clocks that tell a player when nobody waits for it any more, and that can be shown to those who see but a part.

    Where actions are hidden, nobody may learn from another's clock how many there were: a row of actions of one player
    is shown as if it were one, from its beginning to its end. A clock is charged when an action is taken, not when a
    player has thought of it: what is thought of after a pause, or for a page that is gone, costs nobody anything.
    """

    def __init__(self, players: int, control: TimeControl):
        super().__init__(players, control)
        self.job: WorkerJob | None = None
        """For which a player thinks."""
        self.using = threading.Lock()
        """Held meanwhile: a player that is told to stop takes a moment, and cannot think twice at once."""
        self.last = NOBODY
        """Who has acted last."""
        self.before = 0.0
        """What that player's clock showed when its row of actions began."""
        self.hidden = [0.0] * players
        """What everybody has gained by actions of such a row after its first one."""

    def spend(self, p: int, seconds: float) -> None:
        """Nothing yet: whoever takes the action charges it."""

    def charge(self, p: int, seconds: float) -> None:
        """Takes `seconds` off the clock of `p`; raises a `PlayerError` if that was more than there were."""
        if self.remaining is not None:
            if self.last == p:
                self.hidden[p] += self.control.increment
            else:
                self.last, self.before = p, self.remaining[p] - self.hidden[p]
        super().spend(p, seconds)

    def seen_by(self, viewer: int | None, mover: int) -> list[float] | None:
        """The time that everybody has left, as far as `viewer` may know while `mover` is to act; `None` sees all, and
        `NOBODY` what everybody may know."""
        if self.remaining is None or viewer is None:
            return self.remaining
        seen = [max(0.0, left - more) for left, more in zip(self.remaining, self.hidden, strict=True)]
        if viewer != NOBODY:
            seen[viewer] = self.remaining[viewer]
        if mover == self.last != viewer:
            seen[mover] = self.before
        return seen

    def serve(self, job: WorkerJob) -> bool:
        """Waits until players can think for `job`; false if that is not wanted any more."""
        while not self.using.acquire(timeout=MOMENT):
            if job.should_stop():
                return False
        self.job = job
        return True

    def leave(self) -> None:
        self.using.release()

    def clock(self) -> Clock:
        return replace(super().clock(), stop=self.job.should_stop if self.job else None)


def welcome(table: LiveGame, seat: int, guests: set[int]) -> None:
    """Tells a player, before its clock runs, that a game begins: an engine compiles the rules then."""
    player = table.players[seat]
    if seat in guests and isinstance(player, Guest):
        with table.blaming(seat):
            player.begin(table.game, seat)
        guests.discard(seat)
