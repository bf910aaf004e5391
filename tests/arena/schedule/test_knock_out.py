"""Knock-out: one is left, the bracket is fair to seeds, ties are played again and at last decided."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.schedule.tournaments import play_through, sizes

from zermelo.arena.schedule import MeetingResult, make_schedule
from zermelo.errors import OptionError


def better_seed_wins(table):
    return tuple(1.0 if e == min(table) else 0.0 for e in table)


def always_level(table):
    return (0.5,) * len(table)


@given(st.integers(2, 200))
def test_two_at_a_table_take_one_meeting_less_than_entrants(entrants):
    schedule, played, meetings = play_through("knock-out", entrants, 2, better_seed_wins)
    assert sum(len(each) for each in meetings) == entrants - 1
    assert 2 ** len(meetings) >= entrants > 2 ** (len(meetings) - 1)
    assert schedule.standing(played)[:2] == [0, 1]
    assert {*schedule.standing(played)[:4]} == {*range(min(entrants, 4))}


@given(sizes, st.integers(0, 1 << 30))
def test_who_is_out_never_comes_back_and_one_is_left(size, seed):
    entrants, seats = size
    schedule, played, meetings = play_through("knock-out", entrants, seats, random.Random(seed))
    last = {e: number for number, each in enumerate(meetings) for m in each for e in m.entrants}
    order = [last[e] for e in schedule.standing(played)]
    assert len(last) == entrants
    assert order[0] == max(order)
    for number, each in enumerate(meetings):
        out = {*schedule.replay(played[:number])[1]}
        assert not out & {e for m in each for e in m.entrants}
        assert max(Counter(e for m in each for e in m.entrants).values()) == 1


@given(st.integers(1, 7))
def test_the_best_two_seeds_can_only_meet_in_the_final(stages):
    _, _, meetings = play_through("knock-out", 2**stages, 2, better_seed_wins)
    assert [m.entrants for m in meetings[-1]] == [(0, 1)]
    for stage, each in enumerate(meetings):
        left = 2 ** (stages - stage)
        assert all(sum(m.entrants) == left - 1 for m in each)


def test_the_best_seeds_sit_out_the_first_stage():
    schedule = make_schedule("knock-out", 6, 2)
    first = schedule.next_round([])
    assert [m.entrants for m in first] == [(2, 5), (3, 4)]
    played = [[MeetingResult((2, 5), (0.0, 2.0)), MeetingResult((3, 4), (0.0, 2.0))]]
    assert [m.entrants for m in schedule.next_round(played)] == [(0, 4), (1, 5)]


def test_only_tied_meetings_are_played_again_and_the_next_stage_waits():
    schedule = make_schedule("knock-out", 4, 2)
    played = [[MeetingResult((0, 3), (1.0, 1.0)), MeetingResult((1, 2), (0.0, 2.0))]]
    assert [m.entrants for m in schedule.next_round(played)] == [(0, 3)]
    played.append([MeetingResult((0, 3), (0.5, 1.5))])
    assert [m.entrants for m in schedule.next_round(played)] == [(2, 3)]
    assert schedule.standing(played) == [3, 2, 0, 1]


def test_after_three_ties_the_better_seed_goes_on():
    schedule, played, meetings = play_through("knock-out", 4, 2, always_level)
    assert [[m.entrants for m in each] for each in meetings] == [[(0, 3), (1, 2)]] * 3 + [[(0, 1)]] * 3
    assert schedule.standing(played) == [0, 1, 2, 3]


@pytest.mark.parametrize(("entrants", "seats"), [(3, 3), (4, 3), (8, 3), (9, 3), (10, 3), (14, 4), (6, 5), (100, 4)])
def test_tables_of_many_come_down_to_one(entrants, seats):
    schedule, played, _ = play_through("knock-out", entrants, seats, better_seed_wins)
    assert schedule.standing(played)[0] == 0


def test_where_numbers_do_not_come_out_a_table_sends_on_more_than_one():
    schedule = make_schedule("knock-out", 4, 3)
    assert [m.entrants for m in schedule.next_round([])] == [(1, 2, 3)]
    played = [[MeetingResult((1, 2, 3), (0.0, 3.0, 1.5))]]
    assert [m.entrants for m in schedule.next_round(played)] == [(0, 2, 3)]


def test_a_number_of_rounds_is_refused():
    with pytest.raises(OptionError, match="until one is left"):
        make_schedule("knock-out", 4, 2, 3)


def test_a_round_played_by_others_is_refused():
    with pytest.raises(OptionError, match="whom the knock-out sent"):
        make_schedule("knock-out", 4, 2).next_round([[MeetingResult((0, 1), (1.0, 0.0))]])
