"""Which numbers of a rule are surely Python's own, and not NumPy's; needs Numba to import.

To Numba both are one type. NumPy refuses to compute with a whole number of Python's that does not fit its own: 64 bits
with a sign, or without one. So compiled rules must know. Numbers of a state, of its tuples and of the author's
constants count as Python's.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from dis import get_instructions
from types import FunctionType, ModuleType
from typing import Any

import numpy

from zermelo.engine.rules.bits import is_word
from zermelo.engine.rules.constants import dtypes_in, is_numpys
from zermelo.engine.rules.marks import Marked, Origin
from zermelo.engine.rules.numba_api import Dispatcher, get_definition, guard, numba_ir, types
from zermelo.engine.rules.reach import codes_in, names_in
from zermelo.engine.rules.reals import Reals
from zermelo.game.contract import U64, Game

IDENTITY = (operator.is_, operator.is_not)
_DECIDES = (operator.not_, operator.contains, *IDENTITY)
"""Operators that give Python's truth values, whatever they are given."""
_COMPARES = (operator.lt, operator.le, operator.gt, operator.ge, operator.eq, operator.ne)
_METHODS = ("bit_count", "bit_length")


class Origins:
    """The origins of the variables of one function; `whole` are the functions that always give Python's numbers, and
    `passing` those that do if they are given them."""

    def __init__(self, state: Any, own: Any, whole: tuple[Any, ...], passing: tuple[Any, ...]):
        self.ir = state.func_ir
        self._arguments = [kind.held if isinstance(kind, Marked) else kind for kind in state.args]
        self._marks = [kind.origin if isinstance(kind, Marked) else None for kind in state.args]
        self._floats = [isinstance(kind, Marked) and kind.real for kind in state.args]
        self._own = own
        self._is_rule = own is not None and hasattr(Game, state.func_id.func.__name__)
        self._whole, self._passing = whole, passing
        self._pythons = self._closure(lambda held: _Held(self, held, unsigned=False))
        self._unsigned = self._closure(lambda held: _Held(self, held, unsigned=True))
        self._numpys = self._closure(lambda held: _HeldByNumpy(self, held))
        self._reals = self._closure(lambda held: Reals(self, held))

    def _closure(self, origin: Callable[[set[str]], _Held | _HeldByNumpy | Reals]) -> set[str]:
        """The variables all of whose definitions are of one origin: what is computed from itself is so if it was at
        first."""
        found = {name for name, values in self.ir._definitions.items() if values}
        others: Any = True
        while others:
            held = origin(found)
            others = {name for name in found if not all(map(held.has, self.ir._definitions[name]))}
            found -= others
        return found

    def is_pythons(self, variable: Any) -> bool:
        """Whether a variable holds Python's own numbers, or a tuple of them."""
        return variable.name in self._pythons

    def is_unsigned(self, variable: Any) -> bool:
        """Whether a variable holds Python's own numbers, or NumPy's of 64 bits without a sign."""
        return variable.name in self._unsigned

    def is_numpys(self, variable: Any) -> bool:
        """Whether a variable holds NumPy's numbers."""
        return variable.name in self._numpys

    def of(self, variable: Any) -> Origin:
        """Whose numbers a variable holds."""
        if self.is_pythons(variable):
            return Origin.PYTHONS
        return Origin.NUMPYS if self.is_numpys(variable) else Origin.EITHERS

    def is_real(self, variable: Any) -> bool:
        """Whether a variable surely holds floats, Python's or NumPy's, or an array."""
        return variable.name in self._reals

    def attribute(self, value: Any) -> Any:
        """The value of an attribute of the game, if `value` reads one; `None` if it does not."""
        reads = value.op == "getattr" and self._own is not None and self.type(value.value) is self._own
        return self._own.constant(value.attr) if reads and self._own.is_constant(value.attr) else None

    def is_real_argument(self, value: Any) -> bool:
        """Whether an argument is surely a float, as the caller says."""
        return bool(self._floats[value.index])

    def counts_as_pythons(self, value: Any) -> bool:
        """Whether an argument, or the one of which it is a part, is a state or one of Python's tuples."""
        found = guard(get_definition, self.ir, value) if isinstance(value, numba_ir.Var) else value
        if isinstance(found, numba_ir.Expr):
            return isinstance(self.type(found), types.BaseNamedTuple) or self.counts_as_pythons(found.value)
        mark = self._marks[found.index]
        own = self._is_rule if mark is None else mark is Origin.PYTHONS
        return own or isinstance(self._arguments[found.index], types.BaseNamedTuple)

    def type(self, value: Any) -> Any:
        """The type of an argument, or of a part of one; `None` where it is not known yet."""
        found = guard(get_definition, self.ir, value) if isinstance(value, numba_ir.Var) else value
        if isinstance(found, numba_ir.Arg):
            return self._arguments[found.index]
        if not isinstance(found, numba_ir.Expr) or found.op not in ("getattr", "static_getitem", "exhaust_iter"):
            return None
        holder = self.type(found.value)
        if found.op == "exhaust_iter":
            return holder if isinstance(holder, types.BaseTuple) else None
        if found.op == "static_getitem":
            inside = isinstance(holder, types.BaseTuple) and isinstance(found.index, int)
            return holder.types[found.index] if inside and -len(holder) <= found.index < len(holder) else None
        fields = getattr(holder, "fields", ())
        return holder.types[fields.index(found.attr)] if found.attr in fields else None


