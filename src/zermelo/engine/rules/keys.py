"""Hashes of what `key` and `view` return, in compiled rules; needs Numba to import.

The hash runs over the numbers in the value, one by one, with the lengths of tuples and arrays between them; it mixes
as `native/core/hash.hpp` does.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.rules.bits import WHOLE, as_number, part_of
from zermelo.engine.rules.numba_api import NumbaTypeError, intrinsic, llvm, overload, types

_GOLDEN = 0x9E3779B97F4A7C15
_I64 = llvm.IntType(64)


def _constant(value: int) -> Any:
    return llvm.Constant(_I64, value)


def _splitmix(builder: Any, x: Any) -> Any:
    x = builder.add(x, _constant(_GOLDEN))
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        x = builder.mul(builder.xor(x, builder.lshr(x, _constant(shift))), _constant(factor))
    return builder.xor(x, builder.lshr(x, _constant(31)))


def _declare_mix(typing_context: Any, running: Any, number: Any) -> Any:  # noqa: ARG001
    """(hash so far, number) → hash."""
    number = types.unliteral(number)

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        so_far, word = arguments
        if isinstance(number, types.Float):
            wide = context.cast(builder, word, number, types.float64)
            wide = builder.fadd(wide, llvm.Constant(llvm.DoubleType(), 0.0))  # −0.0 equals 0.0
            word = builder.bitcast(wide, _I64)
        else:
            word = as_number(context, builder, part_of(context, builder, word, number))[0]
        mixed = _splitmix(builder, builder.xor(so_far, word))
        return builder.add(mixed, builder.mul(so_far, _constant(_GOLDEN)))

    return types.uint64(types.uint64, number), generate


mix = intrinsic(_declare_mix)


def fold(running: int, value: Any) -> int:
    """The hash `running`, updated with all numbers in `value`."""
    raise NotImplementedError("compiled code only")


def hash_value(value: Any) -> int:
    """64 bits that are equal for equal values."""
    raise NotImplementedError("compiled code only")


def _declare_fold(running: Any, value: Any) -> Any:  # noqa: ARG001
    if isinstance(value, (types.Float, *WHOLE)):
        return lambda running, value: mix(running, value)
    if isinstance(value, types.BaseTuple):
        steps = "".join(f"    running = fold(running, value[{i}])\n" for i in range(len(value)))
        scope: dict[str, Any] = {"mix": mix, "fold": fold}
        exec(
            f"def fold_tuple(running, value):\n    running = mix(running, {len(value)})\n{steps}    return running",
            scope,
        )
        return scope["fold_tuple"]
    if isinstance(value, types.Array):
        return _fold_array
    if isinstance(value, types.List):
        return _fold_list
    if isinstance(value, types.NoneType):
        return lambda running, value: mix(running, 0)  # noqa: ARG005
    raise NumbaTypeError(f"a key of type {value} cannot be hashed: make it of numbers, tuples and arrays")


def _fold_array(running, value):  # type: ignore[no-untyped-def]
    running = mix(running, value.size)
    for item in value.flat:
        running = fold(running, item)
    return running


def _fold_list(running, value):  # type: ignore[no-untyped-def]
    """As of a tuple."""
    running = mix(running, len(value))
    for item in value:
        running = fold(running, item)
    return running


def _declare_hash(value: Any) -> Any:  # noqa: ARG001
    return lambda value: fold(types.uint64(1), value)


for _function, _declare in ((fold, _declare_fold), (hash_value, _declare_hash)):
    _declare.__annotations__.clear()
    overload(_function)(_declare)
