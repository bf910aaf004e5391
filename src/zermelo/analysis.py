"""Limits in, Analysis out: what every search takes and gives."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import OptionError


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a search may go on; `None` means without limit. Whichever is reached first ends it."""

    depth: int | None = None
    """Plies from the root."""
    nodes: int | None = None
    """Positions entered."""
    seconds: float | None = None
    stop: Callable[[], bool] | None = field(default=None, compare=False)
    """Asked at every node; a true answer ends the search."""

    def __post_init__(self) -> None:
        for name in ("depth", "nodes"):
            value = getattr(self, name)
            if value is not None and (not isinstance(value, int) or isinstance(value, bool) or value < 0):
                raise OptionError(f"{name} must be a whole number, 0 or more, not {value!r}")
        seconds = self.seconds
        if seconds is not None and (not isinstance(seconds, (int, float)) or not 0 <= seconds < math.inf):
            raise OptionError(f"seconds must be a number, 0 or more, not {seconds!r}")


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search found out about one position."""

    action: Any
    """The action it recommends; `None` if the position is terminal or was not searched."""
    value: float
    """The utility of the player to move at the root (of player 0 at a chance node)."""
    values: tuple[float, ...]
    """The utility of every player."""
    line: tuple[Any, ...]
    """Best play for both, from the root on: the principal variation."""
    depth: int | None
    """Plies of the last depth that was finished; `None` for a search to the end of the game."""
    nodes: int
    """Positions entered, root and leaves included; a re-search counts again."""
    leaves: int
    """Positions whose value came from the rules or the evaluation, not from children."""
    cutoffs: int
    """How often the search left a position with actions untried because they cannot matter."""
    seconds: float
    exact: bool
    """Whether `value` is proved: the search ended by itself and rests on no estimate and no risky technique."""
    bounds: tuple[float, float]
    """The interval in which the search, as deep as it went, places the root's value."""
    method: str
    """The name of the search, with the techniques that were on."""
    stopped: str = ""
    """What ended it: `nodes`, `simulations`, `seconds`, `stop` or `interrupt`; empty if it ended by itself."""
    actions: dict[Any, float] = field(default_factory=dict)
    """What the root learnt of each action, in the order searched; a bound where alpha-beta needed no more."""
    lines: tuple[tuple[float, tuple[Any, ...]], ...] = ()
    """The best lines with their values, best first, where several were asked for."""
    visits: dict[Any, int] = field(default_factory=dict)
    """How many simulations of Monte Carlo tree search chose each action of the root."""
    trace: Any = field(default=None, compare=False, repr=False)
    """The `zermelo.Trace` of the search, if one was asked for."""
