"""Results as statistics sees them: who sat first, who second, and the score of the first; nothing else of a game.

A game of N players becomes N(N−1)/2 comparisons, one for each two of them, each of weight 1/(N−1). So a game weighs
one for every entrant, as its score does (the mean over the others), and the error bars, if anything, are too long:
comparisons out of one game repeat each other.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import InputError

Array = NDArray[np.float64]


class Result(NamedTuple):
    """`first` scored 0, ½ or 1 against `second`; `weight` is how many games this stands for."""

    first: str
    second: str
    score: float
    weight: float = 1.0


def comparisons(entrants: Sequence[str], points: Sequence[float]) -> list[Result]:
    """The comparisons in one game of two or more: entrants in the order of their seats, and what each one got."""
    if len(entrants) != len(points) or len(entrants) < 2:
        raise InputError(f"a game has two or more entrants and as many points, not {len(entrants)} and {len(points)}")
    weight = 1 / (len(entrants) - 1)
    return [
        Result(entrants[first], entrants[second], _versus(points[first], points[second]), weight)
        for first, second in combinations(range(len(entrants)), 2)
    ]


def _versus(mine: float, other: float) -> float:
    return 0.5 if mine == other else float(mine > other)


@dataclass(frozen=True)
class Tally:
    """Results added up: `wins[i, j]` counts the games that i, seated first, won against j; so do `draws`, `losses`."""

    names: tuple[str, ...]
    wins: Array
    draws: Array
    losses: Array

    @property
    def played(self) -> Array:
        """Games of i against j with i first."""
        return self.wins + self.draws + self.losses

    @property
    def met(self) -> Array:
        """Games of i against j, in either order."""
        return self.played + self.played.T

    @property
    def points(self) -> Array:
        """What i scored against j, in either seat."""
        seated: Array = self.wins + self.draws / 2
        return seated + (self.played - seated).T

    def parts(self) -> tuple[tuple[int, ...], ...]:
        """The entrants in groups that games connect; between two groups nothing was played."""
        unseen, groups = set(range(len(self.names))), []
        met = self.met > 0
        while unseen:
            group, edge = set[int](), {min(unseen)}
            while edge:
                group |= edge
                edge = {int(each) for one in edge for each in np.flatnonzero(met[one])} - group
            unseen -= group
            groups.append(tuple(sorted(group)))
        return tuple(groups)


def tally(results: Iterable[tuple[str, str, float] | tuple[str, str, float, float] | Result]) -> Tally:
    """Adds results up, once; entrants stand in the order in which they first appear."""
    places: dict[str, int] = {}
    sums: dict[tuple[int, int, float], float] = {}
    for each in results:
        first, second, score, weight = _checked(each)
        pairing = places.setdefault(first, len(places)), places.setdefault(second, len(places))
        key = (*pairing, score)
        sums[key] = sums.get(key, 0.0) + weight
    tables = {score: np.zeros((len(places), len(places))) for score in (1.0, 0.5, 0.0)}
    for (row, column, score), weight in sums.items():
        tables[score][row, column] = weight
    return Tally(tuple(places), tables[1.0], tables[0.5], tables[0.0])


def _checked(result: tuple[str, str, float] | tuple[str, str, float, float]) -> Result:
    try:
        row = Result(*result)
        score, weight = float(row.score), float(row.weight)
    except (TypeError, ValueError):
        raise InputError(f"a result is (first, second, score of first) and maybe a weight, not {result!r}") from None
    if score not in (0.0, 0.5, 1.0):
        raise InputError(f"a score is 0, ½ or 1, not {row.score!r}; reduce games of more players with `comparisons`")
    if not (weight > 0 and math.isfinite(weight)):
        raise InputError(f"a weight is a number above 0, not {row.weight!r}")
    if row.first == row.second:
        raise InputError(f"{row.first!r} cannot play itself; give the two entrants different names")
    return Result(row.first, row.second, score, weight)
