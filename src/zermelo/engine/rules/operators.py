"""The compiler pass that substitutes the operators of `exact.py` in compiled rules; needs Numba to import."""

from __future__ import annotations

import math
import operator
import re
from typing import Any, ClassVar

from zermelo.engine.rules.exact import (
    CHECKED,
    MODULAR,
    as_index,
    as_word,
    exact_abs,
    exact_bool,
    exact_int,
    exact_invert,
    exact_neg,
    exact_not,
)
from zermelo.engine.rules.flat import DEPTH
from zermelo.engine.rules.numba_api import (
    AnalysisPass,
    CompilerBase,
    DefaultPassBuilder,
    FixupArgs,
    FunctionPass,
    NopythonTypeInference,
    NumbaTypeError,
    build_definitions,
    get_definition,
    guard,
    numba_ir,
    overload,
    register_pass,
    types,
)
from zermelo.engine.rules.words import is_whole, is_word, to_word


def exact_pow(a: Any, b: Any) -> Any:
    """a ** b."""
    return a**b


def exact_min(*numbers: Any) -> Any:
    """`min`, of words and other whole numbers as well."""
    return min(*numbers)


def exact_max(*numbers: Any) -> Any:
    """`max`, of words and other whole numbers as well."""
    return max(*numbers)


def _declare_pow(a, b):  # type: ignore[no-untyped-def]
    if is_whole(a) and is_whole(b):
        if isinstance(b, types.IntegerLiteral) and b.literal_value < 0:
            return _inverse_power
        return _modular_power if is_word(a) or is_word(b) else _whole_power
    if all(is_whole(kind) or isinstance(kind, types.Float) for kind in (a, b)):
        return _float_power
    return lambda a, b: a**b


_times, _times_modular = CHECKED[False][operator.mul], MODULAR[False][operator.mul]


def _whole_power(a, b):  # type: ignore[no-untyped-def]
    if b < 0:
        raise ValueError("a whole number to a negative power is no whole number")
    product = 1
    while True:
        if b % 2:
            product = _times(product, a)
        b = b // 2
        if b == 0:
            return product
        a = _times(a, a)


_less, _equal, _rest, _quotient = (
    MODULAR[False][f] for f in (operator.lt, operator.eq, operator.mod, operator.floordiv)
)


def _modular_power(a, b):  # type: ignore[no-untyped-def]
    if _less(b, 0):
        raise ValueError("a whole number to a negative power is no whole number")
    product = to_word(1)
    while not _equal(b, 0):
        if _equal(_rest(b, 2), 1):
            product = _times_modular(product, a)
        a = _times_modular(a, a)
        b = _quotient(b, 2)
    return product


def _inverse_power(a, b):  # type: ignore[no-untyped-def]
    if a == 0:
        raise ZeroDivisionError("0 cannot be raised to a negative power")
    return float(a) ** b


def _float_power(a, b):  # type: ignore[no-untyped-def]
    if a == 0 and b < 0:
        raise ZeroDivisionError("0 cannot be raised to a negative power")
    result = float(a) ** float(b)
    finite = math.isfinite(a) and math.isfinite(b)
    if finite and not math.isfinite(result):
        raise OverflowError("a power is no finite number")
    return result


def _declare_min(*numbers):  # type: ignore[no-untyped-def]
    if len(numbers) == 2 and any(map(is_word, numbers)) and all(map(is_whole, numbers)):
        return lambda *numbers: to_word(numbers[1]) if _less(numbers[1], numbers[0]) else to_word(numbers[0])
    return lambda *numbers: min(*numbers)


def _declare_max(*numbers):  # type: ignore[no-untyped-def]
    if len(numbers) == 2 and any(map(is_word, numbers)) and all(map(is_whole, numbers)):
        return lambda *numbers: to_word(numbers[1]) if _less(numbers[0], numbers[1]) else to_word(numbers[0])
    return lambda *numbers: max(*numbers)


overload(exact_pow, prefer_literal=True)(_declare_pow)
overload(exact_min)(_declare_min)
overload(exact_max)(_declare_max)

BUILTINS = {"int": exact_int, "abs": exact_abs}
"""The replacements of built-in functions."""
WORD_BUILTINS = BUILTINS | {"bool": exact_bool, "min": exact_min, "max": exact_max}
"""The same in games that hold words."""
_READS = ("getitem", "static_getitem", "pair_first")


