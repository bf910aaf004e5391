"""The facts that a game states about itself: each must be possible, or the usual one is used in its place."""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass
from typing import Any

from zermelo.check.rules import Rules, Unanswered, describe
from zermelo.game import Game

REPETITIONS = (None, "draw", "forbidden", "loses", "perpetual")
METHODS = (*Game.optional, "show", "show_action", "read_action", "write", "read", "key")


def is_number(value: Any) -> bool:
    """Whether `value` is a real number, Python's or NumPy's, and not NaN."""
    return isinstance(value, numbers.Real) and not math.isnan(value)


def is_finite(value: Any) -> bool:
    """Whether `value` is a number, and not an infinite one."""
    return is_number(value) and not math.isinf(value)


def is_integer(value: Any) -> bool:
    """Whether `value` is a whole number, Python's or NumPy's; a bool is none."""
    return isinstance(value, numbers.Integral) and not isinstance(value, bool)


def is_truth(value: Any) -> bool:
    """Whether `value` can stand for true or false: a bool, NumPy's bool or a whole number."""
    return isinstance(value, numbers.Integral) or type(value).__name__ in ("bool", "bool_")


@dataclass(frozen=True, slots=True)
class Facts:
    """What the game says of itself, fit for use."""

    players: int
    utility_sum: float | None
    bounds: tuple[float, float]
    repetition: str | None
    simultaneous: bool
    methods: frozenset[str]
    """The methods that the game brings itself."""


def read_facts(rules: Rules) -> Facts:
    """The facts of a game, after a look at each of them."""
    stated: dict[str, Any] = {}
    for name in ("players", "utility_sum", "bounds", "repetition", "simultaneous", "scale", "player_below"):
        stated[name] = getattr(Game, name)
        value = _fetch(rules, name)
        wrong = _wrong(name, value)
        if wrong:
            rules.breach(name, "fact", f"is {describe(value)}; {wrong}")
        else:
            stated[name] = value
    players, total, (low, high) = stated["players"], stated["utility_sum"], stated["bounds"]
    if total is not None and not players * low - 1e-9 <= total <= players * high + 1e-9:
        message = (
            f"is {total:g}, which {players} utilities within {low:g} … {high:g} cannot add up to; correct `bounds`"
        )
        rules.breach("utility_sum", "bounds", message)
    if stated["simultaneous"] and not _can(rules, "view"):
        message = "is True, but the game has no `view`, so the second to choose sees the first one's choice; add `view`"
        rules.breach("simultaneous", "no view", message)
    if stated["repetition"] == "perpetual" and not _can(rules, "is_check"):
        message = 'is "perpetual", but the game has no `is_check`, so nobody knows who gave check; add `is_check`'
        rules.breach("repetition", "no check", message)
    methods = frozenset(method for method in METHODS if _can(rules, method))
    return Facts(players, total, (float(low), float(high)), stated["repetition"], bool(stated["simultaneous"]), methods)


def _fetch(rules: Rules, name: str) -> Any:
    """The fact as the game states it; a property of the user's may raise."""
    try:
        with rules.guarding(name):
            return getattr(rules.game, name)
    except Unanswered:
        return getattr(Game, name)


def _can(rules: Rules, method: str) -> bool:
    try:
        return rules.can(method)
    except Unanswered:
        return False


def _wrong(name: str, value: Any) -> str:
    """What a fact must be, if it is not; else an empty text."""
    if name == "players" and not (is_integer(value) and value >= 1):
        return "it must be a whole number, 1 or more"
    if name == "utility_sum" and not (value is None or (is_number(value) and math.isfinite(value))):
        return "it must be a number, or None for a general-sum game"
    if name == "bounds" and not _is_interval(value):
        return "it must be a pair (least, greatest) of utilities"
    if name == "repetition" and not any(value is r or (isinstance(value, str) and value == r) for r in REPETITIONS):
        return 'it must be None, "draw", "forbidden", "loses" or "perpetual"'
    if name == "simultaneous" and not is_truth(value):
        return "it must be True or False"
    if name == "scale" and not (value is None or (is_number(value) and 0 < value < math.inf)):
        return "it must be a number above 0, or None"
    if name == "player_below" and not (value is None or (is_integer(value) and value in (0, 1))):
        return "it must be 0 or 1, or None if the players do not face each other"
    return ""


def _is_interval(value: Any) -> bool:
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return False
    return all(is_number(end) for end in value) and value[0] <= value[1]
