"""Writes short random rules for `rules_fuzz.py --pairs`: a number that may come from two places meets a third.

Longer programs seldom bring two kinds of numbers together twice; here each program does little else.
"""

from __future__ import annotations

import random

from rules_programs import Fields, Program

NUMBERS = {
    "whole": (
        *("s.x", "-s.y", "3", "self.half", "self.table[1]", "len(s.row)", "s.row[0]", "s.row[2]", "s.tiny[0]"),
        *("s.short[0]", "s.grid.sum()"),
    ),
    "truth": ("s.b", "True", "(s.y == s.x)", "(s.row[1] > s.x)", "s.flags[0]"),
    "real": ("s.f", "2.5", "self.weights[0]", "s.reals[0]", "s.halves[0]"),
    "word": (
        *("s.mine", "(s.x << 3)", "(s.theirs ^ 5)", "U64(s.theirs)", "int(s.boards[2])", "s.boards[0]", "s.boards[1]"),
        *("(s.mine & s.boards[1])",),
    ),
}
WORD_TRUTHS = ("(s.theirs >= s.boards[2])",)
MIXED = ("({a} if s.c else {b})", "min({a}, {b})", "max({a}, {b})", "({a} or {b})", "({a} and {b})")
INDEXED = "({a}, {b})[s.nest[0][0] % 2]"
BINARY = ("+", "-", "*", "//", "%", "&", "|", "^", "<<", "<", ">=", "==", "/", "**")
COMPARES = ("<", ">=", "==")
UNARY = {
    "-{m}": "",
    "~{m}": "",
    "+{m}": "",
    "abs({m})": "",
    "bool({m})": "truth",
    "(not {m})": "truth",
    "({m} in ({c}, 1))": "truth",
    "int({m})": "whole",
    "round({m})": "whole",
    "math.floor({m})": "whole",
    "range(8)[{m} & 3]": "whole",
    "len(range({m} % 5))": "whole",
    "s.row[{m} % 5]": "whole",
    "float({m})": "real",
    "math.sqrt({m})": "real",
    "np.abs({m})": "",
    "pow({m}, 2)": "",
    "[{m}, {c}][0]": "",
    "max({m}, {c}, 1)": "",
    "sum(({m}, {c}))": "",
    "divmod({m}, {c})[0]": "",
    "divmod({c}, {m})[1]": "",
}
"""What is done to a number, and the kind of the result; that of the numbers if none is named."""


class PairWriter:
    """Writes one program."""

    def __init__(self, rng: random.Random, fields: Fields):
        self.rng = rng
        self.leaves = [
            (text, kind) for kind, texts in NUMBERS.items() for text in texts if self._is_there(text, fields)
        ]
        if fields.words and fields.arrays:
            self.leaves += [(text, "truth") for text in WORD_TRUTHS]

    @staticmethod
    def _is_there(text: str, fields: Fields) -> bool:
        words = fields.words or not any(name in text for name in ("mine", "theirs", "boards", "U64"))
        arrays = ("row", "tiny", "short", "grid", "flags", "reals", "halves", "boards")
        return words and (fields.arrays or not any(f"s.{name}" in text for name in arrays))

    def program(self) -> Program:
        (a, first), (b, second), (c, third) = (self.rng.choice(self.leaves) for _ in range(3))
        mixed = self.rng.choice((*MIXED, INDEXED, "{a}")).format(a=a, b=b)
        kinds = {first} if mixed == a else {first, second}
        if self.rng.random() < 0.7:
            text, kind = self._binary(mixed, c, kinds | {third})
        else:
            form, named = self.rng.choice(list(UNARY.items()))
            text = form.format(m=mixed, c=c)
            kind = named or common(kinds | ({third} if "{c}" in form else set()))
        if self.rng.random() < 0.35:
            d, other = self.rng.choice(self.leaves)
            sign = self.rng.choice(("+", "-", "*", "//", "&", ">>"))
            text, kind = f"({text} {sign} {'1' if sign == '>>' else d})", common({kind, other})
        return Program("", text, kind)

    def _binary(self, mixed: str, c: str, kinds: set[str]) -> tuple[str, str]:
        sign = self.rng.choice(BINARY)
        if sign == "<<":
            return f"({mixed} << ({c} & 63))", common(kinds)
        if sign == "**":
            return f"({mixed} ** {self.rng.choice('023')})", common(kinds)
        kind = "truth" if sign in COMPARES else "real" if sign == "/" else common(kinds)
        return (f"({mixed} {sign} {c})" if self.rng.random() < 0.6 else f"({c} {sign} {mixed})"), kind


def common(kinds: set[str]) -> str:
    """The kind of what is computed with these."""
    return next(kind for kind in ("real", "word", "whole", "truth") if kind in kinds or kind == "whole")
