"""The time for a move never exceeds what there is, and goes where the answer is not settled."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.analysis import Clock
from zermelo.engine.timeman import LEAST_SECONDS, TimeBudget, TimeManager, budget
from zermelo.protocols.settings import SearchRequest

SECONDS = st.floats(0, 10_000)


@given(left=SECONDS, gain=SECONDS, moves=st.none() | st.integers(0, 200), overhead=st.floats(0, 10))
def test_a_move_never_takes_more_than_the_clock_has(left, gain, moves, overhead):
    given_ = budget(Clock((left, left), gain, moves_to_go=moves, overhead=overhead), 0)
    assert LEAST_SECONDS <= given_.hard <= max(0.8 * left, LEAST_SECONDS)
    assert given_.soft <= given_.hard or given_.hard == LEAST_SECONDS


@given(left=SECONDS, seconds=SECONDS)
def test_of_a_clock_and_a_limit_the_smaller_holds(left, seconds):
    clock = Clock((left, left), move_seconds=seconds, overhead=0.0)
    assert budget(clock, 0).hard <= max(seconds, LEAST_SECONDS)


def test_whoever_has_no_clock_has_no_limit():
    assert budget(Clock((60.0, 60.0), overhead=0.0), 0) == TimeBudget(4 * 60 / 25, 60 / 25)
    assert budget(Clock((60.0, 60.0), overhead=0.1), 0).soft == pytest.approx(55 / 25 - 0.1)
    assert budget(Clock(), 1) == TimeBudget()
    assert SearchRequest(Clock((60.0, 60.0)), infinite=True).budget(0, 0.0) == TimeBudget()


def test_fewer_moves_to_go_mean_more_time_for_each():
    times = [budget(Clock((60.0, 60.0), moves_to_go=moves, overhead=0.0), 0).hard for moves in (40, 10, 2, 1)]
    assert times == sorted(times)


def test_a_third_player_looks_at_the_second_clock():
    clock = Clock((10.0, 50.0), overhead=0.0)
    assert budget(clock, 2) == budget(clock, 1) != budget(clock, 0)


@given(st.lists(st.tuples(st.integers(0, 3), st.floats(-1, 1)), max_size=30), SECONDS, st.floats(0, 10))
def test_no_answer_takes_longer_than_the_hard_limit(depths, left, overhead):
    given_ = budget(Clock((left, left), overhead=overhead), 0)
    pace = TimeManager(given_, (-1.0, 1.0))
    for action, value in depths:
        pace.learn(action, value)
        assert 0 < pace.seconds <= given_.hard


def test_a_settled_answer_takes_less_time_and_a_new_one_more():
    pace = TimeManager(TimeBudget(40.0, 10.0), (-1.0, 1.0))
    times = []
    for action in ("a", "a", "a", "a", "a", "a", "a", "b"):
        pace.learn(action, 0.1)
        times.append(pace.seconds)
    assert times[:7] == sorted(times[:7], reverse=True)
    assert times[6] < 10 < times[7]


def test_a_value_that_falls_takes_more_time_and_one_that_rises_none():
    pace = TimeManager(TimeBudget(40.0, 10.0), (-1.0, 1.0))
    pace.learn("a", 0.0)
    usual = TimeManager(TimeBudget(40.0, 10.0), (-1.0, 1.0))
    usual.learn("a", 0.0)
    usual.learn("a", 0.0)
    pace.learn("a", 0.5)
    assert pace.seconds == usual.seconds
    pace.learn("a", -0.5)
    usual.learn("a", 0.0)
    assert pace.seconds == 2 * usual.seconds


def test_a_fixed_time_is_used_whatever_the_answer():
    pace = TimeManager(budget(Clock(move_seconds=3.0, overhead=0.0), 0), (-1.0, 1.0))
    pace.learn("a", 0.0)
    assert pace.seconds == 3.0
    assert not pace.is_enough(2.9)


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
        given_ = budget(Clock((left, left), gain, moves_to_go=to_go, overhead=overhead), 0)
        pace, spent, depth = TimeManager(given_, (-1.0, 1.0)), 0.0, 0.0002
        while not pace.is_enough(spent) and spent < pace.seconds:
            spent = min(spent + depth, max(pace.seconds, spent))
            pace.learn(dice.random() < 0.2, dice.gauss(0, 0.003))
            depth *= 3
        assert spent <= given_.hard
        left -= spent + overhead
        assert left > 0
        left += gain
        if to_go == 1:
            left += clock
