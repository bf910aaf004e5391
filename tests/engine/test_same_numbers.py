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

from rules_fuzz import Tally, load_game, outcome, same, try_methods, try_programs
from rules_methods import Methods
from rules_programs import Fields, Program, game_source, methods_source
from rules_writer import Writer

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
    ("truth", "((s.mine << 0) & 255) in range(300) and (s.mine & 15) not in range(9)"),
    ("truth", "(s.mine & 15) in (s.x, s.nest[0][0] * 3) and (s.theirs & 3) in TABLE"),
    ("truth", "(s.mine, s.theirs) == (s.mine, s.theirs)"),
    ("word", "(s.mine & ~s.x) ^ TABLE[2] ^ self.masks[1] ^ s.pair[0] ^ int(s.row[0]) ^ len(s.row)"),
    ("word", "s.mine >> s.nest[0][0] % 7"),
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
    ("truth", "s.mine in range(9)"),
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


RAISE = [
    ("word", "s.mine & s.row[0]"),
    ("word", "s.row[0] | s.mine"),
    ("word", "s.mine >> s.row[0]"),
    ("word", "(s.row[0] << 2) ^ s.mine"),
    ("whole", "(s.theirs - s.mine + s.row[0]) % s.mine"),
    ("whole", "divmod(s.row[0], s.mine)[1]"),
    ("whole", "divmod(sum([s.row[0] + i for i in range(4)]), s.mine)[0]"),
    ("whole", "max(s.row[0], -9) - s.theirs"),
    ("word", "(s.row[0] if s.nest else s.mine) & s.theirs"),
    ("word", "s.mine & (1 << 2**53 * s.nest[0][0])"),
    ("real", "math.sqrt((np.array([s.g]) * 1e300 * 1e300)[0])"),
]
"""NumPy's numbers do not take words of 64 bits, Python has no number as long as the next one, and there is no root of
−∞."""


def compared(expressions: list[tuple[str, str]], folder: Path) -> list[tuple[str, Any, Any]]:
    """Each expression, with what compiled and Python's rules make of it in one state."""
    programs = [Program("", text.replace("s.big", "s.pair[0]"), kind) for kind, text in expressions]
    game = load_game(game_source(programs, Fields(words=True)), folder, f"numbers{len(programs)}")
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


def test_what_raises_in_python_raises(tmp_path: Path) -> None:
    assert [each for each in compared(RAISE, tmp_path) if not isinstance(each[1], str) or each[1] != each[2]] == []


@pytest.mark.parametrize(
    "statement",
    [
        "unread = 1 // s.x",
        "unread = s.row[s.x + 9]",
        "board = s.tiny.copy(); board[0] = s.x + 300",
        "abs(s.pair[s.x + 7])",
    ],
)
def test_what_nobody_reads_raises_beside_a_comprehension(statement: str, tmp_path: Path) -> None:
    body = f"    {statement}\n    return sum([s.y + i for i in range(3)])\n"
    program = Program(f"def program_0(self, s):\n{body}", "program_0(self, s)", "whole")
    game = load_game(game_source([program], Fields(words=False)), tmp_path, "unread")
    s = game.initial()
    assert outcome(lambda: compile_game(game).step(s, 0)) == outcome(lambda: game.result(s, 0))
    assert isinstance(outcome(lambda: game.result(s, 0)), str)


@pytest.mark.parametrize(
    ("expression", "remedy"),
    [
        ("int((s.mine, 1) == (1, s.x))", "tuples of words.*number by number"),
        ("int((s.mine, 1) <= (s.mine, 2))", "tuples of words.*number by number"),
        ("int((s.mine, 1) in ((1, 2), (2, 3)))", "tuples of words.*number by number"),
        ("math.trunc(s.row[0])", r"of a whole number.*`int\(…\)`"),
        ("math.trunc(s.halves[0])", r"of a float of 32 bits.*`int\(…\)`"),
        ("sum((s.mine, s.row[0]))", r"sum of words.*a \+ b"),
        ("(s.flags[0] + s.flags[1])", r"truth values.*`int\(…\)`"),
        ("-(s.row[0] > 1)", r"truth values.*`int\(…\)`"),
        ("int(s.tiny[0] ** 2)", r"small numbers.*`int\(…\)`"),
        ("int((s.tiny + 1)[0])", r"fewer bits.*`int\(…\)`"),
        ("int(s.tiny[0] if s.b else s.x)", r"Cannot unify.*`int\(…\)`"),
        ("int(round(s.f, 2))", "digits"),
        ("int(s.reals @ s.reals)", "matrices of floats.*loop"),
        ("int(np.dot(s.reals, s.reals) + s.reals.dot(s.reals))", "matrices of floats.*loop"),
        ("int(np.linalg.norm(s.reals))", "matrices of floats.*loop"),
        ("int(math.hypot(s.f, s.g))", r"math.hypot.*`math.sqrt\("),
        ("int(abs((-2.0) ** 0.5))", "complex numbers.*only real numbers"),
        ("int(complex(s.f, s.g) == s.f)", "complex numbers.*only real numbers"),
    ],
)
def test_what_is_computed_otherwise_is_not_compiled(expression: str, remedy: str, tmp_path: Path) -> None:
    fields = Fields(words="s.mine" in expression)
    game = load_game(game_source([Program("", expression, "whole")], fields), tmp_path, f"refused{hash(expression)}")
    with pytest.raises(CompileError, match=remedy):
        compile_game(game)


