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
    """The type of an argument whose origin is known to be `origin`, and that is surely a float in Python if it is
    `real`."""

    def __init__(self, held: Any, origin: Origin, real: bool):
        self.held, self.origin, self.real = held, origin, real
        super().__init__(f"marked({held}, {origin.value}{', real' * real})")


class _MarkedModel(models.StructModel):  # type: ignore[misc]
    def __init__(self, manager: Any, own: Marked):
        super().__init__(manager, own, [("held", own.held)])


register_model(Marked)(_MarkedModel)


def _is_of_numbers(kind: Any) -> bool:
    """Whether a type is one of numbers, or of tuples that are no states: the numbers of a state count as Python's."""
    plain = isinstance(kind, types.BaseTuple) and not isinstance(kind, types.BaseNamedTuple)
    return plain or is_whole(kind) or isinstance(kind, types.Float)


def _mark(origin: Origin, real: bool) -> Any:
    def declare(typing_context: Any, a: Any) -> Any:  # noqa: ARG001
        kind = types.unliteral(a)
        marked = Marked(kind, origin, real and isinstance(kind, types.Float)) if _is_of_numbers(kind) else kind

        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            value = arguments[0]
            if marked is not kind:
                made = cgutils.create_struct_proxy(marked)(context, builder)
                made.held = value
                value = made._getvalue()
            return impl_ret_borrowed(context, builder, marked, value)

        return marked(kind), generate

    return intrinsic(declare)


MARKS = {(origin, real): _mark(origin, real) for origin in Origin for real in (False, True)}
"""The function that marks a number, by its origin and whether it surely is a float."""


def _declare_unmark(typing_context: Any, a: Any) -> Any:  # noqa: ARG001
    def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        held = cgutils.create_struct_proxy(a)(context, builder, arguments[0]).held
        return impl_ret_borrowed(context, builder, a.held, held)

    return a.held(a), generate


unmark = intrinsic(_declare_unmark)
