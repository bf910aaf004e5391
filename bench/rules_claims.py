"""What the analysis of rules claims of the number that a program answers, held to the number that Python gives.

A claim that is wrong shows in an answer only where that number meets a third, so that random programs seldom find it.
The claims are read where the compiler makes them (`zermelo.engine.rules.origins`), beside Numba's type.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any, NamedTuple
from unittest import mock

import numpy

from zermelo.engine.rules import operators
from zermelo.engine.rules.bits import Bits, is_small, is_truth, is_whole, is_word
from zermelo.engine.rules.checks import Checks
from zermelo.engine.rules.numba_api import numba_ir, numpy_support, types


class Claims(NamedTuple):
    """What is claimed of all numbers that a function returns; the origins as in `Origins`."""

    kind: Any
    """Numba's type."""
    pythons: bool
    unsigned: bool
    numpys: bool
    real: bool

    def contradiction(self, given: Any) -> str:
        """The claims that do not hold of this number; empty if all do."""
        kind, own = self.kind, type(given) in (int, float, bool)
        truth = isinstance(given, (bool, numpy.bool_))
        whole = truth or isinstance(given, (int, numpy.integer))
        small = (numpy.integer, numpy.float32)
        wrong = {
            "surely Python's": self.pythons and not own,
            "surely NumPy's": self.numpys and own,
            "surely a float": self.real and whole,
            "without a sign": self.unsigned and whole and not own and not isinstance(given, numpy.uint64),
            "no truth value": truth and not is_truth(kind),
            "no small number": isinstance(given, small) and given.itemsize < 8 and not _is_few(kind, given),
            "a small float": kind == types.float32 and not _is_few(kind, given),
            "a small number": is_small(kind) and not whole,
            "no word of NumPy's": isinstance(given, numpy.uint64) and is_whole(kind) and not _may_be_word(kind),
            "a word": isinstance(given, numpy.int64) and is_word(kind),
            "a whole number": is_whole(kind) and not whole,
        }
        return ", ".join(claim for claim, is_wrong in wrong.items() if is_wrong)


def _is_few(kind: Any, given: Any) -> bool:
    known = isinstance(kind, (types.Integer, types.Float)) and isinstance(given, numpy.generic)
    return bool(known and numpy_support.as_dtype(kind) == given.dtype)


def _may_be_word(kind: Any) -> bool:
    return is_word(kind) or (isinstance(kind, Bits) and kind.of_word)


@contextlib.contextmanager
def noted() -> Iterator[dict[str, Claims]]:
    """Notes the claims of each function that is compiled in the block, by its name."""
    found: dict[str, Claims] = {}

    class Watched(Checks):
        def __init__(self, state: Any, *facts: Any):
            super().__init__(state, *facts)
            origins = self._origins
            statements = [each for block in state.func_ir.blocks.values() for each in block.body]
            returned = [each.value for each in statements if isinstance(each, numba_ir.Return)]
            claims = (origins.is_pythons, origins.is_unsigned, origins.is_numpys, origins.is_real)
            found[state.func_id.func.__name__] = Claims(None, *(all(map(claim, returned)) for claim in claims))

    with mock.patch.object(operators, "Checks", Watched):
        yield found
