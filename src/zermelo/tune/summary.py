"""How a tuning ended, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from zermelo.arena.statistics import Estimate
from zermelo.train.base import with_margin


@dataclass(frozen=True, slots=True)
class TuningSummary:
    """How a tuning ended."""

    out: Path | None
    """The file; `None` if the test was not passed, or is still to come."""
    elo: Estimate | None
    """In the test against what was there before."""
    nodes: int
    """Of a move, for both sides."""
    games: int
    """Played to tune, without those of the test."""
    steps: int
    over: bool
    before: Mapping[str, float]
    after: Mapping[str, float]
    """Of the parameters that were tuned, those that went furthest first."""
    curve: Path

    def line(self) -> str:
        """`+18 ± 12 Elo at 1,000 nodes a move over what you had, 640 games`."""
        if self.elo is None:
            if self.over:
                return f"nothing has changed after {self.games:,} games; try more minutes"
            return f"{self.games:,} games so far, and no test yet; the same command goes on"
        found = f"{with_margin(self.elo.elo, self.elo.margin)} Elo at {self.nodes:,} nodes a move over what you had"
        if self.out is None and self.over:
            return f"{found}, {self.elo.games:,} games: not kept; go on with more minutes"
        return f"{found}, {self.elo.games:,} games"
