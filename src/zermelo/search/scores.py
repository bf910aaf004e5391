"""What a search compares: plain utilities, utilities with the plies to the end, or every player's utility.

A score of one number is in some player's view, and `-score` is the same score in the opponent's.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from zermelo.errors import ContractError, MethodError
from zermelo.game import Game
from zermelo.game.kind import no_number, real

Score: TypeAlias = Any
"""A float, a `Timed`, or a tuple with every player's utility (max^n)."""

Worth: TypeAlias = Callable[[int], float]
"""What a position is worth to each player."""


def shares(game: Game, value: float, p: int) -> tuple[float, ...]:
    """Every player's utility if `p` has `value`; NaN for the others where `value` does not determine theirs."""
    rest = game.utility_sum - value if game.utility_sum is not None and game.players == 2 else math.nan
    return tuple(value if q == p else rest for q in range(game.players))


class Plain:
    """Scores that are MAX's utility."""

    opposed = True
    """Whether `-score` is the score in the opponent's view."""
    lowest: Score = -math.inf
    highest: Score = math.inf

    def __init__(self, game: Game, maximiser: int):
        self.game = game
        self.maximiser = maximiser

    def plain(self, value: Any) -> Score:
        """`value` in plain floats, whichever numbers the rules use."""
        return self.number(value)

    def number(self, utility: Any) -> float:
        """A utility as a plain float."""
        value = real(utility)
        if value is None:
            raise no_number(self.game.name, "utility", utility)
        return value

    def end(self, worth: Worth, ply: int) -> Score:
        """The score of an end reached at `ply`, as a plain float whichever number type the rules return."""
        return self.number(worth(self.maximiser))

    def estimate(self, worth: Worth) -> Score:
        """The score of a position that is not searched."""
        return float(worth(self.maximiser))

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
        return shares(self.game, self.value(score), self.maximiser)

    def nearer(self, score: Score, plies: int) -> Score:
        """`score` as it looks from `plies` nearer to the end."""
        return score


class Bounded(Plain):
    """Scores within the bounds of the game, for searches that prune by these bounds."""

    def end(self, worth: Worth, ply: int) -> Score:
        value = self.number(worth(self.maximiser))
        low, high = self.game.bounds
        if not low <= value <= high:
            raise ContractError(
                f"an end of {self.game.name} is worth {value:g}, outside its bounds ({low:g}, {high:g}): "
                f"widen `bounds` in the class"
            )
        return value

    def estimate(self, worth: Worth) -> Score:
        low, high = self.game.bounds
        return float(min(max(worth(self.maximiser), low), high))


class Timed(NamedTuple):
    """A utility first, then how soon: among equal wins the quicker is greater, among equal losses the slower."""

    value: float
    quick: float
    """Minus the plies to a win, plus the plies to a loss, 0 for a draw or an estimate."""

    def __neg__(self) -> Timed:
        return Timed(-self.value, -self.quick)


class Quick(Plain):
    """Scores that prefer the quicker win and the longer resistance."""

    lowest = Timed(-math.inf, 0)
    highest = Timed(math.inf, 0)

    def end(self, worth: Worth, ply: int) -> Score:
        value, draw = self.number(worth(self.maximiser)), self.game.neutral
        return Timed(value, -ply if value > draw else ply if value < draw else 0)

    def estimate(self, worth: Worth) -> Score:
        return Timed(float(worth(self.maximiser)), 0)

    def above(self, score: Score) -> Score:
        return Timed(score.value, score.quick + 1)

    def less(self, score: Score, margin: float) -> Score:
        return Timed(score.value - margin, score.quick)

    def value(self, score: Score) -> float:
        return float(score.value)

    def nearer(self, score: Score, plies: int) -> Score:
        if score.quick == 0:
            return score
        return Timed(score.value, score.quick + (plies if score.quick < 0 else -plies))


class Vector(Plain):
    """Scores with a utility for each player: nobody's gain is another's loss."""

    opposed = False
    lowest = None
    highest = None

    def plain(self, value: Any) -> Score:
        return tuple(map(self.number, value))

    def end(self, worth: Worth, ply: int) -> Score:
        return tuple(self.number(worth(p)) for p in range(self.game.players))

    def estimate(self, worth: Worth) -> Score:
        return tuple(float(worth(p)) for p in range(self.game.players))

    def value(self, score: Score) -> float:
        return float(score[self.maximiser])

    def values(self, score: Score) -> tuple[float, ...]:
        return tuple(float(u) for u in score)


class Shared(Vector):
    """Vectors that add up to the same sum everywhere, with nobody below the game's lower bound."""

    def __init__(self, game: Game, maximiser: int):
        super().__init__(game, maximiser)
        self.least = game.bounds[0]
        assert game.utility_sum is not None
        self.sum = game.utility_sum
        self.most = self.sum - (game.players - 1) * self.least
        """The greatest utility that a player can have."""

    def left_for_another(self, value: float) -> float:
        """The most that one player can have where another has `value`."""
        return self.sum - value - (self.game.players - 2) * self.least

    def end(self, worth: Worth, ply: int) -> Score:
        return self._checked("an end", super().end(worth, ply))

    def estimate(self, worth: Worth) -> Score:
        return self._checked("an estimate", super().estimate(worth))

    def _checked(self, what: str, score: Score) -> Score:
        whole, least = math.fsum(score), min(score)
        if not abs(whole - self.sum) <= 1e-9 * max(1.0, abs(self.sum)) or not least >= self.least:
            raise MethodError(
                f"{what} of {self.game.name} is worth {', '.join(f'{u:g}' for u in score)}, which does not add up to "
                f"{self.sum:g} or leaves the bounds: leave out the pruning"
            )
        return score
