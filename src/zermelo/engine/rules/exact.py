"""Operators that mean in compiled rules what they mean in Python; needs Numba to import.

`operators.py` puts them in the place of Python's: shifts always, as the machine's are undefined from 64 on, and the
others in games that hold words (`zermelo.U64`), where Numba would go over to floats. What leaves 64 bits wraps around.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from zermelo.engine.rules.numba_api import intrinsic, llvm, overload, types
from zermelo.engine.rules.words import is_whole, is_word, word64

_I64 = llvm.IntType(64)
_ZERO = llvm.Constant(_I64, 0)
_FALSE = llvm.Constant(llvm.IntType(1), 0)


def _intrinsic(generate: Callable[[Any, list[Any], list[Any]], Any], result: Any) -> Any:
    """An intrinsic over two whole numbers: `generate` gets both as 64 bits, and whether each is below 0."""

    def declare(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
        plain = [types.unliteral(number) for number in (a, b)]

        def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            words = [context.cast(builder, v, t, word64) for v, t in zip(arguments, plain, strict=True)]
            below = [
                builder.icmp_signed("<", word, _ZERO) if isinstance(t, types.Integer) and t.signed else _FALSE
                for word, t in zip(words, plain, strict=True)
            ]
            return generate(builder, words, below)

        return result(*plain), emit

    return intrinsic(declare)


def _modular(name: str) -> Any:
    return _intrinsic(lambda builder, words, _below: getattr(builder, name)(*words), word64)


def _comparison(sign: str) -> Any:
    """Compares a word with a number that may be below 0, and is then less than any word."""

    def generate(builder: Any, words: list[Any], below: list[Any]) -> Any:
        a_below, b_below = below
        plain = builder.icmp_unsigned(sign, *words)
        if_a = llvm.Constant(llvm.IntType(1), int(sign in ("<", "<=", "!=")))
        if_b = llvm.Constant(llvm.IntType(1), int(sign in (">", ">=", "!=")))
        return builder.select(a_below, if_a, builder.select(b_below, if_b, plain))

    return _intrinsic(generate, types.boolean)


def _division(rest: bool, result: Any = word64) -> Any:
    """The quotient of two whole numbers, rounded down, or the rest, which has the sign of the divisor."""

    def generate(builder: Any, words: list[Any], below: list[Any]) -> Any:
        size_a, size_b = (
            builder.select(is_below, builder.neg(word), word) for word, is_below in zip(words, below, strict=True)
        )
        quotient, left = builder.udiv(size_a, size_b), builder.urem(size_a, size_b)
        opposite = builder.xor(*below)
        inexact = builder.and_(opposite, builder.icmp_unsigned("!=", left, _ZERO))
        if rest:
            left = builder.select(inexact, builder.sub(size_b, left), left)
            return builder.select(below[1], builder.neg(left), left)
        quotient = builder.select(inexact, builder.add(quotient, llvm.Constant(_I64, 1)), quotient)
        return builder.select(opposite, builder.neg(quotient), quotient)

    return _intrinsic(generate, result)


def _shift(name: str, result: Any) -> Any:
    return _intrinsic(lambda builder, words, _below: getattr(builder, name)(*words), result)


_beyond = _intrinsic(lambda builder, words, _below: builder.icmp_unsigned(">", *words), types.boolean)
_left = {True: _shift("shl", word64), False: _shift("shl", types.int64)}
_right = {True: _shift("lshr", word64), False: _shift("ashr", types.int64)}
_is_equal, _is_less = _comparison("=="), _comparison("<")
_quotient, _rest = _division(rest=False), _division(rest=True)
_small_rest = _division(rest=True, result=types.int64)
_product = _modular("mul")


def _declare_lshift(a: Any, b: Any) -> Any:
    if not (is_whole(a) and is_whole(b)):
        return lambda a, b: a << b
    shift = _left[is_word(a) or is_word(b)]

    def shift_left(a, b):  # type: ignore[no-untyped-def]
        if _beyond(b, 63):
            if _is_less(b, 0):
                raise ValueError("negative shift count")
            return shift(0, 0)
        return shift(a, b)

    return shift_left


def _declare_rshift(a: Any, b: Any) -> Any:
    if not (is_whole(a) and is_whole(b)):
        return lambda a, b: a >> b
    shift = _right[is_word(a)]

    def shift_right(a, b):  # type: ignore[no-untyped-def]
        if _beyond(b, 63):
            if _is_less(b, 0):
                raise ValueError("negative shift count")
            return shift(shift(a, 63), 1)  # nothing but copies of the sign is left
        return shift(a, b)

    return shift_right


def _words(a: Any, b: Any) -> bool:
    return is_whole(a) and is_whole(b) and (is_word(a) or is_word(b))


def _declare_floordiv(a: Any, b: Any) -> Any:
    return _divided(_quotient) if _words(a, b) else lambda a, b: a // b


def _declare_mod(a: Any, b: Any) -> Any:
    if not _words(a, b):
        return lambda a, b: a % b
    return _divided(_rest if is_word(b) else _small_rest)  # a rest is smaller than its divisor


def _divided(part: Any) -> Any:
    def divided(a, b):  # type: ignore[no-untyped-def]
        if _is_equal(b, 0):
            raise ZeroDivisionError("integer division or modulo by zero")
        return part(a, b)

    return divided


def _declare_power(a: Any, b: Any) -> Any:
    if not _words(a, b):
        return lambda a, b: a**b

    def power(a, b):  # type: ignore[no-untyped-def]
        if _is_less(b, 0):
            raise ValueError("a whole number to a negative power is no whole number")
        product = _product(1, 1)
        while not _is_equal(b, 0):
            if _is_equal(_rest(b, 2), 1):
                product = _product(product, a)
            a = _product(a, a)
            b = _quotient(b, 2)
        return product

    return power


def _exact(name: str, declare: Any) -> Any:
    """A function that stands for the operator `name` in compiled rules."""
    scope: dict[str, Any] = {}
    exec(f"def exact_{name}(a, b):\n    return NotImplemented", scope)
    declare.__annotations__.clear()
    overload(scope[f"exact_{name}"])(declare)
    return scope[f"exact_{name}"]


def _by_sign(sign: str, exact: Any) -> Any:
    """Declares an operator that is `exact` where a word is involved and Python's `sign` otherwise."""
    scope: dict[str, Any] = {"exact": exact, "words": _words}
    exec(
        f"def declare(a, b):\n    return (lambda a, b: exact(a, b)) if words(a, b) else (lambda a, b: a {sign} b)",
        scope,
    )
    return scope["declare"]


