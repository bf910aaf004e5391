"""The polytopes {y ≥ 0, A y ≤ 1} of matrix games, in the native core: vertices, optima, paths of Lemke and Howson.

A is positive. Give whole numbers (lists of rows) for exact answers, which come as fractions, or an array of doubles. A
point y of a player's polytope is a strategy times the other's reciprocal payoff: divide it by its sum.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

from zermelo.engine.core import _core
from zermelo.errors import MethodError, UnsolvedError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LENGTHS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 64)
"""The numbers of 64-bit words that a whole number may have in the core."""

MAX_EXACT_BITS = 64 * LENGTHS[-1]

Exact = Sequence[Sequence[int]]
Matrix: TypeAlias = "Exact | NDArray[np.float64]"
Stop = Callable[[], bool] | None
T = TypeVar("T")


class Extremes(NamedTuple):
    """All pairs of vertices that have every label between them."""

    first: list[Any]
    second: list[Any]
    pairs: list[tuple[int, int]]
    """Places in `first` and `second`."""


def extreme_equilibria(first: Matrix, second: Matrix, limit: int, stop: Stop = None) -> Extremes:
    """`first` is the column player's payoffs transposed, `second` the row player's; both exact or both doubles."""
    width = len(first[0]), len(second[0])
    found, limbs = _call(partial(_core.extreme_equilibria, limit=limit, stop=stop), first, second)
    first_points, second_points = _points(found.first, width[0], limbs), _points(found.second, width[1], limbs)
    return Extremes(first_points, second_points, found.pairs)


def lemke_howson(first: Matrix, second: Matrix, label: int, stop: Stop = None) -> tuple[Any, Any, int]:
    """The end of the path that drops `label`, as two points, and its number of pivots."""
    found, limbs = _call(partial(_core.lemke_howson, label=label, stop=stop), first, second)
    (mine,), (theirs,) = _points(found.first, len(first[0]), limbs), _points(found.second, len(second[0]), limbs)
    return mine, theirs, found.pivots


def lemke(matrix: Matrix, right: Any, perturbation: float = 0.0, stop: Stop = None) -> tuple[Any, int]:
    """The end of Lemke's path (see `native/equilibrium/lemke.hpp`), as a point, and its number of pivots.

    `matrix` is square: the columns are the variables and, as the last one, the parameter; the rows are their partners,
    and 1 less the parameter. `right` is a column, the values of the rows where all variables are 0. In doubles random
    numbers of about `perturbation` are added to it on the way, so that there are no ties.
    """
    found, limbs = _call(partial(_core.lemke, perturbation=perturbation, stop=stop), matrix, right, bits=tableau_bits)
    (point,) = _points(found.point, len(matrix[0]), limbs)
    return point, found.pivots


def optimum(matrix: Matrix, stop: Stop = None) -> tuple[Any, Any, int]:
    """The point with the greatest Σ y, the dual's solution, and the number of pivots."""
    found, limbs = _call(partial(_core.optimum, stop=stop), matrix)
    (point,), (prices,) = _points(found.point, len(matrix[0]), limbs), _points(found.prices, len(matrix), limbs)
    return point, prices, found.pivots


def optimal_vertices(matrix: Matrix, limit: int, stop: Stop = None) -> list[Any]:
    """All vertices with the greatest Σ y."""
    found, limbs = _call(partial(_core.optimal_vertices, limit=limit, stop=stop), matrix)
    return _points(found, len(matrix[0]), limbs)


def _call(
    function: Callable[..., T], *matrices: Any, bits: Callable[..., int] = lambda *ms: max(map(minor_bits, ms))
) -> tuple[T, int]:
    """Calls the core with numbers that are long enough; returns its result and their length in words (0: doubles).

    `bits` bounds the length of all numbers that can come up with these matrices.
    """
    try:
        if hasattr(matrices[0], "tobytes"):
            packed = [(matrix.astype("=f8").tobytes(), *matrix.shape) for matrix in matrices]
            return function(*packed, limbs=0, bits=1), 0
        longest = bits(*matrices)
        for limbs in (length for length in LENGTHS if 64 * length > longest):
            packed = [(_pack(matrix, limbs), len(matrix), len(matrix[0])) for matrix in matrices]
            with contextlib.suppress(_core.NumbersTooNarrow):
                return function(*packed, limbs=limbs, bits=longest), limbs
    except _core.TooManyVertices:
        raise UnsolvedError(
            "the game has more vertices than the limit allows: raise `limit`, or ask for one equilibrium"
        ) from None
    except _core.RoundingLost:
        raise UnsolvedError("rounding errors led the method astray: ask for exact arithmetic") from None
    raise MethodError(
        f"exact numbers of up to {longest:,} bits would be needed, and the core has {MAX_EXACT_BITS:,}: "
        f"round the payoffs, or ask for floating point"
    )


def minor_bits(matrix: Exact) -> int:
    """The length, with its sign, of the longest minor that the matrix bordered by ones can have (Hadamard)."""
    rows, columns = len(matrix), len(matrix[0])
    by_rows = math.fsum(math.log2(1 + sum(a * a for a in row)) for row in matrix) / 2 + math.log2(columns) / 2
    across = zip(*matrix, strict=True)
    by_columns = math.fsum(math.log2(1 + sum(a * a for a in column)) for column in across) / 2 + math.log2(rows) / 2
    order = min(rows, columns) + 1
    greatest = math.log2(max(1, max(map(max, matrix))))
    by_greatest = order * (greatest - 1) + (order + 1) / 2 * math.log2(order + 1)
    return math.ceil(min(by_rows, by_columns, by_greatest)) + 3


def tableau_bits(matrix: Exact, right: Exact) -> int:
    """The length, with its sign, of the longest minor that the matrix with its right-hand side can have (Hadamard)."""
    rows = [[*row, *last] for row, last in zip(matrix, right, strict=True)]
    lines = (rows, zip(*rows, strict=True))
    lengths = [math.fsum(math.log2(max(1, sum(a * a for a in line))) for line in each) / 2 for each in lines]
    return math.ceil(min(lengths)) + 3


def _pack(matrix: Exact, limbs: int) -> bytes:
    return b"".join(a.to_bytes(8 * limbs, "little", signed=True) for row in matrix for a in row)


def _points(data: bytes, columns: int, limbs: int) -> list[Any]:
    """Points, each of `columns` numerators and a denominator."""
    if limbs == 0:
        import numpy

        doubles = numpy.frombuffer(data, dtype="=f8").reshape(-1, columns + 1)
        return list(doubles[:, :-1] / doubles[:, -1:])
    size = 8 * limbs
    whole = [int.from_bytes(data[i : i + size], "little", signed=True) for i in range(0, len(data), size)]
    step = columns + 1
    return [[Fraction(a, whole[i + columns]) for a in whole[i : i + columns]] for i in range(0, len(whole), step)]
