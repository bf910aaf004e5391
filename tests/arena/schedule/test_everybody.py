"""Round robin and gauntlet: who must meet does meet, as often as all others."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.schedule.tournaments import play_through, sizes

from zermelo.arena.schedule import MeetingResult, make_schedule
from zermelo.errors import OptionError


@given(sizes, st.integers(1, 3))
def test_in_a_round_robin_every_table_meets_once_a_round(size, rounds):
    entrants, seats = size
    _, _, meetings = play_through("round-robin", entrants, seats, random.Random(1), rounds)
    assert len(meetings) == rounds
    for each in meetings:
        assert sorted(m.entrants for m in each) == list(combinations(range(entrants), seats))


@given(st.integers(2, 15))
def test_a_round_robin_of_two_lets_everybody_play_before_anybody_plays_again(entrants):
    meetings = make_schedule("round-robin", entrants, 2).next_round([])
    each = entrants // 2
    for start in range(0, len(meetings), each):
        playing = Counter(e for m in meetings[start : start + each] for e in m.entrants)
        assert max(playing.values()) == 1


@given(sizes, st.integers(1, 3))
def test_in_a_gauntlet_the_first_meets_every_choice_of_others_once_a_round(size, rounds):
    entrants, seats = size
    _, _, meetings = play_through("gauntlet", entrants, seats, random.Random(1), rounds)
    assert len(meetings) == rounds
    for each in meetings:
        assert [m.entrants[0] for m in each] == [0] * len(each)
        assert [m.entrants[1:] for m in each] == list(combinations(range(1, entrants), seats - 1))


def test_a_gauntlet_is_judged_by_points_a_meeting():
    played = [[MeetingResult((0, 1), (0.5, 1.5)), MeetingResult((0, 2), (1.0, 1.0)), MeetingResult((0, 3), (2.0, 0.0))]]
    assert make_schedule("gauntlet", 4, 2).standing(played) == [1, 0, 2, 3]


@pytest.mark.parametrize("kind", ["round-robin", "gauntlet"])
def test_more_tables_than_anybody_can_play_are_refused(kind):
    with pytest.raises(OptionError, match="entrants make"):
        make_schedule(kind, 500, 4)
