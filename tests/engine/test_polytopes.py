"""What the core's polytopes are asked by Python: bytes that fit, or an error."""

from __future__ import annotations

import importlib
import math
import struct
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.engine import polytopes

core = importlib.import_module("zermelo._core")
ONE = struct.pack("<q", 1)


@pytest.mark.parametrize(
    ("matrix", "limbs", "bits"),
    [
        ((ONE, 1, 2), 1, 8),
        ((b"", 0, 0), 1, 8),
        ((b"", 2**62, 4), 1, 8),
        ((ONE, 1, 1), 5, 8),
        ((ONE, 1, 1), -1, 8),
        ((ONE, 1, 1), 1, 0),
        ((ONE, 1, 1), 2, 8),
    ],
)
def test_bytes_that_are_no_matrix_are_refused(matrix, limbs, bits):
    with pytest.raises(ValueError, match="not the bytes of a matrix"):
        core.optimum(matrix, limbs, bits, None)


def test_matrices_of_different_games_and_labels_that_do_not_exist_are_refused():
    square, tall = (ONE * 4, 2, 2), (ONE * 2, 2, 1)
    with pytest.raises(ValueError, match="transposed"):
        core.extreme_equilibria(square, tall, 1, 8, 10, None)
    with pytest.raises(ValueError, match="label"):
        core.lemke_howson(square, square, 1, 8, 4, None)


def test_a_stop_ends_the_walk():
    random = np.random.default_rng(1)
    first, second = (random.integers(1, 1000, (14, 14)).tolist() for _ in range(2))
    with pytest.raises(core.Stopped):
        polytopes.extreme_equilibria(first, second, 10**9, stop=lambda: True)


def determinant(rows):
    rows = [[Fraction(a) for a in row] for row in rows]
    result = Fraction(1)
    for i in range(len(rows)):
        pivot = next((k for k in range(i, len(rows)) if rows[k][i]), None)
        if pivot is None:
            return Fraction(0)
        if pivot != i:
            rows[i], rows[pivot] = rows[pivot], rows[i]
            result = -result
        result *= rows[i][i]
        for k in range(i + 1, len(rows)):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return result


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6))
def test_no_minor_is_longer_than_its_bound(seed):
    random = np.random.default_rng(seed)
    size = int(random.integers(1, 6))
    matrix = random.integers(1, 10 ** int(random.integers(1, 6)), (size, size)).tolist()
    bordered = [[*row, 1] for row in matrix] + [[1] * size + [0]]
    found = abs(determinant(bordered))
    assert found == 0 or math.log2(found) + 1 <= polytopes.minor_bits(matrix)


@settings(max_examples=80, deadline=None)
@given(st.integers(0, 10**6))
def test_the_optimum_of_whole_numbers_is_that_of_doubles(seed):
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 9, 2))
    matrix = random.integers(1, 2 ** int(random.integers(1, 50)), shape)
    point, prices, _ = polytopes.optimum(matrix.tolist())
    assert sum(point) == sum(prices)
    assert all(sum(a * y for a, y in zip(row, point, strict=True)) <= 1 for row in matrix.tolist())
    scaled = matrix / matrix.max()
    rough, _, _ = polytopes.optimum(scaled)
    assert float(sum(point) * int(matrix.max())) == pytest.approx(rough.sum(), rel=1e-8)
