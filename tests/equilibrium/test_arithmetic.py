"""What exact and floating-point answers promise, on numbers that were computed rather than written down."""

from fractions import Fraction

import numpy as np
import pytest

import zermelo as z
import zermelo.equilibrium as q
from zermelo.equilibrium import NormalForm
from zermelo.equilibrium.numbers import table_fractions
from zermelo.errors import MethodError, OptionError


@pytest.mark.parametrize("seed", range(10))
def test_games_of_computed_floats_are_solved_exactly(seed: int) -> None:
    chance = np.random.default_rng(seed)
    game = (chance.random((6, 6)), chance.random((6, 6)))
    found = z.equilibria(game)
    assert found
    for each in found:
        assert each.exact
        assert not any(q.regrets(game, each.strategies))


def test_decimals_are_what_their_writer_meant_and_other_floats_what_they_are() -> None:
    assert table_fractions([0.1, 0.25, 1 / 3]) == [Fraction(1, 10), Fraction(1, 4), Fraction(1, 3)]
    computed = np.random.default_rng(1).random(20).tolist()
    assert table_fractions(computed) == [Fraction(number) for number in computed]


def test_a_hundred_actions_are_no_trouble_in_floating_point() -> None:
    chance = np.random.default_rng(2)
    mine, theirs = chance.random((100, 100)), chance.random((100, 100))
    rows, columns = q.optimal_strategies(mine)
    value = z.equilibrium(mine).value
    assert all((np.array(row) @ mine).min() == pytest.approx(value) for row in rows)
    assert all((mine @ np.array(column)).max() == pytest.approx(value) for column in columns)
    levels = q.security_levels((mine, theirs))
    assert levels == pytest.approx((value, z.equilibrium(theirs.T).value))


def test_dominance_in_floating_point_is_that_of_fractions() -> None:
    chance = np.random.default_rng(3)
    for _ in range(20):
        game = (chance.integers(0, 6, (4, 4)), chance.integers(0, 6, (4, 4)))
        exact, floating = (q.eliminate(game, exact=exact) for exact in (True, False))
        assert [(s.player, s.action) for s in exact.steps] == [(s.player, s.action) for s in floating.steps]


@pytest.mark.parametrize("seed", range(20))
def test_equilibria_in_floating_point_are_verified_whatever_the_magnitudes(seed: int) -> None:
    chance = np.random.default_rng(seed)
    game = [chance.standard_normal((3, 3)) * 10.0 ** chance.integers(0, 13, (3, 3)) for _ in range(2)]
    form = NormalForm(game)
    found = z.equilibria(form, exact=False)
    exact = z.equilibria(form, exact=True)
    assert len(found) == len(exact)
    for each in found:
        for gain, table in zip(q.regrets(form, each.strategies, exact=False), game, strict=True):
            assert gain <= 1e-9 * (table.max() - table.min())


def test_what_is_zero_sum_but_for_rounding_is_not_so_exactly() -> None:
    form = NormalForm([[[2.0**53, 1.0], [0.0, 1.0]], [[-(2.0**53), -1.0], [0.0, -1.0 - 2**-52]]])
    assert form.is_zero_sum
    assert not form.is_exactly_zero_sum
    with pytest.raises(MethodError, match="but for rounding"):
        q.zero_sum(form, exact=True)
    assert z.equilibrium(form, exact=True).exact


def test_strategies_that_were_found_are_taken_back() -> None:
    chance = np.random.default_rng(4)
    for k in range(500):
        shape = tuple(chance.integers(1, 6, 2))
        tables = [chance.random(shape) - 0.5 if k % 2 else chance.integers(-4, 5, shape) for _ in range(2)]
        game = NormalForm(tables[0] if k % 3 == 0 else tables)
        assert max(map(float, q.regrets(game, z.equilibrium(game).strategies))) < 1e-9


def test_whole_numbers_beyond_doubles_are_taken_as_they_are() -> None:
    form = NormalForm(np.array([[2**53 + 1, 0], [0, 2**53]]))
    assert form.exact[0].tolist() == [[2**53 + 1, 0], [0, 2**53]]
    assert q.read_nfg(q.write_nfg(form)).exact[0].tolist() == form.exact[0].tolist()


# The quantal response equilibrium is that of the payoffs given: one λ for all players.


@pytest.mark.parametrize("rationality", [0.0, 0.3, 1.5, 4.0])
def test_the_logit_branch_has_everybodys_quantal_response_at_one_rationality(rationality: float) -> None:
    tables = np.array([[[1.0, 0.0], [0.0, 5.0]], [[20.0, 0.0], [3.0, 10.0]]])
    branch = q.logit(list(tables), at=rationality)
    x, y = (np.array(own) for own in branch.equilibrium.strategies)
    assert branch.rationality == pytest.approx(rationality, abs=1e-9)
    for own, worth in ((x, tables[0] @ y), (y, x @ tables[1])):
        weights = np.exp(rationality * (worth - worth.max()))
        assert own == pytest.approx(weights / weights.sum(), abs=1e-7)


def test_rescaling_one_players_payoffs_changes_the_quantal_response() -> None:
    mine, theirs = [[3.0, 0.0], [1.0, 2.0]], [[2.0, 1.0], [0.0, 3.0]]
    plain = q.logit([mine, theirs], at=1.0).equilibrium.strategies
    scaled = q.logit([np.array(mine) * 10, theirs], at=1.0).equilibrium.strategies
    assert plain[0] != pytest.approx(scaled[0], abs=1e-2)


def test_a_rationality_below_zero_is_refused() -> None:
    with pytest.raises(OptionError, match="λ"):
        q.logit([[1, 2], [3, 4]], at=-1.0)
