"""The ladder: neighbours meet, winners climb, and the order comes right."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.arena.schedule.tournaments import play_through, sizes

from zermelo.arena.schedule import MeetingResult, make_schedule


def by_strength(strengths):
    """Everybody always beats those who are weaker."""
    return lambda table: tuple(float(sum(strengths[one] > strengths[other] for other in table)) for one in table)


@given(st.permutations(range(9)))
def test_without_upsets_the_order_is_right_in_the_end(strengths):
    schedule, played, _ = play_through("ladder", len(strengths), 2, by_strength(strengths))
    standing = schedule.standing(played)
    assert [strengths[entrant] for entrant in standing] == sorted(strengths, reverse=True)


@given(sizes, st.integers(0, 12))
def test_those_who_meet_are_neighbours(size, rounds):
    entrants, seats = size
    schedule = make_schedule("ladder", entrants, seats)
    played = []
    for _ in range(min(rounds, entrants)):
        order = schedule.standing(played)
        meetings = schedule.next_round(played)
        for meeting in meetings:
            places = sorted(order.index(entrant) for entrant in meeting.entrants)
            assert places == list(range(places[0], places[0] + seats))
        played.append([MeetingResult(m.entrants, tuple(map(float, range(seats)))) for m in meetings])


def test_whoever_is_level_stays_where_they_are_and_winners_change_places():
    ladder = make_schedule("ladder", 4, 2)
    assert [meeting.entrants for meeting in ladder.next_round([])] == [(0, 1), (2, 3)]
    first = [MeetingResult((0, 1), (1.0, 1.0)), MeetingResult((2, 3), (0.5, 1.5))]
    assert ladder.standing([first]) == [0, 1, 3, 2]
    assert [meeting.entrants for meeting in ladder.next_round([first])] == [(1, 3)]
