"""The sequential test computes what Fishtest computes, and errs as seldom as it promises."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize
from tests.arena.statistics.worlds import pair_law, score

from zermelo.arena.statistics import Sprt, elo_of_score, expected_score
from zermelo.errors import InputError, OptionError

# (counts, test, the ratio printed): Fishtest's raw statistics, cutechess-cli, and fastchess.
PUBLISHED = [
    ([13, 37, 50, 25, 3], Sprt(0, 4, model="normalised"), -0.54912, 5e-6),
    ([13, 37, 50, 25, 3], Sprt(0, 2.716), -0.53772, 5e-4),
    ([759, 1863, 880], Sprt(0, 5), 2.95, 5e-3),
    ([1037, 1925, 1038], Sprt(-5, 5), 0.0555, 5e-4),
    ([835, 6884, 13116, 7201, 852], Sprt(0, 3, 0.05, 0.1, "normalised"), 2.89, 5e-3),
    ([244, 1980, 3630, 2067, 263], Sprt(-3, 1, 0.05, 0.1, "normalised"), 2.90, 5e-3),
    ([36, 340, 767, 462, 82], Sprt(0, 3, 0.05, 0.1, "normalised"), 2.89, 5e-3),
    ([50, 287, 610, 387, 73], Sprt(0, 5, model="normalised"), 2.97, 5e-3),
    ([1, 22, 52, 21, 4], Sprt(-5, 0, 0.05, 0.1, "normalised"), 0.15, 5e-3),
]


@pytest.mark.parametrize(("counts", "test", "llr", "tolerance"), PUBLISHED)
def test_the_ratio_is_the_published_one(counts, test, llr, tolerance):
    assert test.llr(counts) == pytest.approx(llr, abs=tolerance)


def test_the_bounds_are_walds():
    assert Sprt(0, 5).lower == pytest.approx(-2.9444, abs=5e-5)
    assert Sprt(0, 5).upper == pytest.approx(2.9444, abs=5e-5)
    assert Sprt(0, 3, alpha=0.05, beta=0.1).lower == pytest.approx(-2.2513, abs=5e-5)
    assert Sprt(0, 3, alpha=0.05, beta=0.1).upper == pytest.approx(2.8904, abs=5e-5)


@pytest.mark.parametrize("model", ["logistic", "normalised"])
def test_the_hypothesis_is_fitted_as_well_as_a_general_optimiser_can(model):
    counts, elo = np.array([3.0, 10.0, 20.0, 15.0, 9.0]), 40.0
    test = Sprt(elo, 90, model=model)
    scores = np.linspace(0, 1, 5)

    def claim(p):
        mean = p @ scores
        if model == "logistic":
            return mean - expected_score(elo)
        return (mean - 0.5) / math.sqrt(2 * (p @ (scores - mean) ** 2)) - elo * math.log(10) / 800

    best = minimize(
        lambda p: -(counts @ np.log(p)),
        np.full(5, 0.2),
        bounds=[(1e-9, 1)] * 5,
        constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1}, {"type": "eq", "fun": claim}],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    fitted = test._likeliest(counts / counts.sum(), elo)
    assert claim(fitted) == pytest.approx(0, abs=1e-9)
    assert fitted == pytest.approx(best.x, abs=1e-4)


def test_a_match_without_games_speaks_for_nobody():
    assert Sprt(0, 5).llr([0, 0, 0, 0, 0]) == 0
    assert Sprt(0, 5).decision([0, 0, 0]) is None


def test_clear_matches_are_decided_and_a_close_one_goes_on():
    test = Sprt(0, 30)
    assert test.decision([0, 0, 10, 40, 50]) == "accept H1"
    assert test.decision([50, 40, 10, 0, 0]) == "accept H0"
    assert test.decision([2, 5, 10, 6, 3]) is None
    assert test.line([2, 5, 10, 6, 3]) == "LLR +0.11 of [−2.94, +2.94] for Elo +0.0 against +30.0: go on"
    assert Sprt(0, 30, model="normalised").line([0] * 5).endswith("for normalised Elo +0.0 against +30.0: go on")


counts_of_pairs = st.lists(st.integers(0, 5000), min_size=5, max_size=5)
bounds = st.tuples(st.integers(-150, 150), st.integers(1, 40)).map(lambda pair: (pair[0], pair[0] + pair[1]))
models = st.sampled_from(["logistic", "normalised"])


@settings(deadline=None)
@given(counts_of_pairs, bounds, models)
def test_every_result_has_a_finite_ratio_and_empty_cells_do_no_harm(counts, elos, model):
    assert math.isfinite(Sprt(*elos, model=model).llr(counts))


@settings(deadline=None)
@given(counts_of_pairs, bounds, models)
def test_the_opponents_test_is_the_mirror_image(counts, elos, model):
    mine = Sprt(*elos, model=model).llr(counts)
    yours = Sprt(-elos[1], -elos[0], model=model).llr(counts[::-1])
    assert yours == pytest.approx(-mine, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize(
    "options",
    [
        {"elo0": 5, "elo1": 5},
        {"elo0": 5, "elo1": 0},
        {"elo0": 0, "elo1": 5000},
        {"elo0": 0, "elo1": math.nan},
        {"elo0": 0, "elo1": 500, "model": "normalised"},
        {"elo0": 0, "elo1": 5, "alpha": 0},
        {"elo0": 0, "elo1": 5, "alpha": 0.6, "beta": 0.6},
        {"elo0": 0, "elo1": 5, "model": "bayes"},
    ],
)
def test_a_test_that_makes_no_sense_is_refused(options):
    with pytest.raises(OptionError):
        Sprt(**options)


@pytest.mark.parametrize("counts", [[1, 2], [1, 2, 3, 4], [1, 2, -3], [0.5, 0, 0, 0, 0]])
def test_what_is_no_count_is_refused(counts):
    with pytest.raises(InputError):
        Sprt(0, 5).llr(counts)


def wrong_verdicts(truth, wrong, matches=400, **options):
    """The share of matches that end in the verdict `wrong`, when pairs follow the law `truth`."""
    test = Sprt(alpha=0.1, beta=0.1, **options)
    random = np.random.default_rng(8)
    errors = 0
    for _ in range(matches):
        counts = np.zeros(5, dtype=int)
        while (verdict := test.decision(counts.tolist())) is None:
            counts += random.multinomial(2, truth)
        errors += verdict == wrong
    return errors / matches


@pytest.mark.parametrize(("bias", "ties"), [(0, 0.5), (200, 1)])
def test_the_test_keeps_its_risks(bias, ties):
    """At the bounds themselves α and β are reached; four standard deviations of 400 matches are 0.06."""
    weak, strong = pair_law(0, bias, ties), pair_law(140, bias, ties)
    elos = {"elo0": elo_of_score(score(weak)), "elo1": elo_of_score(score(strong))}
    assert 0.03 < wrong_verdicts(weak, "accept H1", **elos) < 0.16
    assert 0.03 < wrong_verdicts(strong, "accept H0", **elos) < 0.16


def test_the_normalised_test_keeps_its_risks_too():
    weak, strong = pair_law(0, 150, 1), pair_law(140, 150, 1)
    deviation = math.sqrt(2 * (strong @ (np.linspace(0, 1, 5) - score(strong)) ** 2))
    elos = {"elo0": 0, "elo1": 800 / math.log(10) * (score(strong) - 0.5) / deviation, "model": "normalised"}
    assert 0.02 < wrong_verdicts(weak, "accept H1", matches=150, **elos) < 0.2
    assert 0.02 < wrong_verdicts(strong, "accept H0", matches=150, **elos) < 0.2
