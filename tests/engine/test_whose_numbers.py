"""Whose numbers a rule computes with: where NumPy's go another way than Python's, compiled rules follow, or refuse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import numpy
import pytest
from tests.engine.methods import Fields, Methods, Program, answers, load_game, methods_of, methods_source, refusals

import zermelo
from zermelo.engine import compile_game

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")

LARGE = 1 << 62


def test_a_function_knows_whose_numbers_each_caller_gives(tmp_path: Path) -> None:
    texts = ["helper_NUMBER(s.boards[0], s.mine)", "helper_NUMBER(s.boards[0], s.boards[1])"]
    texts += ["helper_NUMBER(s.theirs, s.mine)", "helper_NUMBER(q=s.mine, p=s.boards[0])"]
    game, methods = methods_of(texts, tmp_path, "def helper_NUMBER(p, q=1):\n    return p & ~q", "word")
    assert methods.refused == {}
    found = answers(game, methods, boards=numpy.array([7, 2, 0], "uint64"), mine=2, theirs=7)
    assert found == [(None, "OverflowError"), (5, 5), (5, 5), (None, "OverflowError")]


def test_a_rule_knows_whose_number_another_rule_gives_it() -> None:
    class Given(zermelo.Game):
        players = 1
        utility_sum = None
        bounds = (0, 9)
        shifts = numpy.array([2, 70])

        class State(NamedTuple):
            left: int

        def initial(self) -> Any:
            return self.State(2)

        def player(self, s: Any) -> int:
            return 0

        def actions(self, s: Any) -> Any:
            yield 2
            yield 70

        def result(self, s: Any, a: int) -> Any:
            return self.State(s.left - 1 + ((1 << a) & 4))

        def is_terminal(self, s: Any) -> bool:
            return bool(s.left <= 0)

        def utility(self, s: Any, p: int) -> float:
            return float(self.result(s, self.shifts[0]).left)

    game = Given()
    s = game.initial()
    assert compile_game(game).step(s, 2).state == game.result(s, 2)
    assert compile_game(game).step(s, 70).state == game.result(s, 70)


def test_the_length_in_bits_is_pythons_alone(tmp_path: Path) -> None:
    reasons = refusals(
        ["s.row[0].bit_length()", "(s.boards[0] ^ 3).bit_length()", "s.row.sum().bit_length()"], tmp_path
    )
    assert all(reason.endswith("write `int(…)` around it") for reason in reasons)
    game, methods = methods_of(["s.x.bit_length() + int(s.row[0]).bit_length() + s.row[0].bit_count()"], tmp_path)
    assert answers(game, methods, x=9) == [(4, 4)]


def test_numpys_words_do_not_meet_floats_that_may_be_whole_numbers(tmp_path: Path) -> None:
    texts = ["s.boards[0] + s.f", "min(s.f, s.x) * s.boards[0]", "s.boards[0] if s.b else 0.5", "max(s.boards[0], s.f)"]
    assert [reason for reason in refusals(texts, tmp_path, "real") if "`float(…)`" not in reason] == []
    texts = ["s.boards[0] + float(s.f)", "0.5 * s.boards[0]", "float(s.boards[0]) if s.b else s.f", "s.boards[0] / s.x"]
    game, methods = methods_of(texts, tmp_path, kind="real")
    assert answers(game, methods, boards=numpy.array([6] * 3, "uint64"), f=0.25, x=-4) == [
        (6.25, 6.25), (3.0, 3.0), (0.25, 0.25), (-1.5, -1.5),
    ]  # fmt: skip


def test_floats_are_no_bounds_and_no_text(tmp_path: Path) -> None:
    texts = ["TABLE[: s.f][0]", "s.row[s.f :][0]", "len(str(s.f))", "len(repr(s.f))"]
    assert [reason for reason in refusals(texts, tmp_path) if "for a bound of a slice" not in reason] == []


def test_no_rule_asks_which_object_a_number_is(tmp_path: Path) -> None:
    texts = ["s.flags[0] is True", "(s.b if s.c else s.x) is True", "s.x is s.y", "s.row[0] is not s.x", "s.f is s.g"]
    assert [reason for reason in refusals(texts, tmp_path) if not reason.endswith("write `==`")] == []
    game, methods = methods_of(["s.b is True", "s.b is not s.c", "s.x is None", "s.row[0] is not None"], tmp_path)
    assert answers(game, methods, b=True, c=True) == [(1, True), (0, False), (0, False), (1, True)]


def test_comparisons_of_numpys_words_count_with_a_sign(tmp_path: Path) -> None:
    helper = "def helper_NUMBER(p, q=1):\n    return int(q > 0) + ((p > q) | (p >= 3))"
    texts = ["helper_NUMBER(s.boards[0], s.mine) % s.theirs", "(int(s.b) + (s.boards[0] > 3)) % s.theirs"]
    game, methods = methods_of([*texts, "helper_NUMBER(s.mine, 5) % s.theirs"], tmp_path, helper, "word")
    assert methods.refused == {}
    own = {"boards": numpy.array([7] * 3, "uint64"), "mine": 2, "b": True}
    assert answers(game, methods, **own, theirs=5) == [(2, 2), (2, 2), (1, 1)]
    assert answers(game, methods, **own, theirs=1 << 63) == [(None, "OverflowError")] * 2 + [(1, 1)]
    _, methods = methods_of(["(s.boards[0] & 1) & helper_NUMBER(s.boards[0], s.mine)"], tmp_path, helper, "word")
    assert list(methods.refused) == [0]


def test_the_size_of_a_number_keeps_whose_it_is(tmp_path: Path) -> None:
    texts = [
        "abs((s.mine & s.boards[1]) and s.row[2]) * U64(s.theirs)",
        "abs(int(s.boards[2]) if s.c else s.row[2]) // U64(s.theirs)",
    ]
    texts += ["abs(s.row[0] << 2) * U64(s.theirs)", "abs(s.boards[0]) + U64(s.theirs)", "abs(s.x << 2) + s.row[0]"]
    game, methods = methods_of(texts, tmp_path, kind="word")
    own = {"mine": 1, "boards": numpy.array([1, 1, 1], "uint64"), "row": numpy.array([2, 0, 0, 0, 0]), "x": -3}
    for theirs in (5, 1 << 63, (1 << 64) - 1):
        for native, python in answers(game, methods, theirs=theirs, **own):
            assert native == python or native is None


def test_what_is_lost_of_pythons_numbers_does_not_meet_numpys(tmp_path: Path) -> None:
    texts = ["(s.x << s.grid.shape[0]) & s.flags[0]", "(s.x << s.grid.shape[0]) & s.row[0]", "(s.x << 3) & s.flags[0]"]
    game, methods = methods_of(texts, tmp_path)
    assert answers(game, methods, x=LARGE) == [(None, "OverflowError")] * 3
    found = answers(game, methods, x=1, flags=numpy.array([True] * 4), row=numpy.array([9] * 5))
    assert found == [(0, 0), (8, 8), (0, 0)]


def test_arrays_go_round_as_numpys(tmp_path: Path) -> None:
    texts = ["s.row.sum() <= s.x", "int((s.row - s.y)[0]).bit_count()", "int((s.row * 3)[2]) < 0", "s.row.prod() == 0"]
    game, methods = methods_of(texts, tmp_path)
    row = numpy.array([-LARGE, -LARGE, -LARGE, LARGE - 1, LARGE])
    assert [native for native, _ in answers(game, methods, row=row, y=LARGE + 7)] == [
        int(python) for _, python in answers(game, methods, row=row, y=LARGE + 7)
    ]


def test_floors_of_large_numbers_and_signs_of_zero_are_refused(tmp_path: Path) -> None:
    texts = [
        "math.floor(s.row[0])",
        "math.ceil(s.x)",
        "math.atan2(-(s.f if s.b else s.y), -1)",
        "math.atan2(s.y, -s.x)",
    ]
    game, methods = methods_of([*texts, "math.copysign(1, -(s.f if s.b else s.y))"], tmp_path, kind="real")
    found = [native for native, _ in answers(game, methods, row=numpy.array([2**53 + 1] * 5), x=2**53 + 1)]
    assert found[:3] + found[4:] == [None] * 4
    assert found[3] == numpy.pi
    found = answers(game, methods, row=numpy.array([9] * 5), x=-4, y=2)
    assert [native for native, _ in found] == [python for _, python in found]


def test_what_a_tuple_of_a_helper_holds_is_known(tmp_path: Path) -> None:
    helper = "def helper_NUMBER(p, q=1):\n    return (LIMIT << p[0]) & p[1]"
    game, methods = methods_of(["helper_NUMBER((s.x, s.row[0]))", "helper_NUMBER((s.x, s.y))"], tmp_path, helper)
    found = answers(game, methods, x=62, y=-1 << 62, row=numpy.array([-1 << 62] * 5))
    assert [native for native, _ in found] == [None, None]
    found = answers(game, methods, x=2, y=8, row=numpy.array([8] * 5))
    assert found == [(8, 8), (8, 8)]


def test_a_small_number_of_numpys_does_not_meet_a_float_that_may_be_whole(tmp_path: Path) -> None:
    unsure = "min(s.reals[0], s.x)"
    texts = [f"s.tiny[0] {sign} {unsure}" for sign in ("+", "-", "*", "//", "%")]
    texts += [f"{unsure} {sign} s.tiny[0]" for sign in ("+", "-", "*", "//", "%")]
    texts += [f"divmod(s.tiny[0], {unsure})[1]", f"divmod({unsure}, s.tiny[0])[0]", f"sum((s.tiny[0], {unsure}))"]
    texts += ["s.f * s.tiny[0]", "(self.weights[0] if s.c else self.half) - s.tiny[0]", "0.5 * (s.tiny[0] - s.g)"]
    for reason in refusals(texts, tmp_path, kind="real"):
        assert re.search(r"array of small numbers and a float that may be a whole number.*`float\(…\)`", reason)
    texts = [f"s.tiny[0] + float({unsure}) + s.y", f"float(s.tiny[0]) - {unsure} + s.y"]
    game, methods = methods_of(texts, tmp_path, kind="real")
    state = {"tiny": numpy.array([120] * 4, "int8"), "x": 100, "y": 2**40, "reals": numpy.array([2000.5] * 3)}
    assert answers(game, methods, **state) == [(2**40 + 220,) * 2, (2**40 + 20,) * 2]


def test_a_helper_that_is_given_a_float_knows_it(tmp_path: Path) -> None:
    helper = "def helper_NUMBER(weight, cell):\n    return weight * cell"
    texts = ["helper_NUMBER(2.0, s.tiny[0])", "helper_NUMBER(max(-s.reals[0], 2.0), s.tiny[0])"]
    texts += ["helper_NUMBER(s.f, s.tiny[0])"]
    game, methods = methods_of(texts, tmp_path, helper, kind="real")
    assert list(methods.refused) == [2]
    assert answers(game, methods, tiny=numpy.array([100] * 4, "int8")) == [(200.0, 200.0)] * 2


def test_operators_of_one_rule_keep_their_own_checks(tmp_path: Path) -> None:
    texts = [
        "((s.y if s.b else 2.5) + (s.x if s.c else 0.5)) + (s.f + 0.5)",
        "(0.5 + s.f) + (s.f + (s.x if s.b else 0.5))",
    ]
    game, methods = methods_of(texts, tmp_path, kind="real")
    assert methods.refused == {}
    state = {"x": 1, "y": 2**53, "f": 0.0, "b": True, "c": True}
    assert answers(game, methods, **state)[0][0] is None  # 2^53 + 1 is no float
    state = {"x": 1, "f": 2.0**53, "b": True, "c": True}
    assert answers(game, methods, **state)[1][0] is None
    assert answers(game, methods, x=1, y=5, f=3.0, b=True, c=True) == [(9.5, 9.5), (7.5, 7.5)]


def test_a_sure_float_takes_a_small_number_of_numpys_anywhere(tmp_path: Path) -> None:
    texts = ["self.weights[2] * s.tiny[0]", "2.0 * s.tiny[0]", "s.reals[0] * s.tiny[0]", "float(s.x) * s.tiny[0]"]
    texts += ["s.tiny[0] * self.weights[-1]", "WEIGHT * s.tiny[0]", "s.tiny[0] / s.x * s.short[0]"]
    game, methods = methods_of(texts, tmp_path, "WEIGHT = 2.0", kind="real")
    assert methods.refused == {}
    tiny, short = numpy.array([100] * 4, "int8"), numpy.array([2**31 - 1] * 4, "int32")
    found = answers(game, methods, tiny=tiny, short=short, x=2, reals=numpy.array([2.0] * 3))
    assert found == [*[(200.0, 200.0)] * 6, (50.0 * (2**31 - 1),) * 2]


def test_floats_that_a_loop_takes_from_tuples_and_arrays_are_sure(tmp_path: Path) -> None:
    loop = "def program_NUMBER(self, s):\n    total = 0.0\n    for {head}:\n        total += {term}\n    return total\n"
    terms = {
        "i, w in enumerate(WEIGHTS)": "w * s.tiny[i]",
        "w, cell in zip(WEIGHTS, s.tiny)": "w * cell",
        "cell, w in zip(s.tiny, s.reals)": "w * cell",
        "i in range(3)": "s.tiny[i] * (TABLE[1][i] if i else ARRAY[i])",
        "w in WEIGHTS": "math.sqrt(w) * s.tiny[0]",
    }
    constants = "WEIGHTS = (2.0, 3.0, 4.0)\nTABLE = (WEIGHTS, WEIGHTS)\nARRAY = np.array(WEIGHTS)\n"
    programs = [
        Program(loop.format(head=head, term=term), "program_NUMBER(self, s)", "real") for head, term in terms.items()
    ]
    source = methods_source(programs, Fields(words=False)).replace("class Fuzz", f"{constants}\n\nclass Fuzz", 1)
    game = load_game(source, tmp_path, "loops")
    methods = Methods(game, programs)
    assert methods.refused == {}
    found = answers(game, methods, tiny=numpy.array([100] * 4, "int8"), reals=numpy.array([5.0] * 3))
    assert found == [
        (900.0,) * 2,
        (900.0,) * 2,
        (1500.0,) * 2,
        (900.0,) * 2,
        (pytest.approx(python := found[4][1]), python),
    ]


def test_a_power_of_a_float_of_32_bits_is_refused_and_of_one_made_a_float_is_not(tmp_path: Path) -> None:
    for reason in refusals(["s.halves[0] ** 0.5", "s.halves[0] ** s.x", "2.0 ** s.halves[0]"], tmp_path, kind="real"):
        assert re.search(r"fewer bits.*`float\(…\)`", reason)
    game, methods = methods_of(["float(s.halves[0]) ** 0.5"], tmp_path, kind="real")
    assert answers(game, methods, halves=numpy.array([0.25] * 3, "float32")) == [(0.5, 0.5)]


def test_the_whole_part_of_what_may_be_a_whole_number_of_numpys_is_refused(tmp_path: Path) -> None:
    texts = ["math.trunc((s.f if s.c else s.x) + s.row[0])", "math.trunc(self.weights[2] if s.c else s.row[0])"]
    for reason in refusals([*texts, "math.trunc(s.row[0] * 2)"], tmp_path):
        assert re.search(r"of a whole number or what may be one.*`int\(…\)`", reason)
    texts = ["math.trunc(float(s.row[0]))", "math.trunc(s.reals[0])", "math.trunc(s.row[0] / 2)", "math.trunc(s.f * 2)"]
    game, methods = methods_of(texts, tmp_path)
    assert methods.refused == {}
    found = answers(game, methods, row=numpy.array([-7] * 5), reals=numpy.array([-2.5] * 3), f=3.75)
    assert found == [(-7, -7), (-2, -2), (-3, -3), (7, 7)]


def test_what_may_be_a_number_of_numpys_with_a_sign_is_refused_where_that_goes_round(tmp_path: Path) -> None:
    unsure = ["min(s.mine, s.row[0])", "(s.mine if s.c else s.row[0])"]
    texts = [f"{each} {grows}" for each in unsure for grows in ("<< 63", "* 2**62", "+ 2**62", "- 2**63")]
    game, methods = methods_of(texts, tmp_path, kind="word")
    assert methods.refused == {}
    for first in (0, 1, 2, -1, 2**62, -(2**63)):
        for native, python in answers(game, methods, mine=300, row=numpy.array([first, 0, 0, 0, 0])):
            assert native in (None, python)
        for native, python in answers(game, methods, c=True, mine=0, row=numpy.array([first, 0, 0, 0, 0]))[4:6]:
            assert native == python


def test_a_float_is_no_bound_of_a_range(tmp_path: Path) -> None:
    texts = [
        "len(range(s.f))",
        "len(range(2.0))",
        "len(range(s.x, s.x / 2))",
        "len(range((s.row[0] if s.c else 2.5) % 5))",
    ]
    assert [reason for reason in refusals(texts, tmp_path) if "bound of `range`" not in reason] == []


def test_the_size_of_the_least_number_of_numpys_is_refused(tmp_path: Path) -> None:
    game, methods = methods_of(["abs(min(s.row[0], int(s.boards[0])))"], tmp_path, kind="word")
    for first, expected in ((-(2**63), None), (-(2**63) + 1, 2**63 - 1), (5, 5)):
        found = answers(game, methods, row=numpy.array([first] * 5), boards=numpy.array([2**63 + 7] * 3, "uint64"))
        assert found[0][0] == expected


def test_the_least_of_words_and_small_numbers_of_numpys_is_refused(tmp_path: Path) -> None:
    texts = ["min(s.tiny[0], s.mine) // 1000", "max(s.mine & s.boards[1], s.short[0])"]
    assert [reason for reason in refusals(texts, tmp_path, kind="word") if "small numbers" not in reason] == []


def test_what_may_be_a_number_of_numpys_with_a_sign_does_not_meet_its_words(tmp_path: Path) -> None:
    texts = ["min(s.mine, s.row[0]) & s.boards[1]", "(s.mine if s.c else s.row[0]) << (s.boards[0] & 63)"]
    texts += ["max(s.row[1], s.boards[0]) ^ s.boards[0]", "s.boards[2] + (s.boards[0] or s.row[0])"]
    assert [reason for reason in refusals(texts, tmp_path, kind="word") if "other numbers" not in reason] == []
    texts = ["int(min(s.mine, s.row[0])) & s.boards[1]", "(s.boards[0] if s.c else s.mine) ^ s.boards[1]"]
    game, methods = methods_of(texts, tmp_path, kind="word")
    assert methods.refused == {}
    assert answers(game, methods, mine=7, row=numpy.array([9] * 5), boards=numpy.array([1, 3, 5], "uint64")) == [
        (3, 3),
        (4, 4),
    ]


def test_a_sign_before_a_small_number_of_numpys_leaves_it_small(tmp_path: Path) -> None:
    game, methods = methods_of(["(+s.short[0]) + 1", "(-s.short[0]) - 2", "(+s.tiny[0]) * 2"], tmp_path, kind="whole")
    found = answers(game, methods, short=numpy.array([2**31 - 1] * 4, "int32"), tiny=numpy.array([64] * 4, "int8"))
    assert [native for native, _ in found] == [None, None, None]
    assert answers(game, methods, tiny=numpy.array([3] * 4, "int8")) == [(1, 1), (-2, -2), (6, 6)]


def test_a_tuple_takes_no_word_that_may_be_a_number_of_numpys_with_a_sign(tmp_path: Path) -> None:
    texts = ["sum(((s.row[0] or (s.mine & s.boards[1])), s.mine))", "[s.row[0] if s.c else s.mine, s.theirs][s.x]"]
    for reason in refusals(texts, tmp_path, kind="word"):
        assert "or a number with a sign" in reason
    game, methods = methods_of(["((s.boards[0] if s.c else s.mine) << 1, s.theirs)[s.x]"], tmp_path, kind="word")
    assert answers(game, methods, mine=9, theirs=4, boards=numpy.array([1, 3, 5], "uint64")) == [(18, 18)]


def test_a_float_that_may_be_a_whole_number_of_numpys_stays_below_2_to_the_63(tmp_path: Path) -> None:
    game, methods = methods_of(["(s.row[0] or s.reals[0]) * s.row[1]", "s.reals[0] * s.row[1]"], tmp_path, kind="real")
    row = numpy.array([2**62, -4, 0, 0, 0])
    assert answers(game, methods, row=row, reals=numpy.array([2.0**62] * 3)) == [(None, 0), (-(2.0**64), -(2.0**64))]
    assert answers(game, methods, row=row // 2**40, reals=numpy.array([0.5] * 3))[0] == (-(2.0**22), -(2**22))
