"""Mean payoffs, their bars, and the test of them."""

from __future__ import annotations

import math
import random
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.arena.statistics import Moments, PayoffSprt, mean_payoff
from zermelo.arena.statistics.payoffs import LEAST_PAIRS
from zermelo.errors import OptionError

payoffs = st.floats(-100, 100)


@given(st.lists(st.tuples(payoffs, payoffs), min_size=2, max_size=40))
def test_groups_of_one_size_have_the_mean_and_the_error_of_the_textbook(pairs):
    found = mean_payoff(pairs)
    means = [(a + b) / 2 for a, b in pairs]
    assert found.mean == pytest.approx(statistics.mean(means), abs=1e-9)
    assert found.error == pytest.approx(statistics.stdev(means) / math.sqrt(len(means)), abs=1e-9)
    assert (found.groups, found.games) == (len(pairs), 2 * len(pairs))
    assert found.low <= found.mean <= found.high


def test_the_bar_is_students():
    found = mean_payoff([[1.0], [2.0], [3.0]])
    assert (found.mean, found.error) == (2.0, pytest.approx(1 / math.sqrt(3)))
    assert found.high - 2 == pytest.approx(4.302653 / math.sqrt(3), abs=1e-5)
    assert found.superiority == pytest.approx(0.5 + math.sqrt(12 / 14) / 2, abs=1e-5)


def test_games_that_share_their_luck_are_one_observation():
    """Seats that bring 5 chips cancel out in pairs, and not in games that are taken for independent ones."""
    pairs = [[5.0, -5.0 + 0.1 * (i % 3)] for i in range(30)]
    assert mean_payoff(pairs).error < 0.01
    assert mean_payoff([[each] for pair in pairs for each in pair]).error > 0.5


def test_one_group_says_nothing_about_its_error():
    found = mean_payoff([[1.0, 2.0]])
    assert (found.mean, found.low, found.high, found.superiority) == (1.5, -math.inf, math.inf, 0.5)
    assert found.line() == "+1.500 [−∞, ∞]"
    assert mean_payoff([]) is None
    assert mean_payoff([[]]) is None


def test_equal_payoffs_have_no_error():
    found = mean_payoff([[2.0, 2.0]] * 5)
    assert (found.error, found.low, found.high, found.superiority) == (0, 2, 2, 1)
    assert mean_payoff([[0.0]] * 5).superiority == 0.5


def test_numbers_have_as_many_digits_as_their_error_leaves():
    found = mean_payoff([[0.1], [0.2], [0.16], [0.14]])
    assert found.line() == "+0.150 [+0.084, +0.216]"
    assert found.scaled(1000).line() == "+150 [+84, +216]"
    assert mean_payoff([[-0.0001], [0.0001], [3.0], [-3.0]]).line().startswith("+0.0 [")


def test_bars_hold_the_truth_as_often_as_they_say():
    dice, held = random.Random(1), 0
    for _ in range(1_000):
        pairs = [[dice.choice((-1, -1, -1, 5)), dice.gauss(0, 1)] for _ in range(60)]
        found = mean_payoff(pairs)
        held += found.low <= 0.25 <= found.high
    assert 0.93 <= held / 1_000 <= 0.97


@given(st.lists(payoffs, min_size=1, max_size=30))
def test_moments_are_those_of_the_numbers(numbers):
    found = Moments()
    for number in numbers:
        found.add(number)
    assert found.mean == pytest.approx(statistics.mean(numbers), abs=1e-9)
    assert found.variance == pytest.approx(statistics.pvariance(numbers), abs=1e-6)


def run(test, dice, mean):
    """What the test decides about pairs with this mean, and after how many."""
    found = Moments()
    while test.decision(found) is None:
        found.add(mean + dice.choice((-3.0, -1.0, 1.0, 3.0)))
    return test.decision(found), found.count


def test_a_test_errs_as_seldom_as_it_says():
    test = PayoffSprt(0.0, 0.5, "chips")
    dice, matches = random.Random(2), 400
    wrong = sum(run(test, dice, 0.0)[0] == "accept H1" for _ in range(matches))
    missed = sum(run(test, dice, 0.5)[0] == "accept H0" for _ in range(matches))
    assert max(wrong, missed) / matches < 0.08


def test_a_test_waits_until_payoffs_have_shown_how_they_scatter():
    test, found = PayoffSprt(0.0, 1.0, "chips"), Moments()
    for number in range(LEAST_PAIRS - 1):
        found.add(5.0 + 0.01 * (number % 2))
    assert test.llr(found) > test.upper
    assert test.decision(found) is None
    found.add(5.0)
    assert test.decision(found) == "accept H1"
    assert test.line(found).endswith("for +0 against +1 chips a game: accept H1")


def test_pairs_that_never_differ_decide_nothing():
    test, found = PayoffSprt(-1.0, 1.0, "chips"), Moments()
    for _ in range(100):
        found.add(2.0)
    assert (test.llr(found), test.decision(found)) == (0.0, None)


def test_bad_bounds_are_refused():
    for bounds in ((1.0, 1.0), (2.0, 1.0), (math.nan, 1.0), (0.0, math.inf)):
        with pytest.raises(OptionError, match="below the second"):
            PayoffSprt(*bounds, "chips")
    with pytest.raises(OptionError, match="chips a game here, not Elo"):
        PayoffSprt(0.0, 20.0, "chips").check(4.0)


@pytest.mark.parametrize("risks", [{"alpha": 0.0}, {"beta": 1.5}, {"alpha": 0.6, "beta": 0.5}])
def test_risks_that_are_none_are_refused(risks):
    with pytest.raises(OptionError, match="are risks"):
        PayoffSprt(0.0, 0.1, "chips", **risks)
