"""The checks that a rule needs where numbers may be NumPy's; needs Numba to import."""

from __future__ import annotations

import math
import operator
from typing import Any

from zermelo.engine.rules.builtin import (
    MATH,
    NUMBERS_ONLY,
    PYTHONS,
    TAKES_BITS,
    exact_divmod,
    exact_max,
    exact_min,
    exact_pow,
    strict_pow,
)
from zermelo.engine.rules.marks import MARKS, Marked, Origin, unmark
from zermelo.engine.rules.numba_api import Dispatcher, NumbaTypeError, get_definition, guard, numba_ir
from zermelo.engine.rules.origins import IDENTITY, Origins, is_real_constant
from zermelo.engine.rules.ranges import exact_range
from zermelo.engine.rules.rewriting import call, passed_through
from zermelo.engine.rules.tuples import exact_all, exact_any, exact_tuple
from zermelo.engine.rules.unary import (
    apart,
    as_index_in,
    as_number_of_python,
    beside_either,
    beside_numpy,
    beside_unsigned,
    maybe_word,
    no_float_beside,
    no_identity,
    no_number,
    no_set,
    no_text,
    no_truth,
    not_identical,
    without_sign,
    without_top,
)
from zermelo.game.contract import Game

_KEEPS_TRUTHS = {operator.and_, operator.or_, operator.xor}
"""Operators that give a truth value if both numbers are one."""
BITWISE = _KEEPS_TRUTHS | {operator.lshift}
_COMPUTES = {operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, operator.pow, operator.rshift}
_COMPUTES |= BITWISE
_GROWS = {operator.add, operator.sub, operator.mul, operator.lshift, operator.neg}
_BOUNDS = {operator.mod: 1, operator.rshift: 0}
"""Operators with a result that is within one of the numbers, and the place of that one."""
_CONSTANT = (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)
_OF_ANY_TYPE = {slice: no_text, str: no_text, repr: no_text, format: no_text}
_OF_ANY_TYPE |= dict.fromkeys((list, exact_tuple, enumerate, zip, iter), no_set)
"""Functions that Numba has for all types, and means something else than Python for some: their checks."""


