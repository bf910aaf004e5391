"""Values are centipawns or moves to the win, and what is written is read back."""

from __future__ import annotations

import math
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.analysis import Limits
from zermelo.engine import Searcher
from zermelo.games import load
from zermelo.protocols.score import Info, Odds, Score, has_odds, read_info, read_score, write_odds, write_score

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
        wdl=st.none() | st.builds(Odds, *[st.integers(0, 1000)] * 3),
        currmove=st.text(string.ascii_lowercase),
        currmovenumber=NUMBER,
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


@pytest.mark.parametrize(
    ("text", "without", "least", "most"),
    [
        ("chess", "rnbqkbnr/ppp1pppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 70, 160),
        ("chess", "rnbqkbnr/ppppp1pp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 70, 200),
        ("xiangqi", "rnbakabnr/9/1c5c1/p1p3p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 60, 220),
        ("xiangqi", "1nbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1", 900, 1700),
    ],
)
def test_in_games_of_pawns_a_pawn_ahead_is_a_hundred_or_so(text, without, least, most):
    """A pawn of chess; a pawn and a rook, which is worth ten, of Chinese chess; as their own evaluations see it."""
    game = load(f"{text}:network=no")
    state = game.read(without)
    found = Searcher(game).search(state, Limits(depth=8))
    kind, number = write_score(game, state, found.value, found.line)
    assert kind == "cp"
    assert least < number < most
    assert math.isclose(read_score(game, Score(kind, number)), found.value, abs_tol=game.pawn / 200)


@pytest.mark.parametrize("name", ["chess", "xiangqi", "connect4", "hex"])
@given(value=st.floats(-1, 1), exact=st.booleans())
def test_the_chances_add_up_and_are_the_others_turned_round(name, value, exact):
    game = load(name)
    odds = write_odds(game, value, exact)
    assert sum(odds) == 1000
    assert min(odds) >= 0
    assert abs(odds.win - write_odds(game, -value, exact).loss) <= 1


def test_more_is_never_less_likely_to_win():
    game = load("chess")
    odds = [write_odds(game, points / 1000, False) for points in range(-1000, 1001)]
    assert [each.win for each in odds] == sorted(each.win for each in odds)
    assert [each.loss for each in odds] == sorted((each.loss for each in odds), reverse=True)
    assert odds[0] == (0, 0, 1000)
    assert odds[-1] == (1000, 0, 0)
    assert write_odds(game, game.win_rate[0], False).win == 500


def test_a_draw_that_is_proved_is_a_draw():
    game = load("chess")
    assert write_odds(game, 0.0, True) == (0, 1000, 0)
    assert 0 < write_odds(game, 0.0, False).draw < 1000


def test_only_where_a_win_a_draw_and_a_loss_are_all_there_is_are_there_chances():
    with_odds = {name for name in ("chess", "go", "hex", "backgammon", "kingmaker", "pig") if has_odds(load(name))}
    assert with_odds == {"chess", "go", "hex", "pig"}


def test_a_win_is_told_in_the_moves_of_who_is_to_move():
    game = load("tictactoe")
    state = game.read("oo./xx./...")
    assert write_score(game, state, 1.0, (5,)) == Score("mate", 1)
    lost = game.read("oo./xx./x..")
    assert write_score(game, lost, -1.0, (1, 5)) == Score("mate", -1)


def test_a_win_that_the_line_does_not_show_to_the_end_is_told_by_its_plies():
    game = load("chess")
    state = game.read("r2r2k1/pb3ppp/1p1bp3/7q/3n2nP/PP1B2P1/1B1N1P2/RQ2NRK1 b - - 0 1")
    line = [game.read_action(state, "Qxh4")]
    assert write_score(game, state, 1.0, line, 7) == Score("mate", 4)
    assert write_score(game, state, -1.0, line, 6) == Score("mate", -3)
    assert write_score(game, state, 1.0, (), 1) == Score("mate", 1)
    assert write_score(game, state, 1.0, line, 0).kind == "cp"
    assert write_score(game, state, 0.3, line, 7).kind == "cp"


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
