"""Built-in functions that mean in compiled rules what they mean in Python; needs Numba to import."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import numpy

from zermelo.engine.rules.bits import EXACT_BITS, is_small, is_truth, is_whole, word_bits
from zermelo.engine.rules.exact import COMPARISONS, operators
from zermelo.engine.rules.floats import power
from zermelo.engine.rules.numba_api import NumbaTypeError, overload, types
from zermelo.engine.rules.promotions import TRUTH
from zermelo.engine.rules.sums import exact_sum, is_boundless, strict_sum, strict_word_sum
from zermelo.engine.rules.unary import as_bits, exact_abs, exact_bool, exact_float, exact_int
from zermelo.engine.rules.words import to_word

_own = operators(closed=False, strict=False, in_place=False)
_times = _own[operator.mul]
_quotient, _rest = _own[operator.floordiv], _own[operator.mod]
_less = COMPARISONS[operator.lt]
_LARGE = 2.0**EXACT_BITS


def exact_pow(a: Any, b: Any) -> Any:
    """a ** b."""
    return a**b


def strict_pow(a: Any, b: Any) -> Any:
    """a ** b where NumPy's numbers may take part, which have no inverse if they are whole, as a float here may be."""
    return a**b


def real_pow(a: Any, b: Any) -> Any:
    """The same where a float is one in Python, or both are Python's own."""
    return a**b


def exact_min(*numbers: Any) -> Any:
    """`min`, of words and other whole numbers as well."""
    return min(*numbers)


def exact_max(*numbers: Any) -> Any:
    """`max`, of words and other whole numbers as well."""
    return max(*numbers)


def exact_divmod(a: Any, b: Any) -> Any:
    """`divmod`."""
    return divmod(a, b)


def exact_round(number: Any, digits: Any = None) -> Any:
    """`round` to a whole number."""
    return round(number, digits)


def _declare_pow(a, b):  # type: ignore[no-untyped-def]
    if is_whole(a) and is_whole(b) and isinstance(b, types.IntegerLiteral) and b.literal_value < 0:
        return _inverse_power
    return _declare_real_pow(a, b)  # type: ignore[no-untyped-call]


def _declare_strict_pow(a, b):  # type: ignore[no-untyped-def]
    if is_truth(types.unliteral(a)) or is_truth(types.unliteral(b)):
        raise NumbaTypeError(TRUTH)
    if types.unliteral(b) == word_bits and not is_boundless(a):
        raise NumbaTypeError("a rule takes a power by words and other numbers, and if these are NumPy's it is one, too")
    floats = [isinstance(kind, types.Float) for kind in (a, b)]
    if any(floats) and all(real or is_whole(kind) for real, kind in zip(floats, (a, b), strict=True)):
        return _mixed_power
    return _declare_real_pow(a, b)  # type: ignore[no-untyped-call]


def _declare_real_pow(a, b):  # type: ignore[no-untyped-def]
    if isinstance(a, types.Array) or isinstance(b, types.Array):
        return _declare_power_of_array(a, b)  # type: ignore[no-untyped-call]
    if is_small(types.unliteral(a)) or is_small(types.unliteral(b)):
        raise NumbaTypeError("a rule takes a power of a number from an array of small numbers")
    if types.float32 in (a, b):
        raise NumbaTypeError("a rule takes a power of a float of 32 bits, which NumPy keeps in fewer bits")
    if is_whole(a) and is_whole(b):
        return _whole_power
    if all(is_whole(kind) or isinstance(kind, types.Float) for kind in (a, b)):
        return _float_power
    return lambda a, b: a**b


def _declare_power_of_array(a, b):  # type: ignore[no-untyped-def]
    if getattr(a, "dtype", None) != types.int64 or types.unliteral(b) != types.int64:
        raise NumbaTypeError("a rule takes a power of an array, which NumPy rounds, or keeps in fewer bits")

    def power_of_array(a, b):  # type: ignore[no-untyped-def]
        if b < 0:
            raise ValueError("a whole number to a negative power is no whole number")
        return a**b

    return power_of_array


def _whole_power(a, b):  # type: ignore[no-untyped-def]
    left = exact_int(b)
    if _less(left, 0):
        raise ValueError("a whole number to a negative power is no whole number")
    square, product = _times(a, 1), _times(exact_int(1), _times(a, 0) + 1)
    while True:
        if exact_bool(_rest(left, 2)):
            product = _times(product, square)
        left = _quotient(left, 2)
        if not exact_bool(left):
            return product
        square = _times(square, square)


