from __future__ import annotations

import pytest

from zermelo.errors import OptionError, PositionError
from zermelo.games.connect4 import ConnectFour


@pytest.fixture(scope="module")
def game():
    return ConnectFour()


def perft(game, s, depth):
    """How many lines of `depth` plies there are from `s`."""
    if depth == 0:
        return 1
    return sum(perft(game, game.result(s, a), depth - 1) for a in game.actions(s))


def test_perft(game):
    counts = [perft(game, game.initial(), depth) for depth in range(1, 7)]
    assert counts == [7, 49, 343, 2401, 16807, 117649]


@pytest.mark.parametrize(
    "moves",
    ["1 2 1 2 1 2 1", "1 1 2 2 3 3 4", "1 2 2 3 3 4 3 4 4 6 4", "7 6 6 5 5 4 5 4 4 2 4"],
    ids=["up", "across", "rising", "falling"],
)
def test_four_in_a_row_win(game, play, moves):
    s = play(game, moves)
    assert game.is_terminal(s)
    assert game.utilities(s) == (1.0, -1.0)
    assert list(game.actions(s)) == []


def test_lines_do_not_wrap_around_the_edge(game, play):
    assert not game.is_terminal(play(game, "1 1 1 1 1 1 2 7 2 7 2"))


def test_a_full_column_is_closed(game, play):
    assert list(game.actions(play(game, "1 1 1 1 1 1"))) == [1, 2, 3, 4, 5, 6]


def test_small_boards_are_draws(value_of):
    for columns, rows in ((4, 3), (3, 4)):
        small = ConnectFour(columns, rows)
        assert value_of(small)(small.initial()) == 0.0


def test_the_board_is_drawn(game, play, board):
    s = play(game, "4 4 3")
    assert game.show(s) == board("""
        6  . . . . . . .
        5  . . . . . . .
        4  . . . . . . .
        3  . . . . . . .
        2  . . . o . . .
        1  . . x x . . .
           1 2 3 4 5 6 7
    """)
    assert game.write(s) == "......./......./......./......./...o.../..xx..."


@pytest.mark.parametrize("options", [(0, 6), (7, 0), (8, 8), (-1, 6)])
def test_boards_that_cannot_be_are_refused(options):
    with pytest.raises(OptionError):
        ConnectFour(*options)


@pytest.mark.parametrize("text", ["x.../..../..../....", "..../..../..../xx..", "..../..../oooo/xxxx", "xo"])
def test_positions_that_cannot_be_are_refused(text):
    with pytest.raises(PositionError):
        ConnectFour(4, 4).read(text)
