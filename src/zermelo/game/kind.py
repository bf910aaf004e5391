"""What a game states about itself, and the kind of game that makes it: which methods apply is decided by this alone."""

from __future__ import annotations

import math
import numbers
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from zermelo.errors import ContractError

FACTS = (
    *("players", "utility_sum", "bounds", "repetition", "occurrences", "simultaneous", "scale", "player_below"),
    *("pawn", "win_rate", "inputs_are_patterns", "simulation", "training", "unit", "big_blind"),
    *("title", "shelf", "cover", "player_colours"),
)
"""The attributes that every method relies on."""
MOST_POINTS = 1 << 53
POINTS_TOLERANCE = 1e-9
"""By how much a number of points may miss a whole number, as a share of itself."""
MOST_UNIT_CHARS = 40
SHELVES = ("board", "dice", "cards", "theory")
COLOUR = re.compile("#[0-9a-f]{6}")
REPETITIONS = (None, "draw", "forbidden", "loses", "perpetual")


@dataclass(frozen=True, slots=True)
class Kind:
    """The facts on which the choice of a method depends; `Game.kind` returns them."""

    players: int
    constant_sum: bool
    """Whether the utilities of all players add up to the same number at every end."""
    chance: bool
    """Whether there are dice or cards (`chances`)."""
    hidden: bool
    """Whether players do not see everything (`view`)."""
    simultaneous: bool
    """Whether consecutive actions are meant as simultaneous ones."""
    teams: int = 0
    """How many teams there are; 0 if everybody plays alone."""

    @property
    def sides(self) -> int:
        """How many there are with a utility of their own: the teams, or the players."""
        return self.teams or self.players

    @property
    def single(self) -> bool:
        """A puzzle: one player, perhaps against chance."""
        return self.players == 1

    @property
    def adversarial(self) -> bool:
        """Two players with a constant sum: what one wins, the other loses."""
        return self.players == 2 and self.constant_sum

    @property
    def scalar(self) -> bool:
        """Whether one number per position is enough to search it: one side, or two with a constant sum."""
        return self.sides == 1 or (self.sides == 2 and self.constant_sum)

    @property
    def deterministic(self) -> bool:
        return not self.chance

    @property
    def perfect_information(self) -> bool:
        return not self.hidden

    @property
    def combinatorial(self) -> bool:
        """Two-player, constant-sum, deterministic and of perfect information: chess, Go, Connect Four."""
        return self.adversarial and self.deterministic and self.perfect_information

    @property
    def not_scalar(self) -> str:
        """Why one number per position is not enough, as the end of "the game …"; empty if it is."""
        if self.scalar:
            return ""
        return f"has {self._count()}" if self.sides > 2 else "is not a constant-sum game"

    def _count(self) -> str:
        teams = f" in {self.teams} team{'s' if self.teams != 1 else ''}" if self.teams else ""
        return f"{self.players} player{'s' if self.players != 1 else ''}{teams}"

    def __str__(self) -> str:
        parts = [
            self._count(),
            "" if self.single else "constant sum" if self.constant_sum else "general sum",
            "chance" if self.chance else "deterministic",
            "simultaneous moves" if self.simultaneous else "",
            "hidden information" if self.hidden else "perfect information",
        ]
        return ", ".join(part for part in parts if part)


def is_number(value: Any) -> bool:
    """Whether `value` is a real number, Python's or NumPy's, that fits a float and is not NaN; it may be infinite."""
    if not isinstance(value, numbers.Real):
        return False
    try:
        return not math.isnan(value)
    except OverflowError:
        return False


def is_finite(value: Any) -> bool:
    """Whether `value` is a number, and not an infinite one."""
    return is_number(value) and not math.isinf(value)


def is_integer(value: Any) -> bool:
    """Whether `value` is a whole number, Python's or NumPy's, and not a bool."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_truth(value: Any) -> bool:
    """Whether `value` can stand for true or false: a bool, NumPy's bool or a whole number."""
    return isinstance(value, numbers.Integral) or type(value).__name__ in ("bool", "bool_")


def real(value: Any) -> float | None:
    """`value` as a float, if it is a real number that fits one, Python's, NumPy's or another library's."""
    if type(value) is float:
        return value
    strange = isinstance(value, (str, bytes, numbers.Complex)) and not isinstance(value, numbers.Real)
    if strange or getattr(value, "ndim", 0) != 0:
        return None
    try:
        return float(value.__float__())
    except (AttributeError, TypeError, ValueError, OverflowError):
        return None


def no_number(name: str, rule: str, value: Any, where: str = "") -> ContractError:
    """The error for a rule of the game `name` that gives no number."""
    shown = "a whole number that is too large" if isinstance(value, int) else f"{value!r:.60}, which is no number"
    shown = " ".join(shown.split())
    return ContractError(
        f"`{rule}` of {name} gives {shown}{f', in {where}' if where else ''}: does it `return` a number in every case?"
    )


def are_points(utility: float, scale: float) -> bool:
    """Whether `utility` is a whole number of points, of which `scale` make 1, and a point more is another float."""
    points = float(utility) * float(scale)
    return abs(points) <= MOST_POINTS and abs(points - round(points)) <= POINTS_TOLERANCE * abs(points)


def wrong_fact(name: str, value: Any) -> str:
    """What the fact `name` must be, if `value` is not; else an empty text."""
    if name == "players" and not (is_integer(value) and value >= 1):
        return "it must be a whole number, 1 or more"
    if name == "utility_sum" and not (value is None or is_finite(value)):
        return "it must be a number, or None for a general-sum game"
    if name == "bounds" and not _is_interval(value):
        return "it must be a pair (least, greatest) of utilities"
    if name == "repetition" and not any(value is r or (isinstance(value, str) and value == r) for r in REPETITIONS):
        return 'it must be None, "draw", "forbidden", "loses" or "perpetual"'
    if name == "occurrences" and not (is_integer(value) and value >= 2):
        return "it must be a whole number, 2 or more"
    if name in ("simultaneous", "inputs_are_patterns") and not is_truth(value):
        return "it must be True or False"
    if name in ("scale", "pawn", "big_blind") and not (value is None or (is_finite(value) and value > 0)):
        return "it must be a number above 0, or None"
    if name == "win_rate" and not (value is None or _is_curve(value)):
        return "it must be a pair (a, b) of numbers, b above 0, or None"
    if name == "player_below" and not (value is None or (is_integer(value) and value in (0, 1))):
        return "it must be 0 or 1, or None if the players do not face each other"
    if name == "unit" and not (isinstance(value, str) and value.isprintable() and len(value) <= MOST_UNIT_CHARS):
        return "it must be a word, as chips, or an empty text"
    if name in ("title", "cover") and not isinstance(value, str):
        return "it must be a text"
    if name == "shelf" and value not in SHELVES:
        return f"it must be {', '.join(SHELVES[:-1])} or {SHELVES[-1]}"
    if name == "player_colours" and not _are_colours(value):
        return 'it must be a tuple of colours, as ("#1f6f8b", "#c8553d")'
    if name in ("simulation", "training") and not isinstance(value, Mapping):
        return "it must be a dict of settings, which may be empty"
    return ""


def _are_colours(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(each, str) and COLOUR.fullmatch(each) for each in value)


def _is_curve(value: Any) -> bool:
    pair = isinstance(value, (tuple, list)) and len(value) == 2
    return pair and all(is_finite(each) for each in value) and value[1] > 0


def _is_interval(value: Any) -> bool:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return False
    return all(is_number(end) for end in value) and value[0] <= value[1]
