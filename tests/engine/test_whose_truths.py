"""Truth values of Python's and NumPy's in compiled rules: the latter are no numbers."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest
from tests.engine.methods import answers, methods_of, refusals

import zermelo
from zermelo.engine import compile_game
from zermelo.errors import CompileError

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")


def test_numpys_truth_values_are_no_numbers(tmp_path: Path) -> None:
    texts = ["-(s.flags[0] if s.b else s.x)", "round(s.flags[0])", "math.gcd(s.row[0] > 1, 3)", "abs(s.flags[0])"]
    texts += ["+s.flags[0]", "len(range(s.flags[0]))", "(s.flags[0] or s.x) + (s.flags[0] or s.x)", "-(s.flags)[0]"]
    texts += [
        "(s.flags - s.flags)[0]",
        "divmod(s.flags[0], s.b)[0]",
        "TABLE[s.flags[0] if s.b else 2]",
        "TABLE[s.flags[0]]",
    ]
    texts += ["(s.flags[0] if s.c else 0.5) * 2", "s.flags[0] == s.mine"]
    assert [reason for reason in refusals(texts, tmp_path) if "`int(…)`" not in reason] == []


def test_truth_values_count_and_decide(tmp_path: Path) -> None:
    texts = ["s.x + s.flags[0]", "s.x * (s.row[0] > 2)", "int(s.flags[0]) + int(s.flags[1])", "sum([s.flags[0], s.b])"]
    texts += [
        "(s.b or s.x) + (s.c or 3)",
        "TABLE[s.x if s.b else s.c]",
        "-(s.x or s.b)",
        "5 if s.flags[0] or s.x else 7",
    ]
    texts += ["int(s.x and s.flags[1])", "s.x and s.row[0] > 2"]
    game, methods = methods_of(texts, tmp_path)
    assert methods.refused == {}
    own = {"flags": numpy.array([True, True, False, False]), "row": numpy.array([5, 0, 0, 0, 0])}
    found = answers(game, methods, x=6, b=True, **own)
    assert [native for native, _ in found] == [python for _, python in found] == [7, 6, 2, 2, 4, 2, -6, 5, 1, 1]


def test_what_may_be_a_truth_value_is_found_and_compared_as_the_number_it_is(tmp_path: Path) -> None:
    texts = ["(s.flags[0] if s.b else s.x) in range(-3, 8, 2)", "(s.x if s.b else s.c) not in range(4)"]
    texts += [
        "(s.flags[0] if s.b else s.x) in (1, 5)",
        "(s.x and s.c) in range(6, -3, -1)",
        "min([s.b, s.x]) in range(2)",
    ]
    texts += ["(4, 5, 6)[s.x if s.b else s.c]", "[4, 5, 6][s.x if s.b else s.c]"]
    game, methods = methods_of(texts, tmp_path)
    assert methods.refused == {}
    for b, x in ((True, 1), (False, 1), (True, 2), (False, 0)):
        for native, python in answers(game, methods, b=b, c=True, x=x, flags=numpy.array([True] * 4)):
            assert native == python


def test_what_may_be_a_truth_value_may_be_one_after_operators_of_bits(tmp_path: Path) -> None:
    texts = ["(((s.x and s.b) ^ s.c) + s.flags[0])", "((s.row[0] and s.flags[0]) ^ (s.row[1] > s.x)) - True"]
    texts += ["(s.flags[1] & (s.x or s.b)) * s.flags[0]", "-((s.row[0] and s.flags[0]) | s.flags[1])"]
    assert [reason for reason in refusals(texts, tmp_path) if "`int(…)`" not in reason] == []
    texts = [
        "((s.x and s.b) ^ s.c) + 2",
        "-((s.x or s.b) & (s.y or s.c))",
        "((s.x or s.b) | s.c) > s.y",
        "(s.x or s.b) ^ s.row[0]",
    ]
    texts += ["((s.x and s.b) | s.c) * s.row[0]", "int((s.row[0] and s.flags[0]) ^ s.c) + s.flags[0]"]
    game, methods = methods_of(texts, tmp_path)
    assert [texts[i] for i in methods.refused] == ["((s.x and s.b) | s.c) * s.row[0]"]
    for x, b, c in ((0, True, True), (6, True, False), (6, True, True), (0, False, True)):
        for native, python in answers(game, methods, x=x, y=3, b=b, c=c, row=numpy.array([5] * 5)):
            assert native == python


def test_what_may_be_a_truth_value_is_no_bound_no_text_and_no_index_of_arrays(tmp_path: Path) -> None:
    texts = ["TABLE[: s.flags[0]][0]", "s.row[(s.flags[0] if s.b else s.x) :][0]", "s.row[s.b if s.c else s.x]"]
    texts += ["len(str(s.b if s.c else s.x))", "len(f'{s.x or s.b}')", "s.grid[s.b if s.c else s.x][1]"]
    assert [reason for reason in refusals(texts, tmp_path) if "`int(…)`" not in reason] == []


def test_a_game_of_arrays_says_why_truth_values_do_not_compile() -> None:
    class Negative(zermelo.Game):
        class State(NamedTuple):
            board: Any
            turn: int

        def initial(self) -> Any:
            return self.State(numpy.zeros(2, int), 0)

        def player(self, s: Any) -> int:
            return s.turn

        def actions(self, s: Any) -> Any:
            yield 0

        def result(self, s: Any, a: int) -> Any:
            return self.State(s.board, -(s.board[0] > 1))

        def is_terminal(self, s: Any) -> bool:
            return s.board[0] > 0 or s.turn

        def utility(self, s: Any, p: int) -> float:
            return 0.0

    with pytest.raises(CompileError, match=r"truth values.*write `int\(…\)`"):
        compile_game(Negative())


def test_a_truth_value_of_numpys_is_not_compared_with_bits_of_words(tmp_path: Path) -> None:
    texts = ["((s.row[0] > 1) if s.c else s.x) <= (s.boards[0] & s.boards[1])"]
    (reason,) = refusals(texts, tmp_path, kind="word")
    assert re.search(r"truth values.*`int\(…\)`", reason)


def test_the_least_of_words_and_truth_values_of_numpys_is_refused(tmp_path: Path) -> None:
    texts = ["+min(s.x << 3, s.theirs >= s.boards[-1])", "max(s.mine ^ 1, s.flags[0]) + 1"]
    texts += ["min(True, s.x << 3) - s.flags[0]", "min(s.x << 3, s.mine >= s.theirs) - s.flags[0]"]
    for reason in refusals(texts, tmp_path, kind="word"):
        assert re.search(r"truth values.*`int\(…\)`", reason)
    game, methods = methods_of(["min(s.x << 3, int(s.mine >= s.theirs)) + 1"], tmp_path, kind="word")
    assert answers(game, methods, x=1, mine=4, theirs=3) == [(2, 2)]
