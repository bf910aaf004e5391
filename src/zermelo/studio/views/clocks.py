"""The clocks of a game in the studio: what each player sees of them, and the timer of the person to move."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import replace

from zermelo.analysis import Clock
from zermelo.play.clock import TimeControl, Timekeeper
from zermelo.studio.workers import WorkerJob

NOBODY = -2
"""Neither a player nor chance."""
POLL_SECONDS = 0.05
"""Between two checks whether a player is still wanted."""
TIMER_SLACK_SECONDS = 0.01
"""Added to the time allowed, so that rounding never makes the timer early."""


class StudioClock(Timekeeper):
    """Clocks that signal to a player that its move is no longer wanted, and that can be shown in part.

    Where actions are hidden, a clock must not reveal how many there were: consecutive actions of one player are shown
    as one, from its beginning to its end. A clock is charged when an action is taken, not when a player has
    thought of it, so a search that was given up, by a pause or because the page is gone, costs nothing.
    """

    def __init__(self, players: int, control: TimeControl):
        super().__init__(players, control)
        self.job: WorkerJob | None = None
        """The job for which a player thinks."""
        self.in_use = threading.Lock()
        """Held while a player thinks: a player takes a moment to stop, and cannot think twice at once."""
        self.last_mover = NOBODY
        self.remaining_before = 0.0
        """What the clock of the last mover showed when its run of actions began."""
        self.hidden_gain = [0.0] * players
        """What each player has gained by actions of such a run after its first one."""

    def spend(self, p: int, seconds: float) -> None:
        """Nothing: an action is charged when it is taken."""

    def charge(self, p: int, seconds: float) -> None:
        """Takes `seconds` off the clock of `p`; raises a `PlayerError` if fewer were left."""
        if self.remaining is not None:
            if self.last_mover == p:
                self.hidden_gain[p] += self.control.increment
            else:
                self.last_mover, self.remaining_before = p, self.remaining[p] - self.hidden_gain[p]
        super().spend(p, seconds)

    def seen_by(self, viewer: int | None, mover: int) -> list[float] | None:
        """The remaining time of each player, as far as `viewer` may know while `mover` is to act.

        `None` sees everything, and `NOBODY` what all players may know.
        """
        if self.remaining is None:
            return None
        if viewer is None:
            return list(self.remaining)
        seen = [max(0.0, left - gain) for left, gain in zip(self.remaining, self.hidden_gain, strict=True)]
        if viewer != NOBODY:
            seen[viewer] = self.remaining[viewer]
        if mover == self.last_mover != viewer:
            seen[mover] = self.remaining_before
        return seen

    def acquire(self, job: WorkerJob) -> bool:
        """Waits until a player can think for `job`; false if that is no longer wanted."""
        while not self.in_use.acquire(timeout=POLL_SECONDS):
            if job.should_stop():
                return False
        self.job = job
        return True

    def release(self) -> None:
        self.in_use.release()

    def clock(self) -> Clock:
        return replace(super().clock(), stop=self.job.should_stop if self.job else None)


class TurnTimer:
    """Measures the turn of the player to move; `expire` is called, with `lock` held, when a person's time is up."""

    def __init__(self, lock: threading.RLock, expire: Callable[[], None]):
        self.lock, self.expire = lock, expire
        self.mover = NOBODY
        self.asked_at = 0.0
        self.run_began_at = 0.0
        """When the mover was asked for the first of its consecutive actions."""
        self.timer: threading.Timer | None = None

    def start(self, mover: int) -> None:
        """From now on `mover` is asked for an action."""
        self.cancel()
        self.asked_at = time.monotonic()
        if mover != self.mover:
            self.mover, self.run_began_at = mover, self.asked_at

    def reset(self) -> None:
        """It is nobody's turn; the next mover begins a run of actions."""
        self.cancel()
        self.mover = NOBODY

    def spent(self, whole_run: bool = False) -> float:
        """Seconds since the mover was asked for this action, or for the first one of its run."""
        if self.mover == NOBODY:
            return 0.0
        return time.monotonic() - (self.run_began_at if whole_run else self.asked_at)

    def expire_in_time(self, clock: Timekeeper) -> None:
        """Sets the timer for when the mover exceeds its time for this action, if it has a limit."""
        self.cancel()
        limits = [clock.control.move_seconds, None if clock.remaining is None else clock.remaining[self.mover]]
        known = [limit for limit in limits if limit is not None]
        if known:
            wait = max(0.0, min(known) + clock.control.margin - self.spent()) + TIMER_SLACK_SECONDS
            self.timer = timer = threading.Timer(wait, lambda: self._expire(timer))
            timer.daemon = True
            timer.start()

    def _expire(self, timer: threading.Timer) -> None:
        # The person may have acted while this waited for the lock. An error of the rules has no request to answer.
        with self.lock, contextlib.suppress(Exception, SystemExit):
            if self.timer is timer:
                self.expire()

    def cancel(self) -> None:
        if self.timer is not None:
            self.timer.cancel()
        self.timer = None


def show_clocks(clock: StudioClock, timer: TurnTimer, mover: int, viewer: int | None) -> dict[str, object] | None:
    """What each player had left when the turn of `mover` began, and how long it has lasted, if there are clocks.

    As far as `viewer` may know, or all of it for `None`: consecutive hidden actions of another player look like one.
    """
    left, limit = clock.seen_by(viewer, mover), clock.control.move_seconds
    if limit is not None:
        left = [limit] * len(clock.hidden_gain) if left is None else left
        left = [min(each, limit) if p == mover else each for p, each in enumerate(left)]
    if left is None:
        return None
    return {"remaining": left, "spent": round(timer.spent(whole_run=viewer not in (None, mover)), 3)}