def test_sums_of_arrays_are_refused_where_numpy_adds_in_pairs(tmp_path: Path) -> None:
    sums = ("{}.sum()", "np.sum({})", "{}.mean()", "np.mean({})", "{}.std()", "{}.var()")
    programs = [Program("", each.format("np.array([s.f, s.g, 0.1, 0.2, 0.3, 0.4, 0.7])"), "real") for each in sums]
    programs += [Program("", each.format("(s.row[:2].repeat(4) * s.f)"), "real") for each in sums]
    game = load_game(game_source(programs, Fields(words=False)), tmp_path, "sums")
    compiled = compile_game(game)
    s = game.initial()._replace(f=1.1, g=2.7, row=numpy.array([3, 5, 1, 1, 1]))
    native = [outcome(lambda a=a: getattr(compiled.step(s, a).state, f"o{a}")) for a in range(len(programs))]
    assert native[:6] == [getattr(game.result(s, a), f"o{a}") for a in range(6)]
    assert native[6:] == [RefusedError] * 6


def tried(texts: list[str], fields: Fields, folder: Path, states: list[dict[str, Any]]) -> dict[str, list[Any]]:
    """What compiled rules make of each expression, or of the body of each function, in states with these fields; an
    answer that is not Python's is a pair. `None` is a refusal, or an error that Python raises as well."""
    expressions = ["program_NUMBER(self, s)" if "return" in text else text for text in texts]
    bodies = [f"def program_NUMBER(self, s):\n{text}\n" if "return" in text else "" for text in texts]
    programs = [Program(*each, "real") for each in zip(bodies, expressions, strict=True)]
    game = load_game(methods_source(programs, fields), folder, f"tried{fields.arrays}")
    methods = Methods(game, programs)
    assert methods.refused == {}
    found: dict[str, list[Any]] = {text: [] for text in texts}
    for own in states:
        s = game.initial()._replace(**own)
        for i, text in enumerate(texts):
            native = methods.run(i, methods.pack(s))
            python = outcome(lambda s=s, i=i: getattr(game, f"program_{i}")(s))
            found[text].append(native if native is None or native == python else (native, python))
    return found


COMPREHENSIONS = [
    "    return float(len([1 for i in range(6) if i % 2 == s.x]) // s.y)",
    "    return float(len([1 for i in range(6) if i % 2 == 1 // s.y]))",
    "    return float(len([1 for i in range(6) if i % 2 == s.x]) + s.pair[0] * s.pair[0])",
    "    n = sum([sum([j for j in range(i) if j > s.x if j < 9]) for i in range(6) if i % 2 == s.x])\n"
    "    return float(n // s.y)",
    "    part = lambda n: len([1 for i in range(6) if i % 2 == n]) // n\n    return float(part(s.y))",
    "    i = 5\n    n = len([1 for i in range(6) if i % 2 == s.x])\n    return float((10 * n + i) // s.y)",
    "    rows = [[j for j in range(i) if j != s.x] for i in range(4)]\n    return float(rows[s.x][0] // s.y)",
]


def test_errors_beside_and_inside_a_comprehension_are_raised(tmp_path: Path) -> None:
    states = [{"x": x, "y": y, "pair": (large, 0)} for x in (0, 1) for y, large in ((2, 3), (0, 1 << 40))]
    found = tried(COMPREHENSIONS, Fields(words=False), tmp_path, states)
    assert [each for answers in found.values() for each in answers if isinstance(each, tuple)] == []
    assert all(answers[1] is answers[3] is None for answers in found.values())
    assert all(any(isinstance(each, float) for each in answers) for answers in found.values())


