"""Linear programs: maximise c·x subject to A x ≤ b, E x = f, x ≥ 0; exactly, or in floating point by HiGHS.

The exact method is the two-phase simplex with whole numbers over a common denominator. Bland's rule, the first variable
that improves and the first that leaves, never cycles.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, NamedTuple

from zermelo.equilibrium.numbers import Number, common_integers, rational
from zermelo.errors import MethodError, UnsolvedError

Row = Any
"""A sequence of numbers, or an array of them."""
LARGEST_EXACT = 400_000
"""The limit of entries of a tableau for exact pivoting in Python."""


class Solution(NamedTuple):
    value: Number
    point: list[Any]


def maximise(
    objective: Row,
    below: Any = (),
    bounds: Row = (),
    equal: Any = (),
    totals: Row = (),
    exact: bool = True,
) -> Solution | None:
    """The greatest value and a point that has it; `None` if no point satisfies the constraints."""
    if exact:
        rows = [[*row, bound] for row, bound in zip(below, bounds, strict=True)]
        for row, total in zip(equal, totals, strict=True):
            rows += [[*row, total], [*(-entry for entry in row), -total]]
        return _maximise_exactly([rational(entry) for entry in objective], rows)
    return _maximise_by_highs(objective, below, bounds, equal, totals)


def _maximise_by_highs(objective: Row, below: Any, bounds: Row, equal: Any, totals: Row) -> Solution | None:
    import numpy as np
    from scipy.optimize import linprog

    found = linprog(
        -np.array(objective, dtype=float),
        A_ub=np.array(below, dtype=float) if len(below) else None,
        b_ub=np.array(bounds, dtype=float) if len(below) else None,
        A_eq=np.array(equal, dtype=float) if len(equal) else None,
        b_eq=np.array(totals, dtype=float) if len(equal) else None,
        method="highs",
    )
    if found.status == 2:
        return None
    if found.status != 0:
        raise UnsolvedError(f"HiGHS gave up on the linear program ({found.message}); ask for exact arithmetic")
    point: Any = found.x
    return Solution(float(np.dot(point, np.array(objective, dtype=float))), point.tolist())


def _maximise_exactly(objective: list[Fraction], rows: list[list[Any]]) -> Solution | None:
    if (len(rows) + 1) * (len(objective) + 2) > LARGEST_EXACT:
        raise MethodError("the linear program is too large for exact arithmetic: ask for floating point")
    tableau = _Tableau(len(objective), [common_integers(map(rational, row))[0] for row in rows])
    if not tableau.make_feasible():
        return None
    tableau.maximise(objective)
    point = tableau.point()
    return Solution(sum((c * x for c, x in zip(objective, point, strict=True)), Fraction(0)), point)


class _Tableau:
    """basic + Σ (entry / denominator) · nonbasic = last / denominator; the last row is the objective."""

    def __init__(self, width: int, rows: list[list[int]]):
        self.width = width
        self.rows = [[*row[:-1], -1, row[-1]] for row in rows]  # the last variable but one makes any row feasible
        self.rows.append([0] * width + [1, 0])
        self.nonbasic = list(range(width + 1))
        self.basic = list(range(width + 1, width + 1 + len(rows)))
        self.denominator = 1

    def make_feasible(self) -> bool:
        """Phase one: whether the helping variable can be 0; then it stays out of the basis."""
        last = len(self.rows) - 1
        if last == 0 or min(row[-1] for row in self.rows[:-1]) >= 0:
            return True
        helper = self.width
        worst = min(range(last), key=lambda i: (self.rows[i][-1], self.basic[i]))
        self.pivot(worst, helper)
        while (column := self.entering()) is not None:
            row = self.leaving(column)
            assert row is not None  # the objective of phase one is bounded by 0
            self.pivot(row, column)
        if helper in self.basic:
            row = self.basic.index(helper)
            if self.rows[row][-1] != 0:
                return False
            column = next((j for j in range(self.width + 1) if self.rows[row][j] != 0), None)
            assert column is not None  # the helper was not in the basis at first
            self.pivot(row, column)
        return True

    def maximise(self, objective: list[Fraction]) -> None:
        costs, _ = common_integers(objective)
        row = [0] * (self.width + 2)
        for j, variable in enumerate(self.nonbasic):
            if variable < self.width:
                row[j] -= costs[variable] * self.denominator
        for i, variable in enumerate(self.basic):
            if variable < self.width:
                row = [a + costs[variable] * b for a, b in zip(row, self.rows[i], strict=True)]
        self.rows[-1] = row
        while (column := self.entering(self.width)) is not None:
            leaving = self.leaving(column)
            if leaving is None:
                raise MethodError("the linear program is unbounded: a constraint is missing")
            self.pivot(leaving, column)

    def entering(self, without: int = -1) -> int | None:
        found = [(v, j) for j, v in enumerate(self.nonbasic) if self.rows[-1][j] < 0 and v != without]
        return min(found)[1] if found else None

    def leaving(self, column: int) -> int | None:
        ratios = [
            (Fraction(row[-1], row[column]), self.basic[i], i)
            for i, row in enumerate(self.rows[:-1])
            if row[column] > 0
        ]
        return min(ratios)[2] if ratios else None

    def pivot(self, r: int, s: int) -> None:
        source, old = self.rows[r], self.denominator
        if source[s] < 0:  # the denominator stays positive
            self.rows[r] = source = [-entry for entry in source]
            old_sign = -1
        else:
            old_sign = 1
        p = source[s]
        for i, row in enumerate(self.rows):
            if i != r:
                factor = row[s]
                new = [(entry * p - factor * other) // old for entry, other in zip(row, source, strict=True)]
                new[s] = -factor * old_sign
                self.rows[i] = new
        source[s] = old * old_sign
        self.denominator = p
        self.basic[r], self.nonbasic[s] = self.nonbasic[s], self.basic[r]

    def point(self) -> list[Fraction]:
        found = [Fraction(0)] * self.width
        for i, variable in enumerate(self.basic):
            if variable < self.width:
                found[variable] = Fraction(self.rows[i][-1], self.denominator)
        return found
