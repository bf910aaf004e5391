"""The pass that puts `exact.py`'s operators into compiled rules; needs Numba to import."""

from __future__ import annotations

import operator
from typing import Any, ClassVar

from zermelo.engine.rules.exact import OPERATORS, SHIFTS
from zermelo.engine.rules.numba_api import (
    CompilerBase,
    DefaultPassBuilder,
    FixupArgs,
    FunctionPass,
    build_definitions,
    get_definition,
    guard,
    numba_ir,
    overload,
    register_pass,
)
from zermelo.engine.rules.words import Word, as_word, is_whole, is_word, to_index, to_word


def exact_neg(a: Any) -> Any:
    """−a, modulo 2^64 if `a` is a word."""
    return -a


def exact_invert(a: Any) -> Any:
    """~a, modulo 2^64 if `a` is a word."""
    return ~a


def exact_not(a: Any) -> bool:
    """Whether `a` is zero or empty."""
    return not a


def exact_int(a: Any) -> int:
    """`int(a)`; a word stays one."""
    return int(a)


def exact_abs(a: Any) -> Any:
    """`abs(a)`; a word is its own."""
    return abs(a)


def exact_bool(a: Any) -> bool:
    """`bool(a)`, as every `if` asks."""
    return bool(a)


def as_index(a: Any) -> Any:
    """`a`, as a number with a sign if it is a word."""
    return a


def exact_min(*numbers: Any) -> Any:
    """`min`, of words and other whole numbers as well."""
    return min(*numbers)


def exact_max(*numbers: Any) -> Any:
    """`max`, of words and other whole numbers as well."""
    return max(*numbers)


def _declare_bool(a):  # type: ignore[no-untyped-def]
    unequal = OPERATORS[operator.ne]
    return (lambda a: unequal(a, 0)) if is_word(a) else (lambda a: bool(a))


def _declare_index(a):  # type: ignore[no-untyped-def]
    return (lambda a: to_index(a)) if isinstance(a, Word) else (lambda a: a)


def _declare_min(*numbers):  # type: ignore[no-untyped-def]
    less = OPERATORS[operator.lt]
    if len(numbers) == 2 and any(map(is_word, numbers)) and all(map(is_whole, numbers)):
        return lambda *numbers: to_word(numbers[1]) if less(numbers[1], numbers[0]) else to_word(numbers[0])
    return lambda *numbers: min(*numbers)


def _declare_max(*numbers):  # type: ignore[no-untyped-def]
    less = OPERATORS[operator.lt]
    if len(numbers) == 2 and any(map(is_word, numbers)) and all(map(is_whole, numbers)):
        return lambda *numbers: to_word(numbers[1]) if less(numbers[0], numbers[1]) else to_word(numbers[0])
    return lambda *numbers: max(*numbers)


def _declare_neg(a):  # type: ignore[no-untyped-def]
    subtract = OPERATORS[operator.sub]
    return (lambda a: subtract(to_word(0), a)) if is_word(a) else (lambda a: -a)


def _declare_invert(a):  # type: ignore[no-untyped-def]
    xor = OPERATORS[operator.xor]
    return (lambda a: xor(to_word(a), -1)) if is_word(a) else (lambda a: ~a)


def _declare_not(a):  # type: ignore[no-untyped-def]
    equal = OPERATORS[operator.eq]
    return (lambda a: equal(to_word(a), 0)) if is_word(a) else (lambda a: not a)


def _declare_int(a):  # type: ignore[no-untyped-def]
    return (lambda a: to_word(a)) if is_word(a) else (lambda a: int(a))


def _declare_abs(a):  # type: ignore[no-untyped-def]
    return (lambda a: to_word(a)) if is_word(a) else (lambda a: abs(a))


for _function, _declare in (
    (exact_neg, _declare_neg),
    (exact_invert, _declare_invert),
    (exact_not, _declare_not),
    (exact_int, _declare_int),
    (exact_abs, _declare_abs),
    (exact_bool, _declare_bool),
    (exact_min, _declare_min),
    (exact_max, _declare_max),
    (as_index, _declare_index),
):
    overload(_function)(_declare)