class Checks:
    """The checks of one function, in a game that holds words or not; the other two as in `reach.Numbers`."""

    def __init__(self, state: Any, own: Any, words: bool, numpy_words: bool, mixed: bool):
        self._ir, self._own = state.func_ir, own
        self._words, self._numpy_words, self._mixed = words, numpy_words, mixed
        self._origins = Origins(state, own, (*PYTHONS, exact_all, exact_any), TAKES_BITS)

    def marks(self, arguments: Any, scope: Any, statement: Any) -> list[Any]:
        """Marks what a function of the author's is given, takes the marks off where it begins, and returns the
        statements that must come before."""
        value, origins = statement.value, self._origins
        if isinstance(value, numba_ir.Arg) and isinstance(arguments[value.index], Marked):
            given = numba_ir.Assign(value, scope.redefine("$marked", statement.loc), statement.loc)
            return [given, *call(scope, statement, unmark, (given.target,))]
        if not isinstance(value, numba_ir.Expr):
            return []
        if value.op == "getattr" and value.attr == "bit_length" and not origins.is_pythons(value.value):
            before, value.value = passed_through(scope, (value.value,), no_number, value.loc)
            return before
        called = guard(get_definition, self._ir, value.func) if value.op == "call" else None
        is_method = self._is_method(called)
        if not is_method and not isinstance(getattr(called, "value", None), Dispatcher):
            return []
        is_rule = is_method and hasattr(Game, getattr(called, "attr", ""))
        if is_rule and value.vararg is not None and not origins.is_pythons(value.vararg):
            raise NumbaTypeError("a rule gives another rule what may be NumPy's", loc=value.loc)
        before, marked = [], []
        for each in (*value.args, *(each for _, each in value.kws)):
            origin = origins.of(each)
            plain = is_rule and origin is Origin.PYTHONS  # as from the slots
            made, given = (
                ([], each) if plain else passed_through(scope, (each,), MARKS[origin, origins.is_real(each)], value.loc)
            )
            before += made
            marked.append(given)
        value.args, named = tuple(marked[: len(value.args)]), marked[len(value.args) :]
        value.kws = [(name, each) for (name, _), each in zip(value.kws, named, strict=True)]
        return before

    def truths(self, scope: Any, value: Any) -> list[Any]:
        """Checks that no truth value of NumPy's is taken for a number, where Numba would, and lets those of Python's be
        numbers; returns the statements that must come before."""
        if not isinstance(value, numba_ir.Expr):
            return []
        before: list[Any] = []
        if value.op == "binop" and value.fn is operator.contains:
            before, value.rhs = passed_through(scope, (value.rhs,), as_number_of_python, value.loc)
            return before
        if value.op == "binop" and value.fn in IDENTITY:
            if not all(map(self._origins.is_pythons, (value.lhs, value.rhs))) and not self._has_none(value):
                before, value.lhs = passed_through(scope, (value.lhs, value.rhs), no_identity, value.loc)
            return before
        if value.op in ("binop", "inplace_binop") and self._may_be_truths(value.lhs, value.rhs):
            if _meant(value) is operator.pow or _meant(value) in _KEEPS_TRUTHS:
                return []  # `real_pow` takes all of Python's
            before, value.lhs = passed_through(scope, (value.lhs,), as_number_of_python, value.loc)
            more, value.rhs = passed_through(scope, (value.rhs,), as_number_of_python, value.loc)
            return before + more
        if value.op == "unary" and self._may_be_truths(value.value):
            before, value.value = passed_through(scope, (value.value,), as_number_of_python, value.loc)
        elif value.op == "call" and self._called(value) in NUMBERS_ONLY:
            if value.vararg is not None:
                raise NumbaTypeError("a rule gives a built-in function numbers with `*`", loc=value.loc)
            numbers = []
            gives_one = self._called(value) in (exact_max, exact_min)  # and a truth value stays one

            for each in value.args:
                if isinstance(guard(get_definition, self._ir, each), _CONSTANT) and not gives_one:
                    numbers.append(each)  # Numba must see that it is constant
                    continue
                check = as_number_of_python if self._origins.is_pythons(each) and not gives_one else no_truth
                made, number = passed_through(scope, (each,), check, value.loc)
                before += made
                numbers.append(number)
            value.args = tuple(numbers)
        return before

    def whole_parts(self, statement: Any) -> None:
        """Checks that `math.trunc` takes no number that may be one of NumPy's whole ones."""
        value = getattr(statement, "value", None)
        if not isinstance(value, numba_ir.Expr) or value.op != "call" or self._called(value) is not MATH["trunc"]:
            return
        if not all(self._origins.is_pythons(each) or self._origins.is_real(each) for each in value.args):
            raise NumbaTypeError(
                "a rule takes `math.trunc` of a whole number or what may be one, which NumPy's do not have"
            )

    def index(self, scope: Any, statement: Any) -> list[Any]:
        """Lets truth values of Python's be an index; returns the statements that must come before."""
        holder = statement.value if isinstance(statement, numba_ir.Assign) else statement
        reads = isinstance(holder, numba_ir.Expr) and holder.op == "getitem"
        if not (reads or isinstance(holder, numba_ir.SetItem)) or not self._may_be_truths(holder.index):
            return []
        container = holder.value if reads else holder.target
        if self._origins.is_pythons(container):
            before, holder.index = passed_through(scope, (holder.index,), as_number_of_python, statement.loc)
        else:
            before, holder.index = passed_through(scope, (holder.index, container), as_index_in, statement.loc)
        return before

    def _has_none(self, value: Any) -> bool:
        """Whether one of two operands is `None`."""
        found = [guard(get_definition, self._ir, each) for each in (value.lhs, value.rhs)]
        return any(isinstance(each, _CONSTANT) and each.value is None for each in found)

    def _may_be_truths(self, *operands: Any) -> bool:
        """Whether these are Python's own, and one has values from several places: a truth value may be one of them."""
        return any(map(self._is_unsure, operands)) and all(map(self._origins.is_pythons, operands))

    def _is_unsure(self, operand: Any) -> bool:
        """Whether a variable has values from several places, or is computed by bits from one that has."""
        found = guard(get_definition, self._ir, operand)
        if not isinstance(found, numba_ir.Expr) or found.op not in ("binop", "inplace_binop"):
            return found is None
        return _meant(found) in _KEEPS_TRUTHS and (self._is_unsure(found.lhs) or self._is_unsure(found.rhs))

    def _called(self, value: Any) -> Any:
        """The function that is called, as compiled rules have it; `None` if it is not known."""
        called = guard(get_definition, self._ir, value.func)
        if isinstance(called, numba_ir.Expr) and called.op == "getattr" and called.attr in MATH:
            module = guard(get_definition, self._ir, called.value)
            return MATH[called.attr] if getattr(module, "value", None) is math else None
        return getattr(called, "value", None)

    def _is_method(self, called: Any) -> bool:
        """Whether a function is one of the game's own."""
        named = isinstance(called, numba_ir.Expr) and called.op == "getattr"
        if not named or self._own is None or self._origins.type(called.value) is not self._own:
            return False
        return not self._own.is_constant(called.attr) or isinstance(self._own.constant(called.attr), Dispatcher)

    def origins(self, scope: Any, value: Any) -> list[Any]:
        """Checks that words and bits fit NumPy's numbers with which they meet, and returns the statements that must
        come before.

        NumPy raises where a number of Python's does not fit its own, with a sign or without one.
        """
        if not isinstance(value, numba_ir.Expr):
            return []
        if value.op in ("binop", "inplace_binop"):
            meant = _meant(value)
            pair = (value.lhs, value.rhs) if meant in (_COMPUTES if self._words else BITWISE) else ()
        elif self._words and value.op == "call" and len(value.args) == 2:
            called = guard(get_definition, self._ir, value.func)
            pair = value.args if getattr(called, "value", None) in (exact_divmod, exact_pow, strict_pow) else ()
        else:
            return []
        if not pair or all(map(self._origins.is_pythons, pair)) or any(map(self._origins.is_real, pair)):
            return []
        before: list[Any] = []
        checked = []
        for each, other in (pair, pair[::-1]):
            check = self._beside(each, other)
            if self._numpy_words:
                made, each = passed_through(scope, (each, other), no_float_beside, value.loc)
                before += made
            made, fitting = passed_through(scope, (each, other), check, value.loc) if check else ([], each)
            before += made
            checked.append(fitting)
        if value.op != "call" and (place := _BOUNDS.get(meant)) is not None:
            made, checked[place] = passed_through(scope, (checked[place], checked[1 - place]), maybe_word, value.loc)
            before += made
        if value.op == "call":
            value.args = tuple(checked)
        else:
            value.lhs, value.rhs = checked
        return before

    def _beside(self, each: Any, other: Any) -> Any:
        """What checks that a number fits the other, which may be NumPy's; `None` if it need not."""
        own = self._origins.is_pythons(each)
        if self._origins.is_unsigned(each) and self._origins.is_unsigned(other):
            alike = self._origins.is_numpys(each) or self._origins.is_pythons(other)
            return beside_unsigned if self._numpy_words and not alike else None
        if self._mixed:
            return beside_either if own else None if self._origins.is_pythons(other) else apart
        return beside_numpy

    def may_wrap(self, value: Any) -> list[Any]:
        """What forgets a result that NumPy's numbers would not have: those of words go round below zero, and those with
        a sign from 2^63 on."""
        if not self._words or not isinstance(value, numba_ir.Expr):
            return []
        operands: tuple[Any, ...]
        if value.op == "unary":
            operands, meant = (value.value,), value.fn
        elif value.op in ("binop", "inplace_binop"):
            operands, meant = (value.lhs, value.rhs), _meant(value)
        else:
            return []
        negative = meant in (operator.neg, operator.sub) and not all(map(self._origins.is_pythons, operands))
        large = meant in _GROWS and not all(map(self._origins.is_unsigned, operands))
        return [*[without_sign] * negative, *[without_top] * large]

    def closes_surely(self, operand: Any) -> bool:
        """Whether a word stays one for sure where its bits are made a number."""
        return not self._mixed or self._origins.is_unsigned(operand)

    def is_real(self, operand: Any) -> bool:
        """Whether an operand is surely a float in Python, or an array."""
        return self._origins.is_real(operand)

    def has_inverse(self, base: Any, exponent: Any) -> bool:
        """Whether a float takes part in a power in Python too, or no number of NumPy's does."""
        pair = (base, exponent)
        return any(map(self._origins.is_real, pair)) or all(map(self._origins.is_pythons, pair))


