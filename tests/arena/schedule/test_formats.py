"""What every format of play promises: the same rounds for the same results, and a clear word about bad numbers."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.schedule.tournaments import play_through, sizes

from zermelo.arena.schedule import Meeting, MeetingResult, kinds, make_schedule
from zermelo.errors import OptionError


def test_the_formats_are_those_of_the_folder():
    assert list(kinds()) == ["gauntlet", "knock-out", "ladder", "round-robin", "swiss"]


@pytest.mark.parametrize("text", ["knock-out", "knockout", " Knock_Out "])
def test_a_format_is_found_by_any_spelling(text):
    assert make_schedule(text, 4, 2).name == "knock-out"


def test_an_unknown_format_is_refused_with_the_nearest():
    with pytest.raises(OptionError, match="did you mean swiss"):
        make_schedule("swis", 4, 2)


@pytest.mark.parametrize("kind", list(kinds()))
@pytest.mark.parametrize(
    ("entrants", "seats", "rounds"),
    [(1, 2, None), (0, 2, None), (2, 3, None), (4, 1, None), (4, 2, 0), (4, 2, -1), (4, 2, 1.5), (True, 2, None)],
)
def test_numbers_that_make_no_tournament_are_refused(kind, entrants, seats, rounds):
    with pytest.raises(OptionError):
        make_schedule(kind, entrants, seats, rounds)


@pytest.mark.parametrize("kind", list(kinds()))
@pytest.mark.parametrize(
    "results",
    [
        [MeetingResult((0, 9), (1.0, 0.0))],
        [MeetingResult((-1, 0), (1.0, 0.0))],
        [MeetingResult((0, 1), (1.0,))],
        [MeetingResult((0, 0), (1.0, 0.0))],
        [MeetingResult((0, 1), (1.0, 0.0)), MeetingResult((1, 0), (1.0, 0.0))],
    ],
)
def test_results_of_another_tournament_are_refused(kind, results):
    schedule = make_schedule(kind, 4, 2)
    with pytest.raises(OptionError):
        schedule.next_round([results])
    with pytest.raises(OptionError):
        schedule.standing([results])


@given(st.sampled_from(list(kinds())), sizes, st.integers(0, 1 << 30))
def test_a_tournament_ends_and_its_tables_are_full(kind, size, seed):
    entrants, seats = size
    schedule, played, rounds = play_through(kind, entrants, seats, random.Random(seed))
    assert all(rounds)
    for meetings in rounds:
        for meeting in meetings:
            assert isinstance(meeting, Meeting)
            assert len({*meeting.entrants}) == seats
            assert {*meeting.entrants} <= {*range(entrants)}
    assert schedule.next_round(played) is None


@given(st.sampled_from(list(kinds())), sizes, st.integers(0, 1 << 30))
def test_a_new_schedule_goes_on_from_any_round_with_the_same_meetings(kind, size, seed):
    _, played, rounds = play_through(kind, *size, random.Random(seed))
    for number, meetings in enumerate(rounds):
        assert make_schedule(kind, *size).next_round(played[:number]) == meetings


@given(st.sampled_from(list(kinds())), sizes, st.integers(0, 1 << 30))
def test_the_order_of_results_within_a_round_does_not_matter(kind, size, seed):
    dice = random.Random(seed)
    schedule, played, rounds = play_through(kind, *size, dice)
    mixed = [dice.sample(results, len(results)) for results in played]
    assert [schedule.next_round(mixed[:number]) for number in range(len(rounds))] == rounds
    assert schedule.standing(mixed) == schedule.standing(played)


@given(st.sampled_from(list(kinds())), sizes, st.integers(0, 1 << 30))
def test_the_standing_has_everybody_once_at_any_time(kind, size, seed):
    schedule, played, _ = play_through(kind, *size, random.Random(seed))
    for number in range(len(played) + 1):
        assert sorted(schedule.standing(played[:number])) == list(range(size[0]))


@given(st.sampled_from(list(kinds())), sizes, st.data())
def test_who_wins_everything_wins_the_tournament(kind, size, data):
    champion = data.draw(st.integers(0, size[0] - 1))

    def only_the_champion_wins(table):
        """Two games: all others draw with each other."""
        level = 2.0 * (len(table) - 2) / (len(table) - 1) / 2 if champion in table else 1.0
        return tuple(2.0 if entrant == champion else level for entrant in table)

    schedule, played, _ = play_through(kind, *size, only_the_champion_wins)
    assert schedule.standing(played)[0] == champion
