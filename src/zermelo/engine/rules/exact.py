"""Operators that mean in compiled rules what they mean in Python; needs Numba to import.

`operators.py` substitutes them for Python's. Whole numbers with a sign have 64 bits, and what leaves them raises
an `OverflowError`; words (`zermelo.U64`) are taken modulo 2^64. So is a shift to the left whose result is a board of
bits: `(stones << 7) & board` is right, whatever the shift loses. Division by zero, negative shifts and powers that are
not integers raise as well. Everything else is left to Numba.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from zermelo.engine.rules.numba_api import cgutils, impl_ret_borrowed, intrinsic, llvm, types
from zermelo.engine.rules.words import Word, is_whole, is_word, word64

_I64 = llvm.IntType(64)
_I1 = llvm.IntType(1)
_EXACT_IN_DOUBLE = 1 << 53
OVERFLOW = "a whole number leaves its 64 bits"


def _number(value: int) -> Any:
    return llvm.Constant(_I64, value)


def _raise_if(context: Any, builder: Any, condition: Any, error: type[Exception], text: str) -> None:
    with cgutils.if_unlikely(builder, condition):
        context.call_conv.return_user_exc(builder, error, (text,))


def _below_zero(builder: Any, number: Any) -> Any:
    return builder.icmp_signed("<", number, _number(0))


# Whole numbers with a sign: (context, builder, a, b) → the result.

Generator = Callable[[Any, Any, Any, Any], Any]


def _checked(name: str) -> Generator:
    """An operation for which LLVM reports whether the result fits."""

    def generate(context: Any, builder: Any, a: Any, b: Any) -> Any:
        pair = getattr(builder, f"{name}_with_overflow")(a, b)
        _raise_if(context, builder, builder.extract_value(pair, 1), OverflowError, OVERFLOW)
        return builder.extract_value(pair, 0)

    return generate


_plus, _minus, _times = _checked("sadd"), _checked("ssub"), _checked("smul")


def _shifted(context: Any, builder: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """The low 64 bits of a · 2^b, and whether that is not the whole result."""
    _raise_if(context, builder, _below_zero(builder, b), ValueError, "negative shift count")
    far = builder.icmp_signed(">", b, _number(63))
    count = builder.select(far, _number(63), b)
    low = builder.select(far, _number(0), builder.shl(a, count))
    back = builder.select(far, _number(0), builder.ashr(low, count))
    return low, builder.icmp_signed("!=", back, a)


def _shift_left(context: Any, builder: Any, a: Any, b: Any) -> Any:
    low, lost = _shifted(context, builder, a, b)
    _raise_if(context, builder, lost, OverflowError, OVERFLOW)
    return low


def _shift_left_modular(context: Any, builder: Any, a: Any, b: Any) -> Any:
    return _shifted(context, builder, a, b)[0]


def _shift_right(context: Any, builder: Any, a: Any, b: Any) -> Any:
    _raise_if(context, builder, _below_zero(builder, b), ValueError, "negative shift count")
    return builder.ashr(a, builder.select(builder.icmp_signed(">", b, _number(63)), _number(63), b))


def _division(context: Any, builder: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """Quotient and remainder, rounded down; the machine traps if the quotient would be 2^63."""
    zero = builder.icmp_signed("==", b, _number(0))
    _raise_if(context, builder, zero, ZeroDivisionError, "integer division or modulo by zero")
    least = builder.icmp_signed("==", a, _number(-(1 << 63)))
    over = builder.and_(least, builder.icmp_signed("==", b, _number(-1)))
    _raise_if(context, builder, over, OverflowError, OVERFLOW)
    quotient, rest = builder.sdiv(a, b), builder.srem(a, b)
    opposite = _below_zero(builder, builder.xor(rest, b))
    down = builder.and_(opposite, builder.icmp_signed("!=", rest, _number(0)))
    quotient = builder.select(down, builder.sub(quotient, _number(1)), quotient)
    return quotient, builder.select(down, builder.add(rest, b), rest)


def _true_division(context: Any, builder: Any, a: Any, b: Any) -> Any:
    """Python rounds the quotient once; so does this, as long as both numbers are doubles."""
    _raise_if(context, builder, builder.icmp_signed("==", b, _number(0)), ZeroDivisionError, "division by zero")
    for number in (a, b):
        size = builder.select(_below_zero(builder, number), builder.neg(number), number)
        big = builder.icmp_unsigned(">", size, _number(_EXACT_IN_DOUBLE))
        _raise_if(context, builder, big, OverflowError, OVERFLOW)
    double = llvm.DoubleType()
    return builder.fdiv(builder.sitofp(a, double), builder.sitofp(b, double))


# Words: the same, with whether each number is below zero, and otherwise without a sign.

WordGenerator = Callable[[Any, Any, list[Any], list[Any]], Any]


def _modular(name: str) -> WordGenerator:
    return lambda _context, builder, words, _below: getattr(builder, name)(*words)


def _compare_words(sign: str) -> WordGenerator:
    """Compares a word with a number that may be below 0, and is then less than any word."""

    def generate(_context: Any, builder: Any, words: list[Any], below: list[Any]) -> Any:
        plain = builder.icmp_unsigned(sign, *words)
        if_a = llvm.Constant(_I1, int(sign in ("<", "<=", "!=")))
        if_b = llvm.Constant(_I1, int(sign in (">", ">=", "!=")))
        return builder.select(below[0], if_a, builder.select(below[1], if_b, plain))

    return generate


def _divide_words(rest: bool) -> WordGenerator:
    """The quotient, rounded down, or the remainder, which has the sign of the divisor."""

    def generate(context: Any, builder: Any, words: list[Any], below: list[Any]) -> Any:
        zero = builder.icmp_unsigned("==", words[1], _number(0))
        _raise_if(context, builder, zero, ZeroDivisionError, "integer division or modulo by zero")
        size_a, size_b = (
            builder.select(is_below, builder.neg(word), word) for word, is_below in zip(words, below, strict=True)
        )
        quotient, left = builder.udiv(size_a, size_b), builder.urem(size_a, size_b)
        opposite = builder.xor(*below)
        inexact = builder.and_(opposite, builder.icmp_unsigned("!=", left, _number(0)))
        if rest:
            left = builder.select(inexact, builder.sub(size_b, left), left)
            return builder.select(below[1], builder.neg(left), left)
        quotient = builder.select(inexact, builder.add(quotient, _number(1)), quotient)
        return builder.select(opposite, builder.neg(quotient), quotient)

    return generate


def _shift_words(name: str) -> WordGenerator:
    """A shift by 64 or more gives 0."""

    def generate(context: Any, builder: Any, words: list[Any], below: list[Any]) -> Any:
        _raise_if(context, builder, below[1], ValueError, "negative shift count")
        far = builder.icmp_unsigned(">", words[1], _number(63))
        return builder.select(far, _number(0), getattr(builder, name)(*words))

    return generate


def _shift_mixed_right(context: Any, builder: Any, words: list[Any], below: list[Any]) -> Any:
    """A number with a sign, shifted by a word."""
    _raise_if(context, builder, below[1], ValueError, "negative shift count")
    return builder.ashr(
        words[0], builder.select(builder.icmp_unsigned(">", words[1], _number(63)), _number(63), words[1])
    )


# The functions that replace operators.


def _as_words(context: Any, builder: Any, arguments: Any, kinds: list[Any]) -> tuple[list[Any], list[Any]]:
    """Numbers as 64 bits, and whether each is below zero."""
    words = [context.cast(builder, v, t, word64) for v, t in zip(arguments, kinds, strict=True)]
    below = [
        _below_zero(builder, word) if isinstance(t, types.Integer) and t.signed else llvm.Constant(_I1, 0)
        for word, t in zip(words, kinds, strict=True)
    ]
    return words, below


def _left_to_numba(typing_context: Any, function: Any, kinds: Any) -> Any:
    """The signature of a built-in function and what generates a call of it."""
    callee = typing_context.resolve_value_type(function)
    signature = typing_context.resolve_function_type(callee, tuple(kinds), {})
    if signature is None:
        return None

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return context.get_function(callee, signature)(builder, arguments)

    return signature, generate


def _binary(
    name: str,
    function: Any,
    whole: tuple[Generator, Any] | None = None,
    words: Callable[[Any, Any], tuple[WordGenerator, Any]] | None = None,
) -> Any:
    """An intrinsic for an operator: `whole` for numbers with a sign, `words` where a word takes part."""

    def declare(typing_context: Any, a: Any, b: Any) -> Any:
        kinds = [types.unliteral(kind) for kind in (a, b)]
        if not all(map(is_whole, kinds)):
            return _left_to_numba(typing_context, function, (a, b))
        if any(map(is_word, kinds)):
            if words is None:
                return _left_to_numba(typing_context, function, (a, b))
            of_words, result = words(*kinds)

            def generate_words(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
                return of_words(context, builder, *_as_words(context, builder, arguments, kinds))

            return result(*kinds), generate_words
        if whole is None:
            return _left_to_numba(typing_context, function, (a, b))
        of_whole, result = whole

        def generate_whole(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            numbers = [context.cast(builder, v, t, types.int64) for v, t in zip(arguments, kinds, strict=True)]
            return of_whole(context, builder, *numbers)

        return result(*kinds), generate_whole

    declare.__name__ = declare.__qualname__ = f"exact_{name}"
    return intrinsic(declare)


def _always(generate: WordGenerator, result: Any) -> Callable[[Any, Any], tuple[WordGenerator, Any]]:
    return lambda _a, _b: (generate, result)


def _comparison(name: str, function: Any, sign: str) -> Any:
    return _binary(name, function, words=_always(_compare_words(sign), types.boolean))


def _words_shifted_right(a: Any, _b: Any) -> tuple[WordGenerator, Any]:
    return (_shift_words("lshr"), word64) if is_word(a) else (_shift_mixed_right, types.int64)


def _rest_of_words(_a: Any, b: Any) -> tuple[WordGenerator, Any]:
    return _divide_words(rest=True), word64 if is_word(b) else types.int64  # a remainder is smaller than its divisor


def _operators(modular: bool, in_place: bool) -> dict[Any, Any]:
    """By operator; `modular` where a game holds words: there a shift to the left makes masks of 64 bits."""

    def own(function: Any) -> Any:
        return getattr(operator, f"i{function.__name__.strip('_')}") if in_place else function

    left = _shift_left_modular if modular else _shift_left
    divided = (lambda *given: _division(*given)[0], types.int64)
    rest = (lambda *given: _division(*given)[1], types.int64)
    made = {
        operator.lshift: ("lshift", (left, types.int64), _always(_shift_words("shl"), word64)),
        operator.rshift: ("rshift", (_shift_right, types.int64), _words_shifted_right),
        operator.add: ("add", (_plus, types.int64), _always(_modular("add"), word64)),
        operator.sub: ("sub", (_minus, types.int64), _always(_modular("sub"), word64)),
        operator.mul: ("mul", (_times, types.int64), _always(_modular("mul"), word64)),
        operator.and_: ("and", None, _always(_modular("and_"), word64)),
        operator.or_: ("or", None, _always(_modular("or_"), word64)),
        operator.xor: ("xor", None, _always(_modular("xor"), word64)),
        operator.floordiv: ("floordiv", divided, _always(_divide_words(rest=False), word64)),
        operator.mod: ("mod", rest, _rest_of_words),
        operator.truediv: ("truediv", (_true_division, types.float64), None),
    }
    return {function: _binary(name, own(function), whole, words) for function, (name, whole, words) in made.items()}


CHECKED = {in_place: _operators(modular=False, in_place=in_place) for in_place in (False, True)}
"""The replacements of Python's operators, by whether they work in place, in games without words."""

