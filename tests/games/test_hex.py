from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import OptionError, PositionError
from zermelo.games.hex import Hex


@pytest.fixture(scope="module")
def game():
    return Hex()


@pytest.mark.parametrize("size", [2, 3])
def test_the_first_player_wins(size, value_of):
    assert value_of(Hex(size))(Hex(size).initial()) == 1.0


@pytest.mark.parametrize("size", [2, 3])
def test_with_swap_the_second_player_wins(size, value_of):
    game = Hex(size, swap=True)
    assert value_of(game)(game.initial()) == -1.0


def test_the_winning_openings_of_three_by_three(value_of):
    game = Hex(3)
    value, s = value_of(game), game.initial()
    winning = [game.show_action(s, a) for a in game.actions(s) if value(game.result(s, a)) > 0]
    assert winning == ["c1", "a2", "b2", "c2", "a3"]


@settings(max_examples=60, deadline=None)
@given(size=st.integers(2, 7), seed=st.integers(0, 2**32 - 1))
def test_on_a_full_board_exactly_one_player_is_joined(size, seed):
    game = Hex(size)
    crosses = random.Random(seed).getrandbits(size * size)
    assert game.joined(crosses, 0) != game.joined(game.full & ~crosses, 1)


@settings(max_examples=40, deadline=None)
@given(size=st.integers(2, 7), seed=st.integers(0, 2**32 - 1))
def test_no_game_is_a_draw(size, seed):
    game, chance = Hex(size), random.Random(seed)
    s = game.initial()
    while not game.is_terminal(s):
        s = game.result(s, chance.choice(list(game.actions(s))))
    assert sorted(game.utilities(s)) == [-1.0, 1.0]


@settings(max_examples=40, deadline=None)
@given(size=st.integers(2, 7), seed=st.integers(0, 2**32 - 1))
def test_a_mirrored_board_exchanges_the_players(size, seed):
    game = Hex(size)
    stones = random.Random(seed).getrandbits(size * size)
    assert game.joined(stones, 0) == game.joined(game.mirrored(stones), 1)
    assert game.mirrored(game.mirrored(stones)) == stones


def test_a_cell_has_six_neighbours(game):
    def neighbours(name):
        around = game.around(1 << game.read_action(game.initial(), name)) & game.full
        return {game.show_action(game.initial(), cell) for cell in range(25) if (around >> cell) & 1}

    assert neighbours("c3") == {"b3", "d3", "c2", "d2", "c4", "b4"}
    assert neighbours("a1") == {"b1", "a2"}
    assert neighbours("e1") == {"d1", "e2", "d2"}
    assert neighbours("a5") == {"b5", "a4", "b4"}


def test_player_0_joins_top_and_bottom(game, play):
    s = play(game, "c1 a1 c2 a2 b3 a3 b4 a4 b5")
    assert game.utilities(s) == (1.0, -1.0)
    assert list(game.actions(s)) == []


def test_player_1_joins_left_and_right(play):
    game = Hex(3)
    s = play(game, "a1 a3 b1 b2 c1 c2")
    assert game.utilities(s) == (-1.0, 1.0)


def test_the_board_is_a_rhombus(game, play, board):
    s = play(game, "c3 b4 d2")
    assert game.show(s) == board("""
          a b c d e
        1  . . . . .
         2  . . . x .
          3  . . x . .
           4  . o . . .
            5  . . . . .
        red (o) to move
    """)
    assert game.write(s) == "...../...x./..x../.o.../..... o"
    assert game.picture(s).count("<polygon") == 25
    assert game.picture(s).count("<circle") == 3


def test_swap_takes_over_the_first_stone_mirrored(play):
    game = Hex(3, swap=True)
    assert "swap" not in [game.show_action(game.initial(), a) for a in game.actions(game.initial())]
    s = play(game, "b1 swap")
    assert game.write(s) == ".../o../... x"
    s = play(game, "b1 swap b2")
    assert game.write(s) == ".../ox./... o"
    assert game.swapping not in list(game.actions(s))
    assert game.swapping not in list(game.actions(play(game, "b1 b2 b3")))


def test_the_estimate_counts_missing_stones(game, play):
    s = play(game, "c3 b4 d2")
    assert game.missing(s.theirs, s.mine, 0) == 3
    assert game.missing(s.mine, s.theirs, 1) == 4
    assert game.evaluate(s, 0) == 1 / 25


@pytest.mark.parametrize("size", [1, 8, -3])
def test_boards_that_cannot_be_are_refused(size):
    with pytest.raises(OptionError):
        Hex(size)


@pytest.mark.parametrize("text", ["../..", "../.. y", "xx/.. x", "x./.o o", "x./x. x", "x./xo x", "../... x"])
def test_positions_that_cannot_be_are_refused(text):
    with pytest.raises(PositionError):
        Hex(2).read(text)


def test_only_with_swap_may_noughts_be_ahead():
    assert Hex(2, swap=True).read("o./.. x").turn == 0
    with pytest.raises(PositionError):
        Hex(2).read("o./.. x")
    with pytest.raises(PositionError):
        Hex(2, swap=True).read("../.. o")
