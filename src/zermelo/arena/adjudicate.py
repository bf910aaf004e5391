"""Games that end before the rules end them, because the result is clear.

    resign     one side has expected to lose, and the other to win, for some moves
    draw       both sides have expected a draw for some moves, late in the game
    solution   the position is solved

What a player expects is measured on a scale from a loss (−1) over the neutral utility (0) to a win (1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from zermelo.errors import OptionError
from zermelo.game import CHANCE, Game
from zermelo.play import Ending, LiveGame, Ply

if TYPE_CHECKING:
    from zermelo.engine.solution import Solution


class ResignRule(NamedTuple):
    """`0.9:3`: three moves in a row in which one side expects −0.9 or less, and the other, if known, 0.9 or more."""

    expects: float
    moves: int

    @classmethod
    def read(cls, text: str) -> ResignRule:
        expects, moves = _numbers(text, "resign", "0.9:3", 2)
        if not 0 < expects <= 1 or moves < 1:
            raise OptionError(f"resign {text!r}: expect between 0 and 1, for 1 or more moves, as in 0.9:3")
        return cls(expects, int(moves))

    def applies(self, game: Game, plies: Sequence[Ply]) -> Ending | None:
        """The loss of the player who has just moved: only its value is about the current position."""
        loser = plies[-1].mover if plies else CHANCE
        if loser == CHANCE:
            return None
        mine, theirs = (_last_expectations(game, plies, p, self.moves) for p in (loser, 1 - loser))
        if mine is None or any(value is None or value > -self.expects for value in mine):
            return None
        if theirs is None or any(value is not None and value < self.expects for value in theirs):
            return None
        low, total = game.bounds[0], game.utility_sum or 0.0
        return Ending(tuple(low if p == loser else total - low for p in (0, 1)), "resign rule")


class DrawRule(NamedTuple):
    """`0.05:8:40`: from move 40 on, eight moves in a row in which both sides expect between −0.05 and 0.05."""

    expects: float
    moves: int
    start: int

    @classmethod
    def read(cls, text: str) -> DrawRule:
        expects, moves, start = _numbers(text, "draw", "0.05:8:40", 3)
        if not 0 <= expects < 1 or moves < 1 or start < 0:
            raise OptionError(f"draw {text!r}: expect between 0 and 1, for 1 or more moves, as in 0.05:8:40")
        return cls(expects, int(moves), int(start))

    def applies(self, game: Game, plies: Sequence[Ply]) -> Ending | None:
        if len(plies) < self.start or not plies or plies[-1].mover == CHANCE:  # the dice may have changed everything
            return None
        for p in (0, 1):
            found = _last_expectations(game, plies, p, self.moves)
            if found is None or any(value is None or abs(value) > self.expects for value in found):
                return None
        return Ending((game.neutral,) * game.players, "draw rule")


def _numbers(text: str, name: str, example: str, count: int) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(":")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise OptionError(f"{text!r} is no {name} rule; write {example}")
    return numbers


def _last_expectations(game: Game, plies: Sequence[Ply], p: int, moves: int) -> list[float | None] | None:
    """What `p` expected at its last moves, from −1 to 1; `None` if it has made fewer."""
    found: list[float | None] = []
    for ply in reversed(plies):
        if len(found) == moves:
            break
        if ply.mover == p:
            found.append(None if ply.move.value is None else _share(game, ply.move.value))
    return found if len(found) == moves else None


def _share(game: Game, value: float) -> float:
    low, high = game.bounds
    way = high - game.neutral if value >= game.neutral else game.neutral - low
    return (value - game.neutral) / way if 0 < way < math.inf else 0.0


@dataclass(slots=True)
class Adjudicator:
    """What may end a game early; asked by a `LiveGame` after every step."""

    resign: ResignRule | None = None
    draw: DrawRule | None = None
    solution: Callable[[], Solution] | None = None
    """Gives the solution of the game."""

    def __call__(self, live: LiveGame) -> Ending | None:
        """The ending of a game that the rules do not end; usually `None`."""
        if live.plies and self.solution is not None:
            solution = self.solution()
            if live.state in solution:
                return Ending(solution.values(live.state), "solution")
        for rule in (self.resign, self.draw):
            found = None if rule is None else rule.applies(live.game, live.plies)
            if found is not None:
                return found
        return None


def check_rules(game: Game, rules: Sequence[ResignRule | DrawRule | None]) -> None:
    """Raises an `OptionError` for rules about winning and losing where the game is not about that alone."""
    constant = game.kind.adversarial and math.isfinite(game.bounds[0])
    if not constant and any(rule is not None for rule in rules):
        raise OptionError(f"{game.name} is not a game of two with a constant sum, so leave out --resign and --draw")
