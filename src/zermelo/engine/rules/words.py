"""`zermelo.U64` in compiled rules: unsigned 64-bit integers that stay integers; needs Numba to import.

Numba follows NumPy, where an unsigned and a signed 64-bit integer make a float. So `U64` fields have a type of
their own (`bits.py`), to which other integers are converted where they fit.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.rules.bits import I1, Bits, Word, as_number, is_whole, part_of, word64
from zermelo.engine.rules.bits import number as number_of
from zermelo.engine.rules.constants import WordNumber
from zermelo.engine.rules.numba_api import (
    intrinsic,
    llvm,
    lower_constant,
    overload,
    overload_method,
    typeof_impl,
    types,
)
from zermelo.game.contract import U64


def _type_of_constant(value: Any, context: Any) -> Any:  # noqa: ARG001
    return word64


def _word_constant(context: Any, builder: Any, kind: Any, value: Any) -> Any:  # noqa: ARG001
    return context.get_constant(types.uint64, int(value))


typeof_impl.register(WordNumber)(_type_of_constant)
lower_constant(Word)(_word_constant)


def _declare_to_word(typing_context: Any, number: Any) -> Any:  # noqa: ARG001
    """Any whole number from 0 to 2^64 − 1 as a word."""
    plain = types.unliteral(number)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return context.cast(builder, arguments[0], plain, word64)

    return (word64(plain), generate) if is_whole(plain) else None


to_word = intrinsic(_declare_to_word)


def _bit_function(name: str, length: bool) -> Any:
    """The intrinsic behind `int.bit_count` and `int.bit_length`: both look at the number without its sign."""

    def declare(typing_context: Any, number: Any) -> Any:  # noqa: ARG001
        plain = types.unliteral(number)

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            value, below = as_number(context, builder, part_of(context, builder, arguments[0], plain))
            value = builder.select(below, builder.neg(value), value)
            if length:
                return builder.sub(number_of(64), builder.ctlz(value, llvm.Constant(I1, 0)))
            return builder.ctpop(value)

        return types.int64(plain), generate

    function = intrinsic(declare)
    method = {"function": function}
    exec(f"def {name}(number):\n    return lambda number: function(number)", method)
    return method[name]


def _declare_u64(number: Any) -> Any:
    """For `zermelo.U64`, reached through a module; a plain `U64` is `to_word` itself."""
    return (lambda number: to_word(number)) if is_whole(number) else None


_declare_u64.__annotations__.clear()
overload(U64)(_declare_u64)
for _number in (types.Integer, Word, Bits):
    overload_method(_number, "bit_count")(_bit_function("bit_count", False))
    overload_method(_number, "bit_length")(_bit_function("bit_length", True))
