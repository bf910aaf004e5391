"""What the compiler claims of numbers, as that they are surely Python's own, holds in Python."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest

from zermelo.engine.rules.bits import word64
from zermelo.engine.rules.numba_api import types

sys.path.insert(0, str(Path(__file__).parents[2] / "bench"))

from rules_claims import Claims
from rules_fuzz import load_game, random_state
from rules_methods import Methods
from rules_pairs import PairWriter
from rules_programs import Fields, methods_source

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")


def test_the_claims_of_random_rules_hold(tmp_path: Path) -> None:
    rng, fields = random.Random(4), Fields(words=True)
    writer = PairWriter(rng, fields)
    programs = [writer.program() for _ in range(60)]
    game = load_game(methods_source(programs, fields), tmp_path, "claims")
    methods = Methods(game, programs)
    assert methods.compiled
    for _ in range(20):
        s = random_state(game, rng)
        packed = methods.pack(s)
        for i in methods.compiled:
            if methods.run(i, packed) is not None:
                assert methods.contradiction(i, getattr(game, f"program_{i}")(s)) == "", (str(programs[i]), s)


@pytest.mark.parametrize(
    ("kind", "claims", "given", "wrong"),
    [
        (types.int64, {"pythons": True}, numpy.int64(3), "surely Python's"),
        (types.float64, {"real": True}, 3, "surely a float"),
        (word64, {"unsigned": True}, numpy.int64(3), "without a sign, a word"),
        (types.int64, {}, numpy.int8(3), "no small number"),
        (types.int64, {}, numpy.bool_(True), "no truth value"),
        (types.int64, {}, numpy.uint64(3), "no word of NumPy's"),
        (types.int64, {"pythons": True}, 3, ""),
    ],
)
def test_a_claim_that_does_not_hold_is_named(kind: Any, claims: dict[str, bool], given: Any, wrong: str) -> None:
    none = dict.fromkeys(("pythons", "unsigned", "numpys", "real"), False)
    assert Claims(kind, **none | claims).contradiction(given) == wrong
