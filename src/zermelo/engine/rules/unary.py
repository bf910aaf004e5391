"""Operators and functions of one number that mean in compiled rules what they mean in Python; needs Numba to import."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

from zermelo.engine.rules.bits import (
    I1,
    I64,
    OVERFLOW,
    Bits,
    Part,
    TruthOrNumber,
    Word,
    as_double,
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
    word64,
    word_bits,
)
from zermelo.engine.rules.exact import minus, refuse_tuples, wide
from zermelo.engine.rules.floats import left_to_numba
from zermelo.engine.rules.numba_api import NumbaTypeError, impl_ret_borrowed, intrinsic, llvm, types
from zermelo.engine.rules.promotions import TRUTH

Generator = Callable[[Any, Any, Any], Any]
_NO = llvm.Constant(I1, 0)


def _unary(
    name: str,
    function: Any,
    whole: Generator | None,
    parts: Callable[[Any, Any, Part, Any], Any],
    gives: Callable[[Any], Any],
    refused: str = "",
) -> Any:
    """An intrinsic: `whole` for numbers with a sign, `parts` for words and bits; `refused` of truth values."""

    def declare(typing_context: Any, a: Any) -> Any:
        kind = types.unliteral(a)
        inner = kind.dtype if isinstance(kind, types.Array) and name != "invert" else kind
        if refused and is_truth(inner):
            raise NumbaTypeError(refused)
        if is_word(kind) or isinstance(kind, Bits):
            result = gives(kind)

            def generate_parts(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
                made = parts(context, builder, part_of(context, builder, arguments[0], kind), kind)
                return as_kind(context, builder, made, result) if isinstance(made, Part) else made

            return result(kind), generate_parts
        if whole is None or not is_whole(kind):
            return left_to_numba(typing_context, function, (a,))
        compute, own = whole, kind if is_small(kind) else types.int64

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            made = compute(context, builder, context.cast(builder, arguments[0], kind, types.int64))
            return context.cast(builder, made, types.int64, own)

        return own(kind), generate

    declare.__name__ = declare.__qualname__ = f"exact_{name}"
    return intrinsic(declare)


def _negative(context: Any, builder: Any, a: Any) -> Any:
    return minus(context, builder, number(0), a)


def _negative_part(context: Any, builder: Any, part: Part, _kind: Any) -> Part:
    return wide("sub")(context, builder, settle(builder, number(0), llvm.Constant(I1, 1), _NO), part)  # type: ignore[no-any-return]


def _size(context: Any, builder: Any, a: Any) -> Any:
    return builder.select(below_zero(builder, a), _negative(context, builder, a), a)


def _size_of_part(context: Any, builder: Any, part: Part, _kind: Any) -> Part:
    low, below = as_number(context, builder, part)
    least = builder.icmp_signed("==", low, number(-(1 << 63)))  # NumPy's has no size
    raise_if(context, builder, builder.and_(below, least), OverflowError, OVERFLOW)
    return settle(builder, builder.select(below, builder.neg(low), low), _NO, llvm.Constant(I1, 1))


def _inverse_of_part(_context: Any, builder: Any, part: Part, kind: Any) -> Part:
    """Below zero for Python's words, and not for NumPy's: of a word only the bits are known."""
    low = builder.not_(part.low)
    return settle(builder, low, part.signed, _NO) if kind == bits else Part(low, _NO, _NO)


def _is_zero(sign: str) -> Any:
    def generate(context: Any, builder: Any, part: Part, _kind: Any) -> Any:
        return builder.icmp_unsigned(sign, as_number(context, builder, part)[0], number(0))

    return generate


def _itself(kind: Any) -> Any:
    return kind if isinstance(kind, Bits) else word64


def _bits_of(kind: Any) -> Any:
    return bits if kind == bits else word_bits


def unary_operators(closed: bool, strict: bool) -> dict[Any, Any]:
    """The replacements of Python's operators, as `exact.operators`."""
    gives = (lambda _kind: types.int64) if closed else _bits_of
    refused = TRUTH if strict else ""
    same: Generator = lambda _context, _builder, a: a  # noqa: E731
    same_part = lambda _context, _builder, part, _kind: part  # noqa: E731
    inverse: Generator = lambda _context, builder, a: builder.not_(a)  # noqa: E731
    return {
        operator.neg: _unary("neg", operator.neg, _negative, _negative_part, gives, refused),
        operator.pos: _unary("pos", operator.pos, same, same_part, _itself, refused),
        operator.invert: _unary("invert", operator.invert, inverse, _inverse_of_part, gives, refused),
        operator.not_: _unary("not", operator.not_, None, _is_zero("=="), lambda _kind: types.boolean),
    }


