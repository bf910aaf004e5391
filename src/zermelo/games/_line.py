"""The choices of a betting game as one number: a digit each behind a 1, and `END` where a round is over."""

from __future__ import annotations

END = 0


def digits(line: int, base: int) -> list[int]:
    """The choices of `line`, first to last."""
    found: list[int] = []
    while line >= base:
        line, digit = divmod(line, base)
        found.append(digit)
    return found[::-1]
