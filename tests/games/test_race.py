from __future__ import annotations

import pytest

from zermelo.errors import OptionError, PositionError
from zermelo.game import CHANCE
from zermelo.games.race import Race


@pytest.fixture(scope="module")
def game():
    return Race(steps=6)


def legal(game, s):
    return [game.show_action(s, a) for a in game.actions(s)]


def test_two_dice_have_21_outcomes_of_which_doubles_are_rarer(game):
    s = game.initial()
    assert game.player(s) == CHANCE
    chances = {game.show_action(s, a): chance for a, chance in game.chances(s)}
    assert len(chances) == 21
    assert chances["3-3"] == 1 / 36
    assert chances["2-5"] == 2 / 36
    assert sum(chances.values()) == pytest.approx(1.0)


def test_the_dice_are_shared_out_between_the_runners(game, play):
    assert legal(game, play(game, "2-3 2/3 1-1 1/1 1-2")) == ["1/2", "2/1", "3/0", "0/3"]
    assert play(game, "2-3 2/3") == (0, 0, 2, 3, 1, 0, 0)
    assert play(game, "2-3 5/0") == (0, 0, 0, 5, 1, 0, 0)


def test_the_same_move_is_offered_once(game, play):
    assert legal(game, play(game, "2-3")) == ["2/3", "5/0"]
    assert legal(game, play(game, "3-3")) == ["3/3", "6/0"]
    assert legal(game, play(game, "1-2 1/2 1-2 1/2 4-4")) == ["4/4", "8/0", "0/8"]


def test_a_runner_at_home_takes_no_more_dice(game, play):
    assert legal(game, play(game, "6-6 12/0 1-1 1/1 1-2")) == ["3/0"]


def test_the_first_with_both_runners_at_home_wins(game, play):
    s = play(game, "6-6 6/6")
    assert game.is_terminal(s)
    assert game.utilities(s) == (1.0, -1.0)
    assert list(game.actions(s)) == []


def test_every_action_of_a_player_brings_a_runner_forward(game, positions):
    for s in positions(Race(steps=3)):
        for a in game.actions(s):
            after = game.result(s, a)
            if s.low:
                assert after.their_behind + after.their_ahead > s.behind + s.ahead


def test_known_values(value_of):
    for steps, sides, value in ((1, 6, 1.0), (2, 2, 0.625), (3, 6, 0.50107), (4, 6, 0.57009)):
        game = Race(steps, sides)
        assert value_of(game)(game.initial()) == pytest.approx(value, abs=1e-5)


def test_with_one_sided_dice_nothing_is_left_to_chance(value_of):
    game = Race(steps=5, sides=1)
    assert value_of(game)(game.initial()) == 1.0


def test_the_tree_of_a_short_race_is_known(tree_size):
    assert tree_size(Race(3, 3)) == (61_249, 27_628)


def test_the_track_is_shown(game, play, board):
    assert game.show(play(game, "2-3 2/3 1-1 1/1 1-2")) == board("""
        player 0  . . 1 1 . . .
        player 1  . 2 . . . . .
        player 0 has rolled 1-2
    """)


@pytest.mark.parametrize("options", [(0, 6), (101, 6), (4, 0), (4, 21)])
def test_options_that_cannot_be_are_refused(options):
    with pytest.raises(OptionError):
        Race(*options)


@pytest.mark.parametrize(
    "text",
    ["(0,0,0,0,0,0)", "(3,2,0,0,0,0,0)", "(0,7,0,0,0,0,0)", "(6,6,0,0,0,0,0)", "(0,0,6,6,0,1,2)", "(0,0,0,0,0,3,2)"],
)
def test_positions_that_cannot_be_are_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)
