"""`sum`, which means in compiled rules what it means in the Python that runs them; needs Numba to import.

Since Python 3.12, `sum` keeps what the addition of two floats loses, and adds it in the end (Neumaier):

    total, lost = 0.0, 0.0
    for x in numbers:
        lost += error of total + x
        total = total + x
    return total + lost

But not if one of the two is a whole number, before Python 3.14 at least; and from NumPy's first number on it adds
plainly. To compiled rules a float may be either. So the least and the most that Python may have kept are computed, and
the sum is refused where they lead to two results.
"""

from __future__ import annotations

import math
import operator
import sys
from typing import Any

import numpy

from zermelo.engine.rules.bits import Bits, is_whole, is_word
from zermelo.engine.rules.exact import operators
from zermelo.engine.rules.numba_api import NumbaTypeError, overload, types
from zermelo.engine.rules.unary import exact_float

KEEPS_ERRORS = sys.version_info >= (3, 12)
_plus = operators(closed=False, strict=False, in_place=False)[operator.add]


def is_boundless(kind: Any) -> bool:
    """Whether a type holds words, or bits of them."""
    return is_word(kind) or isinstance(kind, Bits)


def exact_sum(numbers: Any, start: Any = 0) -> Any:
    """`sum`, number by number."""
    return sum(numbers, start)


def strict_sum(numbers: Any, start: Any = 0) -> Any:
    """`sum` where NumPy's numbers may take part."""
    return sum(numbers, start)


def strict_word_sum(numbers: Any, start: Any = 0) -> Any:
    """`sum` where words and NumPy's numbers may take part."""
    return sum(numbers, start)


def _declare_sum(numbers, start=0):  # type: ignore[no-untyped-def]
    return _sum_of(numbers, start, strict=False)


def _declare_strict_sum(numbers, start=0):  # type: ignore[no-untyped-def]
    return _sum_of(numbers, start, strict=True)


def _declare_strict_word_sum(numbers, start=0):  # type: ignore[no-untyped-def]
    inner = _kinds(numbers)
    if any(map(is_boundless, inner)) and not all(map(is_word, inner)):
        raise NumbaTypeError("a rule computes the sum of words and other numbers, of which NumPy's have a sign")
    return _sum_of(numbers, start, strict=True)


def _kinds(numbers: Any) -> list[Any]:
    return list(numbers) if isinstance(numbers, types.BaseTuple) else [getattr(numbers, "dtype", None)]


def _sum_of(numbers: Any, start: Any, strict: bool) -> Any:
    kinds = [types.unliteral(kind) if isinstance(kind, types.Type) else kind for kind in (start, *_kinds(numbers))]
    if isinstance(start, (types.Omitted, int)):
        kinds[0] = types.int64
    keeps = KEEPS_ERRORS and types.float64 in kinds
    keeps = keeps and all(is_whole(kind) or kind == types.float64 for kind in kinds)
    if isinstance(numbers, types.Array) and numbers.mutable:  # surely NumPy's
        keeps = False
    add = strict_keep if strict or any(map(is_boundless, kinds)) else keep
    if isinstance(numbers, types.BaseTuple) and not (keeps and isinstance(numbers, types.UniTuple)):
        return _sum_of_tuple(kinds, add if keeps else None)
    return _sum_of_floats(add) if keeps else _sum_of_many


def _sum_of_tuple(kinds: list[Any], add: Any) -> Any:
    """The function that adds numbers of these types, the first of which is the start."""
    lines = ["least, most, real = 0.0, 0.0, is_real(start)"] if add else []
    total = "start"
    for i in range(len(kinds) - 1):
        lines.append(f"total_{i} = plus({total}, numbers[{i}])")
        if add and types.float64 in kinds[: i + 2]:
            lines.append(f"least, most, real = keep({total}, numbers[{i}], total_{i}, least, most, real)")
        total = f"total_{i}"
    lines.append(f"return settle({total}, least, most)" if add else f"return {total}")
    scope: dict[str, Any] = {"plus": _plus, "keep": add, "is_real": is_real, "settle": settle}
    exec("def sum_tuple(numbers, start=0):\n" + "".join(f"    {line}\n" for line in lines), scope)
    return scope["sum_tuple"]


def _sum_of_floats(add: Any) -> Any:
    def sum_floats(numbers, start=0):  # type: ignore[no-untyped-def]
        total, least, most, real = start, 0.0, 0.0, is_real(start)
        for each in numbers:
            after = _plus(total, each)
            least, most, real = add(total, each, after, least, most, real)
            total = after
        return settle(total, least, most)

    return sum_floats


def _sum_of_many(numbers, start=0):  # type: ignore[no-untyped-def]
    total = start
    for each in numbers:
        total = _plus(total, each)
    return total


def is_real(number: Any) -> bool:
    """Whether a number is a float in Python, too: it has a fraction, or is none."""
    return bool(number != math.floor(number))


def keep(total: Any, number: Any, after: Any, least: float, most: float, real: bool) -> Any:  # noqa: ARG001
    """What is kept at least and at most after an addition, and whether the total is a float in Python, too."""
    return least, most, real


def strict_keep(total: Any, number: Any, after: Any, least: float, most: float, real: bool) -> Any:  # noqa: ARG001
    """As `keep`, where NumPy's numbers may take part; refuses what changes the total if it is added at once."""
    return least, most, real


def lost_by(total: Any, number: Any, after: Any) -> Any:
    """What rounding `total + number` to `after` lost."""
    return total + number - after


def settle(total: Any, least: float, most: float) -> Any:  # noqa: ARG001
    """The total with what is kept."""
    return total


def _declare_real(number):  # type: ignore[no-untyped-def]
    if number == types.float64:
        return lambda number: not math.isfinite(number) or numpy.floor(number) != number
    return lambda number: False  # noqa: ARG005


def _declare_lost(total, number, after):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def lost(total, number, after):  # type: ignore[no-untyped-def]
        one, other = exact_float(total), exact_float(number)
        return (one - after) + other if abs(one) >= abs(other) else (other - after) + one

    return lost


def _declare_keep(total, number, after, least, most, real):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def kept(total, number, after, least, most, real):  # type: ignore[no-untyped-def]
        lost, both = lost_by(total, number, after), is_real(number)
        if lost < 0 or (real and both):
            least += lost
        if lost > 0 or (real and both):
            most += lost
        return least, most, real or both

    return kept


def _declare_strict_keep(total, number, after, least, most, real):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def kept(total, number, after, least, most, real):  # type: ignore[no-untyped-def]
        lost = lost_by(total, number, after)
        if lost < 0:
            least += lost
        if lost > 0:
            most += lost
        if math.isfinite(after) and (after + least != after or after + most != after):
            raise OverflowError("`sum` rounds NumPy's numbers in another way than Python's: write the loop out")
        return least, most, real

    return kept


def _declare_settle(total, least, most):  # type: ignore[no-untyped-def]  # noqa: ARG001
    def settled(total, least, most):  # type: ignore[no-untyped-def]
        if not math.isfinite(total) or (least == 0 and most == 0):
            return total
        if total + least != total + most:
            raise OverflowError("`sum` rounds floats beside whole numbers in another way: write the loop out")
        return total + least

    return settled


overload(exact_sum)(_declare_sum)
overload(strict_sum)(_declare_strict_sum)
overload(strict_word_sum)(_declare_strict_word_sum)
overload(is_real)(_declare_real)
overload(lost_by)(_declare_lost)
overload(keep)(_declare_keep)
overload(strict_keep)(_declare_strict_keep)
overload(settle)(_declare_settle)
