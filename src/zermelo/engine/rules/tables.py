"""Nested tuples of numbers as constants of compiled rules: lines, neighbours, rays; needs Numba to import.

`Table` (from `constants.py`) lays all numbers out in one array, with the places where the rows of each level begin.
In compiled code a level is a range (low, high) of rows, so that a lookup copies nothing. A row of a few
numbers, as long as all the others, is a tuple and can be unpacked; any other row is a read-only array.
"""

from __future__ import annotations

import operator
from typing import Any

from zermelo.engine.rules.constants import Table
from zermelo.engine.rules.numba_api import (
    RefType,
    cgutils,
    intrinsic,
    iternext_impl,
    llvm,
    lower_builtin,
    lower_constant,
    models,
    numpy_support,
    overload,
    register_model,
    typeof_impl,
    types,
)

_I64 = llvm.IntType(64)


class Rows(types.IterableType):  # type: ignore[misc]
    """The rows of one level of a table; `level` 0 is the outermost."""

    def __init__(self, table: Table, level: int):
        self.table = table
        self.level = level
        super().__init__(f"rows_{table.digest}_{level}")

    @property
    def row(self) -> Any:
        """The type of one row."""
        if self.level + 1 < len(self.table.starts):
            return Rows(self.table, self.level + 1)
        dtype = numpy_support.from_dtype(self.table.flat.dtype)
        if self.table.width is not None:
            return types.UniTuple(dtype, self.table.width)
        return types.Array(dtype, 1, "C", readonly=True)

    @property
    def iterator_type(self) -> Any:
        return RowsIterator(self)


class RowsIterator(types.SimpleIteratorType):  # type: ignore[misc]
    def __init__(self, rows: Rows):
        self.rows = rows
        super().__init__(f"iterator_{rows.name}", rows.row)


class _RowsModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, own: Any):
        super().__init__(manager, own, [("low", types.int64), ("high", types.int64)])


class _IteratorModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, own: Any):
        members = [("next", types.EphemeralPointer(types.int64)), ("high", types.int64)]
        super().__init__(manager, own, members)


register_model(Rows)(_RowsModel)
register_model(RowsIterator)(_IteratorModel)


def _typeof(value: Table, context: Any) -> Any:  # noqa: ARG001
    return Rows(value, 0)


def _constant(context: Any, builder: Any, wanted: Any, value: Table) -> Any:
    rows = cgutils.create_struct_proxy(wanted)(context, builder)
    rows.low, rows.high = llvm.Constant(_I64, 0), llvm.Constant(_I64, len(value.starts[0]) - 1)
    return rows._getvalue()


def _declare_stretch(typing_context: Any, rows: Any, low: Any, high: Any) -> Any:  # noqa: ARG001
    """(rows, low, high) → the rows of the next level in that stretch."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        stretch = cgutils.create_struct_proxy(signature.return_type)(context, builder)
        stretch.low, stretch.high = arguments[1:]
        return stretch._getvalue()

    return rows.row(rows, types.int64, types.int64), generate


def _part(name: str) -> Any:
    def declare(typing_context: Any, rows: Any) -> Any:  # noqa: ARG001
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return getattr(cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0]), name)

        return types.int64(rows), generate

    return intrinsic(declare)


_stretch, _low, _high = intrinsic(_declare_stretch), _part("low"), _part("high")


def row_at(rows: Any, index: int) -> Any:
    """The row with this number, counted over the whole level; it must exist."""
    raise NotImplementedError("compiled code only")


def _declare_row_at(rows, index):  # type: ignore[no-untyped-def]  # noqa: ARG001
    table: Table = rows.table
    flat, starts = table.flat, table.starts[rows.level]
    if rows.level + 1 < len(table.starts):
        return lambda rows, index: _stretch(rows, starts[index], starts[index + 1])
    if table.width is None:
        return lambda rows, index: flat[starts[index] : starts[index + 1]]  # noqa: ARG005
    width = table.width
    cells = ", ".join(f"flat[{width} * index + {i}]" for i in range(width))
    scope: dict[str, Any] = {"flat": flat}
    exec(f"def row(rows, index):\n    return ({cells},)", scope)
    return scope["row"]


def _declare_getitem(rows, index):  # type: ignore[no-untyped-def]
    if not isinstance(rows, Rows) or not isinstance(index, types.Integer):
        return None

    def getitem(rows, index):  # type: ignore[no-untyped-def]
        count = _high(rows) - _low(rows)
        place = index + count if index < 0 else index
        if place < 0 or place >= count:
            raise IndexError("tuple index out of range")
        return row_at(rows, _low(rows) + place)

    return getitem


def _declare_len(rows):  # type: ignore[no-untyped-def]
    return (lambda rows: _high(rows) - _low(rows)) if isinstance(rows, Rows) else None


def _getiter(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    rows = cgutils.create_struct_proxy(signature.args[0])(context, builder, arguments[0])
    iterator = context.make_helper(builder, signature.return_type)
    iterator.next = cgutils.alloca_once_value(builder, rows.low)
    iterator.high = rows.high
    return iterator._getvalue()


def _iternext(context: Any, builder: Any, signature: Any, arguments: Any, result: Any) -> None:
    own = signature.args[0]
    iterator = context.make_helper(builder, own, value=arguments[0])
    index = builder.load(iterator.next)
    valid = builder.icmp_signed("<", index, iterator.high)
    result.set_valid(valid)
    with builder.if_then(valid):
        rows = cgutils.create_struct_proxy(own.rows)(context, builder)
        rows.low, rows.high = index, iterator.high
        wanted = own.yield_type(own.rows, types.int64)
        row = context.compile_internal(
            builder, lambda rows, index: row_at(rows, index), wanted, (rows._getvalue(), index)
        )
        result.yield_(row)
        builder.store(builder.add(index, llvm.Constant(_I64, 1)), iterator.next)


typeof_impl.register(Table)(_typeof)
lower_constant(Rows)(_constant)
overload(row_at)(_declare_row_at)
overload(operator.getitem)(_declare_getitem)
overload(len)(_declare_len)
lower_builtin("getiter", Rows)(_getiter)
lower_builtin("iternext", RowsIterator)(iternext_impl(RefType.BORROWED)(_iternext))
