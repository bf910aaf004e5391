"""The compiler pass that substitutes the operators of `exact.py` in compiled rules; needs Numba to import."""

from __future__ import annotations

import cmath
import itertools
import math
import operator
import re
from typing import Any

import numpy

from zermelo.engine.rules.builtin import MATH, TAKES_BITS, exact_pow, real_pow, strict_pow
from zermelo.engine.rules.checks import BITWISE, Checks, of_any_type
from zermelo.engine.rules.exact import COMPARISONS, operators
from zermelo.engine.rules.flat import DEPTH
from zermelo.engine.rules.floats import REDUCTIONS, no_matrix, refuse_function
from zermelo.engine.rules.inlining import InlineComprehensions, TranslateRule
from zermelo.engine.rules.numba_api import (
    AnalysisPass,
    CompilerBase,
    DefaultPassBuilder,
    Dispatcher,
    FunctionPass,
    InlineClosureLikes,
    NopythonTypeInference,
    NumbaTypeError,
    TranslateByteCode,
    build_definitions,
    get_definition,
    guard,
    numba_ir,
    register_pass,
    types,
)
from zermelo.engine.rules.origins import is_real_constant
from zermelo.engine.rules.promotions import RefuseOtherTypes
from zermelo.engine.rules.reach import Numbers
from zermelo.engine.rules.rewriting import call, passed_through
from zermelo.engine.rules.unary import (
    as_index,
    as_word,
    closed_bits,
    closed_surely,
    exact_bool,
    sought,
    unary_operators,
)

_READS = ("getitem", "static_getitem", "pair_first")