def _inverse_power(a, b):  # type: ignore[no-untyped-def]
    if a == 0:
        raise ZeroDivisionError("0 cannot be raised to a negative power")
    return power(exact_float(a), exact_float(b))


def _float_power(a, b):  # type: ignore[no-untyped-def]
    if a == 0 and b < 0:
        raise ZeroDivisionError("0 cannot be raised to a negative power")
    base, exponent = exact_float(a), exact_float(b)
    result = power(base, exponent)
    finite = math.isfinite(base) and math.isfinite(exponent)
    if finite and not math.isfinite(result):
        raise OverflowError("a power is no finite number")
    if (
        finite
        and exponent > 0
        and abs(result) >= _LARGE
        and numpy.floor(base) == base
        and numpy.floor(exponent) == exponent
    ):
        raise OverflowError("a power of a whole number is rounded")
    return result


def _mixed_power(a, b):  # type: ignore[no-untyped-def]
    base, exponent = exact_float(a), exact_float(b)
    if exponent < 0 and numpy.floor(base) == base and numpy.floor(exponent) == exponent:
        raise ValueError("a whole number of NumPy's to a negative power is no whole number")
    return real_pow(a, b)


def _is_pair_of_words(numbers: Any) -> bool:
    """Whether these types are two of whole numbers, one of which may be a word."""
    pair = len(numbers) == 2 and any(map(is_boundless, numbers)) and all(map(is_whole, numbers))
    if pair and any(map(is_small, numbers)):
        raise NumbaTypeError(
            "a rule compares words with a number from an array of small numbers, which may be the result"
        )
    return pair


def _declare_min(*numbers):  # type: ignore[no-untyped-def]
    if _is_pair_of_words(numbers):
        return lambda *numbers: as_bits(numbers[1]) if _less(numbers[1], numbers[0]) else as_bits(numbers[0])
    return lambda *numbers: min(*numbers)


def _declare_max(*numbers):  # type: ignore[no-untyped-def]
    if _is_pair_of_words(numbers):
        return lambda *numbers: as_bits(numbers[1]) if _less(numbers[0], numbers[1]) else as_bits(numbers[0])
    return lambda *numbers: max(*numbers)


def _declare_divmod(a, b):  # type: ignore[no-untyped-def]  # noqa: ARG001
    return lambda a, b: (_quotient(a, b), _rest(a, b))


def _declare_round(number, digits=None):  # type: ignore[no-untyped-def]
    if not isinstance(digits, (types.NoneType, types.Omitted, type(None))):
        raise NumbaTypeError("rounding to a number of digits is not supported: Python rounds the decimal number")
    if is_whole(number):
        return lambda number, digits=None: exact_int(number)  # noqa: ARG005
    return lambda number, digits=None: exact_int(numpy.rint(number))  # noqa: ARG005


overload(exact_pow, prefer_literal=True)(_declare_pow)
overload(strict_pow)(_declare_strict_pow)
overload(real_pow)(_declare_real_pow)
overload(exact_min)(_declare_min)
overload(exact_max)(_declare_max)
overload(exact_divmod)(_declare_divmod)
overload(exact_round)(_declare_round)

BUILTINS = {
    "abs": exact_abs,
    "divmod": exact_divmod,
    "float": exact_float,
    "int": exact_int,
    "pow": exact_pow,
    "round": exact_round,
    "sum": exact_sum,
}
"""The replacements of built-in functions."""
STRICT_BUILTINS = BUILTINS | {"pow": strict_pow, "sum": strict_sum}
"""The same where NumPy's numbers may take part."""
WORD_BUILTINS = BUILTINS | {"bool": exact_bool, "min": exact_min, "max": exact_max}
"""The same in games that hold words."""
STRICT_WORD_BUILTINS = WORD_BUILTINS | {"pow": strict_pow, "sum": strict_word_sum}
"""The same in games that hold words where NumPy's numbers may take part."""
TAKES_BITS = (*WORD_BUILTINS.values(), strict_pow, strict_word_sum, to_word)
"""Functions to which bits need not be numbers."""
PYTHONS = (exact_bool, exact_int, exact_round, len, range)
"""Functions that give Python's own numbers, whatever they are given."""


