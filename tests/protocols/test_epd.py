"""Suites in EPD are read for any game, line by line, and what a search makes of them is told truly."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zermelo.analysis import Limits
from zermelo.errors import MethodError
from zermelo.games import load
from zermelo.protocols.epd import BadLine, Task, read_operations, read_suite, run_suite, split_position

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -"
MATE = "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - -"
SUITE = Path(__file__).parents[2] / "bench" / "suites" / "wac.epd"
CHESS = load("chess")


def read_one(line, game=CHESS):
    (task,) = read_suite(line, game)
    return task


def names(task, actions):
    return [CHESS.show_action(task.state, a) for a in actions]


def test_a_line_has_a_position_best_moves_and_a_name():
    task = read_one(f'{MATE} bm Qg6; id "WAC.001";')
    assert (task.line, task.name, names(task, task.best), task.avoid) == (1, "WAC.001", ["Qg6"], ())


def test_several_moves_moves_to_avoid_and_operations_that_nobody_knows():
    task = read_one(f'{START} 0 1 bm e4 d4, g1f3; am a4 h4; c0 "first; the centre"; acd 12; hmvc 0')
    assert names(task, task.best) == ["e4", "d4", "Nf3"]
    assert names(task, task.avoid) == ["a4", "h4"]
    assert task.name == "line 1"


def test_a_position_may_have_its_counters_or_not():
    for text in (START, f"{START} 3 7"):
        assert split_position(f"{text} bm e4;", CHESS) == (text, "bm e4;")


def test_positions_of_any_game_are_read():
    task = read_one('oo./xx./... bm c2; id "two wins";', load("tictactoe"))
    assert (task.name, task.best) == ("two wins", (5,))


def test_empty_lines_and_comments_are_no_lines():
    assert list(read_suite("\n# a comment\n   \n", CHESS)) == []


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("rubbish", "FEN"),
        (f"{START} bm Qh9;", "not a legal"),
        (f"{START} bm e4 e5;", "not a legal"),
        (f'{START} id "nothing to do";', "nothing is to be found"),
        (f"{START} dm 0;", "nothing is to be found"),
        (f"{START} bm e4; 17 3", "no operation"),
        (f'{START} bm e4; id "open', "no operation"),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;", "over"),
        ("8/8/8/8/8/8/8/8 w - - bm e4;", "king"),
    ],
)
def test_a_line_that_makes_no_sense_says_why_and_costs_no_other_line(line, word):
    first, bad, last = read_suite(f"{START} bm e4;\n{line}\n{START} bm d4;\n", CHESS)
    assert isinstance(bad, BadLine)
    assert bad.line == 2
    assert word in bad.problem
    assert (first.line, last.line) == (1, 3)


@given(st.text(max_size=60) | st.text(alphabet='bm;" e4id\\', max_size=40).map(lambda t: f"{START} {t}"))
def test_no_text_is_fatal(text):
    for each in read_suite(text, CHESS):
        assert isinstance(each, (Task, BadLine))


@given(
    st.dictionaries(
        st.from_regex(r"[a-z][a-z0-9]{0,5}", fullmatch=True), st.lists(st.sampled_from(["a", "b;c", "d e"]))
    )
)
def test_operations_read_back_as_they_were(operations):
    def write(words):
        return " ".join('"' + word + '"' for word in words)

    text = " ".join(f"{name} {write(words)};" for name, words in operations.items())
    assert read_operations(text) == operations


def test_a_long_line_takes_no_long_time():
    assert isinstance(read_one("x " * 500_000), BadLine)
    assert isinstance(read_one(f"{START} bm e4; {'c1 a; ' * 100_000}"), Task)


def test_every_line_of_the_suite_that_comes_along_can_be_used():
    tasks = list(read_suite(SUITE.read_text(encoding="utf-8"), CHESS))
    assert len(tasks) == 291
    assert all(isinstance(task, Task) and task.best for task in tasks)


def test_a_finding_tells_the_move_and_since_when_it_was_right():
    tasks = list(read_suite(f"{MATE} bm Qg6;\n{MATE} am Qg6;\n{MATE} dm 2;\n{MATE} dm 1;", CHESS))
    found = list(run_suite(CHESS, tasks, Limits(depth=5)))
    assert [each.solved for each in found] == [True, False, True, False]
    assert {each.move for each in found} == {"g3g6"}
    assert [each.since is not None for each in found] == [True, False, True, False]
    assert all(each.since <= each.seconds for each in found if each.since is not None)
    assert found[0].nodes == found[1].nodes, "each position is searched as if it were the only one"


def test_there_are_no_suites_for_hidden_information():
    with pytest.raises(MethodError, match="hides information"):
        list(run_suite(load("blind-tictactoe"), [], Limits(depth=1)))
