"""What notebooks show."""

from __future__ import annotations

import importlib.util

import pytest

import zermelo as z
from zermelo.errors import OptionError
from zermelo.studio.notebook import Board, trace_widget


def test_a_position_shows_itself_as_a_picture() -> None:
    game = z.load("tictactoe")
    after = game.result(game.initial(), 4)
    assert Board(game, after)._repr_svg_() == game.picture(after)
    assert game._repr_svg_() == Board(game)._repr_svg_()
    assert repr(Board(game)) == "<Board of TicTacToe>"


def test_a_player_sees_only_its_own_side_of_a_hidden_game() -> None:
    game = z.load("blind-tictactoe")
    after = game.result(game.initial(), 4)
    other = game.result(game.initial(), 0)
    assert Board(game, after, 1)._repr_svg_() == Board(game, other, 1)._repr_svg_()
    assert Board(game, after, 0)._repr_svg_() != Board(game, other, 0)._repr_svg_()


@pytest.mark.skipif(importlib.util.find_spec("anywidget") is not None, reason="anywidget is installed here")
def test_a_live_trace_says_what_it_needs() -> None:
    with pytest.raises(OptionError, match="pip install"):
        trace_widget(z.minimax(z.load("[1,2]"), trace=True).trace)
