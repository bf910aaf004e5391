"""Zero-sum games: values, both programs, and all optimal strategies."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.equilibrium.known import MAGIC, MORRA, RED_BLUE, ROCK_PAPER_SCISSORS, VALUES
from zermelo.equilibrium import (
    NormalForm,
    expected_payoffs,
    is_equilibrium,
    optimal_strategies,
    saddle_points,
    second_thoughts,
    security_levels,
    support_enumeration,
    zero_sum,
)
from zermelo.equilibrium.zerosum import write_dual, write_primal
from zermelo.errors import MethodError

matrices = st.integers(1, 4).flatmap(
    lambda columns: st.lists(st.lists(st.integers(-4, 4), min_size=columns, max_size=columns), min_size=1, max_size=4)
)


@pytest.mark.parametrize("name", VALUES)
def test_known_values_are_exact(name):
    matrix, value = VALUES[name]
    found = zero_sum(matrix, exact=True)
    assert found.value == found.primal == found.dual == value
    assert is_equilibrium(matrix, found.strategies)


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("method", ["simplex", "highs"])
def test_known_values_in_floating_point(name, method):
    matrix, value = VALUES[name]
    found = zero_sum(matrix, method=method)
    assert found.value == pytest.approx(float(value), abs=1e-9)
    assert abs(found.gap) < 1e-9


def test_red_and_blue():
    found = zero_sum(RED_BLUE, exact=True)
    assert found.row == (Fraction(4, 7), Fraction(3, 7))
    assert found.column == (Fraction(0), Fraction(4, 7), Fraction(3, 7))
    assert expected_payoffs(RED_BLUE, found.strategies) == (Fraction(20, 7), Fraction(-20, 7))


def test_second_thoughts_of_red_and_blue_go_round():
    names = NormalForm(RED_BLUE)
    chain = ["".join(names.name_profile(place)) for place in second_thoughts(RED_BLUE, (0, 2), first=1)]
    assert chain == ["1C", "1B", "2B", "2C", "1C"]


def test_second_thoughts_end_at_a_saddle_point():
    matrix = [[3, 1], [4, 2]]
    assert saddle_points(matrix) == [(1, 1)]
    assert second_thoughts(matrix, (0, 0))[-1] == (1, 1)


def test_the_programs_read_as_in_the_lecture():
    found = zero_sum(RED_BLUE, exact=True)
    primal, dual = write_primal(found), write_dual(found)
    assert primal["objective"] == "maximise t"
    assert primal["constraints"][0] == "30 y1 − 10 y2 ≥ t"
    assert dual["constraints"][1] == "−10 x1 + 20 x2 − 20 x3 ≤ w"
    assert primal["value"] == dual["value"] == Fraction(20, 7)


def test_primal_is_dual_on_thousands_of_random_matrices():
    random = np.random.default_rng(7)
    for _ in range(2000):
        rows, columns = random.integers(1, 7, 2)
        matrix = random.integers(-9, 10, (rows, columns))
        found = zero_sum(matrix, exact=True)
        assert found.primal == found.dual
        assert sum(found.row) == sum(found.column) == 1
        assert min(*found.row, *found.column, Fraction(0)) == 0


def test_primal_is_dual_in_floating_point():
    random = np.random.default_rng(8)
    for _ in range(300):
        rows, columns = random.integers(1, 30, 2)
        found = zero_sum(random.standard_normal((rows, columns)))
        assert abs(found.gap) < 1e-12 * 10
        assert found.method == "simplex"


def test_complementary_slackness():
    rows, columns = zero_sum(MAGIC, exact=True).slackness()
    assert all(share * slack == 0 and share >= 0 and slack >= 0 for share, slack in rows + columns)


def test_morra_has_two_extreme_optima():
    rows, columns = optimal_strategies(MORRA)
    assert rows == columns == [(0, Fraction(3, 5), Fraction(2, 5), 0), (0, Fraction(4, 7), Fraction(3, 7), 0)]


def test_one_optimum_is_listed_once():
    assert optimal_strategies(ROCK_PAPER_SCISSORS) == ([(Fraction(1, 3),) * 3], [(Fraction(1, 3),) * 3])


@settings(max_examples=60, deadline=None)
@given(matrices)
def test_optimal_strategies_are_the_extreme_equilibria(matrix):
    rows, columns = optimal_strategies(matrix)
    found = support_enumeration(matrix)
    assert {one.strategies for one in found} == {(row, column) for row in rows for column in columns}


@settings(max_examples=60, deadline=None)
@given(matrices, st.integers(1, 5), st.integers(-9, 9))
def test_scaling_and_shifting_payoffs_moves_the_value_alone(matrix, factor, shift):
    other = [[factor * entry + shift for entry in row] for row in matrix]
    found, moved = zero_sum(matrix, exact=True), zero_sum(other, exact=True)
    assert moved.value == factor * found.value + shift
    assert (moved.row, moved.column) == (found.row, found.column)


def test_exposing_a_strategy_changes_nothing():
    found = zero_sum(RED_BLUE, exact=True)
    table = NormalForm(RED_BLUE).exact[0]
    assert (np.array(found.row, dtype=object) @ table).min() == found.value
    assert (table @ np.array(found.column, dtype=object)).max() == found.value


def test_constant_sum_games_are_zero_sum_but_for_the_sum():
    shares = NormalForm([[[70, 40], [30, 60]], [[30, 60], [70, 40]]])
    found = zero_sum(shares, exact=True)
    assert found.value == 50
    assert found.payoffs == (50, 50)
    assert is_equilibrium(shares, found.strategies)


def test_costs_are_minimised():
    found = zero_sum(NormalForm(RED_BLUE, costs=True), exact=True)
    assert found.value == -zero_sum([[-a for a in row] for row in RED_BLUE], exact=True).value


def test_security_levels_pure_and_mixed():
    assert security_levels([[1, -1], [-1, 1]], mixed=False) == (-1, -1)
    assert security_levels([[1, -1], [-1, 1]]) == (0, 0)


def test_extreme_scales_are_no_matter():
    tiny = zero_sum([[1e-200, 0], [0, 1e-200]])
    assert tiny.value == pytest.approx(5e-201)
    huge = zero_sum([[1e300, -1e300], [-1e300, 1e300]])
    assert abs(huge.value) < 1e287
    assert zero_sum([[7]]).value == 7.0


def test_what_cannot_be_solved_so_is_refused_by_name():
    with pytest.raises(MethodError, match="not zero-sum"):
        zero_sum([[[1, 0], [0, 1]], [[1, 0], [0, 1]]])
    with pytest.raises(MethodError, match="floating point"):
        zero_sum(RED_BLUE, exact=True, method="highs")
    with pytest.raises(MethodError, match="two players"):
        zero_sum(np.zeros((3, 2, 2, 2)))