exact_abs = _unary("abs", abs, _size, _size_of_part, _itself)
exact_bool = _unary("bool", bool, None, _is_zero("!="), lambda _kind: types.boolean)


def _declare_int(typing_context: Any, a: Any) -> Any:
    """`int(a)`: words and bits stay what they are, and a float has to fit 64 bits."""
    kind = types.unliteral(a)
    if is_whole(kind):
        wanted = kind if isinstance(kind, Bits) else word64 if is_word(kind) else types.int64
        return wanted(kind), lambda context, builder, _signature, given: context.cast(builder, given[0], kind, wanted)
    if not isinstance(kind, types.Float):
        return left_to_numba(typing_context, int, (a,))

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        given = context.cast(builder, arguments[0], kind, types.float64)
        least, most = (llvm.Constant(given.type, edge) for edge in (-(2.0**63), 2.0**63))
        inside = builder.and_(builder.fcmp_ordered(">=", given, least), builder.fcmp_ordered("<", given, most))
        raise_if(context, builder, builder.not_(inside), OverflowError, OVERFLOW)
        return builder.fptosi(given, I64)

    return types.int64(kind), generate


exact_int = intrinsic(_declare_int)


def _declare_float(typing_context: Any, a: Any) -> Any:
    """`float(a)`, rounded once, as Python does."""
    kind = types.unliteral(a)
    if isinstance(kind, types.Float):
        cast = lambda context, builder, _signature, given: context.cast(builder, given[0], kind, types.float64)  # noqa: E731
        return types.float64(kind), cast
    if not is_whole(kind):
        return left_to_numba(typing_context, float, (a,))
    return types.float64(kind), lambda context, builder, _signature, given: as_double(context, builder, given[0], kind)


exact_float = intrinsic(_declare_float)


def _passed_on(wanted: Callable[[Any], Any]) -> Any:
    """An intrinsic that converts its argument to `wanted(its type)`, or returns it unchanged if that is `None`."""

    def declare(typing_context: Any, a: Any) -> Any:  # noqa: ARG001
        kind = types.unliteral(a)
        other = wanted(kind)

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            if other is None:
                return impl_ret_borrowed(context, builder, kind, arguments[0])
            return context.cast(builder, arguments[0], kind, other)

        return (other or kind)(kind), generate

    return intrinsic(declare)


def _sought(kind: Any) -> Any:
    refuse_tuples("in", [kind])
    return types.int64 if isinstance(kind, (Word, Bits)) else None


as_word = _passed_on(lambda kind: word64 if is_word(kind) else None)
as_index = _passed_on(lambda kind: types.int64 if isinstance(kind, (Word, Bits)) else None)
sought = _passed_on(_sought)
"""For what is looked for with `in`: Numba finds numbers of its own only."""
as_bits = _passed_on(lambda kind: word_bits if is_whole(kind) else None)
closed_bits = _passed_on(lambda kind: {word_bits: word64, bits: types.int64}.get(kind))
"""For what a function of Numba's, a tuple or a state takes: a number, and not only bits of it."""


def _closed_surely(kind: Any) -> Any:
    if kind == word_bits:
        raise NumbaTypeError("a rule takes a word, or a number with a sign that may be NumPy's, into a tuple or a list")
    return types.int64 if kind == bits else None


closed_surely = _passed_on(_closed_surely)
"""The same where one type would stand for two kinds of NumPy's numbers."""


def _beside_signed(kind: Any, other: Any) -> Any:
    """NumPy's number has a sign."""
    return types.int64 if isinstance(kind, (Word, Bits)) and is_whole(other) and not is_word(other) else kind


def _beside_unsigned(kind: Any, other: Any) -> Any:
    """NumPy's number has none."""
    return word64 if is_wordy(other) and is_whole(kind) and not is_word(kind) else kind


def _beside_either(kind: Any, other: Any) -> Any:
    """NumPy's number has none if it is a word, and may have one if bits of a word and of others are mixed in it."""
    return _beside_unsigned(kind, other) if is_word(other) else _beside_signed(kind, other)


def _maybe_word(kind: Any, other: Any) -> Any:
    """What is computed may be NumPy's word if the other number may be one."""
    return word_bits if other == word_bits and is_whole(kind) and not is_word(kind) else kind


def _apart(kind: Any, other: Any) -> Any:
    """Both numbers may be NumPy's, and one of them with a sign."""
    if is_whole(kind) and is_whole(other) and (is_wordy(kind) or is_wordy(other)):
        raise NumbaTypeError("a rule computes with words and other numbers, and if both are NumPy's it makes floats")
    return _beside_either(kind, other)


