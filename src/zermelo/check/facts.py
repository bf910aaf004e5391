"""The facts that a game states about itself: each must be possible, or the usual one is used in its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.check.rules import Rules, Unanswered, describe
from zermelo.game import Game
from zermelo.game.kind import FACTS, wrong_fact

METHODS = (*Game.optional, "show", "show_action", "read_action", "write", "read", "key")


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
    for name in FACTS:
        stated[name] = getattr(Game, name)
        value = _fetch(rules, name)
        wrong = wrong_fact(name, value)
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
