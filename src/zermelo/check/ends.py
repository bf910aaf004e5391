"""Ends and dice: the utilities of a terminal state, and the probabilities where chance acts."""

from __future__ import annotations

import math
from typing import Any

from zermelo.check.facts import Facts
from zermelo.check.rules import Rules, Unanswered, describe
from zermelo.check.snapshot import frozen
from zermelo.game.kind import is_number

TOLERANCE = 1e-9


def check_utilities(rules: Rules, facts: Facts, s: Any) -> tuple[float, ...]:
    """Every player's utility at the end `s`."""
    low, high = facts.bounds
    utilities = []
    for p in range(facts.players):
        utility = rules.ask_twice("utility", s, p)
        if not is_number(utility):
            message = f"returns {describe(utility)} for player {p}; return a number, as in 1.0, 0.0 or -1.0"
            rules.breach("utility", "number", message, s)
            raise Unanswered("utility")
        utility = float(utility)
        if math.isinf(utility) or not low - TOLERANCE <= utility <= high + TOLERANCE:
            message = f"returns {utility:g} for player {p}, outside of `bounds` {low:g} … {high:g}; correct one of them"
            rules.breach("utility", "bounds", message, s)
        utilities.append(utility)
    total = sum(utilities)  # not `fsum`, which refuses to add up infinities
    if facts.utility_sum is not None and not abs(total - facts.utility_sum) <= TOLERANCE:
        message = (
            f"adds up to {total:g} over all players, and `utility_sum` is {facts.utility_sum:g}; "
            "correct one of them, or state `utility_sum = None`"
        )
        rules.breach("utility", "sum", message, s)
    return tuple(utilities)


def check_chances(rules: Rules, facts: Facts, s: Any, actions: list[Any]) -> list[float]:
    """The probabilities of the actions in a state where chance acts."""
    if "chances" not in facts.methods:
        message = "is missing, and `player` is zermelo.CHANCE here; write `def chances(self, s)`, which yields pairs"
        rules.breach("chances", "missing", message, s)
        raise Unanswered("chances")
    pairs = rules.ask_twice("chances", s)
    if not all(isinstance(pair, (tuple, list)) and len(pair) == 2 for pair in pairs):
        rules.breach("chances", "pairs", "does not give (action, probability) pairs throughout; yield `a, 1 / 6`", s)
        raise Unanswered("chances")
    with rules.guarding("chances", s):
        same = frozen([a for a, _ in pairs]) == frozen(actions)
    if not same:
        message = "does not list the same actions as `actions`, in the same order; yield one pair for each of them"
        rules.breach("chances", "actions", message, s)
    for a, probability in pairs:
        if not is_number(probability) or not 0 < probability <= 1 + TOLERANCE:
            message = (
                f"gives the probability {describe(probability)}; leave out what cannot happen, and divide by the sum"
            )
            rules.breach("chances", "probability", message, s, a)
            raise Unanswered("chances")
    total = math.fsum(float(probability) for _, probability in pairs)
    if abs(total - 1) > TOLERANCE:
        message = f"gives probabilities that add up to {total:.12g}, not to 1; divide each by the sum"
        rules.breach("chances", "sum", message, s)
    if not same:
        raise Unanswered("chances")
    return [float(probability) for _, probability in pairs]
