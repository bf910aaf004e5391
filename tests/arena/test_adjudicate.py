"""Games are ended early only where everybody at the table knows how they would end."""

from __future__ import annotations

import random
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.arena.adjudicate import DrawRule, ResignRule, check_rules
from zermelo.arena.host import Host
from zermelo.arena.openings import Opening
from zermelo.arena.scheduled import GameJob, Terms, points_of
from zermelo.engine.solution import solve_strongly
from zermelo.errors import InputError, OptionError
from zermelo.game import CHANCE
from zermelo.games import load
from zermelo.play import Ending, LiveGame, PlayerMove, Ply

TICTACTOE = load("tictactoe")


def steps(*told):
    """Steps of players in turn, each with the value it told."""
    return [Ply(None, i % 2, PlayerMove(0, value)) for i, value in enumerate(told)]


def test_a_side_that_has_given_up_long_enough_resigns():
    rule = ResignRule.read("0.9:2")
    assert rule.applies(TICTACTOE, steps(1.0, -0.95, 0.9, -1.0)) == Ending((1.0, -1.0), "resign rule")
    assert rule.applies(TICTACTOE, steps(-1.0, 1.0, -1.0)) is None
    assert rule.applies(TICTACTOE, steps(-1.0, 1.0, -1.0, 1.0, -1.0)) == Ending((-1.0, 1.0), "resign rule")


@pytest.mark.parametrize(
    "told",
    [
        (),
        (1.0, -1.0),
        (1.0, -1.0, 1.0, -0.8),
        (0.5, -1.0, 1.0, -1.0),
        (1.0, None, 1.0, -1.0),
        (None, None, None, None),
        (1.0, -1.0, 1.0, -1.0, 1.0),  # who has just moved does not expect to lose
    ],
)
def test_nobody_resigns_who_has_hopes_or_says_nothing(told):
    assert ResignRule.read("0.9:2").applies(TICTACTOE, steps(*told)) is None


def test_a_silent_opponent_is_no_reason_to_go_on():
    ending = ResignRule.read("1:2").applies(TICTACTOE, steps(None, -1.0, None, -1.0))
    assert ending == Ending((1.0, -1.0), "resign rule")


def test_a_draw_is_given_when_both_expect_it_late_enough():
    rule = DrawRule.read("0.05:2:6")
    level = (0.0, 0.05, -0.05, 0.0)
    assert rule.applies(TICTACTOE, steps(1.0, -1.0, *level)) == Ending((0.0, 0.0), "draw rule")
    assert rule.applies(TICTACTOE, steps(*level)) is None
    assert rule.applies(TICTACTOE, steps(1.0, -1.0, 0.0, 0.1, 0.0, 0.0)) is None
    assert rule.applies(TICTACTOE, steps(1.0, -1.0, 0.0, None, 0.0, 0.0)) is None


def test_after_the_dice_nothing_that_was_said_counts():
    dice = Ply(None, CHANCE, PlayerMove(6))
    assert ResignRule.read("0.9:1").applies(TICTACTOE, [*steps(1.0, -1.0), dice]) is None
    assert DrawRule.read("0:1:0").applies(TICTACTOE, [*steps(0.0, 0.0), dice]) is None


class Shares(z.Game):
    """Two share one prize: a draw is worth a half."""

    utility_sum = 1.0
    bounds = (0.0, 1.0)


def test_expectations_are_measured_from_the_neutral_utility():
    assert ResignRule.read("0.9:1").applies(Shares(), steps(0.99, 0.01)) == Ending((1.0, 0.0), "resign rule")
    assert ResignRule.read("0.9:1").applies(Shares(), steps(0.99, 0.1)) is None
    assert DrawRule.read("0.1:1:0").applies(Shares(), steps(0.5, 0.5)) == Ending((0.5, 0.5), "draw rule")
    assert DrawRule.read("0.1:1:0").applies(Shares(), steps(0.0, 0.0)) is None


@pytest.mark.parametrize(
    "text", ["", "0.9", "0.9:0", "0:3", "1.1:3", "nan:3", "0.9:inf", "a:b", "0.9:3:1", "0.9:-1", "-0.9:3"]
)
def test_what_is_no_resign_rule_is_refused(text):
    with pytest.raises(OptionError, match=r"0\.9:3"):
        ResignRule.read(text)


