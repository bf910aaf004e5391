"""Ranges, lengths and places are Python's own whole numbers, of 64 bits, whatever they are made of."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest
from tests.engine.methods import answers, methods_of, refusals

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")

LEAST, MOST = -(1 << 63), (1 << 63) - 1
HELPER = """
SMALL, MIDDLE = np.int8(5), np.int32(7)


def last(values):
    n = 0
    for n in values:
        pass
    return n


def place(values, first):
    n = 0
    for n, _ in enumerate(values, first):
        pass
    return n

"""
WHOLE = [
    *("len(range(s.tiny[0] % 5))", "len(range(SMALL))", "len(range(s.tiny[3], MIDDLE))", "len(range(s.boards[0] & 7))"),
    *("last(range(SMALL))", "last(range(s.tiny[3], 9))", "range(s.tiny[0]).stop", "range(s.short[0], 9).start"),
    *("max(range(SMALL))", "sum(range(s.tiny[0] % 5))", "list(range(SMALL))[2]", "tuple(range(SMALL))[1]"),
    *("[i for i in range(SMALL)][2]", "next(i for i in range(SMALL) if i > 2)", "list(reversed(range(SMALL)))[1]"),
    *("list(enumerate(range(SMALL)))[1][1]", "list(zip(range(SMALL), s.row))[1][0]", "place(s.pair, SMALL)"),
    *("len(s.tiny)", "s.tiny.size", "s.grid.shape[0]", "(1, 2, s.x).index(s.x)", "[1, 2].count(2)", "hash(s.tiny[0])"),
    *("int(s.tiny[0])", "round(s.tiny[0])", "round(s.halves[0])", "math.floor(s.tiny[0])", "math.gcd(s.tiny[0], 4)"),
    *("s.tiny[0].bit_count()", "int(s.tiny[0]).bit_length()", "s.tiny.argmax()", "slice(0, SMALL).indices(7)[1]"),
]
"""What gives a whole number of 64 bits, made of NumPy's with fewer."""


def test_whole_numbers_made_of_small_ones_have_64_bits(tmp_path: Path) -> None:
    texts = [f"{text} * 1000000007" for text in WHOLE]
    game, methods = methods_of(texts, tmp_path, HELPER)
    assert methods.refused == {}
    own = {"tiny": numpy.array([104, 3, 4, 1], "int8"), "short": numpy.array([1, 2, 3, 4], "int32")}
    found = answers(game, methods, **own, boards=numpy.array([6] * 3, "uint64"), x=7)
    assert [text for text, (native, python) in zip(texts, found, strict=True) if native != python] == []


def test_pythons_whole_numbers_are_kept_in_the_bits_of_what_they_meet(tmp_path: Path) -> None:
    texts = [f"({text} + s.tiny[1])" for text in WHOLE if text not in ("s.tiny.argmax()", "range(s.short[0], 9).start")]
    game, methods = methods_of(texts, tmp_path, HELPER)
    assert methods.refused == {}
    few = numpy.array([104, 3, 4, 1], "int8")
    found = answers(game, methods, tiny=few, boards=numpy.array([6] * 3, "uint64"), x=7)
    assert [text for text, (native, python) in zip(texts, found, strict=True) if native not in (python, None)] == []
    assert sum(native is None for native, _ in found) < 6  # beyond 8 bits
    many = numpy.array([104, 127, 4, 1], "int8")
    found = answers(game, methods, tiny=many, boards=numpy.array([6] * 3, "uint64"), x=7)
    assert [text for text, (native, python) in zip(texts, found, strict=True) if native not in (python, None)] == []


def test_a_range_of_32_bits_is_as_long_as_pythons(tmp_path: Path) -> None:
    texts = ["len(range(s.short[0], s.short[1]))", "len(range(s.short[0], s.short[1], s.tiny[0]))"]
    game, methods = methods_of(texts, tmp_path)
    edges = numpy.array([-(1 << 31), (1 << 31) - 1, 0, 0], "int32")
    found = answers(game, methods, short=edges, tiny=numpy.array([127] * 4, "int8"))
    assert found == [((1 << 32) - 1, (1 << 32) - 1), (33818641, 33818641)]


def test_a_range_over_more_than_64_bits_is_left_to_python(tmp_path: Path) -> None:
    texts = ["len(range(s.x, s.y))", "last(range(s.x, s.y, s.pair[0]))", "len(range(0, s.x, s.pair[1]))"]
    texts += ["len(list(reversed(range(s.x, s.x + 3))))", "len(range(s.x))"]
    game, methods = methods_of(texts, tmp_path, HELPER)
    assert methods.refused == {}
    found = answers(game, methods, x=LEAST, y=MOST, pair=(1 << 62, -1))
    assert found == [(None, "OverflowError"), (None, 1 << 62), (None, "OverflowError"), (None, 3), (0, 0)]
    found = answers(game, methods, x=3, y=10, pair=(2, 1))
    assert found == [(7, 7), (9, 9), (3, 3), (3, 3), (3, 3)]


def test_a_range_raises_before_anybody_goes_through_it(tmp_path: Path) -> None:
    game, methods = methods_of(["range(0, 9, s.x).step"], tmp_path)
    assert answers(game, methods, x=0) == [(None, "ValueError")]
    assert answers(game, methods, x=-2) == [(-2, -2)]


def test_no_built_in_function_takes_numbers_with_a_star(tmp_path: Path) -> None:
    reasons = refusals(["len(range(*s.pair))", "max(*(s.x, s.y))"], tmp_path, "word")
    assert [reason for reason in reasons if not reason.endswith("as in `range(t[0], t[1])`")] == []
