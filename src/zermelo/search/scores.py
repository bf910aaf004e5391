"""What the loop compares: plain utilities, utilities with the plies to the end, or every player's utility.

A score of one number is in some player's view, and `-score` is the same score in the opponent's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from zermelo.game import Game

Score: TypeAlias = Any
"""A float, a `Timed`, or a tuple with every player's utility (max^n)."""

Worth: TypeAlias = Callable[[int], float]
"""What a position is worth to each player."""


class Plain:
    """Scores that are MAX's utility."""

    opposed = True
    """Whether `-score` is the score in the opponent's view."""
    lowest: Score = -math.inf
    highest: Score = math.inf

    def __init__(self, game: Game, maximiser: int):
        self.game = game
        self.maximiser = maximiser

    def end(self, worth: Worth, ply: int) -> Score:
        """The score of an end that is reached at `ply`."""
        return worth(self.maximiser)

    def estimate(self, worth: Worth) -> Score:
        """The score of a position that is not looked into."""
        return worth(self.maximiser)

    def above(self, score: Score) -> Score:
        """The other side of a zero window: the least score above `score`."""
        scale = self.game.scale
        return math.nextafter(score, math.inf) if scale is None else score + 1 / scale

    def less(self, score: Score, margin: float) -> Score:
        """`score` with its utility lowered by `margin`."""
        return score - margin

    def value(self, score: Score) -> float:
        """MAX's utility in `score`."""
        return float(score)

    def values(self, score: Score) -> tuple[float, ...]:
        """Every player's utility in `score`."""
        value = self.value(score)
        if self.game.players == 1:
            return (value,)
        other = (self.game.utility_sum or 0.0) - value
        return (value, other) if self.maximiser == 0 else (other, value)

    def nearer(self, score: Score, plies: int) -> Score:
        """`score` as it looks from `plies` nearer to the end."""
        return score


class Timed(NamedTuple):
    """A utility first, then how soon: among equal wins the quicker is greater, among equal losses the slower."""

    value: float
    haste: float
    """Minus the plies to a win, plus the plies to a loss, 0 for a draw or an estimate."""

    def __neg__(self) -> Timed:
        return Timed(-self.value, -self.haste)


class Quick(Plain):
    """Scores that prefer the quicker win and the longer resistance."""

    lowest = Timed(-math.inf, 0)
    highest = Timed(math.inf, 0)

    def end(self, worth: Worth, ply: int) -> Score:
        value, draw = worth(self.maximiser), self.game.neutral
        return Timed(value, -ply if value > draw else ply if value < draw else 0)

    def estimate(self, worth: Worth) -> Score:
        return Timed(worth(self.maximiser), 0)

    def above(self, score: Score) -> Score:
        return Timed(score.value, score.haste + 1)

    def less(self, score: Score, margin: float) -> Score:
        return Timed(score.value - margin, score.haste)

    def value(self, score: Score) -> float:
        return float(score.value)

    def nearer(self, score: Score, plies: int) -> Score:
        if score.haste == 0:
            return score
        return Timed(score.value, score.haste + (plies if score.haste < 0 else -plies))


class Vector(Plain):
    """Scores with a utility for each player: nobody's gain is another's loss."""

    opposed = False
    lowest = None
    highest = None

    def end(self, worth: Worth, ply: int) -> Score:
        return tuple(worth(p) for p in range(self.game.players))

    def estimate(self, worth: Worth) -> Score:
        return tuple(worth(p) for p in range(self.game.players))

    def value(self, score: Score) -> float:
        return float(score[self.maximiser])

    def values(self, score: Score) -> tuple[float, ...]:
        return tuple(float(u) for u in score)
