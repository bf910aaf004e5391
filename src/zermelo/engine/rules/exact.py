"""Operators that mean in compiled rules what they mean in Python; needs Numba to import.

`operators.py` substitutes them for Python's. Whole numbers with a sign have 64 bits, and what leaves them raises
an `OverflowError`. Words (`zermelo.U64`) and shifts to the left give bits (`bits.py`), which raise it where the lost
ones are needed. Numbers from NumPy's arrays of fewer bits stay in these, and raise where NumPy would go round. Division
by zero, negative shifts and powers that are not whole raise as well. Everything else is left to Numba.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy

from zermelo.engine.rules.bits import (
    EXACT_BITS,
    I1,
    I64,
    OVERFLOW,
    Bits,
    Part,
    Word,
    as_kind,
    as_number,
    below_zero,
    bits,
    is_small,
    is_truth,
    is_whole,
    is_word,
    is_wordy,
    number,
    part_of,
    raise_if,
    settle,
    truth_or_number,
    word64,
    word_bits,
)
from zermelo.engine.rules.floats import divided, left_to_numba, refuse_rounding
from zermelo.engine.rules.numba_api import NumbaTypeError, intrinsic, llvm, numpy_support, types
from zermelo.engine.rules.promotions import of_arrays, refuse_numpy

_WIDE = llvm.IntType(130)
"""Holds the product of any two numbers of 64 bits."""

_FARTHEST = 1 << 16
"""The farthest shift to the left that does not fail for want of memory in Python."""

# Whole numbers with a sign: (context, builder, a, b) → the result.

Generator = Callable[[Any, Any, Any, Any], Any]


def _checked(name: str) -> Generator:
    """An operation for which LLVM reports whether the result fits."""

    def generate(context: Any, builder: Any, a: Any, b: Any) -> Any:
        pair = getattr(builder, f"{name}_with_overflow")(a, b)
        raise_if(context, builder, builder.extract_value(pair, 1), OverflowError, OVERFLOW)
        return builder.extract_value(pair, 0)

    return generate


plus, minus, times = _checked("sadd"), _checked("ssub"), _checked("smul")


def _plain(name: str) -> Generator:
    return lambda _context, builder, a, b: getattr(builder, name)(a, b)


def _count(builder: Any, b: Any) -> tuple[Any, Any]:
    """How far to shift, at most 63, and whether it is farther."""
    far = builder.icmp_unsigned(">", b, number(63))
    return builder.select(far, number(63), b), far


def _shift_right(context: Any, builder: Any, a: Any, b: Any) -> Any:
    raise_if(context, builder, below_zero(builder, b), ValueError, "negative shift count")
    return builder.ashr(a, _count(builder, b)[0])


def _division(context: Any, builder: Any, a: Any, b: Any) -> tuple[Any, Any]:
    """Quotient and remainder, rounded down; the machine traps if the quotient would be 2^63."""
    zero = builder.icmp_signed("==", b, number(0))
    raise_if(context, builder, zero, ZeroDivisionError, "integer division or modulo by zero")
    least = builder.icmp_signed("==", a, number(-(1 << 63)))
    over = builder.and_(least, builder.icmp_signed("==", b, number(-1)))
    raise_if(context, builder, over, OverflowError, OVERFLOW)
    quotient, rest = builder.sdiv(a, b), builder.srem(a, b)
    opposite = below_zero(builder, builder.xor(rest, b))
    down = builder.and_(opposite, builder.icmp_signed("!=", rest, number(0)))
    quotient = builder.select(down, builder.sub(quotient, number(1)), quotient)
    return quotient, builder.select(down, builder.add(rest, b), rest)


def _true_division(context: Any, builder: Any, a: Any, b: Any) -> Any:
    """Python rounds the quotient once; so does this, as long as both numbers are doubles."""
    raise_if(context, builder, builder.icmp_signed("==", b, number(0)), ZeroDivisionError, "division by zero")
    for each in (a, b):
        size = builder.select(below_zero(builder, each), builder.neg(each), each)
        big = builder.icmp_unsigned(">", size, number(1 << EXACT_BITS))
        raise_if(context, builder, big, OverflowError, OVERFLOW)
    double = llvm.DoubleType()
    return builder.fdiv(builder.sitofp(a, double), builder.sitofp(b, double))


# Words and bits: (context, builder, a, b), parts, → a part, or what a comparison gives.

PartGenerator = Callable[[Any, Any, Part, Part], Any]


def wide(name: str) -> PartGenerator:
    """A sum, difference or product; below zero it is lost, as NumPy's words would go round there."""

    def generate(_context: Any, builder: Any, *parts: Part) -> Part:
        wide = [
            builder.select(part.signed, builder.sext(part.low, _WIDE), builder.zext(part.low, _WIDE)) for part in parts
        ]
        result = getattr(builder, name)(*wide)
        low = builder.trunc(result, I64)
        known = [builder.or_(part.signed, part.unsigned) for part in parts]
        fits = builder.icmp_unsigned("==", builder.zext(low, _WIDE), result)
        return settle(builder, low, llvm.Constant(I1, 0), builder.and_(builder.and_(*known), fits))

    return generate


