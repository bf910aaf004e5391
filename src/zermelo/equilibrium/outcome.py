"""What a method for extensive games gives: a strategy, what it is worth, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zermelo.equilibrium.range_strategy import RangeStrategy
from zermelo.equilibrium.strategies import Strategy


class Point(NamedTuple):
    """One point of the curve of a run."""

    iterations: int
    seconds: float
    exploitability: float


@dataclass(frozen=True)
class ExtensiveEquilibrium:
    """Everybody's strategy; `exploitability` is computed from it alone, however it was found."""

    strategy: Strategy | RangeStrategy
    method: str
    exact: bool
    """Whether all probabilities are fractions."""
    iterations: int = 0
    seconds: float = 0.0
    """Of the solver alone: building the tree and its sequence form is not counted."""
    stopped: str = ""
    """What ended a run before its target: `iterations`, `seconds`, `stop` or `interrupt`; empty if nothing did."""
    curve: tuple[Point, ...] = field(default=(), repr=False)

    def _repr_html_(self) -> str:
        from zermelo.equilibrium.shown import show_extensive

        return show_extensive(self)

    @property
    def values(self) -> tuple[Any, ...]:
        """What every player gets."""
        return self.strategy.values

    @property
    def value(self) -> Any:
        """What the first player gets."""
        return self.values[0]

    @property
    def exploitability(self) -> Any:
        """How much a player gains by its best answer, on average over the players: 0 at an equilibrium."""
        return self.strategy.exploitability
