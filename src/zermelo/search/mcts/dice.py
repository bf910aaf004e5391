"""The random numbers of the core (`native/core/random.hpp`): xoshiro256**, seeded by splitmix64."""

from __future__ import annotations

import random
from collections.abc import Sequence

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def splitmix(x: int) -> int:
    """One step of splitmix64."""
    x = (x + GOLDEN) & MASK
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


def rotate(x: int, by: int) -> int:
    return ((x << by) | (x >> (64 - by))) & MASK


class Dice:
    """The same numbers as the core's `Random` of the same seed."""

    def __init__(self, seed: int):
        self.words = [splitmix((seed + i * GOLDEN) & MASK) for i in range(4)]

    def next(self) -> int:
        """64 random bits."""
        a, b, c, d = self.words
        result = (rotate((b * 5) & MASK, 7) * 9) & MASK
        c ^= a
        d ^= b
        self.words = [a ^ d, b ^ c, c ^ ((b << 17) & MASK), rotate(d, 45)]
        return result

    def below(self, count: int) -> int:
        """A number from 0 to `count` − 1."""
        return ((self.next() >> 32) * count) >> 32

    def unit(self) -> float:
        """A number in [0, 1)."""
        return float(self.next() >> 11) * 2.0**-53

    def draw(self, weights: Sequence[float]) -> int:
        """The place of one of `weights`, which add up to 1, each as probable as it says."""
        left = self.unit()
        for place in range(len(weights) - 1):
            left -= weights[place]
            if left < 0:
                return place
        return len(weights) - 1


def dirichlet(count: int, alpha: float, seed: int) -> list[float]:
    """Shares of 1 drawn from a symmetric Dirichlet distribution: the smaller `alpha`, the more unequal."""
    dice = random.Random(seed)
    drawn = [dice.gammavariate(alpha, 1.0) for _ in range(count)]
    total = sum(drawn)
    return [x / total for x in drawn] if total > 0 else [1.0 / count] * count
