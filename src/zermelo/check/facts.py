"""The facts that a game states, and the shape of its states and actions: each is checked, and has a usual value."""

from __future__ import annotations

import typing
from dataclasses import dataclass
from typing import Any

from zermelo.check.rules import Rules, Unanswered, describe, is_array
from zermelo.game import Game
from zermelo.game.kind import FACTS, is_integer, wrong_fact

METHODS = (*Game.optional, "show", "show_action", "read_action", "write", "read", "key")


@dataclass(frozen=True, slots=True)
class Facts:
    """The validated facts of a game."""

    players: int
    utility_sum: float | None
    bounds: tuple[float, float]
    repetition: str | None
    simultaneous: bool
    methods: frozenset[str]
    """The methods that the game brings itself."""
    teams: tuple[tuple[int, ...], ...]
    """The players of each team."""

    @property
    def counted(self) -> str:
        """Whose utilities are added up."""
        return "teams" if len(self.teams) < self.players else "players"


def read_facts(rules: Rules) -> Facts:
    """Checks and returns the facts of a game."""
    stated: dict[str, Any] = {}
    for name in FACTS:
        stated[name] = getattr(Game, name)
        value = _fetch(rules, name)
        wrong = wrong_fact(name, value)
        if wrong:
            rules.breach(name, "fact", f"is {describe(value)}; {wrong}")
        else:
            stated[name] = value
    players, total, (low, high) = stated["players"], stated["utility_sum"], stated["bounds"]
    teams = read_teams(rules, players)
    if total is not None and not len(teams) * low - 1e-9 <= total <= len(teams) * high + 1e-9:
        message = (
            f"is {total:g}, which {len(teams)} utilities within {low:g} … {high:g} cannot add up to; correct `bounds`"
        )
        rules.breach("utility_sum", "bounds", message)
    if stated["simultaneous"] and not _can(rules, "view"):
        message = "is True, but the game has no `view`, so the second to choose sees the first one's choice; add `view`"
        rules.breach("simultaneous", "no view", message)
    if stated["repetition"] == "perpetual" and not _can(rules, "is_check"):
        message = 'is "perpetual", but the game has no `is_check`, so nobody knows who gave check; add `is_check`'
        rules.breach("repetition", "no check", message)
    methods = frozenset(method for method in METHODS if _can(rules, method))
    bounds, simultaneous = (float(low), float(high)), bool(stated["simultaneous"])
    return Facts(players, total, bounds, stated["repetition"], simultaneous, methods, teams)


def read_teams(rules: Rules, players: int) -> tuple[tuple[int, ...], ...]:
    """The players of each team; those whose team is no number are told of, and play alone."""
    found: dict[object, list[int]] = {}
    for p in range(players):
        try:
            team = rules.call("team", (p,))
        except Unanswered:
            team = None
        if is_integer(team) and 0 <= team < players:
            found.setdefault(team, []).append(p)
            continue
        if team is not None:
            message = f"returns {describe(team)} for player {p}; return a whole number from 0 to {players - 1}"
            rules.breach("team", "number", message)
        found["alone", p] = [p]
    return tuple(map(tuple, found.values()))


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


SIGNED = (-(2**63), 2**63 - 1)
UNSIGNED = (0, 2**64 - 1)


class Shape:
    """The shape of a game's first state, which all others must have."""

    def __init__(self, first: Any):
        self.first = first
        self.kind = type(first)
        self.fields: tuple[str, ...] = getattr(first, "_fields", ()) if isinstance(first, tuple) else ()
        hints = _hints(self.kind) if self.fields else {}
        self.unsigned = {name for name in self.fields if "U64" in str(hints.get(name, ""))}
        self.fractional = {name for name in self.fields if "float" in str(hints.get(name, ""))}

    def check(self, rules: Rules, s: Any, rule: str, parent: object = None, a: object = None) -> bool:
        """Whether the game can continue from `s`; `rule` made it, from `parent` and `a` if any."""
        if type(s) is not self.kind:
            message = f"returns {describe(s)} where the first state is a {self.kind.__name__}; return one of those"
            rules.breach(rule, "type", message, parent, a)
            return False
        if not self.fields:
            return True
        for name, value, first in zip(self.fields, s, self.first, strict=True):
            wrong = self._wrong(name, value, first)
            if wrong:
                # A state out of range is shown by what it came from: itself it may have no text.
                rules.breach(rule, ("field", name), f"makes a state whose field `{name}` {wrong}", parent, a)
        return True

    def _wrong(self, name: str, value: Any, first: Any) -> str:
        """What is wrong with the value of a field, or an empty string."""
        if is_array(value) and value.shape:
            return _wrong_array(value, first)
        if is_array(first) and first.shape:
            return f"is {describe(value)} and was an array at first; keep it one of shape {first.shape}"
        if isinstance(value, float) and is_integer(first) and name not in self.fractional:
            return f"is {describe(value)} and was an int at first; use `//` for `/`, or start with a float"
        low, high = UNSIGNED if name in self.unsigned else SIGNED
        outside = _outside(value, low, high)
        if outside is None:
            return ""
        if name in self.unsigned:
            return f"holds {outside}, outside of 0 … 2^64 − 1"
        hint = "; annotate it zermelo.U64" if 0 <= outside <= UNSIGNED[1] else "; cut it with `& mask`, or split it"
        return f"holds {outside}, which is more than 64 bits with a sign{hint}"


def _wrong_array(value: Any, first: Any) -> str:
    if not is_array(first) or value.shape != first.shape:
        had = first.shape if is_array(first) else "no array"
        return f"is an array of shape {value.shape} and was {had} at first; keep one shape for the whole game"
    if value.dtype != first.dtype:
        return f"is an array of {value.dtype} and was one of {first.dtype} at first; keep one type (`astype`)"
    if value.dtype.hasobject:
        return "is an array of Python objects; make it one of numbers (`dtype=numpy.int64`)"
    return ""


def _outside(value: Any, low: int, high: int) -> int | None:
    """The first integer in `value`, however deep, that is not within `low` … `high`."""
    if isinstance(value, tuple):
        return next((found for part in value if (found := _outside(part, low, high)) is not None), None)
    if is_integer(value) and not low <= value <= high:
        return int(value)
    return None


def check_action(rules: Rules, s: object, a: Any) -> None:
    """Reports an integer action that 64 bits cannot hold."""
    if is_integer(a) and not SIGNED[0] <= a <= SIGNED[1]:
        message = f"offers {a}, which is more than 64 bits; number the actions of a state from 0"
        rules.breach("actions", "bits", message, s, a)


def _hints(kind: type) -> dict[str, object]:
    """The annotations of a state's fields; unresolved where their names cannot be found."""
    try:
        return typing.get_type_hints(kind)
    except Exception:
        return dict(kind.__annotations__)
