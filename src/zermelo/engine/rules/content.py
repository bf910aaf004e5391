"""What a value is apart from its name and its place in memory, so that a change in place is seen as well."""

from __future__ import annotations

from typing import Any

PLAIN = (bool, int, float, complex, str, bytes, type(None))
KINDS = frozenset(PLAIN)


def content(value: Any) -> object:
    """What is compared: the content of numbers, strings, arrays and of what holds them, the identity of anything else.

    Asked of all that the rules reach, once a search: long lists of numbers and large arrays are copied as a whole.
    """
    if isinstance(value, PLAIN):
        return (type(value), value)
    if isinstance(value, (tuple, list)):
        kinds = tuple(map(type, value))
        known = KINDS.issuperset(kinds)
        return (type(value), kinds, tuple(value if known else map(content, value)))
    if isinstance(value, (set, frozenset)):
        return (type(value), frozenset(map(content, value)))
    if is_array(value):
        return (type(value), value.shape, str(value.dtype), value.tobytes())
    return (id(value), value)  # which keeps the object, so that no other one gets its number


def is_array(value: Any) -> bool:
    """Whether `value` is an array or a number of NumPy's, not the class of one."""
    return not isinstance(value, type) and hasattr(value, "tobytes") and hasattr(value, "dtype")