class _Replace(FunctionPass):  # type: ignore[misc]
    """Replaces operators by calls of their exact versions."""

    words = False
    """Whether the game holds words; if not, bits stay within an expression, and numbers come out of it."""
    strict = False
    """Whether NumPy's truth values may take part."""
    numpy_words = False
    """Whether words may be NumPy's, …"""
    mixed = False
    """… and may meet its numbers with a sign."""

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        self._numbers = set() if self.words else _numbers(state.func_ir)
        self._ir = state.func_ir
        self._own = next((kind for kind in state.args if hasattr(kind, "is_constant")), None)
        facts = (self.words, self.numpy_words, self.mixed)
        self._checks = Checks(state, self._own, *facts) if self.strict else None
        for block in state.func_ir.blocks.values():
            body: list[Any] = []
            for statement in block.body:
                if self._checks is not None:
                    self._checks.whole_parts(statement)
                    body.extend(self._checks.index(block.scope, statement))
                if self.words:
                    body.extend(self._index(state.func_ir, block.scope, statement))
                    body.extend(self._close(state.func_ir, block.scope, statement))
                if isinstance(statement, numba_ir.Assign):
                    _refuse_complex(statement.value)
                    if self._checks is not None:
                        body.extend(self._checks.marks(state.args, block.scope, statement))
                        body.extend(self._checks.origins(block.scope, statement.value))
                        body.extend(self._checks.truths(block.scope, statement.value))
                    body.extend(of_any_type(state.func_ir, block.scope, statement.value))
                    body.extend(self._check_arrays(block.scope, statement.value))
                    wraps = [] if self._checks is None else self._checks.may_wrap(statement.value)
                    body.extend(self._replace(block.scope, statement))
                    for forget in wraps:
                        target, statement.target = statement.target, block.scope.redefine("$fitting", statement.loc)
                        body.append(statement)
                        statement = numba_ir.Assign(statement.target, target, statement.loc)
                        body.extend(call(block.scope, statement, forget, (statement.value,)))
                body.append(statement)
            block.body = body
        # Numba infers a variable's type from its definition, so the definitions must be the new ones.
        state.func_ir._definitions = build_definitions(state.func_ir.blocks)
        self._ir = self._own = self._checks = None  # a pass lives as long as the process
        return True

    def _replace(self, scope: Any, statement: Any) -> list[Any]:
        """Rewrites `statement`, and returns the statements that must come before it."""
        value = statement.value
        if isinstance(value, numba_ir.Expr):
            closed = not self.words and statement.target.name in self._numbers
            if value.op in ("binop", "inplace_binop"):
                in_place = value.op == "inplace_binop"
                meant = value.immutable_fn if in_place else value.fn
                real = self._is_real(value.lhs) or self._is_real(value.rhs)
                function = _BINARY[closed, self.strict, in_place, real].get(meant)
                if function is strict_pow and self._has_inverse(value.lhs, value.rhs):
                    function = real_pow
                if self.words and function is None:
                    function = COMPARISONS.get(meant)
                if function is not None:
                    return call(scope, statement, function, (value.lhs, value.rhs))
            if value.op == "call" and len(value.args) == 2 and self._has_inverse(*value.args):
                called = guard(get_definition, self._ir, value.func)
                if getattr(called, "value", None) is strict_pow:
                    return call(scope, statement, real_pow, tuple(value.args))
            if value.op == "getattr" and value.attr in MATH:
                module = guard(get_definition, self._ir, value.value)
                if getattr(module, "value", None) is math:
                    statement.value = numba_ir.Global(value.attr, MATH[value.attr], statement.loc)
                return []
            if value.op == "unary" and (self.words or value.fn is not operator.not_):
                function = _UNARY[closed, self.strict].get(value.fn)
                if function is not None:
                    return call(scope, statement, function, (value.value,))
        if self.words and isinstance(value, numba_ir.Global) and value.value is bool:
            statement.value = numba_ir.Global("exact_bool", exact_bool, statement.loc)
            return []
        if self.words and _may_be_word(value):
            before = numba_ir.Assign(value, scope.redefine("$word", statement.loc), statement.loc)
            return [before, *call(scope, statement, as_word, (before.target,))]
        return []

    def _check_arrays(self, scope: Any, value: Any) -> list[Any]:
        """Checks arrays that NumPy adds up, and returns the statements that must come before."""
        if isinstance(value, (numba_ir.Global, numba_ir.FreeVar)) and isinstance(value.value, numpy.ufunc):
            refuse_function(value.value.__name__, value.loc)
        if not isinstance(value, numba_ir.Expr):
            return []
        if value.op == "getattr" and self._is_numpy(value.value):
            refuse_function(value.attr, value.loc)
        elif value.op == "getattr" and value.attr in REDUCTIONS:
            before, value.value = passed_through(scope, (value.value,), REDUCTIONS[value.attr], value.loc)
            return before
        elif value.op == "binop" and value.fn is operator.matmul:
            before, value.lhs = passed_through(scope, (value.lhs,), no_matrix, value.loc)
            return before
        elif value.op == "call" and value.args:
            called = guard(get_definition, self._ir, value.func)
            named = isinstance(called, numba_ir.Expr) and called.op == "getattr" and called.attr in REDUCTIONS
            if named and self._is_numpy(called.value):
                before, first = passed_through(scope, (value.args[0],), REDUCTIONS[called.attr], value.loc)
                value.args = (first, *value.args[1:])
                return before
        return []

    def _has_inverse(self, base: Any, exponent: Any) -> bool:
        return self._checks is not None and self._checks.has_inverse(base, exponent)

    def _is_numpy(self, module: Any) -> bool:
        found = guard(get_definition, self._ir, module)
        return isinstance(found, (numba_ir.Global, numba_ir.FreeVar)) and found.value is numpy

    def _is_real(self, operand: Any) -> bool:
        """Whether an operand is surely a float in Python."""
        return is_real_constant(self._ir, operand) if self._checks is None else self._checks.is_real(operand)

    def _index(self, func_ir: Any, scope: Any, statement: Any) -> list[Any]:
        """Allows a word as an index; a constant index is left alone, as Numba must see that it is constant."""
        holder = statement.value if isinstance(statement, numba_ir.Assign) else statement
        reads = isinstance(holder, numba_ir.Expr) and holder.op == "getitem"
        if not reads and not isinstance(holder, numba_ir.SetItem):
            return []
        definition = guard(get_definition, func_ir, holder.index)
        if isinstance(definition, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
            return []
        before, holder.index = passed_through(scope, (holder.index,), as_index, statement.loc)
        return before

    def _close(self, func_ir: Any, scope: Any, statement: Any) -> list[Any]:
        """Gives numbers, and not only bits, to tuples, lists, `in`, and functions that are not the author's."""
        value = getattr(statement, "value", None)
        if isinstance(value, numba_ir.Expr) and value.op == "binop" and value.fn is operator.contains:
            closing, value.rhs = passed_through(scope, (value.rhs,), sought, statement.loc)
            return closing
        if not isinstance(value, numba_ir.Expr) or value.op not in ("call", "build_tuple", "build_list"):
            return []
        called = guard(get_definition, func_ir, value.func) if value.op == "call" else None
        if value.op == "call" and self._is_own(called):
            return []
        stored = value.op == "call" and self._makes_state(called)
        before: list[Any] = []
        closed = []
        for item in value.args if value.op == "call" else value.items:
            sure = stored or self._checks is None or self._checks.closes_surely(item)
            made, number = passed_through(scope, (item,), closed_bits if sure else closed_surely, statement.loc)
            before += made
            closed.append(number)
        if value.op == "call":
            value.args = closed
        else:
            value.items = closed
        return before

    def _makes_state(self, called: Any) -> bool:
        """Whether a call makes a NamedTuple: numbers of a state are Python's."""
        if isinstance(called, numba_ir.Expr) and called.op == "getattr" and self._own is not None:
            made = self._own.constant(called.attr) if self._own.has_constant(called.attr) else None
        else:
            made = getattr(called, "value", None)
        return hasattr(made, "_fields")

    def _is_own(self, called: Any) -> bool:
        """Whether a call is one of the author's functions, or of ours, which take bits as they are."""
        if isinstance(called, (numba_ir.Global, numba_ir.FreeVar)):
            return isinstance(called.value, Dispatcher) or any(called.value is own for own in TAKES_BITS)
        named = isinstance(called, numba_ir.Expr) and called.op == "getattr"
        return named and self._own is not None and not self._own.is_constant(called.attr)


def _refuse_complex(value: Any) -> None:
    """Refuses complex constants, which Python also makes of `(-2) ** 0.5`, and what gives complex numbers."""
    held = value.value if isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)) else None
    if isinstance(held, complex) or held is complex or held is cmath:
        raise NumbaTypeError("a rule computes with complex numbers", loc=value.loc)


