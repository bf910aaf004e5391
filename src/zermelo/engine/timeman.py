"""Time management: how much of the clock a move gets, and when a search has used enough of it.

A clock that has T seconds left and gains i per move gives T/25 + 3i/4 to the next move (T/m + 3i/4 if m moves are left
until more time comes): the soft limit. A search stops earlier if its answer is settled and later if it is not, at most
at four times the soft limit and never after half of T: the hard limit. So the clock never runs out: every move leaves
at least half of it. Tournaments, UCI, GTP and the studio all use this policy, so the strength that is measured is
the strength in use.
"""

from __future__ import annotations

import time
from dataclasses import dataclass

from zermelo.analysis import Clock

MOVES_LEFT = 25
"""The number of moves that a clock is divided among if it does not give one."""
HARD_FACTOR = 4
"""The hard limit is at most this many times the soft one."""
LARGEST_SHARE, LAST_MOVE_SHARE = 0.5, 0.8
"""The part of the clock that one move may take at most; and the last move before more time comes."""
LAST_START = 0.6
"""The part of a move's time after which no further depth is started: it would hardly be finished."""
RESERVED_MOVES = 50
"""The moves whose overhead is reserved before the clock is divided; at least a fifth of it is always divided."""
LEAST_SECONDS = 0.001
"""The least time of a search, however little is left."""
STABILITY = (1.5, 1.2, 1.0, 0.85, 0.75, 0.65, 0.6)
"""The factor on the soft limit when the best action is new, has stood for one depth, for two, …"""
FALL = 0.005
"""A value that falls by this part of the way from a loss to a win doubles the time; a greater fall does no more."""


@dataclass(frozen=True, slots=True)
class TimeBudget:
    """Seconds for one move; `None` without a limit."""

    hard: float | None = None
    """When the search is stopped unconditionally."""
    soft: float | None = None
    """What the move usually takes; set only if the clock is for the whole game."""


def budget(clock: Clock, p: int) -> TimeBudget:
    """The time that `clock` gives player `p` for this move."""
    hard = soft = None
    left = clock.left(p)
    if left is not None:
        moves = max(clock.moves_to_go or MOVES_LEFT, 1)
        kept = clock.overhead * (RESERVED_MOVES if clock.moves_to_go is None else min(moves, RESERVED_MOVES))
        free = max(left - kept, left / 5, 0.0)
        most = (LAST_MOVE_SHARE if moves == 1 else LARGEST_SHARE) * free
        usual = min(free / moves + 0.75 * clock.increment, most)
        hard, soft = min(HARD_FACTOR * usual, most), max(usual - clock.overhead, 0.0)
    if clock.move_seconds is not None:
        hard = clock.move_seconds if hard is None else min(hard, clock.move_seconds)
    return TimeBudget() if hard is None else TimeBudget(max(hard - clock.overhead, LEAST_SECONDS), soft)


class TimeManager:
    """Decides when a search stops, by its budget and by how settled its answer is.

    A best action that has stood for several depths needs less time, one that has just changed needs more, and so does
    a value that falls: a player who is about to lose something looks for a way out.
    """

    def __init__(self, given: TimeBudget, bounds: tuple[float, float], choices: int = 0, running: bool = True):
        self.given = given
        self.choices = choices
        """The number of actions to choose from; 0 if unknown."""
        self.factor = 1.0
        self._since = time.perf_counter() if running else None
        self._fall = FALL * (bounds[1] - bounds[0])
        self._action: object = None
        self._value = bounds[0]
        self._depths = -1
        """The number of depths in a row that agree with the one before; −1 before the first."""

    def start(self) -> None:
        """Starts the time, as for a search that pondered on the right move."""
        self._since = time.perf_counter()

    @property
    def spent(self) -> float:
        """Seconds since the time began to count."""
        return 0.0 if self._since is None else time.perf_counter() - self._since

    @property
    def hard_left(self) -> float | None:
        """Seconds until the hard limit; `None` without one, or if the time does not count yet."""
        return None if self.given.hard is None or self._since is None else max(self.given.hard - self.spent, 0.0)

    def learn(self, action: object, value: float) -> None:
        """Records the result of one more depth."""
        self._depths = self._depths + 1 if self._depths >= 0 and action == self._action else 0
        fallen = max(self._value - value, 0.0)
        worry = min(fallen / self._fall, 1.0) if 0 < self._fall < float("inf") else 0.0
        self.factor = STABILITY[min(self._depths, len(STABILITY) - 1)] * (1 + worry)
        self._action, self._value = action, value

    @property
    def seconds(self) -> float | None:
        """When to stop, by what is known now; `None` without a limit."""
        if self.given.soft is None or self.given.hard is None or self._depths < 0:
            return self.given.hard
        return min(max(self.factor * self.given.soft, LEAST_SECONDS), self.given.hard)

    def must_stop(self) -> bool:
        """Whether the search must end now, in the middle of a depth."""
        seconds = self.seconds
        return self._since is not None and seconds is not None and self.spent >= seconds

    def is_enough(self, spent: float | None = None) -> bool:
        """Whether another depth would waste the clock: it would hardly be finished, or there is nothing to choose."""
        seconds = self.seconds
        if self.given.soft is None or seconds is None or (spent is None and self._since is None):
            return False
        return self.choices == 1 or (self.spent if spent is None else spent) > LAST_START * seconds
