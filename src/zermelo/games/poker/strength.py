"""How strong seven cards are, in whole numbers alone, so that the rules compile.

The class of the hand (straight flush, four of a kind, …) comes first, then the ranks that decide, four bits each.
"""

from __future__ import annotations

RANKS = 13
STRAIGHT = 31
"""Five ranks in a row, as bits."""
WHEEL = 0b1_0000_0000_1111
"""The ace, and two to five."""


def rate(ranks: int, suits: int) -> int:
    """Of the best five cards: `ranks` has four bits for each rank's count, `suits` a bit a card, 13 a suit."""
    held = 0
    for rank in range(RANKS):
        if (ranks >> 4 * rank) & 15:
            held |= 1 << rank
    for suit in range(4):
        mask = (suits >> RANKS * suit) & ((1 << RANKS) - 1)
        if count_bits(mask) >= 5:
            run = straight(mask)
            return (8 << 20) | (run << 16) if run >= 0 else max((5 << 20) | top(mask, 5), of_counts(ranks, held))
    run = straight(held)
    return max((4 << 20) | (run << 16) if run >= 0 else 0, of_counts(ranks, held))


def of_counts(ranks: int, held: int) -> int:
    """The best hand by ranks that occur more than once, or by high cards."""
    four = highest(ranks, 4, -1)
    if four >= 0:
        return (7 << 20) | (four << 16) | (top(held & ~(1 << four), 1) >> 4)
    three = highest(ranks, 3, -1)
    pair = highest(ranks, 2, three)
    if three >= 0 and pair >= 0:
        return (6 << 20) | (three << 16) | (pair << 12)
    if three >= 0:
        return (3 << 20) | (three << 16) | (top(held & ~(1 << three), 2) >> 4)
    if pair < 0:
        return top(held, 5)
    rest = held & ~(1 << pair)
    second = highest(ranks & ~(15 << 4 * pair), 2, -1)
    if second >= 0:
        return (2 << 20) | (pair << 16) | (second << 12) | (top(rest & ~(1 << second), 1) >> 8)
    return (1 << 20) | (pair << 16) | (top(rest, 3) >> 4)


def highest(ranks: int, count: int, but: int) -> int:
    """The highest rank of which there are as many cards, at least; −1 if none, `but` one apart."""
    for rank in range(RANKS - 1, -1, -1):
        if rank != but and (ranks >> 4 * rank) & 15 >= count:
            return rank
    return -1


def straight(mask: int) -> int:
    """The highest rank of five in a row; −1 if there are none."""
    for rank in range(RANKS - 1, 3, -1):
        if (mask >> (rank - 4)) & STRAIGHT == STRAIGHT:
            return rank
    return 3 if mask & WHEEL == WHEEL else -1


def top(mask: int, count: int) -> int:
    """The highest ranks of `mask`, `count` of them, four bits each from bit 16 down."""
    found, shift = 0, 16
    for rank in range(RANKS - 1, -1, -1):
        if count > 0 and (mask >> rank) & 1:
            found |= rank << shift
            shift -= 4
            count -= 1
    return found


def count_bits(mask: int) -> int:
    count = 0
    for rank in range(RANKS):
        count += (mask >> rank) & 1
    return count
