"""Compiled arithmetic is Python's, number by number: it gives the same number, or refuses."""

from __future__ import annotations

import random
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy
import pytest

from zermelo.engine import compile_game
from zermelo.errors import CompileError, RefusedError

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from rules_fuzz import Tally, load_game, outcome, same, try_programs
from rules_programs import Program, Writer, game_source

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")

HIGH, FULL = 1 << 63, (1 << 64) - 1

AGREE = [
    ("word", "(s.mine << 7) & s.theirs"),
    ("word", "s.mine & -s.mine"),
    ("word", "s.mine & (s.mine - 1)"),
    ("word", "~s.mine & s.theirs"),
    ("word", "((s.mine << 1) | (s.mine >> 1)) & ~s.theirs & 0xFFFFFFFFFFFFFFFF"),
    ("word", "s.mine | (1 << 63)"),
    ("word", "U64(1 << 63) ^ s.mine"),
    ("word", "s.mine % 10 + s.theirs // 7"),
    ("word", "(s.mine * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF"),
    ("whole", "s.mine.bit_count() - s.theirs.bit_length()"),
    ("truth", "s.mine > s.x"),
    ("truth", "s.x < s.mine - s.mine"),
    ("truth", "bool(s.mine) and not (s.theirs << 70) & s.mine"),
    ("real", "float(s.mine)"),
    ("real", "float(9007199254740993 * s.nest[0][0])"),
    ("whole", "(s.x << 40) & 255"),
    ("whole", "divmod(s.y, -7)[1] + math.gcd(s.x, 12) + round(s.f) + math.floor(s.g)"),
    ("whole", "sum([s.y * i for i in range(3)]) + sum(s.pair) + pow(s.nest[0][0], 3)"),
    ("real", "max(s.f, 1) + s.x / 4"),
    ("whole", "int(s.tiny[2] << 3) + int(s.tiny[3] << s.nest[0][0])"),
    ("word", "s.mine | (1 << 63) | (U64(1) << 7 * s.nest[0][0])"),
    ("real", "(0 if s.c else 0.5) + (1 if s.b else s.f) * 1e18 * 2 + 2.0**53 * s.f"),
    ("real", "(s.f + 1e300) * s.g / 1e299 + (s.f - 0.5) ** 3 + 1e17 // s.f"),
]
"""The kind of each expression; all are right in the state below, without being refused."""

REFUSED = [
    ("word", "s.mine << 7"),
    ("word", "s.mine * s.theirs"),
    ("word", "s.mine + s.theirs"),
    ("whole", "s.mine - s.theirs"),
    ("whole", "~s.mine"),
    ("truth", "(s.mine << 1) > s.theirs"),
    ("truth", "bool(s.mine << 1)"),
    ("whole", "(s.x << 62) + 1"),
    ("whole", "s.x << 70"),
    ("whole", "sum((s.big, s.big))"),
    ("whole", "sum([s.big, s.big])"),
    ("whole", "sum([s.big + i for i in range(2)])"),
    ("whole", "divmod(-s.big - 1, -1)[0]"),
    ("whole", "pow(s.big, 2)"),
    ("whole", "round(1e300)"),
    ("whole", "math.floor(s.g * 1e30)"),
    ("whole", "int(s.tiny[0] + s.tiny[1])"),
    ("whole", "int(s.tiny[0] * 100)"),
    ("real", "s.f if s.b else s.big"),
    ("truth", "s.big == 2.0**63"),
    ("whole", "int(s.tiny[0] << 2)"),
    ("whole", "int(s.tiny[2] << (1 << 3))"),
    ("whole", "int(s.tiny[2] << s.y)"),
    ("truth", "(1 << s.row[1]) > 0"),
    ("truth", "((1 << s.row[0]) + (1 << s.row[0])) > 0"),
    *[
        ("real", f"({one}) {sign} ({other})")
        for one, sign, other in (
            ("s.f if s.b else s.pair[1]", "*", "s.f if s.b else s.pair[1] + 2"),
            ("max(s.f, s.row[3])", "*", "max(s.f, s.row[3])"),
            ("s.f if s.b else 2**53", "+", "s.f if s.b else 1"),
            ("s.f if s.b else -(2**53)", "-", "1 if s.b else s.f - 1.5"),
            ("s.f if s.b else s.row[3]", "**", "2 if s.b else s.f - 0.5"),
            ("s.f if s.b else -1", "%", "s.f if s.b else 2**53 * s.row[4]"),
            ("(s.f if s.b else 2**53) * s.row[4]", "//", "s.f if s.b else 3"),
            ("2**53 + s.row[4] // 4", "/", "s.f if s.b else 3"),
            ("sum([0.5 if s.b else 2**53, 0.5 if s.b else 1])", "+", "s.f"),
        )
    ],
]
"""In Python these are numbers that compiled rules do not have, or NumPy's that go round, or whole numbers of which
compiled rules have a float."""


