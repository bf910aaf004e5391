"""States as keys, as one line of text and as a plain picture: the defaults that serve every game."""

from __future__ import annotations

import ast
import html
from collections.abc import Hashable
from typing import Any, TypeVar, cast

from zermelo.errors import PositionError

T = TypeVar("T")


def freeze(value: Any) -> Hashable:
    """A hashable stand-in for `value`: equal stand-ins if and only if equal values."""
    try:
        hash(value)
    except TypeError:
        pass
    else:
        return value  # type: ignore[no-any-return]
    if hasattr(value, "tobytes"):
        return (value.shape, value.tobytes())
    if isinstance(value, dict):
        return frozenset((k, freeze(v)) for k, v in value.items())
    if isinstance(value, (set, frozenset)):
        return frozenset(freeze(v) for v in value)
    if isinstance(value, (list, tuple)):
        return tuple(freeze(v) for v in value)
    raise TypeError(
        f"a state holds a {type(value).__name__}, which cannot be compared: define `key(self, s)` for this game"
    )


def _plain(value: Any) -> Any:
    """`value` with every array, named tuple and NumPy number turned into plain Python."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        return tuple(_plain(v) for v in value)
    return value


def write_fields(s: Any) -> str:
    """The fields of a state as a Python literal, without blanks."""
    return repr(_plain(s)).replace(" ", "")


def read_fields(text: str, like: T) -> T:
    """The state whose fields `text` lists, each of the same kind as in the state `like`."""
    try:
        value = ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise PositionError(f"{text!r} is not a position; the start is written {write_fields(like)!r}") from None
    return cast(T, _shaped(value, like, text, "the position"))


def _shaped(value: Any, like: Any, text: str, where: str) -> Any:
    """`value` in the types of `like`: a named tuple for a named tuple, an array for an array."""
    if hasattr(like, "tolist"):
        import numpy

        try:
            array = numpy.asarray(value, dtype=like.dtype)
        except (ValueError, TypeError, OverflowError):
            array = numpy.empty(0)
        if array.shape != like.shape:
            raise PositionError(f"{where} in {text!r} must be numbers of shape {like.shape}")
        array.flags.writeable = False
        return array
    if isinstance(like, tuple):
        if not isinstance(value, (tuple, list)) or (hasattr(like, "_fields") and len(value) != len(like)):
            raise PositionError(f"{where} in {text!r} must look like {write_fields(like)}")
        if hasattr(like, "_fields"):
            parts = (_shaped(v, old, text, f"`{n}`") for v, old, n in zip(value, like, like._fields, strict=True))
            return type(like)(*parts)
        pattern = like[0] if like else None
        return tuple(_shaped(v, like[i] if i < len(like) else pattern, text, where) for i, v in enumerate(value))
    if isinstance(like, bool) or like is None or isinstance(like, str):
        matches = like is None or type(value) is type(like)
    elif isinstance(like, float):
        matches = isinstance(value, (int, float)) and not isinstance(value, bool)
        value = float(value) if matches else value
    else:
        matches = isinstance(value, int) and not isinstance(value, bool)
    if not matches:
        raise PositionError(f"{where} in {text!r} must be a {type(like).__name__}, as in {like!r}")
    return value


def text_picture(text: str) -> str:
    """`text` drawn as it stands, in SVG, for games that have no picture of their own."""
    lines = text.splitlines() or [""]
    width = 10 * max(len(line) for line in lines) + 20
    rows = "".join(
        f'<text x="10" y="{22 + 20 * i}" xml:space="preserve">{html.escape(line)}</text>'
        for i, line in enumerate(lines)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {20 * len(lines) + 16}" '
        f'font-family="ui-monospace, monospace" font-size="16">{rows}</svg>'
    )
