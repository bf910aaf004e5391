"""Whole numbers of which 64 bits are known, in compiled rules; needs Numba to import.

`(stones << 7) & board` is right whatever the shift loses; `stones << 7` alone is not. So a shift to the left, and all
that may leave 64 bits in a game of words, gives a `Bits`: the low 64 bits of the number, and whether they are the
number itself, read with a sign or without one. Operators on bits go on with these; whatever needs the number
raises an `OverflowError` if it is lost.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from zermelo.engine.rules.numba_api import Conversion, cgutils, llvm, lower_cast, models, register_model, types

I64 = llvm.IntType(64)
I1 = llvm.IntType(1)
EXACT_BITS = 53
"""Of a whole number that is a double."""
OVERFLOW = "a whole number leaves its 64 bits"


class Word(types.Type):  # type: ignore[misc]
    """A whole number from 0 to 2^64 − 1. Not a subclass of Numba's numbers, which would decide how to unify with it."""

    bitwidth = 64
    signed = False

    def __init__(self) -> None:
        super().__init__("word64")

    def unify(self, typing_context: Any, other: Any) -> Any:
        if isinstance(other, types.Float):
            return other
        return word_bits if isinstance(other, (types.Integer, types.Boolean)) else None

    def can_convert_to(self, typing_context: Any, other: Any) -> Any:
        """For functions without support for words: as a signed integer, since most count or index."""
        if other == types.int64:
            return Conversion.promote
        return Conversion.unsafe if isinstance(other, (types.Integer, types.Float)) else None

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:
        return Conversion.unsafe if isinstance(other, (types.Integer, types.Boolean)) else None


class Bits(types.Type):  # type: ignore[misc]
    """The low 64 bits of a whole number; `of_word` if a word took part in it."""

    def __init__(self, of_word: bool) -> None:
        self.of_word = of_word
        super().__init__("word_bits" if of_word else "bits")

    def unify(self, typing_context: Any, other: Any) -> Any:
        if isinstance(other, (Word, Bits)):
            return word_bits if self.of_word or not isinstance(other, Bits) or other.of_word else self
        if isinstance(other, types.Float):
            return other
        return self if isinstance(other, (types.Integer, types.Boolean)) else None

    def can_convert_to(self, typing_context: Any, other: Any) -> Any:
        if isinstance(other, (Word, Bits)) or other == types.int64:
            return Conversion.promote
        return Conversion.unsafe if isinstance(other, (types.Integer, types.Float)) else None

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:
        whole = (types.Integer, types.Boolean, Word, Bits)
        return Conversion.unsafe if isinstance(other, whole) else None


class TruthOrNumber(types.Type):  # type: ignore[misc]
    """A whole number that may be a truth value in Python, where NumPy's numbers take part: its truth values are no
    numbers, so that whatever computes with one is refused, unless it is surely Python's."""

    bitwidth = 64
    signed = True

    def __init__(self) -> None:
        super().__init__("int64 or truth")

    def can_convert_to(self, typing_context: Any, other: Any) -> Any:
        if other == types.int64:
            return Conversion.promote
        return Conversion.unsafe if isinstance(other, (types.Integer, types.Float, types.Boolean)) else None

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:
        return Conversion.promote if isinstance(other, (types.Integer, types.Boolean)) else None


class _BitsModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, own: Any):
        members = [("low", types.int64), ("signed", types.boolean), ("unsigned", types.boolean)]
        super().__init__(manager, own, members)


register_model(Word)(models.IntegerModel)
register_model(Bits)(_BitsModel)
register_model(TruthOrNumber)(models.IntegerModel)
word64, bits, word_bits = Word(), Bits(False), Bits(True)
truth_or_number = TruthOrNumber()
WHOLE = (types.Integer, types.Boolean, Word, Bits, TruthOrNumber)
"""The Numba types of whole numbers."""


def is_word(kind: Any) -> bool:
    """Whether a Numba type holds 64 bits without a sign."""
    return isinstance(kind, (types.Integer, Word)) and kind.bitwidth == 64 and not kind.signed


def is_wordy(kind: Any) -> bool:
    """Whether a Numba type holds a word, or bits of one."""
    return is_word(kind) or (isinstance(kind, Bits) and kind.of_word)


def is_truth(kind: Any) -> bool:
    """Whether a Numba type holds truth values, or may."""
    return isinstance(kind, (types.Boolean, TruthOrNumber))


def is_small(kind: Any) -> bool:
    """Whether a type is one of NumPy's with fewer than 64 bits, which go round."""
    return isinstance(kind, types.Integer) and kind.bitwidth < 64


def is_whole(kind: Any) -> bool:
    """Whether a Numba type holds whole numbers."""
    return isinstance(kind, WHOLE)


class Part(NamedTuple):
    """A `Bits` while code is generated."""

    low: Any
    signed: Any
    """Whether `low`, read with a sign, is the number."""
    unsigned: Any
    """Whether `low`, read without a sign, is the number."""
    sure: Any = None
    """A condition that is cheap to look at, and enough for `low` to be the number in both readings, if there is one."""


def number(value: int) -> Any:
    return llvm.Constant(I64, value)


def below_zero(builder: Any, low: Any) -> Any:
    return builder.icmp_signed("<", low, number(0))


def raise_if(context: Any, builder: Any, condition: Any, error: type[Exception], text: str) -> None:
    with cgutils.if_unlikely(builder, condition):
        context.call_conv.return_user_exc(builder, error, (text,))


