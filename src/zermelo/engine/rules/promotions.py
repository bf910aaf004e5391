"""In which type NumPy computes with arrays and its functions, held to the type that Numba has for it; needs Numba to
import.

NumPy takes a number of Python's into the type of what it meets, and Numba gives it 64 bits; the types of Numba's
functions are in places those of older versions. So NumPy itself is asked, with a one for each number.
"""

from __future__ import annotations

import functools
import itertools
import warnings
from typing import Any

import numpy

from zermelo.engine.rules.bits import (
    EXACT_BITS,
    TruthOrNumber,
    is_small,
    is_truth,
    is_whole,
    is_word,
    number,
    raise_if,
)
from zermelo.engine.rules.numba_api import (
    AnalysisPass,
    NumbaTypeError,
    get_definition,
    guard,
    numba_ir,
    numpy_support,
    register_pass,
    types,
)

_MOST = 64
"""Of the questions about one call."""
_SMALL = 8
"""Literal numbers below it are axes and the like; others are sizes, too."""
_SHIFTS = ("lshift", "rshift")
TRUTH = "a rule computes with truth values, of which NumPy's are no numbers"
_ARITHMETIC = ("add", "sub", "mul", "floordiv", "mod", "lshift", "rshift")
_COMPARES = ("lt", "le", "gt", "ge", "eq", "ne")


def refuse_other_type(function: Any, kinds: Any, result: Any) -> None:
    """Refuses what NumPy computes in another type than `result` for arguments of these `kinds`."""
    wanted = _dtypes_of(result)
    choices = [_ones(types.unliteral(kind) if not hasattr(kind, "literal_value") else kind) for kind in kinds]
    if wanted is None or not all(choices):
        return
    for given in itertools.islice(itertools.product(*choices), _MOST):
        try:
            with warnings.catch_warnings(), numpy.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                found = _dtypes_in(function(*given))
        except TypeError:
            found = None
        except (ArithmeticError, IndexError, ValueError):
            continue  # where it wants other shapes than these, or other numbers
        if found != wanted:
            name = getattr(function, "__name__", "a function")
            raise NumbaTypeError(
                f"a rule takes `{name}` of {', '.join(map(str, kinds))}, which NumPy keeps in fewer bits or in others"
            )


def refuse_numpy(name: str, kinds: list[Any], strict: bool) -> None:
    """Refuses what NumPy computes in another way than compiled rules."""
    inner = [kind.dtype if isinstance(kind, types.Array) else kind for kind in kinds]
    unsure = any(isinstance(kind, TruthOrNumber) for kind in kinds)
    if strict and name in _ARITHMETIC and (unsure or all(map(is_truth, inner))):
        raise NumbaTypeError(TRUTH)
    for kind, other in (kinds, kinds[::-1]):
        few = is_small(kind.dtype) or kind.dtype == types.float32 if isinstance(kind, types.Array) else False
        few = few and not (name in _COMPARES and is_small(kind.dtype) and is_whole(other))
        if kind != other and (kind == types.float32 or (few and not isinstance(other, types.Array))):
            raise NumbaTypeError(f"a rule computes with {kind} and {other}, which NumPy keeps in fewer bits")


def of_arrays(name: str, function: Any, kinds: Any, made: Any) -> Any:
    """The signature and code of an operator of arrays, which NumPy must have in the same types."""
    first, second = (getattr(kind, "dtype", kind) for kind in kinds)
    if name in _SHIFTS and isinstance(kinds[1], types.Array):
        raise NumbaTypeError("a rule shifts by an array, which NumPy does otherwise beyond the bits of its numbers")
    if name in ("floordiv", "mod") and any(isinstance(each, types.Float) for each in (first, second)):
        raise NumbaTypeError("a rule divides an array of floats with `//` or `%`, which NumPy rounds otherwise")
    if name in _COMPARES and any(map(_may_round, (first, second), (second, first))):
        raise NumbaTypeError("a rule compares an array of words with numbers that have a sign")
    refuse_other_type(function, kinds, made[0].return_type)
    return _shifted_within(made, kinds) if name in _SHIFTS else made


def _may_round(kind: Any, other: Any) -> bool:
    """Whether Numba makes floats of words and another number to compare them, which may round."""
    exact = 0 <= getattr(other, "literal_value", -1) < 1 << EXACT_BITS
    return is_word(kind) and not exact and not is_word(other) and is_whole(types.unliteral(other))


def _shifted_within(made: Any, kinds: Any) -> Any:
    """The signature and code of a shift of an array, which raises beyond the bits of its numbers."""
    signature, compute = made
    most = signature.return_type.dtype.bitwidth

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        distance = context.cast(builder, arguments[1], kinds[1], types.int64)
        beyond = builder.icmp_unsigned(">=", distance, number(most))
        raise_if(context, builder, beyond, OverflowError, "NumPy shifts otherwise beyond the bits of a number")
        return compute(context, builder, signature, arguments)

    return signature, generate