@pytest.mark.parametrize(
    "text",
    [
        "try:\n        v = s.x * s.y\n    except ArithmeticError:\n        v = 7",
        "part = lambda n: n\n    try:\n        v = part(s.y)\n    finally:\n        pass",
    ],
)
def test_a_rule_that_catches_errors_is_not_compiled(text: str, tmp_path: Path) -> None:
    program = Program(f"def program_0(self, s):\n    {text}\n    return v\n", "program_0(self, s)", "whole")
    game = load_game(game_source([program], Fields(words=False)), tmp_path, f"catches{len(text)}")
    with pytest.raises(CompileError, match=rf"{game.__class__.__module__}.py:\d+: .*catches errors.*test for"):
        compile_game(game)


SUMS = [
    "sum((s.f, s.g, 0.1))",
    "sum([s.f, s.g, s.inner.v, 0.7])",
    "sum([s.f * i for i in range(9)])",
    "sum((s.f, s.x, s.g, s.b, 0.3))",
    "sum((s.x, s.y, s.f, 0.1))",
    "sum([s.f, 1 if s.b else s.g, s.inner.v])",
    "sum((s.f, s.g, s.inner.v), 0.1)",
    "sum((s.f, math.inf, 0.1))",
    "sum(self.weights)",
]
REALS = (0.1, 0.2, 1 / 3, -0.7, 1.1, 1e16 / 3, 2.5, 1e-9)


@pytest.mark.parametrize("arrays", [False, True])
def test_sums_of_floats_are_rounded_as_by_the_python_that_runs(arrays: bool, tmp_path: Path) -> None:
    rng = random.Random(7)
    states = [
        {"f": rng.choice(REALS), "g": rng.choice(REALS), "x": rng.randint(-9, 9), "b": rng.random() < 0.5}
        for _ in range(60)
    ]
    texts = [*SUMS, "sum(s.reals)", "sum((s.f, s.reals[0], s.g, s.reals[1]))"] if arrays else SUMS
    found = tried(texts, Fields(words=False, arrays=arrays), tmp_path, states)
    assert [each for answers in found.values() for each in answers if isinstance(each, tuple)] == []
    assert all(answers.count(None) < len(answers) * (1 if arrays else 0.5) for answers in found.values())
    if not arrays:
        assert None not in found["sum((s.f, s.g, 0.1))"]


def test_powers_of_floats_are_those_of_the_c_library(tmp_path: Path) -> None:
    rng = random.Random(3)
    texts = ["s.f ** 2", "s.f ** 0.5", "s.f ** -1", "s.f ** -2", "s.f ** 2.0", "math.pow(s.f, 2)", "pow(s.f, -1.0)"]
    texts += ["2.0 ** s.f", "10.0 ** s.f", "s.x ** -2", "s.x ** -1"]
    states = [{"f": rng.random() * 10 ** rng.randint(-3, 3), "x": rng.randint(1, 10**6)} for _ in range(4000)]
    found = tried(texts, Fields(words=False, arrays=False), tmp_path, states)
    assert [each for answers in found.values() for each in answers if isinstance(each, tuple)] == []


BEYOND = [
    "float((s.row.min() & 6) & (LIMIT << s.x))",
    "float((LIMIT << s.x) & s.row[0])",
    "float(((LIMIT << s.x) ^ s.row[0]) & 255)",
    "float(((LIMIT << s.x) | s.row[0]) & 255)",
    "float(((LIMIT << s.x) << s.row[0]) & 255)",
    "    v = s.row[0]\n    v &= 5 and LIMIT << s.x\n    return float(v)",
]
WITHIN = ["float((LIMIT << s.x) & s.y)", "float((LIMIT << s.x) & len(s.row))", "float((LIMIT << s.x) & int(s.row[0]))"]


@pytest.mark.parametrize("words", [False, True])
def test_numpys_numbers_do_not_take_bits_beyond_their_own(words: bool, tmp_path: Path) -> None:
    found = tried([*BEYOND, *WITHIN], Fields(words), tmp_path, [{"x": 65}, {"x": 1}])
    assert [found[text][0] for text in BEYOND] == [None] * len(BEYOND)
    assert all(isinstance(found[text][1], float) for text in BEYOND)
    assert all(isinstance(each, float) for text in WITHIN for each in found[text])


UNSIGNED = [
    ("word", "s.boards[0] ^ s.mine | s.boards[1] & 255"),
    ("word", "s.boards[0] & -s.boards[0]"),
    ("word", "(s.boards[1] - s.boards[0]) & s.mine"),
    ("word", "~s.boards[0] & s.theirs"),
    ("whole", "(s.boards[0] >> 60) + (s.boards[1] & 7)"),
    ("truth", "s.boards[0] > s.x and s.boards[0] != s.mine"),
    ("real", "float(s.halves[0]) * s.f + int(s.short[0])"),
]
WRAPPING = [
    ("truth", "-s.boards[0] > 0"),
    ("whole", "s.boards[1] - s.boards[0]"),
    ("truth", "s.boards[0] & s.x == 0"),
]
"""NumPy's numbers without a sign are never below zero, and do not take Python's that are."""


