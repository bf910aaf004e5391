"""Values are centipawns or moves to the win, and what is written is read back."""

from __future__ import annotations

import math
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.games import load
from zermelo.protocols.score import Info, Score, read_info, read_score, write_score

NUMBER = st.none() | st.integers(-(10**17), 10**17)
WORDS = st.lists(st.text(string.ascii_lowercase + string.digits, min_size=1), max_size=5).map(tuple)


@given(
    st.builds(
        Info,
        depth=NUMBER,
        seldepth=NUMBER,
        multipv=NUMBER,
        score=st.none() | st.builds(Score, st.sampled_from(["cp", "mate"]), st.integers(-(10**9), 10**9)),
        nodes=NUMBER,
        nps=NUMBER,
        hashfull=NUMBER,
        time=NUMBER,
        line=WORDS,
    )
)
def test_a_line_of_info_reads_back_as_it_was(info):
    assert read_info(str(info)) == info


@given(st.text())
def test_no_line_of_info_is_fatal(text):
    assert isinstance(read_info(text), Info)


@pytest.mark.parametrize("text", ["info depth", "info score cp", "info score cp x", "info depth " + "9" * 5000])
def test_what_is_no_number_is_passed_over(text):
    assert read_info(text) == Info()


@given(st.floats(-0.99, 0.99))
def test_an_estimate_comes_back_to_a_centipawn(value):
    game = load("connect4")
    score = write_score(game, game.initial(), value, ())
    assert score.kind == "cp"
    assert math.isclose(read_score(game, score), value, abs_tol=0.0001)


def test_a_win_is_told_in_the_moves_of_who_is_to_move():
    game = load("tictactoe")
    state = game.read("oo./xx./...")
    assert write_score(game, state, 1.0, (5,)) == Score("mate", 1)
    lost = game.read("oo./xx./x..")
    assert write_score(game, lost, -1.0, (1, 5)) == Score("mate", -1)


def test_a_win_without_a_line_to_the_end_is_ten_thousand_centipawns():
    game = load("tictactoe")
    assert write_score(game, game.initial(), 1.0, (4,)) == Score("cp", 10_000)
    assert write_score(game, game.initial(), -1.0, ()) == Score("cp", -10_000)


def test_the_draw_is_zero_wherever_the_bounds_lie():
    game = load("kingmaker")
    assert write_score(game, game.initial(), game.neutral, ()).number == 0
    assert read_score(game, Score("cp", 0)) == game.neutral
    assert read_score(game, Score("cp", 99_999)) == 1.0
    assert read_score(game, Score("mate", -3)) == 0.0
    game.bounds = (-math.inf, math.inf)
    assert write_score(game, game.initial(), game.neutral + 2, ()).number == 200
