"""Programs that speak XBoard's protocol or GTP play a whole game, are told the time, and may resign."""

from __future__ import annotations

import random
import shutil
import sys
from pathlib import Path

import pytest

from zermelo.analysis import Clock
from zermelo.arena.players import make_player
from zermelo.errors import MethodError, OptionError, PlayerError
from zermelo.games import load
from zermelo.play import Wish

PROTOCOLS = ["xboard", "gtp"]


@pytest.fixture
def seat(tmp_path):
    """Makes a player of the fake program of a protocol; `log` is what the program was told."""
    made = []

    def make(protocol, fault="fine", options=""):
        script = Path(__file__).with_name(f"fake_{protocol}.py")
        made.append(make_player(f"{protocol}:{sys.executable} {script} {fault} {tmp_path / 'log'}?{options}"))
        return made[-1]

    make.log = lambda: (tmp_path / "log").read_text().splitlines()
    yield make
    for player in made:
        player.close()


def finish(player, clock=None, seat=0, seed=3):
    """The last choice of `player` in a game against chance, and the states of that game."""
    game, dice = player.sheet.game, random.Random(seed)
    state, history, choice = game.initial(), [], None
    while not game.is_terminal(state):
        if game.player(state) == seat:
            choice = player.think(game, state, history, clock or Clock())
            if choice.action is Wish.RESIGN:
                break
        action = choice.action if game.player(state) == seat else dice.choice(list(game.actions(state)))
        history.append(state)
        state = game.result(state, action)
    return choice, [*history, state]


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("place", [0, 1])
def test_a_program_plays_either_side_game_after_game(seat, protocol, place):
    game = load("tictactoe")
    player = seat(protocol)
    for seed in (1, 2):
        player.begin(game, place)
        _, states = finish(player, seat=place, seed=seed)
        assert game.is_terminal(states[-1])


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_game_that_goes_back_is_told_anew(seat, protocol):
    game = load("tictactoe")
    player = seat(protocol)
    first = game.initial()
    player.think(game, first, [], Clock())
    second = game.result(game.result(first, 4), 8)
    choice = player.think(game, second, [first, game.result(first, 4)], Clock())
    assert choice.action == 0


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_program_may_resign(seat, protocol):
    player = seat(protocol, "resigns")
    player.begin(load("tictactoe"), 0)
    assert finish(player)[0].action is Wish.RESIGN


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_program_that_refuses_is_garbage(seat, protocol):
    player = seat(protocol, "refuses")
    player.begin(load("tictactoe"), 1)
    with pytest.raises(PlayerError) as caught:
        finish(player, seat=1)
    assert caught.value.kind == "garbage"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_games_for_three_and_positions_set_up_are_not_for_these_protocols(seat, protocol):
    with pytest.raises(MethodError, match="for two"):
        seat(protocol).begin(load("kingmaker"), 0)
    game = load("tictactoe")
    with pytest.raises(MethodError, match="set up a position"):
        seat(protocol).think(game, game.read("oo./xx./..."), [], Clock())


def test_xboard_hears_features_moves_and_clocks(seat):
    player = seat("xboard", options="depth=4&memory=32&Style=solid")
    player.begin(load("tictactoe"), 0)
    choice, _ = finish(player, Clock(remaining=(65.0, 30.0), increment=1.0))
    assert (choice.value, choice.depth, choice.nodes) == (0.025, 5, 4321)
    told = seat.log()
    assert told[:2] == ["xboard", "protover 2"]
    for line in ("accepted ping", "rejected sigint", "memory 32", "option Style=solid", "sd 4", "level 0 1:05 1"):
        assert line in told
    assert "time 6500" in told
    assert "otim 3000" in told
    assert any(line.startswith("usermove ") for line in told)


def test_a_result_that_loses_is_a_resignation_and_any_other_a_claim(seat):
    game = load("tictactoe")
    assert seat("xboard", "0-1").think(game, game.initial(), [], Clock()).action is Wish.RESIGN
    for claim in ("1-0", "1/2-1/2"):
        with pytest.raises(PlayerError, match="claims") as caught:
            seat("xboard", claim).think(game, game.initial(), [], Clock())
        assert caught.value.kind == "garbage"