def _both_bits(_context: Any, builder: Any, a: Part, b: Part) -> Part:
    """`a & b`: one number of which all higher bits are 0 is enough."""
    low = builder.and_(a.low, b.low)
    made = settle(builder, low, builder.and_(a.signed, b.signed), builder.or_(a.unsigned, b.unsigned))
    masks = [part.unsigned for part in (a, b) if isinstance(part.signed, llvm.Constant)]  # numbers, and not bits
    return made._replace(sure=masks[0]) if masks else made


def _merged(name: str) -> PartGenerator:
    """`a | b`, `a ^ b`."""

    def generate(_context: Any, builder: Any, a: Part, b: Part) -> Part:
        low = getattr(builder, name)(a.low, b.low)
        return settle(builder, low, builder.and_(a.signed, b.signed), builder.and_(a.unsigned, b.unsigned))

    return generate


def _shift_left(context: Any, builder: Any, a: Part, b: Part) -> Part:
    distance, _ = as_number(context, builder, b)
    beyond = builder.icmp_unsigned(">", distance, number(_FARTHEST))  # or below zero
    raise_if(context, builder, beyond, ValueError, "negative shift count, or one for which Python needs much memory")
    count, far = _count(builder, distance)
    low = builder.select(far, number(0), builder.shl(a.low, count))
    nothing = builder.icmp_unsigned("==", a.low, number(0))
    kept = [builder.icmp_unsigned("==", back(low, count), a.low) for back in (builder.ashr, builder.lshr)]
    kept = [builder.or_(nothing, builder.and_(builder.not_(far), each)) for each in kept]
    return settle(builder, low, builder.and_(a.signed, kept[0]), builder.and_(a.unsigned, kept[1]))


def _shift_part_right(context: Any, builder: Any, a: Part, b: Part) -> Part:
    low, below = as_number(context, builder, a)
    distance, negative = as_number(context, builder, b)
    raise_if(context, builder, negative, ValueError, "negative shift count")
    count, far = _count(builder, distance)
    unsigned = builder.select(far, number(0), builder.lshr(low, count))
    low = builder.select(below, builder.ashr(low, count), unsigned)
    return settle(builder, low, below, builder.not_(below))


def _compare(sign: str) -> PartGenerator:
    """A number below 0 is less than one that is not."""

    def generate(context: Any, builder: Any, *parts: Part) -> Any:
        (a, below_a), (b, below_b) = (as_number(context, builder, part) for part in parts)
        plain = builder.icmp_unsigned(sign, a, b)
        if_a = llvm.Constant(I1, int(sign in ("<", "<=", "!=")))
        if_b = llvm.Constant(I1, int(sign in (">", ">=", "!=")))
        differ = builder.xor(below_a, below_b)
        return builder.select(differ, builder.select(below_a, if_a, if_b), plain)

    return generate


def _divide(rest: bool) -> PartGenerator:
    """The quotient, rounded down, or the remainder, which has the sign of the divisor."""

    def generate(context: Any, builder: Any, *parts: Part) -> Part:
        (a, below_a), (b, below_b) = (as_number(context, builder, part) for part in parts)
        zero = builder.icmp_unsigned("==", b, number(0))
        raise_if(context, builder, zero, ZeroDivisionError, "integer division or modulo by zero")
        size_a = builder.select(below_a, builder.neg(a), a)
        size_b = builder.select(below_b, builder.neg(b), b)
        quotient, left = builder.udiv(size_a, size_b), builder.urem(size_a, size_b)
        opposite = builder.xor(below_a, below_b)
        inexact = builder.and_(opposite, builder.icmp_unsigned("!=", left, number(0)))
        if rest:
            size = builder.select(inexact, builder.sub(size_b, left), left)
            below = builder.and_(below_b, builder.icmp_unsigned("!=", size, number(0)))
        else:
            size = builder.select(inexact, builder.add(quotient, number(1)), quotient)
            below = builder.and_(opposite, builder.icmp_unsigned("!=", size, number(0)))
        low = builder.select(below, builder.neg(size), size)
        # Below zero, it is as far as −2^63 with a sign.
        signed = builder.and_(below, builder.icmp_unsigned("<=", size, number(1 << 63)))
        return settle(builder, low, signed, builder.not_(below))

    return generate


