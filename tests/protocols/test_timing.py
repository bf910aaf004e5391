"""The time for a move never exceeds what there is, and goes where the answer is not settled."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.protocols.timing import LEAST, Budget, Order, Pace, budget

SECONDS = st.floats(0, 10_000)


@given(left=SECONDS, gain=SECONDS, moves=st.none() | st.integers(0, 200), overhead=st.floats(0, 10))
def test_a_move_never_takes_more_than_the_clock_has(left, gain, moves, overhead):
    given_ = budget(Order((left, None), (gain, 0.0), moves), 0, overhead)
    assert LEAST <= given_.hard <= max(0.8 * left, LEAST)
    assert given_.soft <= given_.hard or given_.hard == LEAST


@given(left=SECONDS, seconds=SECONDS)
def test_of_a_clock_and_a_limit_the_smaller_holds(left, seconds):
    order = Order((left, None), seconds=seconds)
    assert budget(order, 0, 0.0).hard <= max(seconds, LEAST)


def test_whoever_has_no_clock_has_no_limit():
    order = Order((60.0, None))
    assert budget(order, 0, 0.0) == Budget(4 * 60 / 25, 60 / 25)
    assert budget(order, 0, 0.1).soft == pytest.approx(55 / 25 - 0.1)
    assert budget(order, 1, 0.0) == Budget()
    assert budget(Order((60.0, 60.0), infinite=True), 0, 0.0) == Budget()


def test_fewer_moves_to_go_mean_more_time_for_each():
    times = [budget(Order((60.0, 60.0), moves_to_go=moves), 0, 0.0).hard for moves in (40, 10, 2, 1)]
    assert times == sorted(times)


def test_a_third_player_looks_at_the_second_clock():
    order = Order((None, 50.0))
    assert budget(order, 2, 0.0) == budget(order, 1, 0.0) != Budget()


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(-1, 1)), max_size=30), SECONDS, st.floats(0, 10))
def test_no_answer_takes_longer_than_the_hard_limit(depths, left, overhead):
    given_ = budget(Order((left, left)), 0, overhead)
    pace = Pace(given_, (-1.0, 1.0))
    for action, value in depths:
        pace.learn(action, value)
        assert 0 < pace.seconds <= given_.hard


def test_a_settled_answer_takes_less_time_and_a_new_one_more():
    pace = Pace(Budget(40.0, 10.0), (-1.0, 1.0))
    times = []
    for action in ("a", "a", "a", "a", "a", "a", "a", "b"):
        pace.learn(action, 0.1)
        times.append(pace.seconds)
    assert times[:7] == sorted(times[:7], reverse=True)
    assert times[6] < 10 < times[7]


def test_a_value_that_falls_takes_more_time_and_one_that_rises_none():
    pace = Pace(Budget(40.0, 10.0), (-1.0, 1.0))
    pace.learn("a", 0.0)
    usual = Pace(Budget(40.0, 10.0), (-1.0, 1.0))
    usual.learn("a", 0.0)
    usual.learn("a", 0.0)
    pace.learn("a", 0.5)
    assert pace.seconds == usual.seconds
    pace.learn("a", -0.5)
    usual.learn("a", 0.0)
    assert pace.seconds == 2 * usual.seconds


def test_a_fixed_time_is_used_whatever_the_answer():
    pace = Pace(budget(Order(seconds=3.0), 0, 0.0), (-1.0, 1.0))
    pace.learn("a", 0.0)
    assert pace.seconds == 3.0
    assert not pace.is_spent(2.9)


@pytest.mark.parametrize(
    ("clock", "gain", "control", "moves"),
    [(60.0, 0.6, None, 300), (10.0, 0.0, None, 120), (120.0, 0.0, 40, 300), (0.2, 0.1, None, 300)],
)
@pytest.mark.parametrize("overhead", [0.0, 0.01])
def test_a_long_game_is_not_lost_on_time(clock, gain, control, moves, overhead):
    """Depths that take three times as long each, of answers that change now and then; each move costs the overhead."""
    dice, left = random.Random(7), clock
    for move in range(moves):
        to_go = None if control is None else control - move % control
        given_ = budget(Order((left, left), (gain, gain), to_go), 0, overhead)
        pace, spent, depth = Pace(given_, (-1.0, 1.0)), 0.0, 0.0002
        while not pace.is_spent(spent) and spent < pace.seconds:
            spent = min(spent + depth, max(pace.seconds, spent))
            pace.learn(dice.random() < 0.2, dice.gauss(0, 0.003))
            depth *= 3
        assert spent <= given_.hard
        left -= spent + overhead
        assert left > 0
        left += gain
        if to_go == 1:
            left += clock
