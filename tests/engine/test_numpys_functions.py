"""NumPy's functions and operators of arrays in compiled rules: in the types in which NumPy computes, or refused."""

from __future__ import annotations

from pathlib import Path

import numpy
import pytest
from tests.engine.methods import answers, methods_of, refusals

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")


def test_functions_that_round_in_a_way_of_their_own_are_refused(tmp_path: Path) -> None:
    texts = ["np.exp(s.f)", "np.tanh(s.reals)[0]", "np.log(s.reals).sum()", "np.power(s.x, 2)", "np.mod(s.f, s.g)"]
    assert [reason for reason in refusals(texts, tmp_path, "real") if not reason.endswith("number by number")] == []


def test_functions_compute_in_the_types_of_numpy(tmp_path: Path) -> None:
    texts = [
        "np.minimum(s.tiny, 100)[0]",
        "np.add(s.tiny, s.x)[0]",
        "np.sqrt(s.tiny[0])",
        "np.where(s.flags, s.tiny, 3)[0]",
    ]
    texts += ["np.divide(s.tiny, s.tiny)[0]", "np.multiply(s.halves, s.f)[0]", "np.sign(s.b)"]
    texts += ["np.ptp(s.tiny[0])", "np.maximum(s.boards, 3)[0]", "s.boards.clip(0, 3)[0]", "np.full(3, s.mine)[0]"]
    assert len(refusals(texts, tmp_path, "real")) == len(texts)


def test_operators_of_arrays_compute_in_the_types_of_numpy(tmp_path: Path) -> None:
    texts = [
        "(s.tiny ** 3)[0]",
        "(s.halves ** s.f)[0]",
        "(s.flags / s.flags[0])[0]",
        "(s.boards + 3)[0]",
        "(s.reals ** 3)[0]",
    ]
    texts += [
        "(s.row << s.row)[0]",
        "(s.row >> s.row)[0]",
        "(s.reals // 2.5)[0]",
        "(s.row % s.f)[0]",
    ]
    texts += ["(s.boards < s.x)[0]", "(s.boards == s.row[0])[0]"]
    assert len(refusals(texts, tmp_path, "real")) == len(texts)


def test_ordinary_rules_of_arrays_compile(tmp_path: Path) -> None:
    texts = [
        "s.row.sum()",
        "np.sum(s.tiny)",
        "(s.row + s.x)[0]",
        "(s.row * 3)[1]",
        "(s.row == s.x).sum()",
        "(s.tiny == 3).any()",
    ]
    texts += ["np.count_nonzero(s.tiny > 0)", "np.abs(s.row)[0]", "np.argmax(s.row)", "np.where(s.row > 0)[0][0]"]
    texts += [
        "s.grid[:, 1].sum()",
        "np.sqrt(s.reals[0])",
        "np.minimum(s.row, 3)[0]",
        "(s.row ** 2)[0]",
    ]
    texts += [
        "(s.boards == 0).sum()",
        "(s.boards & s.boards)[0]",
        "np.zeros(3, np.int8)[0]",
        "s.tiny.max()",
        "(-s.tiny)[0]",
    ]
    texts += ["(s.flags & (s.row[:4] > 1)).any()", "np.arange(5)[s.x]", "(s.reals * s.f)[0]"]
    game, methods = methods_of(texts, tmp_path, kind="real")
    assert [texts[i] for i in methods.refused] == []
    own = {"row": numpy.array([4, -5, 0, 9, 2]), "tiny": numpy.array([3, -7, 100, 0], "int8"), "x": 2, "f": 1.5}
    found = answers(game, methods, **own, reals=numpy.array([2.25, 0.5, 3.0]), flags=numpy.array([True] * 4))
    assert [native for native, _ in found] == [python for _, python in found]


def test_an_array_is_shifted_within_its_bits(tmp_path: Path) -> None:
    game, methods = methods_of(["(s.row << s.x)[0]", "(s.row >> s.x)[0]", "(s.flags << s.x)[0]"], tmp_path)
    assert methods.refused == {}
    own = {"row": numpy.array([-5] * 5), "flags": numpy.array([True] * 4)}
    assert answers(game, methods, x=3, **own) == [(-40, -40), (-1, -1), (8, 8)]
    for x in (64, -1):
        assert [native for native, _ in answers(game, methods, x=x, **own)] == [None] * 3
