"""Which variables of a rule surely hold floats in Python, and no whole numbers; needs Numba to import.

To Numba what is `0.5` or `n` is a float. NumPy keeps a whole number beside one of its own in the bits of that one, and
a float it does not. So compiled rules must know.
"""

from __future__ import annotations

import math
import operator
from typing import TYPE_CHECKING, Any

from zermelo.engine.rules.builtin import MATH, exact_max, exact_min
from zermelo.engine.rules.constants import holds_floats
from zermelo.engine.rules.numba_api import get_definition, guard, numba_ir, types
from zermelo.engine.rules.unary import exact_abs, exact_float

if TYPE_CHECKING:
    from zermelo.engine.rules.origins import Origins

_SIGNS = (operator.neg, operator.pos)
_KEEPS_FLOATS = (operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.pow)
"""Operators that give a float if one of two numbers is one."""
_CHOOSES = (exact_abs, exact_max, max, exact_min, min)
"""Functions that give a float if all their arguments are floats."""
_WHOLE_MATH = ("ceil", "floor", "gcd", "trunc")
_REAL_MATH = {name: exact for name, exact in MATH.items() if name not in _WHOLE_MATH}
_CONSTANT = (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)


class Reals:
    """Whether what is assigned to a variable is surely a float, or an array, if the variables `held` are."""

    def __init__(self, origins: Origins, held: set[str]):
        self._of, self._held = origins, held

    def has(self, value: Any) -> bool:
        if isinstance(value, numba_ir.Var):
            return value.name in self._held
        if isinstance(value, _CONSTANT):
            return isinstance(value.value, float)
        if isinstance(value, numba_ir.Arg):
            return self._of.is_real_argument(value)
        return isinstance(value, numba_ir.Expr) and self._has_expression(value)

    def _has_expression(self, value: Any) -> bool:
        if value.op in ("binop", "inplace_binop"):
            meant = value.immutable_fn if value.op == "inplace_binop" else value.fn
            keeps = meant in _KEEPS_FLOATS and (self.has(value.lhs) or self.has(value.rhs))
            return keeps or meant is operator.truediv
        if value.op == "unary":
            return value.fn in _SIGNS and self.has(value.value)
        if value.op in ("phi", "cast"):
            return all(map(self.has, value.list_vars()))
        if value.op == "call":
            return self._has_call(value)
        if value.op == "getattr":
            return isinstance(self._of.attribute(value), float)
        if value.op == "pair_first":
            return self._gives_floats(self._iterated(value))
        if value.op == "static_getitem" and self._is_together(value):
            return True
        return value.op in ("getitem", "static_getitem") and self._gives_floats(value.value)

    def _has_call(self, value: Any) -> bool:
        called = self._definition(value.func)
        if isinstance(called, numba_ir.Expr) and called.op == "getattr":
            return called.attr in _REAL_MATH and self._constant(called.value) is math
        function = self._constant(value.func)
        if function is exact_float or any(function is each for each in _REAL_MATH.values()):
            return True
        if not any(function is each for each in _CHOOSES) or value.vararg:
            return False
        of_one = len(value.args) == 1 and function is not exact_abs
        return self._gives_floats(value.args[0]) if of_one else all(map(self.has, value.args))

    def _gives_floats(self, holder: Any) -> bool:
        """Whether all that a tuple or array holds is floats, however deep."""
        kind = self._of.type(holder) if holder is not None else None
        found = self._definition(holder)
        if isinstance(kind, types.Array):  # that a caller gives may be one of the author's tuples
            return isinstance(kind.dtype, types.Float) and not isinstance(found, numba_ir.Arg)
        if isinstance(found, numba_ir.Expr) and found.op in ("getitem", "static_getitem"):
            return self._gives_floats(found.value)
        return holds_floats(self._of.attribute(found) if isinstance(found, numba_ir.Expr) else self._constant(holder))

    def _is_together(self, value: Any) -> bool:
        """Whether a loop takes this float from `enumerate(…)` or `zip(…)`."""
        taken = self._definition(value.value)
        if isinstance(taken, numba_ir.Expr) and taken.op == "exhaust_iter":
            taken = self._definition(taken.value)
        called = self._definition(self._iterated(taken))
        if not isinstance(called, numba_ir.Expr) or called.op != "call" or called.vararg:
            return False
        function = self._constant(called.func)
        if function is enumerate:
            return value.index == 1 and self._gives_floats(called.args[0])
        inside = function is zip and isinstance(value.index, int) and 0 <= value.index < len(called.args)
        return inside and self._gives_floats(called.args[value.index])

    def _iterated(self, taken: Any) -> Any:
        """What a loop goes through that takes this value; `None` if no loop does."""
        for op in ("pair_first", "iternext", "getiter"):
            if not isinstance(taken, numba_ir.Expr) or taken.op != op:
                return None
            taken, holder = self._definition(taken.value), taken.value
        return holder

    def _constant(self, variable: Any) -> Any:
        """The value of a variable that is a constant; `None` if it is not."""
        found = self._definition(variable)
        return found.value if isinstance(found, _CONSTANT) else None

    def _definition(self, variable: Any) -> Any:
        return guard(get_definition, self._of.ir, variable) if variable is not None else None
