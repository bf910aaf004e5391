"""Sets of squares with the gaps of Samuel's layout, without them, and turned round, for endgame tables."""

from __future__ import annotations


def packed(bits: int) -> int:
    """The same squares without gaps: square n is bit n - 1."""
    return bits & 255 | (bits >> 9 & 255) << 8 | (bits >> 18 & 255) << 16 | (bits >> 27 & 255) << 24


def spread(bits: int) -> int:
    """The opposite of `packed`."""
    return bits & 255 | (bits >> 8 & 255) << 9 | (bits >> 16 & 255) << 18 | (bits >> 24 & 255) << 27


def turned(bits: int) -> int:
    """The squares on a board that is turned round."""
    found = 0
    while bits:
        found |= 1 << (35 - (bits & -bits).bit_length())
        bits &= bits - 1
    return found
