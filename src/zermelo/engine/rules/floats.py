"""Floats of compiled rules that may be whole numbers in Python; needs Numba to import.

A variable that holds `0.5` or `n` is a float in compiled rules, and in Python it is a float or a whole number, which
has no end. So the result of two floats without a fraction is refused where it is rounded: then both are one number,
whichever Python has.
"""

from __future__ import annotations

import math
from typing import Any

from zermelo.engine.rules.bits import EXACT_BITS, OVERFLOW, as_double, is_small, is_whole, raise_if
from zermelo.engine.rules.numba_api import (
    NumbaTypeError,
    cgutils,
    impl_ret_borrowed,
    intrinsic,
    llvm,
    make_array,
    types,
)

_DOUBLE = llvm.DoubleType()
_SPLIT = 2.0**27 + 1
"""Times a float, it gives the upper half of its digits (Dekker)."""

_IN_PAIRS = 8
"""NumPy adds fewer floats than these one after the other."""
MATRICES = "a rule computes with matrices of floats, which NumPy rounds in an order of its own"


def _constant(value: float) -> Any:
    return llvm.Constant(_DOUBLE, value)


def _size(builder: Any, a: Any) -> Any:
    kind = llvm.FunctionType(_DOUBLE, [_DOUBLE])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, "llvm.fabs.f64"), [a])


def _has_no_fraction(builder: Any, a: Any) -> Any:
    """Whether a float may be a whole number in Python."""
    size, edge = _size(builder, a), _constant(2.0 ** (EXACT_BITS - 1))
    rounded = builder.fsub(builder.fadd(size, edge), edge)  # from the edge on, floats have no fraction
    whole = builder.or_(builder.fcmp_ordered(">=", size, edge), builder.fcmp_ordered("==", rounded, size))
    return builder.and_(whole, builder.fcmp_ordered("<", size, _constant(math.inf)))


def _is_large(builder: Any, a: Any) -> Any:
    """Whether a float may be a whole number that was rounded."""
    return builder.fcmp_ordered(">=", _size(builder, a), _constant(2.0**EXACT_BITS))


def _error_of_sum(builder: Any, a: Any, b: Any, total: Any) -> Any:
    """What rounding `a + b` lost (Knuth)."""
    second = builder.fsub(total, a)
    lost = builder.fsub(a, builder.fsub(total, second))
    return builder.fadd(lost, builder.fsub(b, second))


def _error_of_difference(builder: Any, a: Any, b: Any, difference: Any) -> Any:
    return _error_of_sum(builder, a, builder.fneg(b), difference)


def _halves(builder: Any, a: Any) -> tuple[Any, Any]:
    scaled = builder.fmul(_constant(_SPLIT), a)
    high = builder.fsub(scaled, builder.fsub(scaled, a))
    return high, builder.fsub(a, high)


def _error_of_product(builder: Any, a: Any, b: Any, product: Any) -> Any:
    """What rounding `a * b` lost (Dekker); no number if it is too large."""
    (a_high, a_low), (b_high, b_low) = _halves(builder, a), _halves(builder, b)
    lost = builder.fsub(builder.fmul(a_high, b_high), product)
    for one, other in ((a_high, b_low), (a_low, b_high), (a_low, b_low)):
        lost = builder.fadd(lost, builder.fmul(one, other))
    return lost


_ERRORS = {"add": _error_of_sum, "sub": _error_of_difference, "mul": _error_of_product}
_DIVISIONS = ("floordiv", "mod")


def refuse_rounding(name: str, made: Any, kinds: list[Any], strict: bool) -> Any:
    """The signature and code of an operator on floats, with a check that whole numbers are not rounded; `strict` where
    they may be NumPy's, which go round at 2^63."""
    if made is None or name not in (*_ERRORS, *_DIVISIONS):
        return made
    signature, compute = made
    if any(kind != types.float64 for kind in (*signature.args, signature.return_type)):
        return made
    if any(map(is_small, kinds)):
        raise NumbaTypeError(
            "a rule computes with a number from an array of small numbers and a float that may be a whole number, "
            "which NumPy keeps in as few bits"
        )

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        given = zip(arguments, kinds, strict=True)
        a, b = (context.cast(builder, each, kind, types.float64) for each, kind in given)
        result = compute(context, builder, signature, (a, b))
        large = _is_large(builder, result)
        if name in _DIVISIONS:
            large = builder.or_(_is_large(builder, a), _is_large(builder, b))
        with cgutils.if_unlikely(builder, large):
            lost = builder.and_(_has_no_fraction(builder, a), _has_no_fraction(builder, b))
            if name in _ERRORS:
                error = _ERRORS[name](builder, a, b, result)
                wrong = builder.fcmp_unordered("!=", error, _constant(0.0))
                if strict:
                    inside = builder.and_(
                        builder.fcmp_ordered(">=", result, _constant(-(2.0**63))),
                        builder.fcmp_ordered("<", result, _constant(2.0**63)),
                    )
                    wrong = builder.or_(wrong, builder.not_(inside))
                lost = builder.and_(lost, wrong)
            raise_if(context, builder, lost, OverflowError, OVERFLOW)
        return result

    # Numba finds the code of a call by the types of its arguments: they must be those that the checks depend on.
    return types.float64(*kinds), generate