COMPARISONS = {
    operator.lt: _comparison("lt", operator.lt, "<"),
    operator.le: _comparison("le", operator.le, "<="),
    operator.gt: _comparison("gt", operator.gt, ">"),
    operator.ge: _comparison("ge", operator.ge, ">="),
    operator.eq: _comparison("eq", operator.eq, "=="),
    operator.ne: _comparison("ne", operator.ne, "!="),
}
MODULAR = {in_place: _operators(modular=True, in_place=in_place) | COMPARISONS for in_place in (False, True)}
"""The same in games that hold words."""


def _unary(name: str, function: Any, whole: Any = None, words: Any = None, result: Any = word64) -> Any:
    """An intrinsic for an operator of one number, as `_binary`."""

    def declare(typing_context: Any, a: Any) -> Any:
        kind = types.unliteral(a)
        word = is_word(kind)
        chosen: Any = words if word else whole if is_whole(kind) else None
        to, gives = (word64, result) if word else (types.int64, types.int64)
        if chosen is None:
            return _left_to_numba(typing_context, function, (a,))

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return chosen(context, builder, context.cast(builder, arguments[0], kind, to))

        return gives(kind), generate

    declare.__name__ = declare.__qualname__ = f"exact_{name}"
    return intrinsic(declare)


def _negative(context: Any, builder: Any, a: Any) -> Any:
    return _minus(context, builder, _number(0), a)