def compared(expressions: list[tuple[str, str]], folder: Path) -> list[tuple[str, Any, Any]]:
    """Each expression, with what compiled and Python's rules make of it in one state."""
    programs = [Program("", text.replace("s.big", "s.pair[0]"), kind) for kind, text in expressions]
    game = load_game(game_source(programs, True), folder, f"numbers{len(programs)}")
    compiled = compile_game(game)
    tiny = numpy.array([100, 100, 3, 4], "int8")
    begin = game.initial()._replace(mine=HIGH | 9, theirs=FULL - 6, x=-5, y=23, f=2.5, g=-3.75, tiny=tiny, b=False)
    if expressions is REFUSED:
        begin = begin._replace(pair=((1 << 63) - 1, (1 << 40) + 1), row=numpy.array([62, 63, 0, (1 << 40) + 1, 4]))
    s = begin._replace(pair=(3, -5) if expressions is AGREE else begin.pair, nest=((3, 1), (2, -9)))
    return [
        (
            text,
            outcome(lambda a=a: getattr(compiled.step(s, a).state, f"o{a}")),
            outcome(lambda a=a: getattr(game.result(s, a), f"o{a}")),
        )
        for a, (_, text) in enumerate(expressions)
    ]


def test_numbers_that_fit_are_pythons(tmp_path: Path) -> None:
    assert [each for each in compared(AGREE, tmp_path) if each[1] is RefusedError or not same(*each[1:])] == []


def test_numbers_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    assert [each for each in compared(REFUSED, tmp_path) if each[1] is not RefusedError] == []


@pytest.mark.parametrize(
    ("expression", "remedy"),
    [
        ("(s.flags[0] + s.flags[1])", r"truth values.*`int\(…\)`"),
        ("-(s.row[0] > 1)", r"truth values.*`int\(…\)`"),
        ("int(s.tiny[0] ** 2)", r"small numbers.*`int\(…\)`"),
        ("int((s.tiny + 1)[0])", r"fewer bits.*`int\(…\)`"),
        ("int(s.tiny[0] if s.b else s.x)", r"Cannot unify.*`int\(…\)`"),
        ("int(round(s.f, 2))", "digits"),
        ("int(s.reals @ s.reals)", "matrices of floats.*loop"),
        ("int(np.dot(s.reals, s.reals) + s.reals.dot(s.reals))", "matrices of floats.*loop"),
        ("int(np.linalg.norm(s.reals))", "matrices of floats.*loop"),
    ],
)
def test_what_numpy_computes_otherwise_is_not_compiled(expression: str, remedy: str, tmp_path: Path) -> None:
    game = load_game(game_source([Program("", expression, "whole")], False), tmp_path, f"refused{hash(expression)}")
    with pytest.raises(CompileError, match=remedy):
        compile_game(game)


def test_sums_of_arrays_are_refused_where_numpy_adds_in_pairs(tmp_path: Path) -> None:
    sums = ("{}.sum()", "np.sum({})", "{}.mean()", "np.mean({})", "{}.std()", "{}.var()")
    programs = [Program("", each.format("np.array([s.f, s.g, 0.1, 0.2, 0.3, 0.4, 0.7])"), "real") for each in sums]
    programs += [Program("", each.format("(s.row[:2].repeat(4) * s.f)"), "real") for each in sums]
    game = load_game(game_source(programs, False), tmp_path, "sums")
    compiled = compile_game(game)
    s = game.initial()._replace(f=1.1, g=2.7, row=numpy.array([3, 5, 1, 1, 1]))
    native = [outcome(lambda a=a: getattr(compiled.step(s, a).state, f"o{a}")) for a in range(len(programs))]
    assert native[:6] == [getattr(game.result(s, a), f"o{a}") for a in range(6)]
    assert native[6:] == [RefusedError] * 6


@pytest.mark.parametrize("words", [False, True])
def test_random_rules_are_pythons_or_are_refused(words: bool, tmp_path: Path) -> None:
    rng, tally = random.Random(2026 + words), Tally()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        programs = [Writer(rng, words).program() for _ in range(15)]
        try_programs(programs, words, tmp_path, f"random{words}", rng, tally)
    assert tally.differences == {}
    assert tally.compared > 200