def left_to_numba(typing_context: Any, function: Any, kinds: Any) -> Any:
    """The signature of a built-in function and what generates a call of it."""
    callee = typing_context.resolve_value_type(function)
    signature = typing_context.resolve_function_type(callee, tuple(kinds), {})
    if signature is None:
        return None

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return context.get_function(callee, signature)(builder, arguments)

    return signature, generate


def divided(typing_context: Any, function: Any, kinds: list[Any], real: bool) -> Any:
    """A whole number divided by a float, or the other way round; `real` if Python's is a float as well."""
    signature, divide = left_to_numba(typing_context, function, (types.float64, types.float64))

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        floats, i = list(arguments), int(is_whole(kinds[1]))
        floats[i] = as_double(context, builder, floats[i], kinds[i])
        if not real:
            lost = builder.and_(_is_large(builder, floats[i]), _has_no_fraction(builder, floats[1 - i]))
            raise_if(context, builder, lost, OverflowError, OVERFLOW)
        return divide(context, builder, signature, floats)

    return types.float64(*kinds), generate


def _declare_power(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
    """`a ** b` by the C library, as in Python: LLVM writes a product for the power of two, which is another number."""

    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        kind = llvm.FunctionType(_DOUBLE, [_DOUBLE, _DOUBLE])
        called = cgutils.get_or_insert_function(builder.module, kind, "pow")
        called.attributes.add("nobuiltin")
        return builder.call(called, arguments)

    return types.float64(types.float64, types.float64), generate


def _declare_few_floats(typing_context: Any, a: Any) -> Any:  # noqa: ARG001
    """The argument itself; an array of floats is refused if NumPy would add its numbers in another order."""

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        if isinstance(a, types.Array) and isinstance(a.dtype, types.Float):
            size = make_array(a)(context, builder, arguments[0]).nitems
            many = builder.icmp_unsigned(">=", size, llvm.Constant(size.type, _IN_PAIRS))
            raise_if(context, builder, many, OverflowError, "NumPy adds many floats in pairs")
        return impl_ret_borrowed(context, builder, a, arguments[0])

    return a(a), generate


def _declare_no_matrix(typing_context: Any, a: Any) -> Any:  # noqa: ARG001
    """The argument itself, unless it is an array of floats."""
    if isinstance(a, types.Array) and isinstance(a.dtype, types.Float):
        raise NumbaTypeError(MATRICES)
    return a(a), lambda context, builder, _signature, given: impl_ret_borrowed(context, builder, a, given[0])


power = intrinsic(_declare_power)
few_floats, no_matrix = intrinsic(_declare_few_floats), intrinsic(_declare_no_matrix)
_SUMS = ("average", "mean", "nanmean", "nanstd", "nansum", "nanvar", "std", "sum", "trace", "var")
REDUCTIONS = dict.fromkeys(_SUMS, few_floats) | dict.fromkeys(("dot", "matmul", "vdot"), no_matrix)
"""The check of the arrays that a function or method of NumPy's adds up, by its name."""
_APART = frozenset(
    (
        *("arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "around", "cbrt", "corrcoef"),
        *("cos", "cosh", "cov", "divmod", "exp", "exp2", "expm1", "float_power", "floor_divide", "fmod", "geomspace"),
        *("hypot", "interp", "left_shift", "log", "log10", "log1p", "log2", "logaddexp", "logaddexp2", "logspace"),
        *("mod", "nanpercentile", "nanquantile", "percentile", "power", "quantile", "remainder", "right_shift"),
        *("round", "sin", "sinc", "sinh", "tan", "tanh"),
    )
)
"""NumPy's functions whose last digit depends on the processor, or that go other ways at the edges."""


def refuse_function(name: str, where: Any) -> None:
    """Refuses a function of NumPy's, or one of its modules, that computes in a way of its own."""
    if name == "linalg":
        raise NumbaTypeError(MATRICES, loc=where)
    if name in _APART:
        raise NumbaTypeError(f"a rule takes `np.{name}`, which NumPy computes in a way of its own", loc=where)
