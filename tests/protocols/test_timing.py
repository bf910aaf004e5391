"""The time for a move never exceeds what there is."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from zermelo.protocols.timing import LEAST, Budget, Order, budget

SECONDS = st.floats(0, 10_000)


@given(left=SECONDS, gain=SECONDS, moves=st.none() | st.integers(0, 200), overhead=st.floats(0, 10))
def test_a_move_never_takes_more_than_the_clock_has(left, gain, moves, overhead):
    given_ = budget(Order((left, None), (gain, 0.0), moves), 0, overhead)
    assert LEAST <= given_.hard <= max(0.8 * left, LEAST)
    assert given_.soft <= 0.6 * left


@given(left=SECONDS, seconds=SECONDS)
def test_of_a_clock_and_a_limit_the_smaller_holds(left, seconds):
    order = Order((left, None), seconds=seconds)
    assert budget(order, 0, 0.0).hard <= max(seconds, LEAST)


def test_whoever_has_no_clock_has_no_limit():
    order = Order((60.0, None))
    assert budget(order, 0, 0.0).hard == 60 / 25
    assert budget(order, 1, 0.0) == Budget()
    assert budget(Order((60.0, 60.0), infinite=True), 0, 0.0) == Budget()


def test_fewer_moves_to_go_mean_more_time_for_each():
    times = [budget(Order((60.0, 60.0), moves_to_go=moves), 0, 0.0).hard for moves in (40, 10, 2, 1)]
    assert times == sorted(times)


def test_a_third_player_looks_at_the_second_clock():
    order = Order((None, 50.0))
    assert budget(order, 2, 0.0) == budget(order, 1, 0.0) != Budget()
