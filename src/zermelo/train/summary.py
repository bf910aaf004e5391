"""How a training ended, in one sentence."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from zermelo.arena.statistics import Estimate, Rating
from zermelo.train.base import with_margin


@dataclass(frozen=True, slots=True)
class Summary:
    """How a training ended."""

    network: Path | None
    """`None` if nothing stronger than before was found."""
    elo: Estimate | None
    """In the match against what was there before."""
    tested: Rating | None
    """The same by the tests of the generations."""
    games: int
    positions: int
    generations: int
    kept: int
    curve: Path

    def line(self) -> str:
        """`+148 ± 30 Elo over what you had, 212 games`."""
        if self.network is None:
            return f"nothing stronger than what you had was found in {self.games:,} games; try more minutes"
        if self.elo is None:
            so_far = (
                ""
                if self.tested is None
                else f"{with_margin(self.tested.elo, (self.tested.high - self.tested.low) / 2)} Elo "
            )
            return f"{so_far}over what you had by the tests so far; go on for a match at equal time"
        return f"{with_margin(self.elo.elo, self.elo.margin)} Elo over what you had, {self.elo.games:,} games"
