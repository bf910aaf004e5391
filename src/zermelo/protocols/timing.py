"""What a search is asked for, and how much time that leaves for one move.

A clock that has T seconds left and gains i a move gives T/25 + 3i/4 to the next move (T/m + 3i/4 if m moves are left
until more time comes), never more than half of T. A deepening is not begun once 60 % of that are gone: it would hardly
be finished.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

MOVES_LEFT = 25
"""How many more moves a clock is shared among, if nobody says."""
SOFT = 0.6
"""The part of a move's time after which no further depth is begun."""
LEAST = 0.001
"""Seconds that a search is given however little is left."""


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
    infinite: bool = False
    """Whether the answer waits for `stop`."""
    ponder: bool = False
    """Whether the answer waits for `ponderhit`, with which the time begins to count."""
    only: tuple[Any, ...] | None = None
    """The actions of the root to choose from."""


@dataclass(frozen=True, slots=True)
class Budget:
    """Seconds for one move; `None` without a limit."""

    hard: float | None = None
    """When the search is stopped."""
    soft: float | None = None
    """When no further depth is begun."""


def budget(order: Order, p: int, overhead: float) -> Budget:
    """The time that `order` gives player `p` for this move; `overhead` passes beside the search."""
    if order.infinite:
        return Budget()
    hard = soft = None
    mine = min(p, 1)  # there are two clocks, however many players
    left = order.remaining[mine]
    if left is not None:
        moves = max(order.moves_to_go or MOVES_LEFT, 1)
        share = 0.8 if moves == 1 else 0.5
        hard = min(max(left, 0.0) / moves + 0.75 * order.increments[mine], share * max(left, 0.0))
        soft = SOFT * hard
    if order.seconds is not None:
        hard = order.seconds if hard is None else min(hard, order.seconds)
    if hard is None:
        return Budget()
    return Budget(max(hard - overhead, LEAST), soft)
