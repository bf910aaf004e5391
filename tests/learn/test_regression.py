"""The regression finds weights that are known, keeps to the old ones as dearly as asked, and does the same twice."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array

from tests.learn.conftest import TRUE, Drawn, drawn_rows
from zermelo.errors import InputError, OptionError
from zermelo.learn import FitSettings, Samples, fit
from zermelo.learn.regression import Problem, hold_out


@pytest.fixture
def samples(write_rows):
    return Samples.read(Drawn(), [write_rows(drawn_rows(6000))])


def test_true_weights_are_found_whatever_their_units(samples):
    found = fit(samples, settings=FitSettings(l2=0))
    assert found.weights == pytest.approx(TRUE, rel=0.15)
    assert found.unit == 1
    assert found.losses["validation after"] < found.losses["validation before"] == pytest.approx(np.log(2))


def test_old_weights_settle_the_unit_and_good_ones_stay(samples):
    old = [100 * weight for weight in TRUE]
    found = fit(samples, old, FitSettings(l2=0))
    assert found.unit == pytest.approx(0.01, rel=0.1)
    assert found.weights == pytest.approx(old, rel=0.2)


def test_a_high_price_keeps_the_old_weights(samples):
    old = [1.0, 1.0, 1.0]
    assert fit(samples, old, FitSettings(l2=1e6)).weights == pytest.approx(old, rel=1e-3)


def test_the_same_seed_gives_the_same_weights_and_another_holds_out_others(samples):
    one, two = fit(samples), fit(samples)
    assert (one.weights == two.weights).all()
    assert (hold_out(samples, FitSettings(seed=1)) != hold_out(samples, FitSettings(seed=2))).any()


def test_games_are_held_out_whole(samples):
    held = hold_out(samples, FitSettings(holdout=0.25))
    for number in range(0, int(samples.games.max()) + 1, 50):
        assert len(set(held[samples.games == number])) == 1
    assert held.mean() == pytest.approx(0.25, abs=0.01)


def test_what_a_search_thought_can_be_all_that_is_learnt():
    dice = np.random.default_rng(1)
    features = dice.normal(size=(2000, 2))
    values = features @ [0.02, -0.01]  # in utilities, of which one is 100 points
    odds = features @ [1.0, 1.0]  # by which the results settle the unit of the old weights
    results = (dice.random(2000) < 1 / (1 + np.exp(-odds))).astype(float)
    samples = Samples(csr_array(features), results, values, np.arange(2000), {})
    found = fit(samples, [1.0, 1.0], FitSettings(l2=0, mix=1), points=100)
    assert found.weights == pytest.approx([2, -1], abs=0.05)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_no_weights_are_kept_that_tell_the_games_held_out_worse(seed):
    dice = np.random.default_rng(seed)
    features = csr_array(dice.normal(size=(60, 4)))
    samples = Samples(features, dice.integers(0, 3, 60) / 2, np.full(60, np.nan), np.arange(60) // 2, {})
    found = fit(samples, dice.normal(size=4), FitSettings(seed=seed))
    assert found.losses["validation after"] <= found.losses["validation before"] + 1e-12


def test_a_feature_that_never_shows_keeps_its_weight():
    features = csr_array(np.array([[1.0, 0.0], [-1.0, 0.0]] * 50))
    samples = Samples(features, np.array([1.0, 0.0] * 50), np.full(100, np.nan), np.arange(100), {})
    assert fit(samples, [1.0, 5.0]).weights[1] == 5
    assert Problem(features, samples.results, np.zeros(2), 1, 0).sizes[1] == 1


@pytest.mark.parametrize("wrong", [{"l2": -1}, {"mix": 2}, {"holdout": 0}, {"holdout": float("nan")}, {"rounds": 0}])
def test_settings_out_of_range_are_refused(samples, wrong):
    with pytest.raises(OptionError, match=next(iter(wrong))):
        fit(samples, settings=FitSettings(**wrong))


def test_what_cannot_be_fitted_is_refused(samples):
    with pytest.raises(InputError, match="2 old weights for 3 features"):
        fit(samples, [1, 2])
    with pytest.raises(OptionError, match="leave out mix"):
        fit(samples, settings=FitSettings(mix=0.5))
    one_game = Samples(samples.features, samples.results, samples.values, samples.games * 0, {})
    with pytest.raises(InputError, match="one game"):
        fit(one_game)
