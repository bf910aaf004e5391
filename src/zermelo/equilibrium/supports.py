"""All equilibria by supports: guess which actions are used, and solve for how often.

For two players this is the textbook's twin of the native vertex enumeration, in fractions throughout. Each set I of own
actions and equally large set J of the other's determine at most one strategy on I that makes all of J equally good: if
it is one, and J is best against it, it is a vertex. Vertices whose labels complete each other are the extreme
equilibria, in degenerate games too.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np

from zermelo.equilibrium.form import Array, NormalForm, as_game
from zermelo.equilibrium.profile import Equilibrium, Strategy, make_equilibrium
from zermelo.errors import MethodError

MOST_SUPPORTS = 200_000


def support_enumeration(game: Any) -> list[Equilibrium]:
    """Every extreme equilibrium of two players, exactly; for more, every isolated one, in floating point."""
    form = as_game(game)
    if len(form.players) > 2:
        from zermelo.equilibrium.polynomial import support_enumeration_of_many

        return support_enumeration_of_many(form)
    m, n = form.shape
    if math.comb(m + n, n) > MOST_SUPPORTS:
        raise MethodError(f"a {m} × {n} game has too many supports to try one by one: use vertices or lemke-howson")
    first = dict(vertices(form.exact[1].T))
    second = dict(vertices(form.exact[0]))
    every = frozenset(range(m + n))
    pairs = []
    for x, mine in first.items():
        missing = every - mine
        for y, theirs in second.items():
            if missing <= {label + m if label < n else label - n for label in theirs}:
                pairs.append((x, y))
    return [make_equilibrium(form, pair, "supports", True) for pair in sorted(pairs, reverse=True)]


def vertices(against: Array) -> Iterator[tuple[Strategy, frozenset[int]]]:
    """Each extreme strategy, with its labels: own actions left out, and (after those) the other's best replies.

    `against` has what the other gets: a row for each of the other's actions, a column for each of one's own.
    """
    replies, own = against.shape
    seen = set()
    for size in range(1, min(replies, own) + 1):
        for support in combinations(range(own), size):
            for best in combinations(range(replies), size):
                strategy = indifferent(against, support, best)
                if strategy is None or strategy in seen:
                    continue
                worth = against @ np.array(strategy, dtype=object)
                labels = _labels(strategy, worth)
                if {own + j for j in best} <= labels:
                    seen.add(strategy)
                    yield strategy, labels


def _labels(strategy: Strategy, worth: Array) -> frozenset[int]:
    unused = {i for i, share in enumerate(strategy) if share == 0}
    best = {len(strategy) + int(j) for j in np.flatnonzero(worth == worth.max())}
    return frozenset(unused | best)


def indifferent(against: Array, support: Sequence[int], best: Sequence[int]) -> Strategy | None:
    """The one strategy on `support` that makes all of `best` equally good; `None` if there is not exactly one."""
    rows = [[against[j, i] for i in support] + [Fraction(-1), Fraction(0)] for j in best]
    rows.append([Fraction(1)] * len(support) + [Fraction(0), Fraction(1)])
    solved = solve(rows)
    if solved is None or any(share <= 0 for share in solved[:-1]):
        return None
    strategy = [Fraction(0)] * against.shape[1]
    for i, share in zip(support, solved, strict=False):
        strategy[i] = share
    return tuple(strategy)


def solve(rows: list[list[Fraction]]) -> list[Fraction] | None:
    """The solution of a square system whose last column is the right-hand side; `None` if it is singular."""
    size = len(rows)
    rows = [list(row) for row in rows]
    for column in range(size):
        pivot = next((i for i in range(column, size) if rows[i][column] != 0), None)
        if pivot is None:
            return None
        rows[column], rows[pivot] = rows[pivot], rows[column]
        lead = rows[column][column]
        rows[column] = [entry / lead for entry in rows[column]]
        for i in range(size):
            factor = rows[i][column]
            if i != column and factor != 0:
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[column], strict=True)]
    return [row[-1] for row in rows]


def count_supports(form: NormalForm) -> int:
    """How many combinations of supports a game has."""
    return math.prod(2**size - 1 for size in form.shape)
