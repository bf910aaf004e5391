"""The slices of chess's endgame tables, as `native/games/chess/slices.hpp` numbers them, with their names: KRKB."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement

LETTERS = "QRBNP"
COUNT_BITS, SIDE_BITS = 3, 15
FEWEST = 3
"""Pieces; two kings are a draw."""
DRAWN = ("KBK", "KNK")
"""Slices in which the game is over everywhere."""


def slices(pieces: int) -> Iterator[int]:
    """The slices with `pieces` pieces, kings included, each after those that it leads to by promotion."""
    if pieces < FEWEST:
        return
    found = {_number(strong, weak) for strong, weak in _sides(pieces - 2)}
    named = {number: name(number) for number in found}
    kept = [number for number in found if named[number] not in DRAWN]
    yield from sorted(kept, key=lambda number: (named[number].count("P"), named[number]))


def _sides(pieces: int) -> Iterator[tuple[str, str]]:
    """What both sides may have beside their kings."""
    for strong in range(pieces + 1):
        for mine in combinations_with_replacement(LETTERS, strong):
            for theirs in combinations_with_replacement(LETTERS, pieces - strong):
                yield "".join(mine), "".join(theirs)


def _number(one: str, other: str) -> int:
    first, second = _side(one), _side(other)
    return max(first, second) << SIDE_BITS | min(first, second)


def _side(letters: str) -> int:
    return sum(letters.count(letter) << COUNT_BITS * i for i, letter in enumerate(reversed(LETTERS)))


def name(number: int) -> str:
    """The pieces of both sides, the stronger one's first."""
    return "".join(_letters(side) for side in (number >> SIDE_BITS, number & ((1 << SIDE_BITS) - 1)))


def _letters(side: int) -> str:
    counts = [(letter, side >> COUNT_BITS * i & 7) for i, letter in enumerate(reversed(LETTERS))]
    return "K" + "".join(letter * count for letter, count in reversed(counts))
