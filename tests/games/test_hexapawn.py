from __future__ import annotations

import pytest

from zermelo.errors import ActionError, OptionError, PositionError
from zermelo.games.hexapawn import Hexapawn


@pytest.fixture(scope="module")
def game():
    return Hexapawn()


def legal(game, s):
    return [game.show_action(s, a) for a in game.actions(s)]


def test_three_by_three_is_a_win_for_the_second_player(game, value_of):
    assert value_of(game)(game.initial()) == -1.0


def test_its_tree_is_small(game, positions, tree_size):
    assert len(positions(game)) == 135
    assert tree_size(game) == (252, 134)


@pytest.mark.parametrize(
    ("columns", "rows", "value"),
    [(1, 3, 1), (2, 3, -1), (4, 3, 1), (5, 3, 1), (3, 4, -1), (4, 4, 1), (3, 5, 1)],
)
def test_other_boards(columns, rows, value, value_of):
    game = Hexapawn(columns, rows)
    assert value_of(game)(game.initial()) == value


def test_pawns_step_ahead_and_capture_slantwise(game, play):
    assert legal(game, game.initial()) == ["a1a2", "b1b2", "c1c2"]
    s = play(game, "b1b2")
    assert legal(game, s) == ["a3a2", "a3xb2", "c3xb2", "c3c2"]
    assert legal(game, play(game, "b1b2 a3xb2")) == ["a1a2", "a1xb2", "c1xb2", "c1c2"]


def test_captures_do_not_wrap_around_the_edge(game):
    s = game.read("..b/w../... w")
    assert legal(game, s) == ["a2a3"]


def test_reaching_the_far_row_wins(game, play):
    s = play(game, "a1a2 b3xa2 c1c2 a2a1")
    assert game.is_terminal(s)
    assert game.utilities(s) == (-1.0, 1.0)
    assert legal(game, s) == []


def test_whoever_has_no_move_loses(game):
    blocked = game.read("b../w../... b")
    assert game.utilities(blocked) == (1.0, -1.0)
    assert game.is_terminal(blocked)
    without_pawns = game.read("..b/b../... w")
    assert game.is_terminal(without_pawns)
    assert game.utilities(without_pawns) == (-1.0, 1.0)


def test_captures_are_noisy_and_come_first(game, play):
    s = play(game, "b1b2")
    noisy = {game.show_action(s, a): (game.is_noisy(s, a), game.priority(s, a)) for a in game.actions(s)}
    assert noisy == {"a3a2": (False, 0.0), "a3xb2": (True, 1.0), "c3xb2": (True, 1.0), "c3c2": (False, 0.0)}
    assert all(game.is_irreversible(s, a) for a in game.actions(s))


def test_the_target_is_the_cell_landed_on(game, play):
    s = play(game, "b1b2")
    assert {game.show_action(s, a)[-2:]: game.target(s, a) for a in game.actions(s)} == {"a2": 3, "b2": 4, "c2": 5}


def test_the_estimate_is_material_and_advancement(game, play):
    assert game.evaluate(game.initial(), 0) == 0.0
    s = play(game, "b1b2 a3xb2")
    # White has two pawns at home, black three pawns of which one has gone one row.
    assert game.evaluate(s, 0) == (2 * 10 - 3 * 10 - 1) / game.scale
    assert game.scale == 39.0


def test_the_board_is_drawn(game, play, board):
    s = play(game, "b1b2 a3xb2")
    assert game.show(s) == board("""
        3  . b b
        2  . b .
        1  w . w
           a b c
        w to move
    """)
    assert game.write(s) == ".bb/.b./w.w w"


def test_a_step_onto_a_pawn_is_refused(game, play):
    with pytest.raises(ActionError):
        play(game, "b1b2 b3b2")


@pytest.mark.parametrize("options", [(3, 2), (0, 3), (8, 8), (27, 3)])
def test_boards_that_cannot_be_are_refused(options):
    with pytest.raises(OptionError):
        Hexapawn(*options)


@pytest.mark.parametrize("text", ["bbb/.../www", "bbb/.../www x", "bbb/w../www w", "w.b/.../... w", "bb/../ww w"])
def test_positions_that_cannot_be_are_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)
