"""Clocks give what a time control says, and take what a player spends; time here is told, not measured."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.analysis import Clock
from zermelo.arena.adjudicate import Adjudicator
from zermelo.arena.host import Host
from zermelo.arena.openings import Opening
from zermelo.arena.scheduled import GameJob, Terms
from zermelo.errors import OptionError, PlayerError
from zermelo.play import PlayerMove, TimeControl, Timekeeper, live
from zermelo.play.clock import LONGEST_CLOCK_SECONDS

numbers = st.integers(1, 10**9).map(lambda thousandths: thousandths / 1000)


@given(st.none() | numbers, numbers, st.none() | numbers, st.none() | st.integers(1, 10**12))
def test_a_time_control_is_read_as_it_is_written(seconds, increment, move_seconds, nodes):
    control = TimeControl(seconds, increment if seconds else 0.0, move_seconds, nodes)
    assert TimeControl.read(str(control)) == control


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("none", TimeControl()),
        ("", TimeControl()),
        ("60", TimeControl(60.0)),
        ("60+0.6", TimeControl(60.0, 0.6)),
        ("move=0.5", TimeControl(move_seconds=0.5)),
        (" nodes=10000 , 60+1 ", TimeControl(60.0, 1.0, nodes=10_000)),
    ],
)
def test_the_forms_of_a_time_control(text, control):
    assert TimeControl.read(text) == control


WRONG = ["0", "-1", "60+", "60,60", "move=0", "move=1+1", "nodes=0", "nodes=1.5", "nodes=" + 40 * "9", "1e9", "inf"]
WRONG += ["none,60", ",", "60;1", 400 * "9", "move=" + 400 * "9", "1+" + 400 * "9", "\x00", "nan", 60, None]


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_time_control_is_refused_in_one_line(text):
    with pytest.raises(OptionError) as error:
        TimeControl.read(text)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("margin", [-0.1, float("nan"), float("inf"), LONGEST_CLOCK_SECONDS, "1", None])
def test_a_margin_is_a_number_of_seconds(margin):
    with pytest.raises(OptionError, match="margin"):
        TimeControl.read("60", margin)


def test_a_clock_loses_what_is_spent_and_gains_the_increment():
    keeper = Timekeeper(2, TimeControl(10.0, 2.0))
    keeper.spend(0, 3.0)
    assert keeper.clock().remaining == (9.0, 10.0)
    keeper.spend(1, 0.0)
    assert keeper.clock().remaining == (9.0, 12.0)
    assert keeper.clock().increment == 2.0


@given(st.lists(st.tuples(st.integers(0, 2), st.floats(0, 3)), max_size=30), st.floats(1, 20), st.floats(0, 2))
def test_nobody_spends_more_than_there_was(spent, seconds, increment):
    keeper = Timekeeper(3, TimeControl(seconds, increment, margin=0.0))
    sums, moves = [0.0] * 3, [0] * 3
    for p, each in spent:
        if each > keeper.clock().remaining[p]:
            with pytest.raises(PlayerError):
                keeper.spend(p, each)
            assert sums[p] + each > seconds + moves[p] * increment - 1e-9
            return
        keeper.spend(p, each)
        sums[p] += each
        moves[p] += 1
        assert keeper.clock().remaining[p] == pytest.approx(seconds + moves[p] * increment - sums[p], abs=1e-9)
        assert min(keeper.clock().remaining) >= 0


def test_the_margin_is_forgiven_each_time_but_never_becomes_time_to_think():
    keeper = Timekeeper(2, TimeControl(1.0, margin=0.5))
    keeper.spend(0, 1.5)
    assert keeper.clock().remaining == (0.0, 1.0)
    keeper.spend(0, 0.5)
    with pytest.raises(PlayerError, match="too late"):
        keeper.spend(0, 0.75)


def test_the_time_for_a_move_is_for_that_move():
    keeper = Timekeeper(2, TimeControl(move_seconds=1.0, margin=0.25))
    for _ in range(5):
        keeper.spend(0, 1.25)
    with pytest.raises(PlayerError, match="for a move") as error:
        keeper.spend(0, 1.5)
    assert error.value.kind == "time"


class Time:
    """What `time.perf_counter` tells in these tests."""

    now = 0.0

    @classmethod
    def perf_counter(cls):
        return cls.now


class Slow:
    """Lets some seconds pass for every move, and remembers the clocks it was shown."""

    def __init__(self, name, seconds):
        self.name = name
        self.seconds = seconds
        self.clocks = []

    def think(self, game, state, history, clock):
        self.clocks.append(clock)
        Time.now += self.seconds
        return PlayerMove(next(iter(game.actions(state))))

    def choose(self, game, state, history):
        raise AssertionError("a player that thinks is not asked to choose")


@pytest.fixture
def told_time(monkeypatch):
    monkeypatch.setattr(live, "time", Time)


def hold(first, second, clock, margin=0.0):
    """A game of tic-tac-toe, in which both play the first free cell: the first player wins it at its fourth move."""
    host = Host(own={first.name: first, second.name: second})
    return host.play(
        GameJob(0, "tictactoe", (first.name, second.name), Opening(), 1, Terms(clock=clock, margin=margin))
    )


@pytest.mark.usefixtures("told_time")
def test_a_player_out_of_time_loses_and_the_moves_before_are_kept():
    outcome = hold(Slow("quick", 1.0), Slow("slow", 4.0), "10")
    record = outcome.record
    assert (record.reason, record.culprit, outcome.points) == ("time", 1, (1.0, 0.0))
    assert record.utilities == (1.0, -1.0)
    assert "2.000 s too late" in record.detail
    assert record.seconds == (1.0, 4.0, 1.0, 4.0, 1.0)


@pytest.mark.usefixtures("told_time")
def test_an_increment_keeps_it_alive():
    slow = Slow("slow", 4.0)
    assert hold(Slow("quick", 1.0), slow, "10+3").record.reason == ""
    assert [clock.remaining[1] for clock in slow.clocks] == [10.0, 9.0, 8.0]


@pytest.mark.usefixtures("told_time")
def test_a_move_that_takes_too_long_loses():
    outcome = hold(Slow("slow", 0.75), Slow("quick", 0.5), "move=0.5", margin=0.125)
    assert (outcome.record.reason, outcome.record.culprit, outcome.points) == ("time", 0, (0.0, 1.0))
    assert outcome.record.actions == ()


@pytest.mark.usefixtures("told_time")
def test_within_the_margin_nobody_loses():
    assert hold(Slow("slow", 0.75), Slow("quick", 0.5), "move=0.5", margin=0.25).record.reason == ""


@pytest.mark.usefixtures("told_time")
def test_nodes_are_passed_on():
    one, other = Slow("one", 0.0), Slow("other", 0.0)
    hold(one, other, "nodes=77")
    assert {clock.nodes for clock in one.clocks + other.clocks} == {77}
    assert {clock.remaining for clock in one.clocks} == {None}


def test_a_game_that_is_only_played_has_no_clock():
    assert Timekeeper(2).clock() == Clock()
    assert Adjudicator().resign is None
