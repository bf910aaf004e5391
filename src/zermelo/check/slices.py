"""The methods behind endgame tables: no slice is left and met again, and a number stands for positions that lead to the
same numbers."""

from __future__ import annotations

from zermelo.check.facts import Facts
from zermelo.check.moves import ExaminedPosition
from zermelo.check.rules import Rules, describe
from zermelo.game.kind import is_integer

NUMBERING = ("rank", "slice_size", "unrank")
Place = tuple[int, int, bool]
"""A slice, a number there, and whether the game is over."""


def check_material(rules: Rules, position: ExaminedPosition) -> None:
    s = position.state
    m = rules.ask_twice("material", s)
    if not is_integer(m):
        rules.breach("material", "type", f"returns {describe(m)}; return a whole number, below 0 for no slice", s)
    elif m >= 0:
        for a in rules.ask("actions", s):
            child = rules.ask("result", s, a)
            other = rules.ask("material", child)
            if is_integer(other) and 0 <= other != m and not rules.ask("is_terminal", child):
                _check_way_back(rules, s, child)
                return


def _check_way_back(rules: Rules, s: object, child: object) -> None:
    """`child` is in another slice than `s`, before it."""
    m = rules.ask("material", s)
    for a in rules.ask("actions", child):
        if rules.ask("material", rules.ask("result", child, a)) == m:
            message = f"leads from slice {m} to {rules.ask('material', child)} and back; give both one number"
            rules.breach("material", "back", message, s)
            return


def check_numbering(rules: Rules, facts: Facts, position: ExaminedPosition) -> None:
    """The game has `rank`; the other methods must be there, too, and agree with it."""
    s = position.state
    missing = [method for method in NUMBERING if method not in facts.methods]
    if missing:
        rules.breach("rank", "methods", f"comes without `{missing[0]}`; write {', '.join(NUMBERING)}, or none of them")
        return
    m = rules.ask("material", s)
    if is_integer(m) and m >= 0 and not ("plies_left" in facts.methods and rules.ask("plies_left", s) <= 1):
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