def _ones(kind: Any) -> list[Any]:
    """What a number or array of this type may be in Python, with ones in it; empty if nobody knows."""
    if isinstance(kind, types.Array):
        return [numpy.ones((1,) * kind.ndim, numpy_support.as_dtype(kind.dtype))]
    if isinstance(kind, (types.DType, types.NumberClass)):
        return [numpy_support.as_dtype(kind.dtype)]
    if isinstance(kind, types.NoneType):
        return [None]
    if isinstance(kind, types.Omitted):
        return [kind.value]
    if isinstance(kind, types.StringLiteral):
        return [kind.literal_value]
    if isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple):
        return list(itertools.islice(itertools.product(*map(_ones, kind)), _MOST))
    if isinstance(kind, types.List):
        return [[each] for each in _ones(kind.dtype)]
    return _numbers(kind)


def _numbers(kind: Any) -> list[Any]:
    if isinstance(kind, types.IntegerLiteral):
        return [kind.literal_value if abs(kind.literal_value) < _SMALL else 1]
    if isinstance(kind, types.Boolean):
        return [True, numpy.True_]
    if isinstance(kind, (types.Integer, types.Float)):
        own = numpy_support.as_dtype(kind).type(1)
        return [own] if kind.bitwidth < 64 else [own.item(), own]
    return [1, numpy.int64(1), numpy.uint64(1)] if is_whole(kind) else []


def _dtypes_of(result: Any) -> Any:
    """The types of numbers in what Numba's function gives; `None` if nobody knows."""
    if isinstance(result, types.BaseTuple):
        return tuple(map(_dtypes_of, result))
    kind = types.unliteral(result.dtype if isinstance(result, types.Array) else result)
    if is_word(kind):
        return numpy.dtype("uint64")
    known = isinstance(kind, (types.Integer, types.Float, types.Boolean))
    return numpy_support.as_dtype(kind) if known else None


def _dtypes_in(result: Any) -> Any:
    """The types of numbers in what NumPy gives."""
    if isinstance(result, tuple):
        return tuple(map(_dtypes_in, result))
    return numpy.asarray(result).dtype


@register_pass(mutates_CFG=False, analysis_only=True)
class RefuseOtherTypes(AnalysisPass):  # type: ignore[misc]
    """Refuses the calls of NumPy's functions, and of the methods of arrays, that give numbers of other types there."""

    _name = "zermelo_refuse_other_types"

    def __init__(self) -> None:
        AnalysisPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(numba_ir.Assign):
                value = statement.value
                if isinstance(value, numba_ir.Expr) and value.op == "call" and value.vararg is None:
                    function, kinds = self._called(state, value)
                    if function is not None:
                        self._check(function, kinds, state.typemap[statement.target.name], value.loc)
        return False

    @staticmethod
    def _check(function: Any, kinds: list[Any], result: Any, where: Any) -> None:
        try:
            refuse_other_type(function, kinds, result)
        except NumbaTypeError as error:
            raise NumbaTypeError(str(error), loc=where) from None

    @staticmethod
    def _called(state: Any, value: Any) -> tuple[Any, list[Any]]:
        """NumPy's function and the types that it is given; `None` for any other function."""
        kinds = [state.typemap[each.name] for each in value.args]
        named = {name: state.typemap[each.name] for name, each in value.kws}
        called = guard(get_definition, state.func_ir, value.func)
        function: Any = None
        if isinstance(called, (numba_ir.Global, numba_ir.FreeVar)):
            function = called.value if _is_numpys(called.value) else None
        elif isinstance(called, numba_ir.Expr) and called.op == "getattr":
            holder = state.typemap[called.value.name]
            if isinstance(holder, types.Array):
                function, kinds = functools.partial(_method, called.attr), [holder, *kinds]
                function.__name__ = called.attr
            elif isinstance(holder, types.Module) and holder.pymod is numpy:
                function = getattr(numpy, called.attr, None)
        if function is not None and named:
            inner, count, names = function, len(kinds), list(named)
            kinds = [*kinds, *named.values()]

            def function(*given: Any) -> Any:
                return inner(*given[:count], **dict(zip(names, given[count:], strict=True)))

        return function, kinds


def _method(name: str, array: Any, *given: Any, **named: Any) -> Any:
    return getattr(array, name)(*given, **named)


def _is_numpys(value: Any) -> bool:
    module = getattr(value, "__module__", None) or ""
    return callable(value) and (isinstance(value, numpy.ufunc) or module.partition(".")[0] == numpy.__name__)
