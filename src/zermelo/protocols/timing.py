"""What a search is asked for, and how much time that leaves for one move.

A clock that has T seconds left and gains i a move gives T/25 + 3i/4 to the next move (T/m + 3i/4 if m moves are left
until more time comes), more where the answer is unsettled, at most four times that and never more than half of T. So
the clock is never empty, whatever happens: each move leaves half of it at least.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MOVES_LEFT = 25
"""How many more moves a clock is shared among, if nobody says."""
LONGEST = 4
"""How many times its usual time a move may take."""
SHARE, LAST_SHARE = 0.5, 0.8
"""The part of the clock that a move may take at most; and the last one before more time comes."""
BEGIN = 0.6
"""The part of a move's time after which no further depth is begun: it would hardly be finished."""
RESERVE = 50
"""The moves whose overhead is kept back before the clock is shared; a clock always shares a fifth of itself."""
LEAST = 0.001
"""Seconds that a search is given however little is left."""
SETTLED = (1.5, 1.2, 1.0, 0.85, 0.75, 0.65, 0.6)
"""The share of its usual time that a move takes when its answer is new, has stood for one depth, for two, …"""
FALL = 0.005
"""A value that falls by this part of the way from a loss to a win doubles the time; no fall does more."""


@dataclass(frozen=True, slots=True)
class Order:
    """What `go` asks for; `None` where it does not say."""

    remaining: tuple[float | None, float | None] = (None, None)
    """Seconds on the clocks of the first player and the second."""
    increments: tuple[float, float] = (0.0, 0.0)
    moves_to_go: int | None = None
    seconds: float | None = None
    nodes: int | None = None
    depth: int | None = None
    mate: int | None = None
    """A win is to be found in so many moves of the player to move, and nothing else matters."""
    infinite: bool = False
    """Whether the answer waits for `stop`."""
    ponder: bool = False
    """Whether the answer waits for `ponderhit`, with which the time begins to count."""
    only: tuple[Any, ...] | None = None
    """The actions of the root to choose from."""
    lines: int | None = None
    """How many best lines to tell; `None` for as many as the settings say."""
    interval: float | None = None
    """Seconds between two answers, of searches that do not go depth by depth."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds for one move; `None` without a limit."""

    hard: float | None = None
    """When the search is stopped, whatever it is about to find out."""
    soft: float | None = None
    """What the move usually takes; only a clock leaves that choice."""


def budget(order: Order, p: int, overhead: float) -> Budget:
    """The time that `order` gives player `p` for this move; `overhead` passes beside the search."""
    if order.infinite:
        return Budget()
    hard = soft = None
    mine = min(p, 1)  # there are two clocks, however many players
    left = order.remaining[mine]
    if left is not None:
        moves = max(order.moves_to_go or MOVES_LEFT, 1)
        kept = overhead * (RESERVE if order.moves_to_go is None else min(moves, RESERVE))
        free = max(left - kept, left / 5, 0.0)
        most = (LAST_SHARE if moves == 1 else SHARE) * free
        usual = min(free / moves + 0.75 * order.increments[mine], most)
        hard, soft = min(LONGEST * usual, most), max(usual - overhead, 0.0)
    if order.seconds is not None:
        hard = order.seconds if hard is None else min(hard, order.seconds)
    return Budget() if hard is None else Budget(max(hard - overhead, LEAST), soft)


class Pace:
    """How much of its time a search may use up, by how settled its answer is.

    A best action that has stood for several depths needs less time, one that has just changed needs more, and so does
    a value that falls: whoever is about to lose something looks for a way out.
    """

    def __init__(self, given: Budget, bounds: tuple[float, float]):
        self.given = given
        self._fall = FALL * (bounds[1] - bounds[0])
        self._action: Any = None
        self._value = bounds[0]
        self._depths = 0
        """How many depths in a row have come to this action."""
        self.factor = 1.0

    def learn(self, action: Any, value: float) -> None:
        """Takes in what one more depth has come to."""
        self._depths = self._depths + 1 if action == self._action else 0
        fallen = max(self._value - value, 0.0)
        worry = min(fallen / self._fall, 1.0) if 0 < self._fall < float("inf") else 0.0
        self.factor = SETTLED[min(self._depths, len(SETTLED) - 1)] * (1 + worry)
        self._action, self._value = action, value

    @property
    def seconds(self) -> float | None:
        """When to stop, by what is known now; `None` without a limit."""
        if self.given.soft is None or self.given.hard is None:
            return self.given.hard
        return min(max(self.factor * self.given.soft, LEAST), self.given.hard)

    def is_spent(self, spent: float) -> bool:
        """Whether another depth would be a waste of the clock, so many seconds having passed."""
        seconds = self.seconds
        return self.given.soft is not None and seconds is not None and spent > BEGIN * seconds