def is_real_constant(func_ir: Any, value: Any) -> bool:
    """Whether a variable is a constant that is a float in Python."""
    found = guard(get_definition, func_ir, value)
    return isinstance(found, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)) and isinstance(found.value, float)


class _Held:
    """Whether what is assigned to a variable has an origin, if the variables `held` do: Python's own numbers, and with
    `unsigned` also NumPy's of 64 bits without a sign."""

    def __init__(self, origins: Origins, held: set[str], unsigned: bool):
        self._of, self._held, self._unsigned = origins, held, unsigned

    def has(self, value: Any) -> bool:
        if isinstance(value, numba_ir.Var):
            return value.name in self._held
        if isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
            return self._is_constant(value.value)
        if isinstance(value, numba_ir.Arg):
            kind = self._of._arguments[value.index]
            if self._unsigned and self._is_unsigned(kind):
                return True
            if isinstance(kind, types.Omitted):
                return self._is_constant(kind.value)
            return kind is not self._of._own and not _holds_arrays(kind) and self._of.counts_as_pythons(value)
        return isinstance(value, numba_ir.Expr) and self._has_expression(value)

    def _is_constant(self, value: Any) -> bool:
        return dtypes_in(value) <= ({"uint64"} if self._unsigned else set())

    @staticmethod
    def _is_unsigned(kind: Any) -> bool:
        return is_word(kind.dtype if isinstance(kind, types.Array) else kind)

    def _has_expression(self, value: Any) -> bool:
        if value.op == "getattr":
            return self._has_attribute(value)
        if value.op == "call":
            return self._has_call(value)
        if value.op == "build_list":
            return False  # anything may be appended to it
        if value.op == "phi":
            return all(map(self.has, value.incoming_values))
        if value.op in ("unary", "binop") and value.fn in _DECIDES:
            return True
        if self._unsigned and value.op == "binop" and value.fn in _COMPARES:
            return all(map(self._of.is_pythons, value.list_vars()))  # NumPy's truth values count with a sign
        if value.op in ("getitem", "static_getitem", "typed_getitem"):
            kind = self._of.type(value)
            return self.has(value.value) if kind is None else self._has_part(value.value, kind)
        return all(map(self.has, value.list_vars()))

    def _has_attribute(self, value: Any) -> bool:
        own, holder = self._of._own, self._of.type(value.value)
        if holder is own and holder is not None:
            known = own.is_constant(value.attr)
            return self._is_constant(own.constant(value.attr)) if known else _is_plain_property(own, value.attr, set())
        kind = self._of.type(value)
        return kind is not None and self._has_part(value.value, kind)

    def _has_part(self, holder: Any, kind: Any) -> bool:
        """Of a part of an argument, of this type."""
        if self._unsigned and self._is_unsigned(kind):
            return True
        return not _holds_arrays(kind) and self._of.counts_as_pythons(holder)

    def _has_call(self, value: Any) -> bool:
        called = guard(get_definition, self._of.ir, value.func)
        if isinstance(called, (numba_ir.Global, numba_ir.FreeVar)):
            if any(called.value is each for each in self._of._whole):
                return True
            passes = any(called.value is each for each in self._of._passing) or _is_plain(called.value, set())
            given = [*value.args, *(each for _, each in value.kws), *([value.vararg] if value.vararg else [])]
            if self._unsigned and _compares(called.value, set()) and not all(map(self._of.is_pythons, given)):
                return False
            return passes and all(map(self.has, given))
        return isinstance(called, numba_ir.Expr) and called.op == "getattr" and called.attr in _METHODS


