"""Sets of squares as numbers: what `rank` and `unrank` of a board game are made of. The rules that call them compile.

The sets of k of the squares 0 … n − 1, as bits, have the numbers 0 … n over k − 1.
"""

from __future__ import annotations


def subset_count(n: int, k: int) -> int:
    """How many sets of `k` of `n` squares there are."""
    count = 1
    for i in range(k):
        count = count * (n - i) // (i + 1)
    return count


def subset_rank(bits: int) -> int:
    """The number of a set among those with as many squares."""
    rank = 0
    k = 0
    while bits:
        k += 1
        rank += subset_count((bits & -bits).bit_length() - 1, k)
        bits &= bits - 1
    return rank


def subset_at(rank: int, k: int) -> int:
    """The set of `k` squares with that number."""
    bits = 0
    while k > 0:
        square = k - 1
        while subset_count(square + 1, k) <= rank:
            square += 1
        rank -= subset_count(square, k)
        bits |= 1 << square
        k -= 1
    return bits
