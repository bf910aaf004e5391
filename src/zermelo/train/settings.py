"""The settings of a training, and the games that can be trained."""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo.errors import MethodError
from zermelo.game import AnyGame
from zermelo.options import check_fields, number, whole

SHORTEST_GENERATION_SECONDS = 20.0
MOST_GENERATIONS = 16
SELFPLAY_SHARE, LEARNING_SHARE, TEST_SHARE = 0.6, 0.2, 0.2
"""Of the time of a generation."""
FINAL_SHARE = 0.1
"""Of the whole time: the match against what was there before."""


@dataclass(frozen=True, slots=True)
class TrainingSettings:
    """How a game is learned. The defaults suit a game of any kind on a small machine."""

    minutes: float = 30.0
    width: int = 64
    """Units of the network; 0 for a weighted sum of its inputs."""
    nodes: int = 400
    """Of a move in self-play."""
    opening_plies: int = 8
    """The most random actions at the start of a game."""
    score_share: float = 0.3
    """How much of what a network learns is the value found by the search; the rest is the result of the game."""
    window: int = 3_000_000
    """Positions that a generation learns from, the latest ones."""
    passes: float = 6.0
    """How often a generation learns from each position, on average."""
    rate: float = 0.004
    """The learning rate at the start of a generation."""
    batch: int = 4096
    move_seconds: float = 0.02
    """Of each side, in the match against what was there before."""
    threads: int = 1
    seed: int = 0

    def check(self) -> None:
        check_fields(
            self,
            {
                "minutes": number(0, 1e6, above=True),
                "width": whole(0, 1024),
                "nodes": whole(1, 1 << 40),
                "opening_plies": whole(0, 1000),
                "score_share": number(0, 1),
                "window": whole(1000, 1 << 32),
                "passes": number(0, 1000, above=True),
                "rate": number(0, 1, above=True),
                "batch": whole(16, 1 << 20),
                "move_seconds": number(0, 3600, above=True),
                "threads": whole(1, 1024),
                "seed": whole(0, (1 << 64) - 1),
            },
        )

    @property
    def seconds(self) -> float:
        return 60 * self.minutes

    @property
    def generation_seconds(self) -> float:
        """How long a generation takes."""
        return max(self.seconds * (1 - FINAL_SHARE) / MOST_GENERATIONS, SHORTEST_GENERATION_SECONDS)


def check_trainable(game: AnyGame) -> None:
    """Refuses games that no network of this kind can learn, with the reason."""
    kind = game.kind
    if game.players != 2 or not kind.constant_sum:
        raise MethodError(f"{game.name} cannot be trained: networks learn games of two players with a constant sum")
    if kind.hidden or kind.simultaneous:
        raise MethodError(f"{game.name} cannot be trained: it hides information, and networks look at whole positions")
    if not all(math.isfinite(bound) for bound in game.bounds):
        raise MethodError(f"{game.name} cannot be trained: its `bounds` are not finite; say the least and the greatest")