class _Replace(FunctionPass):  # type: ignore[misc]
    """Replaces operators by calls of their exact versions."""

    binary: ClassVar[dict[bool, dict[Any, Any]]] = {
        in_place: functions | {operator.pow: exact_pow} for in_place, functions in CHECKED.items()
    }
    unary: ClassVar[dict[Any, Any]] = {operator.neg: exact_neg, operator.invert: exact_invert}
    words = False

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        self._numbers = _numbers(state.func_ir)
        for block in state.func_ir.blocks.values():
            body: list[Any] = []
            for statement in block.body:
                if self.words:
                    body.extend(self._index(state.func_ir, block.scope, statement))
                if isinstance(statement, numba_ir.Assign):
                    body.extend(self._replace(block.scope, statement))
                body.append(statement)
            block.body = body
        # Numba infers a variable's type from its definition, so the definitions must be the new ones.
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True

    def _replace(self, scope: Any, statement: Any) -> list[Any]:
        """Rewrites `statement`, and returns the statements that must come before it."""
        value = statement.value
        if isinstance(value, numba_ir.Expr):
            if value.op in ("binop", "inplace_binop"):
                in_place = value.op == "inplace_binop"
                meant = value.immutable_fn if in_place else value.fn
                bits = meant is operator.lshift and statement.target.name not in self._numbers
                function = (MODULAR if bits else self.binary)[in_place].get(meant)
                if function is not None:
                    return _call(scope, statement, function, (value.lhs, value.rhs))
            if value.op == "unary" and value.fn in self.unary:
                return _call(scope, statement, self.unary[value.fn], (value.value,))
        if self.words and isinstance(value, numba_ir.Global) and value.value is bool:
            statement.value = numba_ir.Global("exact_bool", exact_bool, statement.loc)
            return []
        if self.words and _may_be_word(value):
            before = numba_ir.Assign(value, scope.redefine("$word", statement.loc), statement.loc)
            return [before, *_call(scope, statement, as_word, (before.target,))]
        return []

    def _index(self, func_ir: Any, scope: Any, statement: Any) -> list[Any]:
        """Allows a word as an index; a constant index is left alone, as Numba must see that it is constant."""
        where = statement.loc
        holder = statement.value if isinstance(statement, numba_ir.Assign) else statement
        reads = isinstance(holder, numba_ir.Expr) and holder.op == "getitem"
        if not reads and not isinstance(holder, numba_ir.SetItem):
            return []
        definition = guard(get_definition, func_ir, holder.index)
        if isinstance(definition, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
            return []
        index = numba_ir.Assign(holder.index, scope.redefine("$index", where), where)
        before = [*_call(scope, index, as_index, (holder.index,)), index]
        holder.index = index.target
        return before


def _call(scope: Any, statement: Any, function: Any, arguments: tuple[Any, ...]) -> list[Any]:
    where = statement.loc
    callee = scope.redefine("$exact", where)
    statement.value = numba_ir.Expr.call(callee, arguments, (), where)
    return [numba_ir.Assign(numba_ir.Global(function.__name__, function, where), callee, where)]


def _may_be_word(value: Any) -> bool:
    if isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
        return isinstance(value.value, int) and value.value >= 1 << 63
    return isinstance(value, numba_ir.Expr) and value.op in _READS


_BITWISE = {operator.and_, operator.or_, operator.xor, operator.lshift}


def _numbers(func_ir: Any) -> set[str]:
    """The variables that the function does arithmetic with, so that they are not just the bits of a board."""
    found = set()
    for block in func_ir.blocks.values():
        for statement in block.body:
            value = getattr(statement, "value", None)
            if isinstance(value, numba_ir.Expr) and value.op in ("binop", "inplace_binop"):
                meant = value.immutable_fn if value.op == "inplace_binop" else value.fn
                if meant not in _BITWISE:
                    found |= {value.lhs.name, value.rhs.name}
    return found


@register_pass(mutates_CFG=False, analysis_only=False)
class _Whole(_Replace):
    _name = "zermelo_exact_whole"


@register_pass(mutates_CFG=False, analysis_only=False)
class _Words(_Replace):
    _name = "zermelo_exact_words"
    binary: ClassVar[dict[bool, dict[Any, Any]]] = {
        in_place: functions | {operator.pow: exact_pow} for in_place, functions in MODULAR.items()
    }
    unary: ClassVar[dict[Any, Any]] = {
        operator.neg: exact_neg,
        operator.invert: exact_invert,
        operator.not_: exact_not,
    }
    words = True


@register_pass(mutates_CFG=False, analysis_only=True)
class _RefuseRecursion(AnalysisPass):  # type: ignore[misc]
    """Refuses recursive functions that do not count their depth (`flat.guard_recursion`)."""

    _name = "zermelo_refuse_recursion"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        recursive = any(isinstance(kind, types.RecursiveCall) for kind in state.typemap.values())
        if recursive and DEPTH not in state.func_ir.arg_names:
            name = re.sub(r"_[0-9a-f]{16}$", "", state.func_id.func_name)
            raise NumbaTypeError(f"{name} calls itself", loc=state.func_ir.loc)
        return False


class _Pipeline(CompilerBase):  # type: ignore[misc]
    replace: Any = _Whole

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(self.replace, FixupArgs)
        manager.add_pass_after(_RefuseRecursion, NopythonTypeInference)
        manager.finalize()
        return [manager]


class WholePipeline(_Pipeline):
    """Numba's compiler pipeline with checked operators."""


class WordPipeline(_Pipeline):
    """The same for games that hold words."""

    replace = _Words