def test_xboard_hears_a_limit_a_move(seat):
    player = seat("xboard", options="seconds=2")
    player.begin(load("tictactoe"), 0)
    finish(player)
    assert seat.log().count("st 2") == 1


def test_xboard_hears_a_limit_in_parts_of_a_second_as_a_clock_that_gains_it(seat):
    player = seat("xboard", options="seconds=0.5")
    player.begin(load("tictactoe"), 0)
    finish(player)
    told = seat.log()
    assert told.count("level 0 0:20 0") == 1
    left = [int(line.split()[1]) for line in told if line.startswith("time ")]
    assert left[0] == 2000
    assert 1900 < left[1] <= 2050  # half a second more, less what the fake took


def test_a_game_may_have_moves_of_its_own_for_xboard(seat):
    game = load("tictactoe")
    game.xboard_move = lambda s, a: f"{'cba'[a % 3]}{a // 3 + 1}"
    player = seat("xboard")
    first = player.think(game, game.initial(), [], Clock())
    assert first.action == 2
    after = game.result(game.initial(), 2)
    player.think(game, game.result(after, 0), [game.initial(), after], Clock())
    assert "usermove c1" in seat.log()  # the cell that we call a1


def test_a_move_in_another_notation_than_the_games_for_xboard_is_illegal(seat):
    game = load("tictactoe")
    game.xboard_move = lambda s, a: f"cell{a}"
    with pytest.raises(PlayerError, match="not legal here") as caught:
        seat("xboard").think(game, game.initial(), [], Clock())
    assert caught.value.kind == "illegal move"


def test_gtp_hears_the_board_and_clocks(seat):
    player = seat("gtp", options="komi=6.5")
    player.begin(load("tictactoe"), 0)
    finish(player, Clock(remaining=(65.0, 30.0)))
    told = seat.log()
    assert told[:4] == ["list_commands", "boardsize 3", "clear_board", "komi 6.5"]
    assert told[4:8] == ["time_settings 65 0 0", "time_left black 65 0", "time_left white 30 0", "genmove black"]
    assert any(line.startswith("play white ") for line in told)


def test_a_game_may_have_vertices_of_its_own(seat):
    game = load("tictactoe")
    game.gtp_vertex = lambda s, a: f"{'CBA'[a % 3]}{a // 3 + 1}"
    assert seat("gtp").think(game, game.initial(), [], Clock()).action == 2


def test_a_gtp_program_has_to_know_what_a_game_needs(seat):
    with pytest.raises(PlayerError, match="does not know the command genmove"):
        seat("gtp", "incapable").begin(load("tictactoe"), 0)
    with pytest.raises(OptionError, match="gtp has no option 'depth'"):
        seat("gtp", options="depth=3")


@pytest.mark.skipif(shutil.which("gnugo") is None, reason="GNU Go is not installed")
def test_gnu_go_shakes_hands():
    player = make_player("gtp:gnugo --mode gtp")
    player.begin(load("tictactoe"), 0)
    player.close()


def test_a_program_that_never_stops_naming_features_is_given_up(seat):
    with pytest.raises(PlayerError, match="names more than 1,000 features") as caught:
        seat("xboard", "'endless features'").begin(load("tictactoe"), 0)
    assert caught.value.kind == "garbage"


def test_a_long_line_among_the_features_is_passed_over(seat):
    player = seat("xboard", "'long line'")
    player.begin(load("tictactoe"), 0)
    assert player.features["myname"] == "The Fake"


def test_a_move_of_many_letters_is_not_repeated_to_the_last(seat):
    player = seat("xboard", "'long word'")
    player.begin(load("tictactoe"), 0)
    with pytest.raises(PlayerError, match="plays a word of 60,000 characters") as caught:
        finish(player)
    assert caught.value.kind == "garbage"