def _true_division_of_parts(context: Any, builder: Any, a: Part, b: Part) -> Any:
    return _true_division(context, builder, *(as_kind(context, builder, part, types.int64) for part in (a, b)))


# The functions that replace operators.

_BY_BITS = ("and", "or", "xor")
"""Operators that give a truth value if both numbers are one."""


class Rule(NamedTuple):
    """How an operator is computed: `whole` for numbers with a sign, `parts` where a word or bits take part."""

    name: str
    whole: Generator | None
    parts: PartGenerator
    result: Any = types.int64
    """Of `whole`."""
    gives: Callable[[Any, Any], Any] | None = None
    """The type of what `parts` gives; `None` for the type of `whole`."""


def _bits_of(*kinds: Any) -> Any:
    return word_bits if any(is_word(kind) or (isinstance(kind, Bits) and kind.of_word) for kind in kinds) else bits


def _word_or_bits(a: Any, b: Any) -> Any:
    """Of `a & b`: never more than a word."""
    return word64 if is_word(a) or is_word(b) else _bits_of(a, b)


def _words_or_bits(a: Any, b: Any) -> Any:
    """Of `a | b` and `a ^ b`."""
    return word64 if is_word(a) and is_word(b) else _bits_of(a, b)


def _as_first(a: Any, _b: Any) -> Any:
    return word64 if is_word(a) else a if isinstance(a, Bits) else types.int64


def _as_second(_a: Any, b: Any) -> Any:
    return _as_first(b, b)  # a remainder is smaller than its divisor


_RULES = {
    operator.lshift: Rule("lshift", None, _shift_left, gives=_bits_of),
    operator.rshift: Rule("rshift", _shift_right, _shift_part_right, gives=_as_first),
    operator.add: Rule("add", plus, wide("add"), gives=_bits_of),
    operator.sub: Rule("sub", minus, wide("sub"), gives=_bits_of),
    operator.mul: Rule("mul", times, wide("mul"), gives=_bits_of),
    operator.and_: Rule("and", _plain("and_"), _both_bits, gives=_word_or_bits),
    operator.or_: Rule("or", _plain("or_"), _merged("or_"), gives=_words_or_bits),
    operator.xor: Rule("xor", _plain("xor"), _merged("xor"), gives=_words_or_bits),
    operator.floordiv: Rule("floordiv", lambda *given: _division(*given)[0], _divide(rest=False), gives=_bits_of),
    operator.mod: Rule("mod", lambda *given: _division(*given)[1], _divide(rest=True), gives=_as_second),
    operator.truediv: Rule("truediv", _true_division, _true_division_of_parts, types.float64),
}
_COMPARISONS = {
    operator.lt: "<",
    operator.le: "<=",
    operator.gt: ">",
    operator.ge: ">=",
    operator.eq: "==",
    operator.ne: "!=",
}


def _small_result(kinds: list[Any]) -> Any:
    """The small type that NumPy computes in; `None` where it is 64 bits in any case."""
    small = [numpy_support.as_dtype(kind) for kind in kinds if is_small(kind)]
    return numpy_support.from_dtype(numpy.result_type(*small)) if small else None


def refuse_tuples(name: str, kinds: list[Any]) -> None:
    """Refuses to let Numba compare tuples with words, which it takes for numbers with a sign; their bits it may."""
    held = [held for kind in kinds if isinstance(kind, types.BaseTuple) for held in _numbers_in(kind)]
    alike = name in ("eq", "ne") and kinds[0] == kinds[-1]
    if any(isinstance(kind, Bits) or (isinstance(kind, Word) and not alike) for kind in held):
        raise NumbaTypeError("a rule compares tuples of words")


