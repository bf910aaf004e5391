"""Tuples whose length is known only when a rule runs, as lists that nobody changes; needs Numba to import.

    tuple(cells)      (*cells[:i], 1, *cells[i + 1 :])      any(c > 2 for c in cells)      s._replace(turn=1)

Numba has none of these. A state takes such a list for a tuple if it is as long as that.
"""

from __future__ import annotations

import functools
import operator
from typing import Any

from zermelo.engine.rules.exact import operators
from zermelo.engine.rules.numba_api import NumbaTypeError, overload, overload_method, types
from zermelo.engine.rules.plain import FIELD_SEPARATOR, REPLACE
from zermelo.engine.rules.ranges import exact_range
from zermelo.engine.rules.unary import exact_bool

_minus = operators(closed=False, strict=False, in_place=False)[operator.sub]


def exact_tuple(values: Any) -> Any:
    """`tuple`."""
    return tuple(values)


def exact_any(values: Any) -> Any:
    """`any`."""
    return any(values)


def exact_all(values: Any) -> Any:
    """`all`."""
    return all(values)


def exact_reversed(values: Any) -> Any:
    """`reversed`."""
    return reversed(values)


TUPLES = {"tuple": exact_tuple, "any": exact_any, "all": exact_all, "reversed": exact_reversed}
"""The replacements of built-in functions."""


def _declare_tuple(values):  # type: ignore[no-untyped-def]
    if isinstance(values, types.BaseTuple):
        return lambda values: values
    if isinstance(values, types.List):
        return lambda values: values.copy()
    if isinstance(values, types.RangeType):
        return lambda values: [value for value in values]  # noqa: C416 - Numba has no `list` of it
    raise NumbaTypeError(f"a rule takes a tuple of {values}")


def _declare_reversed(values):  # type: ignore[no-untyped-def]
    if isinstance(values, types.RangeType):
        return _backwards
    if isinstance(values, (types.List, types.UniTuple)):
        return lambda values: [values[i] for i in range(len(values) - 1, -1, -1)]
    raise NumbaTypeError(f"a rule takes {values} in reverse")


def _backwards(values):  # type: ignore[no-untyped-def]
    first, step = values.start, values.step
    return exact_range(first + (len(values) - 1) * step, _minus(first, step), _minus(0, step))


def _declare_any(values):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def find(values):  # type: ignore[no-untyped-def]
        for value in values:  # noqa: SIM110
            if exact_bool(value):
                return True
        return False

    return find


def _declare_all(values):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def find(values):  # type: ignore[no-untyped-def]
        for value in values:  # noqa: SIM110
            if not exact_bool(value):
                return False
        return True

    return find


overload(exact_tuple)(_declare_tuple)
overload(exact_any)(_declare_any)
overload(exact_reversed)(_declare_reversed)
overload(exact_all)(_declare_all)


def _declare_part(values, index):  # type: ignore[no-untyped-def]
    if isinstance(values, types.UniTuple) and isinstance(index, types.SliceType):
        return _part
    return None


def _part(values, index):  # type: ignore[no-untyped-def]
    first, end, step = index.indices(len(values))
    return [values[i] for i in range(first, end, step)]


def _declare_joined(a, b):  # type: ignore[no-untyped-def]
    kinds = (a, b)
    lists = [isinstance(kind, types.List) for kind in kinds]
    if sum(lists) == 1 and all(isinstance(kind, (types.List, types.UniTuple)) for kind in kinds):
        return _join
    return None


def _join(a, b):  # type: ignore[no-untyped-def]
    joined = [value for value in a]  # noqa: C416 - of a tuple, too
    for value in b:
        joined.append(value)
    return joined


def _declare_count(values, sought):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def count(values, sought):  # type: ignore[no-untyped-def]
        found = 0
        for value in values:
            found += 1 if value == sought else 0
        return found

    return count if isinstance(values, types.UniTuple) else None


def _declare_index(values, sought):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def index(values, sought):  # type: ignore[no-untyped-def]
        for i, value in enumerate(values):
            if value == sought:
                return i
        raise ValueError("tuple.index(x): x not in tuple")

    return index if isinstance(values, types.UniTuple) else None


overload_method(types.UniTuple, "count")(_declare_count)
overload_method(types.UniTuple, "index")(_declare_index)
overload(operator.getitem)(_declare_part)
overload(operator.add)(_declare_joined)


@functools.cache
def replacer(name: str) -> Any:
    """The function of a NamedTuple and values of the fields in `name` that makes a NamedTuple with these."""
    fields = name.removeprefix(REPLACE).split(FIELD_SEPARATOR)
    parameters = ", ".join(["state", *fields])
    scope: dict[str, Any] = {"types": types, "NumbaTypeError": NumbaTypeError}
    exec(f"def {name}({parameters}):\n    raise NotImplementedError\n", scope)

    def declare(state: Any) -> Any:
        if not isinstance(state, types.BaseNamedTuple) or not set(fields) <= set(state.fields):
            raise NumbaTypeError(f"a rule takes `_replace` of {state}, with fields that it lacks")
        values = ", ".join(each if each in fields else f"state.{each}" for each in state.fields)
        made: dict[str, Any] = {"make": state.instance_class}
        exec(f"def replaced({parameters}):\n    return make({values})\n", made)
        return made["replaced"]

    scope["declare"] = declare
    exec(f"def declared({parameters}):\n    return declare(state)\n", scope)
    overload(scope[name])(scope["declared"])
    return scope[name]