SHIFTS: dict[Any, Any] = {
    operator.lshift: _exact("lshift", _declare_lshift),
    operator.rshift: _exact("rshift", _declare_rshift),
}
"""What stands for Python's operators in every game."""

OPERATORS: dict[Any, Any] = {
    **SHIFTS,
    operator.add: _exact("add", _by_sign("+", _modular("add"))),
    operator.sub: _exact("sub", _by_sign("-", _modular("sub"))),
    operator.mul: _exact("mul", _by_sign("*", _product)),
    operator.and_: _exact("and", _by_sign("&", _modular("and_"))),
    operator.or_: _exact("or", _by_sign("|", _modular("or_"))),
    operator.xor: _exact("xor", _by_sign("^", _modular("xor"))),
    operator.floordiv: _exact("floordiv", _declare_floordiv),
    operator.mod: _exact("mod", _declare_mod),
    operator.pow: _exact("pow", _declare_power),
    operator.lt: _exact("lt", _by_sign("<", _is_less)),
    operator.le: _exact("le", _by_sign("<=", _comparison("<="))),
    operator.gt: _exact("gt", _by_sign(">", _comparison(">"))),
    operator.ge: _exact("ge", _by_sign(">=", _comparison(">="))),
    operator.eq: _exact("eq", _by_sign("==", _is_equal)),
    operator.ne: _exact("ne", _by_sign("!=", _comparison("!="))),
}
"""What stands for them in games that hold words."""
