"""Numbers and arrays at fixed places in a state's bytes, for compiled rules; needs Numba to import.

Each function here returns an intrinsic for one place of one layout: the compiled code is a plain load or store.
"""

from __future__ import annotations

from typing import Any

import numpy

from zermelo.engine.rules.bits import WHOLE, word64
from zermelo.engine.rules.layout import Array, Scalar
from zermelo.engine.rules.numba_api import (
    NumbaTypeError,
    cgutils,
    intrinsic,
    llvm,
    make_array,
    numpy_support,
    populate_array,
    types,
)
from zermelo.engine.rules.target import intrinsic_of_game

KINDS = {"int": types.int64, "word": word64, "float": types.float64, "bool": types.boolean}


def _place(context: Any, builder: Any, base: Any, offset: Any, wanted: Any) -> Any:
    """A pointer to a value of Numba type `wanted`, `offset` bytes behind `base`."""
    address = builder.gep(base, [offset])
    return builder.bitcast(address, context.get_data_type(wanted).as_pointer())


def _offset(count: int) -> Any:
    return llvm.Constant(llvm.IntType(64), count)


def peek(field: Scalar) -> Any:
    """base → the number at `field`."""
    wanted = KINDS[field.kind]

    def declare(typing_context: Any, base: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            stored = types.int64 if wanted is types.boolean else wanted
            value = builder.load(_place(context, builder, arguments[0], _offset(field.offset), stored))
            return context.cast(builder, value, stored, wanted)

        return wanted(base), generate

    return intrinsic_of_game(declare)


def poke(field: Scalar) -> Any:
    """(base, number) → nothing; stores the number at `field`; refuses another kind of number at compile time."""
    wanted = KINDS[field.kind]

    def declare(typing_context: Any, base: Any, value: Any) -> Any:  # noqa: ARG001
        plain = types.unliteral(value)
        allowed = {types.float64: (*WHOLE, types.Float), types.boolean: (types.Boolean,)}.get(wanted, WHOLE)
        if not isinstance(plain, allowed):
            raise NumbaTypeError(f"{field.path} is {field.kind} in the initial state, but a rule stores {plain} there")

        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            number = context.cast(builder, arguments[1], plain, wanted)
            stored = wanted
            if wanted is types.boolean:
                stored, number = types.int64, context.cast(builder, number, wanted, types.int64)
            elif wanted is types.float64:
                number = builder.fadd(number, llvm.Constant(llvm.DoubleType(), 0.0))  # −0.0 becomes 0.0
            builder.store(number, _place(context, builder, arguments[0], _offset(field.offset), stored))
            return context.get_dummy_value()

        return types.void(base, plain), generate

    return intrinsic_of_game(declare)


def view(field: Array, *, readonly: bool) -> Any:
    """base → the array at `field`, over the state's own bytes."""
    dtype = numpy_support.from_dtype(numpy.dtype(field.dtype))
    array_type = types.Array(dtype, len(field.shape), "C", readonly=readonly)
    itemsize = numpy.dtype(field.dtype).itemsize
    strides = [itemsize * int(numpy.prod(field.shape[axis + 1 :], dtype=int)) for axis in range(len(field.shape))]

    def declare(typing_context: Any, base: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            array = make_array(array_type)(context, builder)
            populate_array(
                array,
                data=_place(context, builder, arguments[0], _offset(field.offset), dtype),
                shape=cgutils.pack_array(builder, [context.get_constant(types.intp, n) for n in field.shape]),
                strides=cgutils.pack_array(builder, [context.get_constant(types.intp, n) for n in strides]),
                itemsize=context.get_constant(types.intp, itemsize),
                meminfo=None,
                parent=None,
            )
            return array._getvalue()

        return array_type(base), generate

    return intrinsic_of_game(declare)


def same_layout(field: Array) -> Any:
    """Numba type of an array → whether its bytes can be copied as they are; refuses what cannot be stored."""
    dtype = numpy_support.from_dtype(numpy.dtype(field.dtype))

    def same(array: Any) -> bool:
        fits = isinstance(array, types.Array) and array.ndim == len(field.shape)
        if not fits or (isinstance(array.dtype, types.Float) and not isinstance(dtype, types.Float)):
            raise NumbaTypeError(
                f"{field.path} is an array of {dtype} of shape {field.shape} in the initial state, "
                f"but a rule stores {array} there"
            )
        return bool(array.dtype == dtype and array.layout == "C")

    return same


def copy_bytes(field: Array) -> Any:
    """(base, array) → nothing; copies a C-contiguous array of the field's own dtype and shape to its place."""

    def declare(typing_context: Any, base: Any, array: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            source = make_array(signature.args[1])(context, builder, arguments[1])
            place = builder.gep(arguments[0], [_offset(field.offset)])
            cgutils.raw_memcpy(builder, place, source.data, _offset(field.size), 1)
            return context.get_dummy_value()

        return types.void(base, array), generate

    return intrinsic_of_game(declare)


def clear_tail(field: Array) -> Any:
    """base → nothing; zeroes the last word of an array that does not fill it."""

    def declare(typing_context: Any, base: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
            if field.size % 8:
                place = _place(context, builder, arguments[0], _offset(field.end - 8), types.int64)
                builder.store(_offset(0), place)
            return context.get_dummy_value()

        return types.void(base), generate

    return intrinsic_of_game(declare)


def _declare_put(typing_context: Any, base: Any, index: Any, value: Any) -> Any:  # noqa: ARG001
    """(pointer, index, number) → nothing; stores into the caller's buffer, without a bounds check."""
    plain = types.unliteral(value)
    wanted = base.dtype
    allowed = WHOLE + ((types.Float,) if isinstance(wanted, types.Float) else ())
    if not isinstance(plain, allowed):
        raise NumbaTypeError(f"a rule gives {plain} where {wanted} is wanted")

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        number = context.cast(builder, arguments[2], plain, wanted)
        place = builder.gep(arguments[0], [context.cast(builder, arguments[1], index, types.int64)])
        builder.store(number, place)
        return context.get_dummy_value()

    return types.void(base, index, plain), generate


def _declare_get(typing_context: Any, base: Any, index: Any) -> Any:  # noqa: ARG001
    """(pointer, index) → the number there."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:  # noqa: ARG001
        return builder.load(builder.gep(arguments[0], [context.cast(builder, arguments[1], index, types.int64)]))

    return base.dtype(base, index), generate


def _declare_emit(typing_context: Any, base: Any, capacity: Any, count: Any, value: Any) -> Any:  # noqa: ARG001
    """(pointer, capacity, count, number) → count + 1; appends the number if there is room for it."""
    plain = types.unliteral(value)
    store = _declare_put(typing_context, base, count, value)[1]

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        pointer, room, number_of, number = arguments
        with builder.if_then(builder.icmp_signed("<", number_of, room)):
            store(context, builder, signature, (pointer, number_of, number))
        return builder.add(number_of, _offset(1))

    return types.int64(base, types.int64, types.int64, plain), generate


put = intrinsic(_declare_put)
get = intrinsic(_declare_get)
emit = intrinsic(_declare_emit)