def of_any_type(func_ir: Any, scope: Any, value: Any) -> list[Any]:
    """Checks what Numba takes of any type, and returns the statements that must come before."""
    if not isinstance(value, numba_ir.Expr):
        return []
    if value.op == "binop" and value.fn in IDENTITY:
        before, value.lhs = passed_through(scope, (value.lhs, value.rhs), not_identical, value.loc)
        return before
    if value.op == "getiter" or (value.op == "getattr" and value.attr == "pop"):
        before, value.value = passed_through(scope, (value.value,), no_set, value.loc)
        return before
    called = guard(get_definition, func_ir, value.func) if value.op == "call" else None
    if getattr(called, "value", None) is range:
        value.func = scope.redefine("$exact", value.loc)
        return [numba_ir.Assign(numba_ir.Global(exact_range.__name__, exact_range, value.loc), value.func, value.loc)]
    check = next((check for each, check in _OF_ANY_TYPE.items() if getattr(called, "value", None) is each), None)
    if check is None:
        return []
    before, checked = [], []
    for each in value.args:
        known = isinstance(guard(get_definition, func_ir, each), _CONSTANT) and not is_real_constant(func_ir, each)
        made, given = ([], each) if known else passed_through(scope, (each,), check, value.loc)
        before += made
        checked.append(given)
    value.args = tuple(checked)
    return before


def _meant(value: Any) -> Any:
    """The operator of an expression; of `a += b`, that of `a + b`."""
    return value.immutable_fn if value.op == "inplace_binop" else value.fn