def settle(builder: Any, low: Any, signed: Any, unsigned: Any) -> Part:
    """A part with both readings of a number that is not below zero and has 63 bits."""
    positive = builder.not_(below_zero(builder, low))
    both = builder.and_(positive, builder.or_(signed, unsigned))
    return Part(low, builder.or_(signed, both), builder.or_(unsigned, both))


def part_of(context: Any, builder: Any, value: Any, kind: Any) -> Part:
    """Any whole number as a part."""
    yes = llvm.Constant(I1, 1)
    if isinstance(kind, Bits):
        held = cgutils.create_struct_proxy(kind)(context, builder, value)
        return Part(held.low, held.signed, held.unsigned)
    if is_word(kind):
        return Part(value, builder.not_(below_zero(builder, value)), yes)
    low = context.cast(builder, value, kind, types.int64)
    return Part(low, yes, builder.not_(below_zero(builder, low)))


def as_number(context: Any, builder: Any, part: Part) -> tuple[Any, Any]:
    """The low 64 bits of a number that is known, and whether it is below zero."""
    known = builder.or_(part.signed, part.unsigned)
    raise_if(context, builder, builder.not_(known), OverflowError, OVERFLOW)
    return part.low, builder.and_(part.signed, below_zero(builder, part.low))


def as_double(context: Any, builder: Any, value: Any, kind: Any) -> Any:
    """A whole number as a float, rounded once, as Python does."""
    double = llvm.DoubleType()
    if not is_word(kind) and not isinstance(kind, Bits):
        return builder.sitofp(context.cast(builder, value, kind, types.int64), double)
    low, below = as_number(context, builder, part_of(context, builder, value, kind))
    return builder.select(below, builder.sitofp(low, double), builder.uitofp(low, double))


def as_kind(context: Any, builder: Any, part: Part, kind: Any) -> Any:
    """A part as a value of type `kind`: `Bits`, a word, or an integer with a sign."""
    if isinstance(kind, Bits):
        made = cgutils.create_struct_proxy(kind)(context, builder)
        made.low, made.signed, made.unsigned = part.low, part.signed, part.unsigned
        return made._getvalue()
    lost = builder.not_(part.unsigned if is_word(kind) else part.signed)
    if part.sure is None:
        raise_if(context, builder, lost, OverflowError, OVERFLOW)
    else:
        with cgutils.if_unlikely(builder, builder.not_(part.sure)):
            raise_if(context, builder, lost, OverflowError, OVERFLOW)
    return part.low


def check_cast(context: Any, builder: Any, value: Any, source: Any, target: Any) -> None:
    """Raises if a number of type `source` is another one as `target`."""
    lost = None
    if isinstance(source, types.Float) and isinstance(target, types.Integer):
        most_bits = min(target.bitwidth - target.signed, 63)
        edges = (-(2.0**most_bits) if target.signed else 0.0, 2.0**most_bits)
        least, most = (llvm.Constant(value.type, edge) for edge in edges)
        inside = builder.and_(builder.fcmp_ordered(">=", value, least), builder.fcmp_ordered("<", value, most))
        lost = builder.not_(inside)
    elif not isinstance(source, types.Integer):
        return
    elif isinstance(target, types.Float) and source.bitwidth == 64:
        size = builder.select(below_zero(builder, value), builder.neg(value), value) if source.signed else value
        lost = builder.icmp_unsigned(">", size, number(1 << EXACT_BITS))
    elif isinstance(target, types.Integer) and target.bitwidth < source.bitwidth:
        narrow = builder.trunc(value, llvm.IntType(target.bitwidth))
        back = (builder.sext if target.signed else builder.zext)(narrow, value.type)
        lost = builder.icmp_unsigned("!=", back, value)
    elif isinstance(target, types.Integer) and target.bitwidth < 64:
        gains_sign = target.signed and not source.signed and target.bitwidth == source.bitwidth
        if gains_sign or (source.signed and not target.signed):
            lost = builder.icmp_signed("<", value, llvm.Constant(value.type, 0))
    if lost is not None:
        raise_if(context, builder, lost, OverflowError, OVERFLOW)


def _cast(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """Between the types of whole numbers, where the number fits; to other numbers by way of integers with a sign."""
    part = part_of(context, builder, value, types.unliteral(source))
    if isinstance(target, Bits) or is_word(target):
        return as_kind(context, builder, part, target)
    return context.cast(builder, as_kind(context, builder, part, types.int64), types.int64, target)


def _cast_truth(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:
    """By way of integers of 64 bits."""
    if isinstance(source, TruthOrNumber):
        return context.cast(builder, value, types.int64, target)
    return context.cast(builder, value, source, types.int64)


for _number in (types.Integer, types.Float, types.Boolean):
    lower_cast(TruthOrNumber, _number)(_cast_truth)
for _number in (types.Integer, types.IntegerLiteral, types.Boolean, types.BooleanLiteral):
    lower_cast(_number, TruthOrNumber)(_cast_truth)
for _number in (Word, Bits):
    lower_cast(TruthOrNumber, _number)(_cast)
for _number in (types.Integer, types.Float):
    lower_cast(Word, _number)(_cast)
    lower_cast(Bits, _number)(_cast)
for _number in (types.Integer, types.IntegerLiteral, types.Boolean):
    lower_cast(_number, Word)(_cast)
    lower_cast(_number, Bits)(_cast)
lower_cast(Bits, Word)(_cast)
lower_cast(Word, Bits)(_cast)
lower_cast(Bits, Bits)(_cast)
