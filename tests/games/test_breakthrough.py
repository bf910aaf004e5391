from __future__ import annotations

import random

import pytest

from zermelo.engine import compile_game
from zermelo.errors import ActionError, OptionError, PositionError
from zermelo.games.breakthrough import Breakthrough


@pytest.fixture(scope="module")
def game():
    return Breakthrough()


@pytest.fixture(scope="module")
def small():
    return Breakthrough(3, 5)


def legal(game, text):
    s = game.read(text)
    return sorted(game.show_action(s, a) for a in game.actions(s))


def test_perft(game):
    compiled = compile_game(game)
    counts = [compiled.perft(game.initial(), depth).leaves for depth in range(1, 6)]
    assert counts == [22, 484, 11132, 256036, 6182818]


def by_cells(game, s):
    """The legal moves as (from, to), found cell by cell."""
    ahead, found = (1 if s.turn == 0 else -1), set()
    for cell in range(game.columns * game.rows):
        if (s.mine >> cell) & 1:
            row, column = cell // game.columns + ahead, cell % game.columns
            for side in (-1, 0, 1):
                to = row * game.columns + column + side
                blocked = s.mine if side else s.mine | s.theirs
                if 0 <= column + side < game.columns and not (blocked >> to) & 1:
                    found.add((cell, to))
    return found


@pytest.mark.parametrize(("columns", "rows"), [(8, 8), (2, 4), (5, 6), (16, 4)])
def test_masks_find_what_looking_at_each_cell_finds(columns, rows):
    game, chooser = Breakthrough(columns, rows), random.Random(columns)
    for _ in range(10):
        s = game.initial()
        while not game.is_terminal(s):
            actions = list(game.actions(s))
            assert {(a // 3, game.target(s, a)) for a in actions} == by_cells(game, s)
            s = game.result(s, chooser.choice(actions))


def test_pawns_go_ahead_and_capture_only_slantwise(small):
    assert legal(small, "bbb/.bb/b.w/ww./www w") == ["a2b3", "b1c2", "b2b3", "b2xa3", "c1c2", "c3xb4"]
    assert legal(small, "bbb/.bb/b.w/ww./www b") == ["a3xb2", "a5a4", "b4b3", "b4xc3", "b5a4", "c4b3"]


def test_reaching_the_far_row_wins(small):
    s = small.read("b../.w./.../b../..w w")
    s = small.result(s, small.read_action(s, "b4xa5"))
    assert small.is_terminal(s)
    assert list(small.actions(s)) == []
    assert small.utilities(s) == (1.0, -1.0)


def test_taking_the_last_pawn_wins(small):
    s = small.read(".../.../.b./w../... b")
    s = small.result(s, small.read_action(s, "b3xa2"))
    assert small.is_terminal(s)
    assert small.utilities(s) == (-1.0, 1.0)


@pytest.mark.parametrize(("columns", "rows", "value"), [(2, 4, -1), (3, 4, -1), (2, 5, -1), (2, 6, 1)])
def test_small_boards_have_their_known_values(columns, rows, value, value_of):
    game = Breakthrough(columns, rows)
    assert value_of(game)(game.initial()) == value


def test_captures_are_noisy(small):
    s = small.read("bbb/.bb/b.w/ww./www w")
    noisy = {small.show_action(s, a) for a in small.actions(s) if small.is_noisy(s, a)}
    assert noisy == {"b2xa3", "c3xb4"}
    assert small.show_action(s, max(small.actions(s), key=lambda a: small.priority(s, a))) == "c3xb4"
    assert all(small.is_irreversible(s, a) for a in small.actions(s))


def test_the_estimate_is_material_and_rows(game, play):
    assert game.evaluate(game.initial(), 0) == 0.0
    assert game.scale == 576.0
    assert game.evaluate(play(game, "a2a3"), 0) == 1 / 576
    assert game.evaluate(play(game, "a2a3 h7h6 a3a4"), 1) == -1 / 576


def test_the_board_is_drawn(small, board):
    s = small.read("bbb/.bb/b.w/ww./www w")
    assert small.show(s) == board("""
        5  b b b
        4  . b b
        3  b . w
        2  w w .
        1  w w w
           a b c
        w to move
    """)
    with pytest.raises(ActionError):
        small.read_action(s, "a2a3")


@pytest.mark.parametrize("options", [(1, 8), (8, 3), (8, 9), (17, 4)])
def test_boards_that_cannot_be_are_refused(options):
    with pytest.raises(OptionError):
        Breakthrough(*options)


@pytest.mark.parametrize(
    "text", ["bbb/bbb/.../www/www", "w../.../.../.../..b w", ".../.../.../.../w.. w", "bbb/bbb/bbb/www/... w"]
)
def test_positions_that_cannot_be_are_refused(small, text):
    with pytest.raises(PositionError):
        small.read(text)
