"""Correlated and coarse correlated equilibria, and commitment."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.equilibrium.known import CHICKEN
from zermelo.equilibrium import NormalForm, correlated, is_correlated, stackelberg, vertex_enumeration
from zermelo.equilibrium.linear_program import maximise
from zermelo.errors import InputError, MethodError, OptionError


def test_chicken_is_better_with_a_traffic_light():
    found = correlated(list(CHICKEN), exact=True)
    assert found.payoffs == (Fraction(21, 4), Fraction(21, 4))
    assert found.probabilities.tolist() == [[0, Fraction(1, 4)], [Fraction(1, 4), Fraction(1, 2)]]
    assert is_correlated(list(CHICKEN), found.probabilities)


def test_weights_choose_whose_payoff_counts():
    assert correlated(list(CHICKEN), weights=(1, 0), exact=True).payoffs == (7, 2)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_nash_is_correlated_and_correlated_is_coarse(seed):
    random = np.random.default_rng(seed)
    shape = tuple(random.integers(1, 4, 2))
    game = NormalForm([random.integers(0, 6, shape), random.integers(0, 6, shape)])
    exact, rough = correlated(game, exact=True), correlated(game)
    assert is_correlated(game, exact.probabilities)
    assert is_correlated(game, exact.probabilities, coarse=True)
    assert sum(rough.payoffs) == pytest.approx(float(sum(exact.payoffs)), abs=1e-7)
    for one in vertex_enumeration(game):
        assert sum(one.payoffs) <= sum(exact.payoffs) <= sum(correlated(game, coarse=True, exact=True).payoffs)
        assert is_correlated(game, np.outer(*(np.array(own, dtype=object) for own in one.strategies)))


def test_three_players_correlate_as_well():
    game = NormalForm(np.random.default_rng(1).integers(0, 9, (3, 2, 2, 2)))
    assert is_correlated(game, correlated(game, exact=True).probabilities)


def test_commitment_pays():
    # Alone the one equilibrium gives the leader 2; committing to a mixture gives 11/3.
    found = stackelberg("2,1 4,0; 1,0 3,2", exact=True)
    assert found.payoffs[0] == Fraction(11, 3)
    assert (found.strategy, found.reply) == ((Fraction(2, 3), Fraction(1, 3)), 1)
    assert stackelberg("2,1 4,0; 1,0 3,2").payoffs[0] == pytest.approx(11 / 3)


def test_the_column_player_can_lead():
    game = NormalForm("2,1 4,0; 1,0 3,2")
    turned = NormalForm([table.T for table in reversed(game.payoffs)])
    assert stackelberg(game, leader=1, exact=True).payoffs[::-1] == stackelberg(turned, leader=0, exact=True).payoffs


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_a_leader_never_gets_less_than_in_any_equilibrium(seed):
    random = np.random.default_rng(seed)
    game = NormalForm([random.integers(0, 6, (3, 3)), random.integers(0, 6, (3, 3))])
    best = stackelberg(game, exact=True).payoffs[0]
    assert all(one.payoffs[0] <= best for one in vertex_enumeration(game))


def test_bad_questions_are_refused():
    with pytest.raises(OptionError, match="leader"):
        stackelberg(list(CHICKEN), leader=2)
    with pytest.raises(OptionError, match="weight"):
        correlated(list(CHICKEN), weights=(1,))
    with pytest.raises(MethodError, match="two players"):
        stackelberg(np.zeros((3, 2, 2, 2)))
    with pytest.raises(InputError, match="sum to 1"):
        is_correlated(list(CHICKEN), [[1, 1], [0, 0]])
    with pytest.raises(InputError, match="combinations"):
        is_correlated(list(CHICKEN), [1, 0])


def test_linear_programs_that_are_infeasible_unbounded_or_degenerate():
    assert maximise([1], [[1]], [-1]) is None
    with pytest.raises(MethodError, match="unbounded"):
        maximise([1], [[-1]], [0])
    assert maximise([1, 1], [[1, 1], [1, 0], [-1, -1]], [2, 2, -2]).value == 2
    assert maximise([2, 3], [[1, 2]], [4], [[1, 1]], [3]) == (7, [2, 1])


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6))
def test_exact_linear_programs_agree_with_highs(seed):
    random = np.random.default_rng(seed)
    rows, columns = random.integers(1, 5, 2)
    below, bounds = random.integers(-3, 6, (rows, columns)), random.integers(-2, 6, rows)
    below, bounds = np.vstack([below, np.ones(columns, dtype=int)]), np.append(bounds, 9)  # bounded
    objective = random.integers(-4, 5, columns)
    exact = maximise(objective, below, bounds)
    rough = maximise(objective, below, bounds, exact=False)
    assert (exact is None) == (rough is None)
    if exact is not None:
        assert float(exact.value) == pytest.approx(rough.value, abs=1e-7)
        assert all(
            sum(a * x for a, x in zip(row, exact.point, strict=True)) <= b
            for row, b in zip(below.tolist(), bounds.tolist(), strict=True)
        )
