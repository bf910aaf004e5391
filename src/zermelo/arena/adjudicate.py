"""Games that are ended before the rules end them, because everybody at the table knows how they would.

    resign     one side has expected to lose, and the other to win, for some moves
    draw       both sides have expected a draw for some moves, late in the game
    solution   the position is solved
    length     the game is too long; it counts as drawn

How much a player expects is measured as the way from the neutral utility (0) to that of a win (1) or of a loss (−1).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.errors import OptionError
from zermelo.game import CHANCE, Game

if TYPE_CHECKING:
    from zermelo.arena.play import Step
    from zermelo.engine.solution import Solution


class Ruling(NamedTuple):
    """How a game is ended."""

    utilities: tuple[float, ...] | None
    reason: str


class ResignRule(NamedTuple):
    """`0.9:3`: three moves in a row in which one side expects −0.9 or less, and the other, if it tells, 0.9 or more."""

    expects: float
    moves: int

    @classmethod
    def read(cls, text: str) -> ResignRule:
        expects, moves = _numbers(text, "resign", "0.9:3", 2)
        if not 0 < expects <= 1 or moves < 1:
            raise OptionError(f"resign {text!r}: expect between 0 and 1, for 1 or more moves, as in 0.9:3")
        return cls(expects, int(moves))

    def applies(self, game: Game, steps: Sequence[Step]) -> Ruling | None:
        """The loss of whoever has just moved; nobody else's last word is about the position that there is now."""
        loser = steps[-1].mover if steps else CHANCE
        if loser == CHANCE:
            return None
        mine, theirs = (_last_expectations(game, steps, p, self.moves) for p in (loser, 1 - loser))
        if mine is None or any(value is None or value > -self.expects for value in mine):
            return None
        if theirs is None or any(value is not None and value < self.expects for value in theirs):
            return None
        low, total = game.bounds[0], game.utility_sum or 0.0
        return Ruling(tuple(low if p == loser else total - low for p in (0, 1)), "resign rule")


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

    def applies(self, game: Game, steps: Sequence[Step]) -> Ruling | None:
        if len(steps) < self.start or not steps or steps[-1].mover == CHANCE:  # the dice may have changed it all
            return None
        for p in (0, 1):
            found = _last_expectations(game, steps, p, self.moves)
            if found is None or any(value is None or abs(value) > self.expects for value in found):
                return None
        return Ruling((game.neutral,) * game.players, "draw rule")


def _numbers(text: str, name: str, example: str, count: int) -> list[float]:
    try:
        numbers = [float(part) for part in text.split(":")]
    except ValueError:
        numbers = []
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise OptionError(f"{text!r} is no {name} rule; write {example}")
    return numbers


def _last_expectations(game: Game, steps: Sequence[Step], p: int, moves: int) -> list[float | None] | None:
    """What `p` expected at its last moves, from −1 to 1; `None` if it has not made so many."""
    found: list[float | None] = []
    for step in reversed(steps):
        if len(found) == moves:
            break
        if step.mover == p:
            found.append(None if step.choice.value is None else _share(game, step.choice.value))
    return found if len(found) == moves else None


def _share(game: Game, value: float) -> float:
    low, high = game.bounds
    way = high - game.neutral if value >= game.neutral else game.neutral - low
    return (value - game.neutral) / way if 0 < way < math.inf else 0.0


@dataclass(slots=True)
class Rulings:
    """What may end a game early."""

    longest: int = 10_000
    """Actions after which a game is left unfinished."""
    resign: ResignRule | None = None
    draw: DrawRule | None = None
    solution: Callable[[], Solution] | None = None
    """Gives the solution of the game."""

    def after(self, game: Game, state: Any, steps: Sequence[Step]) -> Ruling | None:
        """The end of a game that has come to `state`, which the rules do not end; usually none."""
        if len(steps) >= self.longest:
            return Ruling(None, "length")
        if steps and self.solution is not None:
            solution = self.solution()
            if state in solution:
                return Ruling(solution.values(state), "solution")
        for rule in (self.resign, self.draw):
            found = rule.applies(game, steps) if rule is not None else None
            if found is not None:
                return found
        return None


def check_rules(game: Game, rules: Sequence[ResignRule | DrawRule | None]) -> None:
    """Refuses rules about winning and losing in games that have more to them."""
    constant = game.kind.adversarial and math.isfinite(game.bounds[0])
    if not constant and any(rule is not None for rule in rules):
        raise OptionError(f"{game.name} is not a game of two with a constant sum, so leave out --resign and --draw")
