"""`zermelo.U64` in compiled rules: unsigned 64-bit integers that stay integers; needs Numba to import.

Numba follows NumPy, where an unsigned and a signed 64-bit integer make a float. So `U64` fields have a type of
their own, to which other integers are converted: word ∘ int is a word, modulo 2^64.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.rules.constants import WordNumber
from zermelo.engine.rules.numba_api import (
    Conversion,
    intrinsic,
    llvm,
    lower_cast,
    lower_constant,
    models,
    overload,
    overload_method,
    register_model,
    typeof_impl,
    types,
)
from zermelo.game.contract import U64


class Word(types.Type):  # type: ignore[misc]
    """A whole number from 0 to 2^64 − 1. Not a subclass of Numba's numbers, which would decide how to unify with it."""

    bitwidth = 64
    signed = False

    def __init__(self) -> None:
        super().__init__("word64")

    def unify(self, typing_context: Any, other: Any) -> Any:
        return self if isinstance(other, (types.Integer, types.Boolean)) else None

    def can_convert_to(self, typing_context: Any, other: Any) -> Any:
        """For functions without support for words: as a signed integer, since most count or index."""
        if other == types.int64:
            return Conversion.promote
        return Conversion.unsafe if isinstance(other, (types.Integer, types.Float)) else None

    def can_convert_from(self, typing_context: Any, other: Any) -> Any:
        return Conversion.unsafe if isinstance(other, (types.Integer, types.Boolean)) else None


register_model(Word)(models.IntegerModel)
word64 = Word()
WHOLE = (types.Integer, types.Boolean, Word)
"""The Numba types of whole numbers."""


def _cast_from_word(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:  # noqa: ARG001
    return context.cast(builder, value, types.uint64, target)


def _cast_to_word(context: Any, builder: Any, source: Any, target: Any, value: Any) -> Any:  # noqa: ARG001
    return context.cast(builder, value, types.unliteral(source), types.uint64)


for _number in (types.Integer, types.Float, types.Boolean):
    lower_cast(Word, _number)(_cast_from_word)
for _number in (types.Integer, types.IntegerLiteral, types.Boolean):
    lower_cast(_number, Word)(_cast_to_word)


def _type_of_constant(value: Any, context: Any) -> Any:  # noqa: ARG001
    return word64


def _word_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:  # noqa: ARG001
    return context.get_constant(types.uint64, int(value))


typeof_impl.register(WordNumber)(_type_of_constant)
lower_constant(Word)(_word_constant)


def is_word(kind: Any) -> bool:
    """Whether a Numba type holds 64 bits without a sign."""
    return isinstance(kind, (types.Integer, Word)) and kind.bitwidth == 64 and not kind.signed


def is_whole(kind: Any) -> bool:
    """Whether a Numba type holds whole numbers."""
    return isinstance(kind, WHOLE)


def _declare_to_word(typing_context: Any, number: Any) -> Any:  # noqa: ARG001
    """Any whole number as a word, modulo 2^64."""
    plain = types.unliteral(number)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return context.cast(builder, arguments[0], plain, word64)

    return (word64(plain), generate) if is_whole(plain) else None


def _from_word(wanted: Any) -> Any:
    """The intrinsic that gives a word as a number of type `wanted`."""

    def declare(typing_context: Any, word: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            return context.cast(builder, arguments[0], types.uint64, wanted)

        return wanted(word), generate

    return intrinsic(declare)


to_word = intrinsic(_declare_to_word)
to_float = _from_word(types.float64)


def _bit_function(name: str, length: bool) -> Any:
    """The intrinsic behind `int.bit_count` and `int.bit_length`: both look at the number without its sign."""

    def declare(typing_context: Any, number: Any) -> Any:  # noqa: ARG001
        plain = types.unliteral(number)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            wide = types.uint64 if not plain.signed else types.int64
            value = context.cast(builder, arguments[0], plain, wide)
            zero, width = llvm.Constant(value.type, 0), llvm.Constant(value.type, 64)
            if plain.signed:
                value = builder.select(builder.icmp_signed("<", value, zero), builder.neg(value), value)
            if length:
                return builder.sub(width, builder.ctlz(value, llvm.Constant(llvm.IntType(1), 0)))
            return builder.ctpop(value)

        return types.int64(plain), generate

    function = intrinsic(declare)
    method = {"function": function}
    exec(f"def {name}(number):\n    return lambda number: function(number)", method)
    return method[name]


def _declare_u64(number: Any) -> Any:
    """For `zermelo.U64`, reached through a module; a plain `U64` is `to_word` itself."""
    return (lambda number: to_word(number)) if is_whole(number) else None


def _declare_float(number: Any) -> Any:
    return (lambda number: to_float(number)) if isinstance(number, Word) else None


_declare_float.__annotations__.clear()
overload(float)(_declare_float)
_declare_u64.__annotations__.clear()
overload(U64)(_declare_u64)
for _number in (types.Integer, Word):
    overload_method(_number, "bit_count")(_bit_function("bit_count", False))
    overload_method(_number, "bit_length")(_bit_function("bit_length", True))
