"""`range`, which holds Python's own numbers whatever it is given; needs Numba to import.

Numba's is of 32 bits if its bounds are small, takes a step of 0 until somebody goes through it, and is empty where the
numbers from one bound to the other are too many for 64 bits.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.rules.bits import OVERFLOW, is_whole, number, raise_if
from zermelo.engine.rules.exact import minus
from zermelo.engine.rules.numba_api import NumbaTypeError, cgutils, intrinsic, types

_MOST = 3
"""The numbers that `range` takes."""


def _declare_range(typing_context: Any, *bounds: Any) -> Any:  # noqa: ARG001
    kinds = [types.unliteral(kind) for kind in bounds]
    if any(isinstance(kind, types.Float) for kind in kinds):
        raise NumbaTypeError("a rule takes a float for a bound of `range`, where Python raises")
    if not 1 <= len(kinds) <= _MOST or not all(map(is_whole, kinds)):
        return None
    given = types.StarArgTuple.from_types(kinds)

    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        values = cgutils.unpack_tuple(builder, arguments[0], len(kinds))
        own = [context.cast(builder, value, kind, types.int64) for value, kind in zip(values, kinds, strict=True)]
        start, stop, step = (number(0), *own, number(1)) if len(own) == 1 else (*own, number(1))[:_MOST]
        zero = builder.icmp_signed("==", step, number(0))
        raise_if(context, builder, zero, ValueError, "range() arg 3 must not be zero")
        distance = minus(context, builder, stop, start)
        if len(own) == _MOST:  # the machine traps if it divides −2^63 by −1
            least = builder.icmp_signed("==", distance, number(-(1 << 63)))
            raise_if(context, builder, least, OverflowError, OVERFLOW)
        made = cgutils.create_struct_proxy(types.range_state64_type)(context, builder)
        made.start, made.stop, made.step = start, stop, step
        return made._getvalue()

    return types.range_state64_type(given), generate


exact_range = intrinsic(_declare_range)
