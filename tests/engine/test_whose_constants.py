"""Whose numbers constants, defaults and properties hold, and which of them are floats."""

from __future__ import annotations

import re
from pathlib import Path

import numpy
import pytest
from tests.engine.methods import answers, methods_of, refusals

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")

HIGH = 1 << 63
"""Fits a word, and none of NumPy's numbers with a sign."""
FEW = numpy.array([100] * 4, "int8")
MEMBERS = """
    mine_of = (np.int64(3), np.int64(4))
    places = np.array([3, 4, 5])

    @property
    def place(self):
        return self.places[0]

    @property
    def further(self):
        return self.place

    @property
    def plain(self):
        return self.half + LIMIT
"""
HELPER = """
NUMBERS, WORDS, WORD = tuple(np.arange(1, 12)), (np.uint64(3), np.uint64(4)), np.uint64(7)


def defaulted(p, q=np.int64(3)):
    return p & q


def nested(p):
    return p & NUMBERS[2]

"""


def test_tuples_defaults_and_properties_may_hold_numpys_numbers(tmp_path: Path) -> None:
    texts = ["s.mine & self.mine_of[0]", "s.mine & self.place", "s.mine & self.further", "s.mine & NUMBERS[2]"]
    texts += ["defaulted(s.mine)", "nested(s.mine)", "s.mine & self.plain"]
    game, methods = methods_of(texts, tmp_path, HELPER, "word", MEMBERS)
    assert methods.refused == {}
    assert answers(game, methods, mine=7) == [(3, 3)] * 6 + [(1, 1)]
    assert answers(game, methods, mine=HIGH + 7) == [(None, "OverflowError")] * 6 + [(1, 1)]


def test_words_of_numpys_are_no_words_of_pythons(tmp_path: Path) -> None:
    texts = ["WORDS[0] & s.x", "WORD & s.x", "WORD & s.boards[0]"]
    game, methods = methods_of(texts, tmp_path, HELPER, "word")
    assert methods.refused == {}
    boards = numpy.array([6] * 3, "uint64")
    assert answers(game, methods, x=5, boards=boards) == [(1, 1), (5, 5), (6, 6)]
    assert answers(game, methods, x=-5, boards=boards) == [(None, "OverflowError")] * 2 + [(6, 6)]


def test_a_tuple_of_floats_and_whole_numbers_holds_no_sure_floats(tmp_path: Path) -> None:
    helper = (
        "MIXED = (2, 0.5, 3, 4, 5, 6, 7, 8, 9, 10)\nEXACT = (2.0,) * 10\n\n\ndef first(t, n):\n    return t[0] * n\n"
    )
    texts = ["MIXED[s.x] * s.tiny[0]", "max(self.weights[:2] + (2,)) * s.tiny[0]", "first(MIXED, s.tiny[0])"]
    _, methods = methods_of(texts, tmp_path, helper, "real")
    assert [texts[i] for i in methods.compiled] == []
    assert all(re.search(r"may be a whole number.*`float\(…\)`", reason) for reason in methods.refused.values())
    texts = ["EXACT[s.x] * s.tiny[0]", "max(self.weights) * s.tiny[0]", "MIXED[s.x] * s.row[0]"]
    game, methods = methods_of(texts, tmp_path, helper, "real")
    assert methods.refused == {}
    row = numpy.array([50] * 5)
    assert answers(game, methods, tiny=FEW, row=row) == [(200, 200), (200, 200), (100, 100)]


def test_a_tuple_of_floats_rounds_no_whole_number(tmp_path: Path) -> None:
    helper = "MIXED = (9007199254740993, 0.5, 3, 4, 5, 6, 7, 8, 9, 10)\n"
    _, methods = methods_of(["MIXED[s.x]"], tmp_path, helper, "real")
    assert methods.compiled == []


def test_a_remainder_or_shift_by_what_may_be_a_word_of_numpys_may_be_one(tmp_path: Path) -> None:
    texts = [
        "((max(s.boards[1], s.row[2]) % self.half) + s.row[0])",
        "(s.x >> (max(s.row[2], s.boards[0]) & 7)) & s.row[0]",
    ]
    texts += ["(s.x ** (min(s.row[2], s.boards[0]) & 3))"]
    assert all("`int(…)`" in reason for reason in refusals(texts, tmp_path, "word"))
    texts = ["(max(s.boards[1], s.row[2]) % self.half) + s.x", "(s.x >> (max(s.row[2], s.boards[0]) & 7)) + 1"]
    game, methods = methods_of(texts, tmp_path, kind="word")
    assert methods.refused == {}
    assert answers(game, methods, x=9, boards=numpy.array([3, 3, 3], "uint64")) == [(10, 10), (2, 2)]