class _HeldByNumpy:
    """Whether what is assigned to a variable is NumPy's, if the variables `held` are."""

    def __init__(self, origins: Origins, held: set[str]):
        self._of, self._held = origins, held

    def has(self, value: Any) -> bool:
        if isinstance(value, numba_ir.Var):
            return value.name in self._held
        if isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
            return is_numpys(value.value)
        if isinstance(value, numba_ir.Arg):
            numpys = self._of._marks[value.index] is Origin.NUMPYS
            return numpys or isinstance(self._of._arguments[value.index], types.Array)
        if not isinstance(value, numba_ir.Expr):
            return False
        if value.op == "getattr":
            return isinstance(self._of.type(value), types.Array)
        if value.op == "phi":
            return all(map(self.has, value.incoming_values))
        if value.op in ("getitem", "static_getitem", "typed_getitem"):
            return self.has(value.value)
        decides = value.op in ("unary", "binop") and value.fn in _DECIDES
        computes = value.op in ("unary", "binop", "inplace_binop") and not decides
        return computes and any(map(self.has, value.list_vars()))


def _holds_arrays(kind: Any) -> bool:
    """Whether a type is one of arrays, or of tuples with arrays in them: the types of their parts tell more."""
    return isinstance(kind, types.Array) or (isinstance(kind, types.BaseTuple) and any(map(_holds_arrays, kind.types)))


def _is_plain(called: Any, above: set[Any]) -> bool:
    """Whether a function of the author's uses nothing of NumPy's, so that its numbers are of the origin that they are
    given."""
    if not isinstance(called, Dispatcher):
        return False
    function = called.py_func
    if function in above:
        return True
    return all(_is_plain_value(value, above | {function}) for value in _used_by(function))


def _is_plain_property(own: Any, name: str, above: set[Any]) -> bool:
    """Whether a property of the game's, or a method that one uses, uses nothing of NumPy's."""
    if name in above:
        return True
    called = own.dispatcher(name).dispatcher
    names = set(names_in(called.py_func.__code__))
    written = [own.written(each) for each in names]
    plain = _is_plain(called, set()) and not any(dtypes_in(each) or callable(each) for each in written)
    return plain and all(_is_plain_property(own, each, above | {name}) for each in names if own.has_method(each))


def _used_by(function: Any) -> list[Any]:
    """The values that a function of the author's finds under names of its module, captures, or has as defaults."""
    names = list(names_in(function.__code__))
    found = [function.__globals__[name] for name in names if name in function.__globals__]
    members = [vars(each)[name] for each in found if _is_own_module(each) for name in names if name in vars(each)]
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    defaults = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
    return [*found, *members, *cells, *defaults]


def _is_own_module(value: Any) -> bool:
    return isinstance(value, ModuleType) and value is not math


def _compares(called: Any, above: set[Any]) -> bool:
    """Whether a function of the author's compares numbers, or one that it uses."""
    if not isinstance(called, Dispatcher) or called.py_func in above:
        return False
    function = called.py_func
    own = any(each.opname == "COMPARE_OP" for code in codes_in(function.__code__) for each in get_instructions(code))
    return own or any(_compares(value, above | {function}) for value in _used_by(function))


def _is_plain_value(value: Any, above: set[Any]) -> bool:
    if isinstance(value, Dispatcher):
        return _is_plain(value, above)
    if isinstance(value, FunctionType) and value is not U64:
        return False  # of a module, and not looked into
    return value is not numpy and not dtypes_in(value) and getattr(value, "__module__", None) != numpy.__name__