def _no_float(kind: Any, other: Any) -> Any:
    """The other number may be one of NumPy's words, and this one a whole number in Python."""
    if isinstance(kind, types.Float) and is_wordy(other):
        raise NumbaTypeError("a rule computes with words of NumPy's and a float that may be a whole number")
    return kind


def _as_index_in(kind: Any, holder: Any) -> Any:
    """A truth value is a number to a list, and to an array a choice of all or nothing."""
    return types.int64 if isinstance(kind, TruthOrNumber) and not isinstance(holder, types.Array) else kind


def _not_identical(kind: Any, other: Any) -> Any:
    """Numba takes equal numbers for one object."""
    truths = isinstance(kind, types.Boolean) and isinstance(other, types.Boolean)
    if not truths and not isinstance(other, types.NoneType):
        _no_identity(kind, other)
    return kind


def _no_identity(kind: Any, other: Any) -> Any:
    for each in (kind, other):
        if is_whole(each) or isinstance(each, types.Float):
            raise NumbaTypeError("a rule asks with `is` which object a number is")
    return kind


def _no_text(kind: Any) -> Any:
    if isinstance(kind, (types.Float, TruthOrNumber)):
        raise NumbaTypeError(f"a rule takes {kind} for text, or for a bound of a slice")


def _no_set(kind: Any) -> Any:
    if isinstance(kind, types.Set):
        raise NumbaTypeError("a rule takes what is in a set in an order, which is another than Python's")


def _no_truth(kind: Any) -> Any:
    if is_truth(kind):
        raise NumbaTypeError(TRUTH)


def _no_number(kind: Any) -> Any:
    if is_whole(kind):
        raise NumbaTypeError("a rule takes `bit_length` of a number that may be NumPy's, which has none")


def _beside(wanted: Callable[[Any, Any], Any]) -> Any:
    """An intrinsic that gives the first of two numbers as the type that is wanted of it, if it fits."""

    def declare(typing_context: Any, a: Any, b: Any) -> Any:  # noqa: ARG001
        kind, other = types.unliteral(a), types.unliteral(b)
        fitting = wanted(kind, other)

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            if other == word_bits and wanted is _beside_either and fitting == types.int64:
                part = part_of(context, builder, arguments[0], kind)
                raise_if(context, builder, builder.not_(part.unsigned), OverflowError, OVERFLOW)
            if fitting is not kind:
                return context.cast(builder, arguments[0], kind, fitting)
            return impl_ret_borrowed(context, builder, kind, arguments[0])

        return fitting(kind, other), generate

    return intrinsic(declare)


def _without(lost: Callable[[Any, Part, Any], Part]) -> Any:
    """An intrinsic that returns its argument; of bits in which words took part it forgets the readings that are `lost`
    where the highest bit is on."""

    def declare(typing_context: Any, a: Any) -> Any:  # noqa: ARG001
        kind = types.unliteral(a)

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            if kind != word_bits:
                return impl_ret_borrowed(context, builder, kind, arguments[0])
            part = part_of(context, builder, arguments[0], kind)
            known = lost(builder, part, builder.not_(below_zero(builder, part.low)))
            return as_kind(context, builder, known, kind)

        return kind(kind), generate

    return intrinsic(declare)


def _negatives(builder: Any, part: Part, below_top: Any) -> Part:
    above = builder.or_(below_top, builder.not_(part.signed))
    return Part(part.low, builder.and_(part.signed, above), builder.and_(part.unsigned, above))


def _words_alone(builder: Any, part: Part, below_top: Any) -> Part:
    return Part(part.low, part.signed, builder.and_(part.unsigned, below_top))


without_sign = _without(_negatives)
"""For numbers below zero, which NumPy's words go round."""
without_top = _without(_words_alone)
"""For numbers from 2^63 on, which NumPy's numbers with a sign go round."""
beside_numpy, beside_unsigned, beside_either = map(_beside, (_beside_signed, _beside_unsigned, _beside_either))
apart, no_float_beside, as_index_in = map(_beside, (_apart, _no_float, _as_index_in))
maybe_word = _beside(_maybe_word)
not_identical, no_identity = _beside(_not_identical), _beside(_no_identity)
no_number, no_truth, no_text = map(_passed_on, (_no_number, _no_truth, _no_text))
no_set = _passed_on(_no_set)
as_number_of_python = _passed_on(lambda kind: types.int64 if isinstance(kind, TruthOrNumber) else None)
"""A truth value of Python's is a number."""
unliteral = _passed_on(lambda _kind: None)
"""Numba gives a literal number a type of its own; this replaces it by the plain type."""
