"""Attributes of a game and globals of its module, in a form that compiles well."""

from __future__ import annotations

import hashlib
import weakref
from typing import Any

LONG = 8
"""Tuples with more numbers than this become arrays or tables: each element of a tuple costs compiling time, and
indexing a tuple by a variable copies it."""
NARROW = 8
"""The longest rows of a table that are tuples, to be unpacked, and not arrays."""


_of_tuples: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
"""The arrays that were made of tuples here, by their identity."""
_of_mixed: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
"""Those of tuples with floats and whole numbers."""


class WordNumber(int):
    """A number that needs 64 bits without a sign; `words.py` gives it the type of a word in compiled code.

    Numba types a plain number of that size as NumPy's, which becomes a float when combined with a signed one.
    """


class NumpysWord(WordNumber):
    """The same of a number that is NumPy's."""


class Table:
    """Nested tuples of numbers, laid out flat; `tables.py` defines how compiled code reads it."""

    def __init__(self, value: tuple[Any, ...], depth: int):
        import numpy

        self.starts: list[Any] = []
        """For each level but the innermost, where each row begins in the next level, and where the last one ends."""
        level: list[Any] = list(value)
        for _ in range(depth - 1):
            ends = [0]
            for row in level:
                ends.append(ends[-1] + len(row))
            self.starts.append(numpy.array(ends))
            level = [item for row in level for item in row]
        self.flat = _array(level)
        widths = {int(n) for n in numpy.diff(self.starts[-1])}
        (width,) = widths if len(widths) == 1 else (None,)
        self.width = width if width is not None and 0 < width <= NARROW else None
        content = [self.flat, *self.starts]
        self.digest = hashlib.sha256(b"|".join(a.dtype.str.encode() + a.tobytes() for a in content)).hexdigest()[:16]


def compiled_form(value: Any) -> Any:
    """`value`, or an array or table with the same numbers where `value` is long or ragged."""
    if isinstance(value, (range, list)):
        value = tuple(value)
    if isinstance(value, (set, frozenset)):
        value = tuple(sorted(value))
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        depth = _depth(value)
        flat = _flatten(value)
        if depth is not None and (len(flat) > LONG or holds_words(flat) or not _regular(value)) and _dtype(flat):
            return _array(flat) if depth == 1 else Table(value, depth)
        return tuple(compiled_form(item) for item in value)
    if hasattr(value, "flags") and hasattr(value, "dtype"):
        import numpy

        if isinstance(value, numpy.ndarray):
            return numpy.ascontiguousarray(value)
        return NumpysWord(value) if value.dtype == "uint64" else value
    return WordNumber(value) if type(value) is int and holds_words(value) else value


def is_numpys(value: Any) -> bool:
    """Whether the author's value behind this compiled form is a number or array of NumPy's."""
    return not isinstance(value, (tuple, list)) and bool(dtypes_in(value))


def dtypes_in(value: Any) -> set[str]:
    """The types of NumPy's numbers in the author's value behind this compiled form."""
    if isinstance(value, (tuple, list)):
        return {dtype for item in value for dtype in dtypes_in(item)}
    if isinstance(value, NumpysWord):
        return {"uint64"}
    own = not hasattr(value, "dtype") or _of_tuples.get(id(value)) is value
    return set() if own else {str(value.dtype)}


def holds_floats(value: Any) -> bool:
    """Whether the author's value behind this compiled form is a float, or holds floats alone."""
    if isinstance(value, tuple):
        return bool(value) and all(map(holds_floats, value))
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return bool(value.dtype.kind == "f") and _of_mixed.get(id(value)) is not value
    return isinstance(value, float)


def holds_words(value: Any) -> bool:
    """Whether a number in `value` needs all 64 bits without a sign."""
    if isinstance(value, (tuple, list, set, frozenset)):
        return any(map(holds_words, value))
    if hasattr(value, "dtype"):
        return bool(value.dtype == "uint64")
    return isinstance(value, int) and value >= 1 << 63


def _depth(value: Any) -> int | None:
    """The depth of nested tuples of numbers; `None` if it is not the same everywhere."""
    if not isinstance(value, (tuple, list)):
        return 0
    depths = {_depth(item) for item in value if not isinstance(item, (tuple, list)) or item}
    if not depths:
        return 2 if value else 1
    (depth,) = depths if len(depths) == 1 else (None,)
    return None if depth is None else depth + 1


def _regular(value: Any) -> bool:
    """Whether all rows of each level are equally long, so that Numba sees a tuple of one type."""
    rows = [item for item in value if isinstance(item, (tuple, list))]
    return len({len(row) for row in rows}) <= 1 and all(map(_regular, rows))


def _flatten(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [number for item in value for number in _flatten(item)]
    return [value]


def _dtype(flat: list[Any]) -> str | None:
    """The type of array that holds all of `flat`."""
    kinds = {type(item) for item in flat}
    if kinds == {int} and min(flat) >= -(1 << 63) and max(flat) < 1 << 64:
        return "int64" if max(flat) < 1 << 63 else "uint64" if min(flat) >= 0 else None
    if kinds == {bool}:
        return "bool"
    if not kinds or not kinds <= {int, float}:
        return None
    return "float64" if all(float(item) == item or item != item for item in flat) else None


def _array(flat: list[Any]) -> Any:
    import numpy

    array = numpy.array(flat, _dtype(flat))
    array.flags.writeable = False
    _of_tuples[id(array)] = array
    if {int, float} <= set(map(type, flat)):
        _of_mixed[id(array)] = array
    return array