def test_what_does_not_fit_a_small_array_raises(tmp_path: Path) -> None:
    body = "    v = s.tiny.copy()\n    v[0] = s.short[0]\n    return float(v[0])"
    found = tried([body], Fields(words=False), tmp_path, [{"short": numpy.array([n] * 4, "int32")} for n in (7, 200)])
    assert found[body] == [7.0, None]


def test_numpys_words_do_not_meet_its_numbers_with_a_sign(tmp_path: Path) -> None:
    texts = ["s.boards[0] - s.row[0]", "s.boards[0] & s.row.sum()", "s.boards[0] * int(s.row[0])", "s.mine & s.row[0]"]
    programs = [Program("", text, "whole") for text in texts]
    game = load_game(methods_source(programs, Fields(words=True)), tmp_path, "apart")
    methods = Methods(game, programs)
    assert methods.compiled == [2, 3]
    assert all("write `int(…)` around those that are NumPy's" in why for why in methods.refused.values())


def test_words_in_arrays_are_numpys(tmp_path: Path) -> None:
    programs = [Program("", text, kind) for kind, text in [*UNSIGNED, *WRAPPING]]
    fields = Fields(words=True)
    game = load_game(methods_source(programs, fields), tmp_path, "unsigned")
    methods = Methods(game, programs)
    state = game.initial()._replace(
        x=-2, f=0.5, mine=HIGH | 5, theirs=FULL, boards=numpy.array([HIGH | 12, 4, 1], "uint64"),
        short=numpy.array([2**31 - 1, 0, 0, 0], "int32"), halves=numpy.array([0.125, 0, 0], "float32"),
    )  # fmt: skip
    packed = methods.pack(state)
    found = [methods.run(i, packed) for i in range(len(programs))]
    assert methods.refused == {}
    for i in range(len(UNSIGNED)):
        assert found[i] == getattr(game, f"program_{i}")(state), programs[i]
    assert found[len(UNSIGNED) :] == [None] * len(WRAPPING)


MIXED = [
    "min(s.f, max(s.row[1:4])) ** -1",
    "pow(max(s.f, s.row[0]), -s.nest[0][0])",
    "(s.f if s.b else s.row[0]) ** -2",
    "float(s.row[0]) * s.row[0] ** (s.f if s.b else -1)",
    "pow(s.row[0], -1) * 0.5",
]
REAL = ["s.reals[0] ** -1", "s.f ** -2", "pow(s.f, -s.nest[0][0])", "max(s.f, s.row[0]) ** -1.0", "2.0 ** -s.row[0]"]
REAL += ["(s.row[0] / 2) ** -1", "float(s.row[0]) ** -s.row[0]", "(-s.reals[0] * s.row[0]) ** -1"]


@pytest.mark.parametrize("words", [False, True])
def test_numpys_whole_numbers_have_no_inverse_as_floats_either(words: bool, tmp_path: Path) -> None:
    own = {"row": numpy.array([4, 4, 4, 4, 4]), "nest": ((1, 0), (1, 0)), "reals": numpy.array([2.0, 1.0, 1.0])}
    states = [{"f": 4.0, "b": False, **own}, {"f": 4.0, "b": True, **own}]
    found = tried([*MIXED, *REAL], Fields(words), tmp_path, states)
    assert [found[text][0] for text in MIXED] == [None] * len(MIXED)
    assert all(isinstance(each, float) for text in REAL for each in found[text])


def test_a_complex_answer_is_counted_as_not_compiled(tmp_path: Path) -> None:
    programs = [Program("", "(-1.75) ** 0.5", "real"), Program("", "s.f + 1", "real")]
    fields = Fields(words=False)
    game = load_game(methods_source(programs, fields), tmp_path, "complex_answer")
    methods = Methods(game, programs)
    assert methods.compiled == [1]
    assert "complex" in methods.refused[0]


@pytest.mark.parametrize("words", [False, True])
def test_random_rules_are_pythons_or_are_refused(words: bool, tmp_path: Path) -> None:
    rng, tally = random.Random(2026 + words), Tally()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fields = Fields(words)
        programs = [Writer(rng, fields).program() for _ in range(15)]
        compiled = try_methods(programs, fields, tmp_path, f"random{words}", rng, tally)
        try_programs(compiled, fields, tmp_path, f"random{words}", rng, tally)
    assert tally.differences == {}
    assert tally.compared > 600
