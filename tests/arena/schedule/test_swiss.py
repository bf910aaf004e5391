"""The Swiss system: equals meet, nobody meets twice where that can be avoided, byes go round."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st
from tests.arena.schedule.tournaments import play_through

from zermelo.arena.schedule import MeetingResult, make_schedule
from zermelo.arena.schedule.swiss import first_perfect_matching, has_perfect_matching


def pairings(people, allowed):
    """Every way to pair up `people` by allowed pairs, by trying everything."""
    if not people:
        yield []
        return
    first, *rest = people
    for other in rest:
        if frozenset((first, other)) in allowed:
            for further in pairings([p for p in rest if p != other], allowed):
                yield [(first, other), *further]


def strangers(played, entrants):
    met = {frozenset(pair) for results in played for r in results for pair in combinations(r.entrants, 2)}
    return {frozenset(pair) for pair in combinations(range(entrants), 2)} - met


def byes_before(played, entrants):
    return [sum(all(e not in r.entrants for r in results) for results in played) for e in range(entrants)]


@given(st.integers(1, 9), st.data())
def test_a_matching_is_found_if_and_only_if_there_is_one(size, data):
    pairs = list(combinations(range(size), 2))
    allowed = {frozenset(pair) for pair in data.draw(st.sets(st.sampled_from(pairs) if pairs else st.nothing()))}
    graph = {v: {w for w in range(size) if frozenset((v, w)) in allowed} for v in range(size)}
    exists = next(pairings(list(range(size)), allowed), None)
    assert has_perfect_matching(range(size), graph) == (exists is not None)
    # In the natural order of preference the pairing is the first one that trying everything finds.
    assert first_perfect_matching(range(size), graph, lambda unpaired: unpaired[1:]) == exists


def test_blossoms_are_shrunk():
    ring = {v: {(v + 1) % 5, (v - 1) % 5} for v in range(5)}
    ring[3] |= {5}
    ring[5] = {3}
    assert has_perfect_matching(range(6), ring)


@given(st.integers(2, 9), st.integers(1, 10), st.integers(0, 1 << 30))
def test_nobody_meets_twice_where_that_can_be_avoided(entrants, rounds, seed):
    _, played, meetings = play_through("swiss", entrants, 2, random.Random(seed), rounds)
    assert len(played) == rounds
    for number, each in enumerate(meetings):
        allowed = strangers(played[:number], entrants)
        again = [m for m in each if frozenset(m.entrants) not in allowed]
        if again:
            byes = byes_before(played[:number], entrants)
            resting = [e for e in range(entrants) if byes[e] == min(byes)] if entrants % 2 else [None]
            for e in resting:
                assert next(pairings([p for p in range(entrants) if p != e], allowed), None) is None


@given(st.integers(2, 4), st.integers(0, 10), st.integers(1, 12), st.integers(0, 1 << 30))
def test_nobody_has_a_second_bye_before_everybody_had_one(seats, more, rounds, seed):
    entrants = seats + more
    _, played, _ = play_through("swiss", entrants, seats, random.Random(seed), rounds)
    for number in range(1, rounds + 1):
        byes = byes_before(played[:number], entrants)
        assert max(byes) - min(byes) <= 1
        assert sum(byes) == number * (entrants % seats)


@given(st.integers(2, 40), st.integers(0, 1 << 30))
def test_the_usual_number_of_rounds_makes_no_rematch_and_one_leader(entrants, seed):
    def better_seed_wins(table):
        return tuple(1.0 if e == min(table) else 0.0 for e in table)

    schedule, played, meetings = play_through("swiss", entrants, 2, better_seed_wins)
    assert 2 ** len(meetings) >= entrants > 2 ** (len(meetings) - 1)
    assert max(Counter(m.entrants for each in meetings for m in each).values()) == 1
    points = schedule.points(played)
    assert schedule.standing(played)[0] == 0
    assert sorted(points)[-2] < points[0]


def test_the_upper_half_meets_the_lower_half_and_then_equals_meet():
    schedule = make_schedule("swiss", 8, 2)
    first = schedule.next_round([])
    assert [m.entrants for m in first] == [(0, 4), (1, 5), (2, 6), (3, 7)]
    played = [[MeetingResult(m.entrants, (2.0, 0.0)) for m in first]]
    assert [m.entrants for m in schedule.next_round(played)] == [(0, 2), (1, 3), (4, 6), (5, 7)]


def test_the_lowest_has_the_bye_and_gets_what_a_clean_win_is_worth():
    schedule = make_schedule("swiss", 5, 2)
    first = schedule.next_round([])
    assert [m.entrants for m in first] == [(0, 2), (1, 3)]
    played = [[MeetingResult((0, 2), (2.0, 0.0)), MeetingResult((1, 3), (1.5, 0.5))]]
    assert schedule.points(played) == [2.0, 1.5, 0.0, 0.5, 2.0]
    second = {e for m in schedule.next_round(played) for e in m.entrants}
    assert second == {0, 1, 3, 4}


def test_more_rounds_than_opponents_bring_second_meetings_evenly():
    _, _, meetings = play_through("swiss", 6, 2, random.Random(4), 10)
    times = Counter(m.entrants for each in meetings for m in each)
    assert max(times.values()) <= 3


def test_level_entrants_are_told_apart_by_whom_they_met():
    schedule = make_schedule("swiss", 4, 2, 1)
    played = [
        [MeetingResult((0, 2), (1.0, 1.0)), MeetingResult((1, 3), (1.0, 1.0))],
        [MeetingResult((0, 3), (2.0, 0.0))],
    ]
    played[1].append(MeetingResult((1, 2), (1.0, 1.0)))
    assert schedule.standing(played) == [0, 2, 1, 3]


@given(st.integers(3, 4), st.integers(2, 4), st.integers(0, 1 << 30))
def test_tables_of_many_are_filled_by_score(seats, tables, seed):
    schedule, played, meetings = play_through("swiss", seats * tables, seats, random.Random(seed), 2)
    assert [m.entrants for m in meetings[0]] == [tuple(range(t * seats, (t + 1) * seats)) for t in range(tables)]
    best = max(schedule.points(played[:1]))
    assert any(schedule.points(played[:1])[e] == best for e in meetings[1][0].entrants)
