"""The methods behind endgame tables: a number has to stand for positions that lead to the same numbers."""

from __future__ import annotations

from zermelo.check.facts import Facts
from zermelo.check.moves import ExaminedPosition
from zermelo.check.rules import Rules, describe
from zermelo.game.kind import is_integer

NEEDED = ("rank", "slice_size", "unrank")
Place = tuple[int, int, bool]
"""A slice, a number there, and whether the game is over."""


def check_slices(rules: Rules, facts: Facts, position: ExaminedPosition, rule: str) -> None:
    """`rule` is `material`, which the game has; the others must be there, too, and agree with it."""
    s = position.state
    missing = [method for method in NEEDED if method not in facts.methods]
    if missing:
        rules.breach(rule, "methods", f"comes without `{missing[0]}`; write {', '.join(NEEDED)} as well")
        return
    m = rules.ask_twice(rule, s)
    if not is_integer(m):
        rules.breach(rule, "type", f"returns {describe(m)}; return a whole number, below 0 for no slice", s)
    elif m >= 0 and not ("plies_left" in facts.methods and rules.ask("plies_left", s) <= 1):
        _check_number(rules, position, m)


def _check_number(rules: Rules, position: ExaminedPosition, m: int) -> None:
    s = position.state
    i, size = rules.ask_twice("rank", s), rules.call("slice_size", (m,), s)
    if not is_integer(i) or not is_integer(size) or not 0 <= i < size:
        rules.breach("rank", "range", f"returns {describe(i)}; slice {m} has the numbers below {describe(size)}", s)
        return
    other = rules.call("unrank", (m, i), s)
    if (rules.ask("material", other), rules.ask("rank", other)) != (m, i):
        rules.breach("unrank", "number", f"gives for {m}, {i} a position of another number: {describe(other)}", s)
    elif _leads_to(rules, other) != _leads_to(rules, s):
        message = f"gives the number of {describe(other)}, which leads to other numbers; give it one of its own"
        rules.breach("rank", "same", message, s)


def _leads_to(rules: Rules, s: object) -> list[Place]:
    found = []
    for a in rules.ask("actions", s):
        child = rules.ask("result", s, a)
        m = rules.ask("material", child)
        found.append((m, rules.ask("rank", child) if m >= 0 else -1, bool(rules.ask("is_terminal", child))))
    return sorted(found)
