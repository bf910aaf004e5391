from __future__ import annotations

import pytest

from zermelo.errors import OptionError, PositionError
from zermelo.games.tictactoe import TicTacToe


@pytest.fixture(scope="module")
def game():
    return TicTacToe()


def test_there_are_5478_positions_958_of_them_ends(game, positions):
    found = positions(game)
    assert len(found) == 5478
    assert sum(game.is_terminal(s) for s in found) == 958


def test_the_full_tree_has_549946_nodes_and_255168_games(game, tree_size):
    assert tree_size(game) == (549_946, 255_168)


def test_best_play_is_a_draw(game, value_of):
    assert value_of(game)(game.initial()) == 0.0


def test_whoever_completes_a_line_wins_and_the_game_is_over(game, play):
    s = play(game, "b2 a1 a2 b1 c2")
    assert game.is_terminal(s)
    assert game.utilities(s) == (1.0, -1.0)
    assert list(game.actions(s)) == []


def test_the_second_player_can_win(game, play):
    s = play(game, "a1 c1 b1 c2 b2 c3")
    assert game.utilities(s) == (-1.0, 1.0)


def test_a_full_board_without_a_line_is_a_draw(game, play):
    s = play(game, "a1 b2 c3 c2 a2 a3 c1 b1 b3")
    assert game.is_terminal(s)
    assert game.utilities(s) == (0.0, 0.0)


def test_the_board_is_drawn(game, play, board):
    s = play(game, "b2 a1 c3")
    assert game.show(s) == board("""
        3  . . x
        2  . x .
        1  o . .
           a b c
    """)
    assert game.write(s) == "..x/.x./o.."


def test_the_family_has_other_sizes(value_of):
    assert value_of(TicTacToe(2, 2, 2))(TicTacToe(2, 2, 2).initial()) == 1.0
    assert value_of(TicTacToe(4, 3, 3))(TicTacToe(4, 3, 3).initial()) == 1.0
    assert len(TicTacToe(15, 4, 4).lines) == 12 * 4 + 15 + 2 * 12


@pytest.mark.parametrize("options", [(0, 3, 3), (3, 3, 4), (8, 8, 5), (3, 3, 0), (30, 2, 2)])
def test_boards_that_cannot_be_are_refused(options):
    with pytest.raises(OptionError):
        TicTacToe(*options)


@pytest.mark.parametrize("text", ["xx./.../...", "o../.../...", "xxx/.../..", "xxx/ooo/...", "x?./.../...", "... x"])
def test_positions_that_cannot_be_are_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)