@pytest.mark.parametrize("text", ["", "0.05:8", "1:8:40", "0.05:0:40", "0.05:8:-1", "nan:8:40", "x:8:40"])
def test_what_is_no_draw_rule_is_refused(text):
    with pytest.raises(OptionError, match=r"0\.05:8:40"):
        DrawRule.read(text)


def test_rules_about_winning_are_for_games_of_two_with_a_constant_sum():
    check_rules(load("kingmaker"), [None, None])
    check_rules(TICTACTOE, [ResignRule(0.9, 3), DrawRule(0.0, 1, 0)])
    with pytest.raises(OptionError, match="not a game of two"):
        check_rules(load("kingmaker"), [ResignRule(0.9, 3), None])
    with pytest.raises(OptionError, match="not a game of two"):
        check_rules(load("kingmaker"), [None, DrawRule(0.0, 1, 0)])


def test_a_game_that_is_too_long_is_left():
    live = LiveGame(TICTACTOE, longest_plies=3)
    live.push(0)
    live.push(1)
    assert live.ending is None
    live.push(2)
    assert live.ending == Ending(None, "length")


# Laws, in a game that is solved.


@cache
def solution():
    return solve_strongly(load("tictactoe"))


class Honest:
    """Plays at random, or well, and says truly what the position after its move is worth to it."""

    def __init__(self, name, seed, skill, talks=True):
        self.name = name
        self.dice = random.Random(seed)
        self.skill = skill
        self.talks = talks

    def think(self, game, state, history, clock):
        found = solution().actions(state)
        best = max(found.values(), key=lambda choice: choice.value).value
        actions = [a for a, choice in found.items() if choice.value == best or self.dice.random() > self.skill]
        action = self.dice.choice(actions)
        return PlayerMove(action, found[action].value if self.talks else None)

    def choose(self, game, state, history):
        raise AssertionError("it thinks")


def hold(first, second, **terms):
    host = Host(own={"tictactoe": load("tictactoe"), first.name: first, second.name: second})
    return host.play(GameJob(0, "tictactoe", (first.name, second.name), Opening(), 1, Terms(**terms)))


@settings(deadline=None)
@given(
    st.integers(0, 1 << 20),
    st.tuples(st.floats(0, 1), st.floats(0, 1)),
    st.tuples(st.booleans(), st.booleans()),
    st.integers(1, 3),
    st.integers(0, 5),
)
def test_no_ruling_contradicts_what_is_proved(seed, skills, talks, moves, start):
    players = [Honest(f"p{i}", seed + i, skills[i], talks[i]) for i in (0, 1)]
    outcome = hold(*players, resign=f"0.9:{moves}", draw=f"0.05:{moves}:{start}")
    game = load("tictactoe")
    state = game.initial()
    for action in outcome.record.actions:
        state = game.result(state, action)
    proved = game.utilities(state) if game.is_terminal(state) else solution().values(state)
    assert outcome.record.reason in ("", "resign rule", "draw rule")
    assert outcome.record.utilities == proved
    assert outcome.points == points_of(proved)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1 << 20), st.floats(0, 1))
def test_a_solution_ends_a_game_after_its_first_move_with_the_proved_result(tmp_path_factory, seed, skill):
    path = tmp_path_factory.getbasetemp() / "tictactoe.solution"
    if not path.exists():
        solution().save(path)
    outcome = hold(Honest("a", seed, skill), Honest("b", seed + 1, skill), solution=str(path))
    game = load("tictactoe")
    (action,) = outcome.record.actions
    assert outcome.record.reason == "solution"
    assert outcome.record.utilities == solution().values(game.result(game.initial(), action)) == (0.0, 0.0)


def test_a_file_that_is_no_solution_is_an_error_and_nobody_s_loss(tmp_path):
    path = tmp_path / "not.solution"
    path.write_text("nothing")
    with pytest.raises(InputError):
        hold(Honest("a", 1, 1), Honest("b", 2, 1), solution=str(path))


def test_a_game_cut_off_by_its_length_counts_as_drawn():
    outcome = hold(Honest("a", 1, 1), Honest("b", 2, 1), longest=4)
    assert (outcome.record.reason, outcome.record.utilities, outcome.points) == ("length", (0.0, 0.0), (0.5, 0.5))
    assert len(outcome.record.actions) == 4
