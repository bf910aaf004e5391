"""The slices of Chinese chess's endgame tables, as `native/games/xiangqi/slices.hpp` numbers them: one side alone can
attack. KR-KAA is a rook against two advisors."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

LETTERS = "PCRNBA"
MOST = {"P": 5, "C": 2, "R": 2, "N": 2, "B": 2, "A": 2}
ATTACKERS = "PCRN"
COUNT_BITS, SIDE_BITS = 3, 18
MOST_PIECES = 7
"""Kings included."""


def slices(pieces: int) -> Iterator[int]:
    """The slices with `pieces` pieces, kings included."""
    if not 2 <= pieces <= MOST_PIECES:
        return
    found = {
        max(strong, weak) << SIDE_BITS | min(strong, weak)
        for count in range(pieces - 1)
        for strong in _sides(count, LETTERS)
        for weak in _sides(pieces - 2 - count, LETTERS[len(ATTACKERS) :])
    }
    yield from sorted(found)


def _sides(pieces: int, letters: str) -> Iterator[int]:
    """What a side may have beside its king."""
    for counts in product(*(range(MOST[letter] + 1) for letter in letters)):
        if sum(counts) == pieces:
            yield sum(count << _shift(letter) for letter, count in zip(letters, counts, strict=True))


def _shift(letter: str) -> int:
    return COUNT_BITS * (len(LETTERS) - 1 - LETTERS.index(letter))


def name(number: int) -> str:
    """The pieces of both sides, the stronger one's first."""
    return "-".join(_letters(side) for side in (number >> SIDE_BITS, number & ((1 << SIDE_BITS) - 1)))


def _letters(side: int) -> str:
    return "K" + "".join(letter * (side >> _shift(letter) & 7) for letter in LETTERS)
