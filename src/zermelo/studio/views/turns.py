"""Since when it is whose turn at a table of the studio, the bell that rings when a person's time is up, and pauses."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable
from typing import Any

from zermelo.play import Timekeeper
from zermelo.studio.views.seats import NOBODY, Keeper

TICK = 0.01
"""Seconds that the bell waits beyond the time allowed, so that no rounding makes it too early."""


class Turn:
    """Measures how long whoever is to act has been at it; `ring` is called, with `lock` held, when it is told to."""

    def __init__(self, lock: threading.RLock, ring: Callable[[], None]):
        self.lock, self.ring = lock, ring
        self.mover = NOBODY
        self.asked_at = 0.0
        self.row_at = 0.0
        """When the mover was asked for the first action of a row."""
        self.bell: threading.Timer | None = None

    def start(self, mover: int) -> None:
        """From now on `mover` is asked for an action."""
        self.hush()
        self.asked_at = time.monotonic()
        if mover != self.mover:
            self.mover, self.row_at = mover, self.asked_at

    def forget(self) -> None:
        """It is nobody's turn; whoever comes next begins a row of actions."""
        self.hush()
        self.mover = NOBODY

    def spent(self, row: bool = False) -> float:
        """Seconds since the mover was asked for this action, or for the first one of its row."""
        if self.mover == NOBODY:
            return 0.0
        return time.monotonic() - (self.row_at if row else self.asked_at)

    def ring_in_time(self, keeper: Timekeeper) -> None:
        """Rings when `keeper` would forgive the mover no more for this action, if ever; that may be at once."""
        self.hush()
        limits = [keeper.control.move_seconds, None if keeper.remaining is None else keeper.remaining[self.mover]]
        known = [limit for limit in limits if limit is not None]
        if known:
            wait = max(0.0, min(known) + keeper.control.margin - self.spent()) + TICK
            self.bell = bell = threading.Timer(wait, lambda: self._ring(bell))
            bell.daemon = True
            bell.start()

    def _ring(self, bell: threading.Timer) -> None:
        # Somebody may have acted while this waited for the lock. What rules raise has no one here to be told to.
        with self.lock, contextlib.suppress(Exception, SystemExit):
            if self.bell is bell:
                self.ring()

    def hush(self) -> None:
        if self.bell is not None:
            self.bell.cancel()
        self.bell = None


class Pause:
    """Whether a game that is only watched goes on: by itself, for one more move, or not at all."""

    def __init__(self) -> None:
        self.on = False
        self.one_more = False
        """Whether one move is made in spite of it."""

    def begin(self) -> None:
        self.on, self.one_more = True, False

    def end(self) -> None:
        self.on = self.one_more = False

    def lets_move(self) -> bool:
        return not self.on or self.one_more


def tell_time(keeper: Keeper, turn: Turn, mover: int, viewer: int | None) -> dict[str, Any] | None:
    """What everybody had left when `mover`'s turn began, and how long that has lasted, if there are clocks.

    As far as `viewer` may know, or all of it for `None`: a row of hidden actions of another looks like one.
    """
    left, limit = keeper.seen_by(viewer, mover), keeper.control.move_seconds
    if limit is not None:
        left = [limit] * len(keeper.hidden) if left is None else left
        left = [min(each, limit) if p == mover else each for p, each in enumerate(left)]
    if left is None:
        return None
    return {"remaining": left, "spent": round(turn.spent(row=viewer not in (None, mover)), 3)}
