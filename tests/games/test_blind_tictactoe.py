from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zermelo.errors import PositionError
from zermelo.games.blind_tictactoe import BlindTicTacToe


@pytest.fixture(scope="module")
def game():
    return BlindTicTacToe()


def test_an_attempt_on_a_taken_cell_is_refused_and_the_turn_stays(game, play):
    s = play(game, "b2 b2")
    assert game.player(s) == 1
    assert game.view(s, 1) == (0, 1 << 4, 1)
    assert "b2" not in [game.show_action(s, a) for a in game.actions(s)]


def test_the_other_player_hears_nothing_of_a_refused_attempt(game, play):
    assert game.view(play(game, "b2 b2 a1"), 0) == game.view(play(game, "b2 a1"), 0)


def test_all_cells_not_known_to_be_taken_may_be_tried(game, play):
    s = play(game, "b2 a1")
    assert [game.show_action(s, a) for a in game.actions(s)] == ["a1", "b1", "c1", "a2", "c2", "a3", "b3", "c3"]


def test_three_in_a_row_win(game, play):
    s = play(game, "a1 a2 b1 b2 c1")
    assert game.utilities(s) == (1.0, -1.0)
    assert list(game.actions(s)) == []
    assert game.utilities(play(game, "a3 a1 b2 b1 b3 c1")) == (-1.0, 1.0)


def test_the_referee_sees_everything_and_a_player_only_a_part(game, play, board):
    s = play(game, "b2 b2 a1 a1 c3")
    assert game.show(s) == board("""
        3  . . x
        2  . X .
        1  O . .
           a b c
    """)
    assert game.write(s) == "..x/.X./O.."
    assert game.show_view(game.view(s, 0), 0) == board("""
        3  ? ? x
        2  ? x ?
        1  o ? ?
           a b c
    """)
    assert game.show_view(game.view(s, 1), 1) == board("""
        3  ? ? ?
        2  ? x ?
        1  o ? ?
           a b c
    """)


def test_there_are_12389_views_at_415123_positions(game, positions):
    found = positions(game)
    assert len(found) == 415_123
    assert len({game.view(s, s.turn) for s in found if not game.is_terminal(s)}) == 12_389


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_sample_is_a_position_that_looks_the_same(game, seed):
    chance = random.Random(seed)
    s = game.initial()
    while not game.is_terminal(s):
        for p in (0, 1):
            other = game.sample(game.view(s, p), p, chance)
            assert game.view(other, p) == game.view(s, p)
            assert not game.is_terminal(other)
            assert game.read(game.write(other)) == other
        mover = game.player(s)
        other = game.sample(game.view(s, mover), mover, chance)
        assert list(game.actions(other)) == list(game.actions(s))
        s = game.result(s, chance.choice(list(game.actions(s))))


def test_samples_reach_every_placement(game, play):
    view = game.view(play(game, "b2 a1 c3 c1"), 0)
    chance = random.Random(1)
    hidden = {game.sample(view, 0, chance).noughts for _ in range(500)}
    assert len(hidden) == 7 * 6 // 2


def test_a_view_of_the_end_is_sampled_too(game, play):
    s = play(game, "a1 b1 b2 a2 c1 a3 c2 b3 c3")
    assert game.is_terminal(s)
    assert game.view(game.sample(game.view(s, 1), 1, random.Random(1)), 1) == game.view(s, 1)


@pytest.mark.parametrize("text", ["xx./.../...", "xXO/.../...x", "xxx/ooo/...", "x../.../..", "?../.../..."])
def test_positions_that_cannot_be_are_refused(game, text):
    with pytest.raises(PositionError):
        game.read(text)