UNARY = {operator.neg: exact_neg, operator.invert: exact_invert, operator.not_: exact_not}
BUILTINS = {"int": exact_int, "abs": exact_abs, "bool": exact_bool, "min": exact_min, "max": exact_max}
"""What stands for built-in functions in games that hold words."""
_READS = ("getitem", "static_getitem", "pair_first")


class _Replace(FunctionPass):  # type: ignore[misc]
    """Turns operators into calls of the functions in `binary`, and the like."""

    binary = SHIFTS
    unary: ClassVar[dict[Any, Any]] = {}
    words = False

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            body: list[Any] = []
            for statement in block.body:
                if self.words:
                    body.extend(self._index(state.func_ir, block.scope, statement))
                if isinstance(statement, numba_ir.Assign):
                    body.extend(self._replace(block.scope, statement))
                body.append(statement)
            block.body = body
        # Numba finds out what a variable is by its definition, so that those must be the new ones.
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        return True

    def _replace(self, scope: Any, statement: Any) -> list[Any]:
        """Changes `statement`, and returns what has to come before it."""
        value = statement.value
        if isinstance(value, numba_ir.Expr):
            if value.op in ("binop", "inplace_binop"):
                in_place = value.op == "inplace_binop"
                function = self.binary.get(value.immutable_fn if in_place else value.fn)
                if function is not None:
                    return self._call(scope, statement, function, (value.lhs, value.rhs))
            if value.op == "unary" and value.fn in self.unary:
                return self._call(scope, statement, self.unary[value.fn], (value.value,))
        if self.words and isinstance(value, numba_ir.Global) and value.value is bool:
            statement.value = numba_ir.Global("exact_bool", exact_bool, statement.loc)
            return []
        if self.words and _may_be_word(value):
            before = numba_ir.Assign(value, scope.redefine("$word", statement.loc), statement.loc)
            return [before, *self._call(scope, statement, as_word, (before.target,))]
        return []

    def _index(self, func_ir: Any, scope: Any, statement: Any) -> list[Any]:
        """Lets an index be a word; one that is known now is none, and Numba wants to see that it is known."""
        where = statement.loc
        holder = statement.value if isinstance(statement, numba_ir.Assign) else statement
        reads = isinstance(holder, numba_ir.Expr) and holder.op == "getitem"
        if not reads and not isinstance(holder, numba_ir.SetItem):
            return []
        definition = guard(get_definition, func_ir, holder.index)
        if isinstance(definition, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
            return []
        index = numba_ir.Assign(holder.index, scope.redefine("$index", where), where)
        before = [*self._call(scope, index, as_index, (holder.index,)), index]
        holder.index = index.target
        return before

    def _call(self, scope: Any, statement: Any, function: Any, arguments: tuple[Any, ...]) -> list[Any]:
        where = statement.loc
        callee = scope.redefine("$exact", where)
        statement.value = numba_ir.Expr.call(callee, arguments, (), where)
        return [numba_ir.Assign(numba_ir.Global(function.__name__, function, where), callee, where)]


def _may_be_word(value: Any) -> bool:
    if isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
        return isinstance(value.value, int) and value.value >= 1 << 63
    return isinstance(value, numba_ir.Expr) and value.op in _READS


@register_pass(mutates_CFG=False, analysis_only=False)
class _Shifts(_Replace):
    _name = "zermelo_exact_shifts"


@register_pass(mutates_CFG=False, analysis_only=False)
class _Words(_Replace):
    _name = "zermelo_exact_words"
    binary = OPERATORS
    unary = UNARY
    words = True


class _Pipeline(CompilerBase):  # type: ignore[misc]
    replace: Any = _Shifts

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        manager.add_pass_after(self.replace, FixupArgs)
        manager.finalize()
        return [manager]


class ShiftPipeline(_Pipeline):
    """Numba's own way of compiling, with exact shifts."""


class WordPipeline(_Pipeline):
    """Numba's own way of compiling, with all exact operators."""

    replace = _Words