def _size(context: Any, builder: Any, a: Any) -> Any:
    return builder.select(_below_zero(builder, a), _negative(context, builder, a), a)


def _is_zero(_context: Any, builder: Any, a: Any) -> Any:
    return builder.icmp_unsigned("==", a, _number(0))


def _is_not_zero(_context: Any, builder: Any, a: Any) -> Any:
    return builder.icmp_unsigned("!=", a, _number(0))


def _as_it_is(_context: Any, _builder: Any, a: Any) -> Any:
    return a


def _inverse(_context: Any, builder: Any, a: Any) -> Any:
    return builder.not_(a)


exact_neg = _unary("neg", operator.neg, _negative, lambda _context, builder, a: builder.neg(a))
exact_invert = _unary("invert", operator.invert, _inverse, _inverse)
exact_not = _unary("not", operator.not_, None, _is_zero, types.boolean)
exact_abs = _unary("abs", abs, _size, _as_it_is)
exact_bool = _unary("bool", bool, None, _is_not_zero, types.boolean)


def _declare_int(typing_context: Any, a: Any) -> Any:
    """`int(a)`: a word stays one, and a float has to fit 64 bits."""
    kind = types.unliteral(a)
    if is_whole(kind):
        wanted = word64 if is_word(kind) else types.int64
        return wanted(kind), lambda context, builder, _signature, given: context.cast(builder, given[0], kind, wanted)
    if not isinstance(kind, types.Float):
        return _left_to_numba(typing_context, int, (a,))

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        number = context.cast(builder, arguments[0], kind, types.float64)
        least, most = (llvm.Constant(number.type, edge) for edge in (-(2.0**63), 2.0**63))
        inside = builder.and_(builder.fcmp_ordered(">=", number, least), builder.fcmp_ordered("<", number, most))
        _raise_if(context, builder, builder.not_(inside), OverflowError, OVERFLOW)
        return builder.fptosi(number, _I64)

    return types.int64(kind), generate


exact_int = intrinsic(_declare_int)


def _passed_on(wanted: Callable[[Any], Any]) -> Any:
    """An intrinsic that converts its argument to `wanted(its type)`, or returns it unchanged if that is `None`."""

    def declare(typing_context: Any, a: Any) -> Any:  # noqa: ARG001
        kind = types.unliteral(a)
        other = wanted(kind)

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            if other is None:
                return impl_ret_borrowed(context, builder, kind, arguments[0])
            return context.cast(builder, arguments[0], types.uint64, other)

        return (other or kind)(kind), generate

    return intrinsic(declare)


as_word = _passed_on(lambda kind: word64 if is_word(kind) else None)
as_index = _passed_on(lambda kind: types.int64 if isinstance(kind, Word) else None)
unliteral = _passed_on(lambda _kind: None)
"""Numba gives a literal number a type of its own; this replaces it by the plain type."""