# The module math.


def _to_whole(function: Callable[[float], Any]) -> Any:
    """`floor`, `ceil` and `trunc`: whole numbers, if they fit."""

    def exact(number: Any) -> Any:
        return function(number)

    def declare(number):  # type: ignore[no-untyped-def]
        if function is numpy.trunc and (is_whole(number) or number == types.float32):
            kind = "whole number" if is_whole(number) else "float of 32 bits"
            raise NumbaTypeError(f"a rule takes `math.trunc` of a {kind}, which NumPy's do not have")
        if is_whole(number):
            return whole
        return lambda number: exact_int(function(number))

    def whole(number):  # type: ignore[no-untyped-def]
        if abs(exact_float(number)) >= _LARGE:
            raise OverflowError("NumPy's whole numbers are made floats first")
        return exact_int(number)

    overload(exact)(declare)
    return exact


def _within_domain(function: Any) -> Any:
    """A function of `math` that raises where its result is no finite number, as in Python."""
    compute = power if function is math.pow else function
    if function in (math.atan2, math.copysign, math.fmod, math.pow):

        def exact(a: Any, b: Any) -> Any:
            return function(a, b)

        def declare(a, b):  # type: ignore[no-untyped-def]
            turns = function is math.atan2 and any(isinstance(kind, types.Float) for kind in (a, b))
            sign_alone = function is math.copysign and isinstance(b, types.Float)

            def of_two(a, b):  # type: ignore[no-untyped-def]
                if (turns and a == 0 and b <= 0) or (sign_alone and b == 0):
                    raise OverflowError("a zero has a sign if it is a float, which may be a whole number in Python")
                result = compute(exact_float(a), exact_float(b))
                finite = math.isfinite(exact_float(a)) and math.isfinite(exact_float(b))
                known = not math.isnan(exact_float(a)) and not math.isnan(exact_float(b))
                if (finite and not math.isfinite(result)) or (known and math.isnan(result)):
                    raise ValueError("math domain error")
                return result

            return of_two

        overload(exact)(declare)
        return exact

    def exact_of_one(number: Any) -> Any:
        return function(number)

    def declare_one(number):  # type: ignore[no-untyped-def]  # noqa: ARG001
        def of_one(number):  # type: ignore[no-untyped-def]
            result = function(exact_float(number))
            given = exact_float(number)
            if (math.isfinite(given) and not math.isfinite(result)) or (math.isnan(result) and not math.isnan(given)):
                raise ValueError("math domain error")
            return result

        return of_one

    overload(exact_of_one)(declare_one)
    return exact_of_one


def exact_gcd(a: Any, b: Any) -> Any:
    """`math.gcd` of two numbers."""
    return math.gcd(a, b)


def _declare_gcd(a, b):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def gcd(a, b):  # type: ignore[no-untyped-def]
        one, other = exact_abs(exact_int(a)), exact_abs(exact_int(b))
        while other != 0:
            one, other = other, _rest(one, other)
        return one

    return gcd


def exact_hypot(a: Any, b: Any) -> Any:
    """`math.hypot`, which is refused: Python's is no function of the C library."""
    return math.hypot(a, b)


def _declare_hypot(a, b):  # type: ignore[no-untyped-def]  # noqa: ARG001
    raise NumbaTypeError("a rule takes `math.hypot`, which Python rounds in a way of its own")


overload(exact_gcd)(_declare_gcd)
overload(exact_hypot)(_declare_hypot)

_DOMAIN = (
    *("acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "copysign", "cos", "cosh", "exp", "expm1", "fmod"),
    *("gamma", "lgamma", "log", "log10", "log1p", "log2", "pow", "sin", "sinh", "sqrt", "tan", "tanh"),
)
MATH: dict[str, Any] = {name: _within_domain(getattr(math, name)) for name in _DOMAIN}
MATH |= {name: _to_whole(getattr(numpy, name)) for name in ("floor", "ceil", "trunc")}
MATH |= {"gcd": exact_gcd, "hypot": exact_hypot}
"""The replacements of functions of `math`, by name."""
NUMBERS_ONLY = (exact_abs, exact_divmod, exact_gcd, exact_max, exact_min, exact_round, range, slice)
"""Functions that do not take NumPy's truth values, or do not give numbers then."""