def _may_be_word(value: Any) -> bool:
    if isinstance(value, (numba_ir.Const, numba_ir.Global, numba_ir.FreeVar)):
        return isinstance(value.value, int) and value.value >= 1 << 63
    return isinstance(value, numba_ir.Expr) and value.op in _READS


def _numbers(func_ir: Any) -> set[str]:
    """The variables that are used as numbers, and not only for their bits."""
    found: set[str] = set()
    copies: list[tuple[str, str]] = []
    for block in func_ir.blocks.values():
        for statement in block.body:
            value = getattr(statement, "value", None)
            if isinstance(statement, numba_ir.Assign) and isinstance(value, numba_ir.Var):
                copies.append((statement.target.name, value.name))
                continue
            used = {var.name for var in statement.list_vars()}
            if isinstance(statement, numba_ir.Assign):
                used -= {statement.target.name} - {var.name for var in _variables(value)}
                used -= _used_for_bits(value)
            found |= used
    growing = True
    while growing:
        more = {source for target, source in copies if target in found} - found
        found |= more
        growing = bool(more)
    return found


def _variables(value: Any) -> list[Any]:
    return list(value.list_vars()) if isinstance(value, numba_ir.Inst) else []


def _used_for_bits(value: Any) -> set[str]:
    """The operands of which an operator needs the bits alone."""
    if not isinstance(value, numba_ir.Expr):
        return set()
    if value.op == "unary" and value.fn is operator.invert:
        return {value.value.name}
    if value.op not in ("binop", "inplace_binop"):
        return set()
    meant = value.immutable_fn if value.op == "inplace_binop" else value.fn
    if meant is operator.lshift:
        return {value.lhs.name} - {value.rhs.name}
    return {value.lhs.name, value.rhs.name} if meant in BITWISE else set()


_EITHER = (False, True)
_BINARY = {
    (closed, strict, in_place, real): operators(closed, strict, in_place, real)
    | {operator.pow: strict_pow if strict else exact_pow}
    for closed, strict, in_place, real in itertools.product(_EITHER, repeat=4)
}
"""The replacements of Python's operators of two numbers; Numba needs to know all before it compiles."""
_UNARY = {(closed, strict): unary_operators(closed, strict) for closed, strict in itertools.product(_EITHER, repeat=2)}


@register_pass(mutates_CFG=False, analysis_only=False)
class _Whole(_Replace):
    _name = "zermelo_exact_whole"


@register_pass(mutates_CFG=False, analysis_only=False)
class _WholeStrict(_Replace):
    _name = "zermelo_exact_whole_strict"
    strict = True


@register_pass(mutates_CFG=False, analysis_only=False)
class _Words(_Replace):
    _name = "zermelo_exact_words"
    words = True


@register_pass(mutates_CFG=False, analysis_only=False)
class _WordsStrict(_Replace):
    _name = "zermelo_exact_words_strict"
    words = strict = True


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


@register_pass(mutates_CFG=False, analysis_only=False)
class _WordsNumpy(_Replace):
    _name = "zermelo_exact_words_numpy"
    words = strict = numpy_words = True


@register_pass(mutates_CFG=False, analysis_only=False)
class _WordsMixed(_Replace):
    _name = "zermelo_exact_words_mixed"
    words = strict = numpy_words = mixed = True


class _Pipeline(CompilerBase):  # type: ignore[misc]
    replace: Any = _Whole

    def define_pipelines(self) -> list[Any]:
        manager = DefaultPassBuilder.define_nopython_pipeline(self.state)
        for own, numbas in ((TranslateRule, TranslateByteCode), (InlineComprehensions, InlineClosureLikes)):
            manager.add_pass_after(own, numbas)
            manager.passes = [each for each in manager.passes if each[0] is not numbas]
        manager.add_pass_after(self.replace, InlineComprehensions)  # so that comprehensions are part of the function
        manager.add_pass_after(_RefuseRecursion, NopythonTypeInference)
        manager.add_pass_after(RefuseOtherTypes, NopythonTypeInference)
        manager.finalize()
        return [manager]


class _StrictPipeline(_Pipeline):
    replace = _WholeStrict


class _WordPipeline(_Pipeline):
    replace = _Words


class _StrictWordPipeline(_Pipeline):
    replace = _WordsStrict


class _NumpyWordPipeline(_Pipeline):
    replace = _WordsNumpy


class _MixedWordPipeline(_Pipeline):
    replace = _WordsMixed


def pipeline(numbers: Numbers) -> Any:
    """Numba's compiler pipeline with exact operators, for games with these numbers."""
    if numbers.numpy_words:
        return _MixedWordPipeline if numbers.mixed else _NumpyWordPipeline
    if numbers.words:
        return _StrictWordPipeline if numbers.numpy else _WordPipeline
    return _StrictPipeline if numbers.numpy else _Pipeline