def _numbers_in(kind: Any) -> list[Any]:
    parts = list(kind) if isinstance(kind, types.BaseTuple) else [kind]
    return parts if parts == [kind] else [number for part in parts for number in _numbers_in(part)]


def _binary(rule: Rule, function: Any, closed: bool, strict: bool, real: bool) -> Any:
    """An intrinsic for an operator, as `operators` has them."""

    def declare(typing_context: Any, a: Any, b: Any) -> Any:
        kinds = [types.unliteral(kind) for kind in (a, b)]
        refuse_numpy(rule.name, kinds, strict)
        if rule.result is types.boolean:
            refuse_tuples(rule.name, kinds)
            if any(map(is_truth, kinds)) and any(map(is_wordy, kinds)):
                raise NumbaTypeError("a rule compares truth values with words, which NumPy's do not take")
        if rule.result is types.float64 and any(map(is_whole, kinds)) and types.float64 in kinds:
            return divided(typing_context, function, kinds, real)
        if not all(map(is_whole, kinds)):
            made = left_to_numba(typing_context, function, (a, b))
            if made is not None and any(isinstance(kind, types.Array) for kind in kinds):
                made = of_arrays(rule.name, function, (a, b), made)
            return made if real else refuse_rounding(rule.name, made, kinds, strict)
        if rule.name != "lshift" and not any(is_word(kind) or isinstance(kind, Bits) for kind in kinds):
            truths = all(isinstance(kind, types.Boolean) for kind in kinds)
            if rule.whole is None or (truths and rule.name in _BY_BITS):
                return left_to_numba(typing_context, function, (a, b))
            return _whole(rule, rule.whole, kinds)
        return _of_parts(rule, kinds, closed, strict)

    declare.__name__ = declare.__qualname__ = f"exact_{rule.name}"
    return intrinsic(declare)


def _of_parts(rule: Rule, kinds: list[Any], closed: bool, strict: bool) -> Any:
    """Signature and code where words or bits take part, and of shifts to the left."""
    small = _small_result(kinds) if rule.result is types.int64 else None
    gives = small or (rule.result if closed or rule.gives is None else rule.gives(*kinds))

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        parts = [part_of(context, builder, v, kind) for v, kind in zip(arguments, kinds, strict=True)]
        if small is not None:
            _refuse_beyond(context, builder, [as_kind(context, builder, part, types.int64) for part in parts], small)
        made = rule.parts(context, builder, *parts)
        if not isinstance(made, Part):
            return made
        if small is not None:
            return context.cast(builder, as_kind(context, builder, made, types.int64), types.int64, small)
        if strict and gives == bits:  # NumPy's numbers go round at 2^63
            made = made._replace(unsigned=builder.and_(made.unsigned, builder.not_(below_zero(builder, made.low))))
        return as_kind(context, builder, made, gives)

    return gives(*kinds), generate


def _refuse_beyond(context: Any, builder: Any, numbers: list[Any], small: Any) -> None:
    for each in numbers:
        context.cast(builder, each, types.int64, small)  # raises if it does not fit


def _whole(rule: Rule, compute: Generator, kinds: list[Any]) -> Any:
    """Signature and code for whole numbers with a sign."""
    small = _small_result(kinds) if rule.result is types.int64 else None
    keeps_truths = rule.name in _BY_BITS and all(map(is_truth, kinds))
    gives = small or (truth_or_number if keeps_truths else rule.result)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        numbers = [context.cast(builder, v, kind, types.int64) for v, kind in zip(arguments, kinds, strict=True)]
        if small is not None:
            _refuse_beyond(context, builder, numbers, small)
        result = compute(context, builder, *numbers)
        return result if small is None else context.cast(builder, result, types.int64, small)

    return gives(*kinds), generate


def operators(closed: bool, strict: bool, in_place: bool, real: bool = False) -> dict[Any, Any]:
    """The replacements of Python's operators.

    `closed` ones give numbers and not only bits of them; `strict` ones are for rules with NumPy's numbers;
    `real` ones have an operand that is a float in Python too.
    """

    def own(function: Any) -> Any:
        return getattr(operator, f"i{function.__name__.strip('_')}") if in_place else function

    return {function: _binary(rule, own(function), closed, strict, real) for function, rule in _RULES.items()}


COMPARISONS = {
    function: _binary(Rule(function.__name__, None, _compare(sign), types.boolean), function, False, False, False)
    for function, sign in _COMPARISONS.items()
}
