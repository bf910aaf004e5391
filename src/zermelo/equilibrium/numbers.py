"""Numbers as they come, as exact fractions, and as people read them.

A float stands for a simple fraction that rounds to it: 0.1 is 1/10 and 1/3 is 1/3, so that payoffs and probabilities
written down as decimals are what their writer meant. Tables of computed floats are taken as binary fractions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import TypeAlias

from zermelo.errors import InputError

Number: TypeAlias = Fraction | float
"""Exact or in floating point; what a method returns is all of one kind."""

NUMBER = re.compile(r"[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?|[+-]?\d+/\d+", re.ASCII)
MAX_NUMBER_CHARS = 400
"""Characters of a number in text: more digits are an attack, not a payoff."""
MEANT_BITS = 64
"""Of the common denominator of floats that were written down as decimals or simple fractions."""
LARGEST = 2**1000
"""About 10³⁰¹: payoffs beyond this do not fit doubles once they are added up."""


def rational(value: object) -> Fraction:
    """`value`, exactly; raises `InputError` if it is not a finite number."""
    if isinstance(value, str):
        return read_number(value)
    if isinstance(value, Fraction):
        return value
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, int):
        return Fraction(value)
    if isinstance(value, Decimal) and value.is_finite():
        if abs(value.adjusted()) > MAX_NUMBER_CHARS:  # whose fraction would have as many digits
            raise InputError(
                f"{value!r:.60} is beyond 10^300, or that near to 0: divide all payoffs by the same number"
            )
        return within_reach(Fraction(value))
    if isinstance(value, float) and math.isfinite(value):
        return simplest(value)
    raise InputError(f"{value!r} is not a finite number: give whole numbers, decimals or fractions")


def read_number(text: str) -> Fraction:
    """The number that `text` writes: `3`, `-0.25`, `2e-3` or `1/3`."""
    word = text.strip().replace("\N{MINUS SIGN}", "-")
    if len(word) > MAX_NUMBER_CHARS or not NUMBER.fullmatch(word) or re.search(r"/0+$", word):
        shown = text if len(text) <= 40 else f"{text[:40]}…"
        raise InputError(f"{shown!r} is not a number: write 3, -0.25 or 1/3")
    return within_reach(Fraction(word))


def within_reach(number: Fraction) -> Fraction:
    """The number; raises `InputError` if doubles cannot hold it, or sums of such numbers."""
    if abs(number) > LARGEST:
        raise InputError("a number is beyond 10^300: divide all payoffs by the same number")
    return number


def simplest(value: float) -> Fraction:
    """The first convergent of the float's continued fraction that rounds to it."""
    rest = Fraction(value)
    before, here = (0, 1), (1, 0)
    while True:
        whole = math.floor(rest)
        before, here = here, (whole * here[0] + before[0], whole * here[1] + before[1])
        found = Fraction(*here)
        if float(found) == value:
            return found
        rest = 1 / (rest - whole)


def table_fractions(values: Sequence[object]) -> list[Fraction]:
    """The numbers of one table, exactly.

    Floats are the simple fractions that their writer meant, as long as these have a common denominator of a sensible
    size. Otherwise they were computed rather than written down, and stand for the binary fractions that they are.
    """
    simple = [rational(value) for value in values]
    if math.lcm(*(value.denominator for value in simple)).bit_length() <= MEANT_BITS:
        return simple
    return [Fraction(value) if isinstance(value, float) else meant for value, meant in zip(values, simple, strict=True)]


def common_integers(values: Iterable[Fraction]) -> tuple[list[int], int]:
    """The values times their least common denominator, and the denominator."""
    listed = list(values)
    denominator = math.lcm(*(value.denominator for value in listed)) if listed else 1
    return [value.numerator * (denominator // value.denominator) for value in listed], denominator


def say(value: Number, digits: int = 6) -> str:
    """A number for people: fractions as they are, floats in a few digits."""
    if isinstance(value, (Fraction, int)):
        return str(value)
    return f"{0.0 if abs(value) < 0.5 * 10.0**-digits else value:.{digits}g}"
