"""Whose numbers a function of the author's is given, as types of its arguments; needs Numba to import.

A caller marks what it gives (`mark`), Numba compiles the function once for each kind of marks, and there the marks come
off again before anything is computed (`unmark`). So they are nowhere but between the two.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from zermelo.engine.rules.bits import is_whole
from zermelo.engine.rules.numba_api import (
    cgutils,
    impl_ret_borrowed,
    intrinsic,
    models,
    register_model,
    types,
)


class Origin(Enum):
    """Whose a number is."""

    PYTHONS = "python"
    NUMPYS = "numpy"
    EITHERS = "either"


class Marked(types.Type):  # type: ignore[misc]
    """The type of an argument whose origin is known to be `origin`."""

    def __init__(self, held: Any, origin: Origin):
        self.held, self.origin = held, origin
        super().__init__(f"marked({held}, {origin.value})")


class _MarkedModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, own: Marked):
        super().__init__(manager, own, [("held", own.held)])


register_model(Marked)(_MarkedModel)


def _is_of_numbers(kind: Any) -> bool:
    """Whether a type is one of numbers, or of tuples that are no states: the numbers of a state count as Python's."""
    plain = isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple)
    return plain or is_whole(kind) or isinstance(kind, types.Float)


def _mark(origin: Origin) -> Any:
    def declare(typing_context: Any, a: Any) -> Any:  # noqa: ARG001
        kind = types.unliteral(a)
        marked = Marked(kind, origin) if _is_of_numbers(kind) else kind

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            value = arguments[0]
            if marked is not kind:
                made = cgutils.create_struct_proxy(marked)(context, builder)
                made.held = value
                value = made._getvalue()
            return impl_ret_borrowed(context, builder, marked, value)

        return marked(kind), generate

    return intrinsic(declare)


MARKS = {origin: _mark(origin) for origin in Origin}
"""The function that marks a number, by its origin."""


def _declare_unmark(typing_context: Any, a: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        held = cgutils.create_struct_proxy(a)(context, builder, arguments[0]).held
        return impl_ret_borrowed(context, builder, a.held, held)

    return a.held(a), generate


unmark = intrinsic(_declare_unmark)
