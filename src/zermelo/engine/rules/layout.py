"""The flat layout of a game's states: from a NamedTuple to bytes and back.

A state is a sequence of 8-byte words, one for each number and as many as needed for each array, in the order of
the fields. Nothing is left undefined between them, so equal states have equal bytes and a hash of the bytes is a
hash of the state.
"""

from __future__ import annotations

import struct
import typing
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from zermelo.errors import CompileError, ContractError, RefusedError
from zermelo.game.contract import U64

WORD = 8
MAX_TUPLE = 64
MAX_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class Scalar:
    """One number in one word; `kind` is `int`, `word` (64 bits without a sign), `float` or `bool`."""

    path: str
    offset: int
    kind: str

    @property
    def end(self) -> int:
        return self.offset + WORD

    @property
    def holds_words(self) -> bool:
        return self.kind == "word"

    def pack(self, value: Any, out: bytearray) -> None:
        code, convert = _FORMATS[self.kind]
        try:
            converted = convert(value)
        except (TypeError, ValueError, OverflowError):
            converted = None
        if converted is None or (converted != value and value == value):
            what = {"bool": "true or false", "float": "a float"}.get(self.kind, "a whole number")
            raise ContractError(f"{self.path} holds {value!r}, but is {what} in the initial state")
        try:
            struct.pack_into(code, out, self.offset, converted)
        except struct.error:
            sign = "without" if self.kind == "word" else "with"
            raise RefusedError(f"{self.path} holds {value!r}, which does not fit 64 bits {sign} a sign") from None

    def unpack(self, data: bytes) -> Any:
        (value,) = struct.unpack_from(_FORMATS[self.kind][0], data, self.offset)
        return bool(value) if self.kind == "bool" else value


# Adding 0.0 turns −0.0 into 0.0: equal numbers must have equal bytes.
_FORMATS: dict[str, tuple[str, Any]] = {
    "int": ("=q", int),
    "word": ("=Q", int),
    "bool": ("=q", bool),
    "float": ("=d", lambda value: float(value) + 0.0),
}


@dataclass(frozen=True, slots=True)
class Array:
    """A NumPy array of fixed shape, in C order; the rest of its last word is zero."""

    path: str
    offset: int
    dtype: str
    shape: tuple[int, ...]
    size: int
    """In bytes."""

    @property
    def end(self) -> int:
        return self.offset + -(-self.size // WORD) * WORD

    @property
    def holds_words(self) -> bool:
        return self.dtype.endswith("u8")

    def pack(self, value: Any, out: bytearray) -> None:
        import numpy

        array = numpy.asarray(value)
        if array.shape != self.shape:
            raise ContractError(f"{self.path} has shape {array.shape}, but {self.shape} in the initial state")
        if not numpy.can_cast(array.dtype, self.dtype, "same_kind"):
            raise ContractError(f"{self.path} holds {array.dtype}, but {self.dtype} in the initial state")
        out[self.offset : self.offset + self.size] = array.astype(self.dtype, "C").tobytes()

    def unpack(self, data: bytes) -> Any:
        import numpy

        return numpy.ndarray(self.shape, self.dtype, data, self.offset)  # read-only, as `data` is bytes


@dataclass(frozen=True, slots=True)
class Record:
    """A tuple: a NamedTuple if `make` is one's class, a plain one if it is `tuple`."""

    path: str
    offset: int
    make: Any
    parts: tuple[Layout, ...]

    @property
    def end(self) -> int:
        return self.parts[-1].end if self.parts else self.offset

    @property
    def named(self) -> bool:
        return self.make is not tuple

    def pack(self, value: Any, out: bytearray) -> None:
        for part, inner in zip(self.parts, self.checked(value), strict=True):
            part.pack(inner, out)

    def checked(self, value: Any) -> tuple[Any, ...]:
        """`value`, if it is as long as this tuple."""
        if not isinstance(value, tuple) or len(value) != len(self.parts):
            raise ContractError(f"{self.path} must be a tuple of {len(self.parts)}, as in the initial state: {value!r}")
        return value

    def unpack(self, data: bytes) -> Any:
        values = [part.unpack(data) for part in self.parts]
        return self.make(*values) if self.named else tuple(values)


Layout = Scalar | Array | Record


def infer(state: Any) -> Layout:
    """The layout that `state`, a game's initial one, and the annotations of its class imply."""
    layout = _infer(state, type(state).__name__, 0, None)
    if layout.end == 0:
        raise CompileError("the state has no fields: give it at least one number")
    if layout.end > MAX_BYTES:
        raise CompileError(f"a state takes {layout.end} bytes: keep it below {MAX_BYTES}, as each position is a copy")
    return layout


def pack(layout: Layout, state: Any) -> bytes:
    """The bytes of `state`; a `ContractError` if it is of another shape than the initial state."""
    out = bytearray(layout.end)
    layout.pack(state, out)
    return bytes(out)


def check_lengths(layout: Layout, state: Any) -> None:
    """A `ContractError` if a tuple in `state` is longer or shorter than in the initial state."""
    if isinstance(layout, Record):
        for part, inner in zip(layout.parts, layout.checked(state), strict=True):
            check_lengths(part, inner)


def leaves(layout: Layout) -> Iterator[Scalar | Array]:
    """The numbers and arrays of a layout, in order."""
    if isinstance(layout, Record):
        for part in layout.parts:
            yield from leaves(part)
    else:
        yield layout


def describe(layout: Layout) -> Any:
    """The layout as plain data, to compare layouts."""
    if isinstance(layout, Record):
        names = getattr(layout.make, "_fields", ())
        return [layout.make.__qualname__, list(names), [describe(part) for part in layout.parts]]
    if isinstance(layout, Array):
        return [layout.dtype, list(layout.shape)]
    return layout.kind


def widen(layout: Layout, paths: tuple[str, ...]) -> Layout:
    """The layout with integers in place of booleans at `paths`."""
    if isinstance(layout, Record):
        return replace(layout, parts=tuple(widen(part, paths) for part in layout.parts))
    return replace(layout, kind="int") if isinstance(layout, Scalar) and layout.path in paths else layout


_OPERATORS = {
    *("__new__", "__getitem__", "__getattribute__", "__getattr__", "__iter__", "__len__", "__contains__", "__bool__"),
    *("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__add__", "__radd__", "__sub__", "__rsub__"),
    *("__mul__", "__rmul__", "__floordiv__", "__truediv__", "__mod__", "__pow__", "__neg__", "__abs__", "__index__"),
    *("__and__", "__or__", "__xor__", "__invert__", "__lshift__", "__rshift__", "__int__", "__float__"),
}


def has_own_operators(value: Any) -> bool:
    """Whether `value` is a number or tuple whose class overrides operators, which compiled code would ignore."""
    if isinstance(value, Enum) or not isinstance(value, (int, float, tuple)):
        return False
    for base in type(value).__mro__:
        if base in (bool, int, float, tuple):
            return False
        made_by_namedtuple = "_fields" in vars(base)
        if any(name in _OPERATORS and not (made_by_namedtuple and name == "__new__") for name in vars(base)):
            return type(value).__module__ != "numpy"
    return False


def _infer(value: Any, path: str, offset: int, annotation: Any) -> Layout:
    if has_own_operators(value):
        raise CompileError(
            f"{path} is a {type(value).__name__}, a class with operators of its own: compiled rules know the plain "
            "numbers and tuples only"
        )
    if isinstance(value, tuple):
        return _infer_record(value, path, offset, annotation)
    if type(value).__module__ == "numpy" and hasattr(value, "dtype"):
        if value.ndim == 0:
            return _infer(value.item(), path, offset, U64 if value.dtype == "uint64" else annotation)
        return _infer_array(value, path, offset)
    if isinstance(value, bool):
        return Scalar(path, offset, "int" if annotation is int else "bool")
    if isinstance(value, int):
        unsigned = annotation is U64 or value >= 1 << 63
        return Scalar(path, offset, "word" if unsigned else "float" if annotation is float else "int")
    if isinstance(value, float):
        return Scalar(path, offset, "float")
    raise CompileError(
        f"{path} holds a {type(value).__name__}: states of a compiled game hold ints, floats, bools, "
        "tuples of them and NumPy arrays of fixed shape; write it as one of these"
    )


def _infer_array(value: Any, path: str, offset: int) -> Array:
    if value.dtype.kind not in "iufb" or value.dtype.itemsize > WORD:
        raise CompileError(f"{path} is an array of {value.dtype}: use a dtype of bool, int8 … int64 or float64")
    return Array(path, offset, value.dtype.newbyteorder("=").str, value.shape, value.nbytes)


def _infer_record(value: tuple[Any, ...], path: str, offset: int, annotation: Any) -> Record:
    if len(value) > MAX_TUPLE:
        raise CompileError(
            f"{path} is a tuple of {len(value)}: use a NumPy array, as long tuples are slow when compiled"
        )
    names: tuple[str, ...] | None = getattr(value, "_fields", None)
    inner: list[Any]
    if names is not None:
        hints = _annotations(type(value))
        inner = [hints.get(name) for name in names]
        paths = [f"{path}.{name}" for name in names]
    else:
        inner = _tuple_annotations(annotation, len(value))
        paths = [f"{path}[{i}]" for i in range(len(value))]
    parts: list[Layout] = []
    at = offset
    for part, part_path, hint in zip(value, paths, inner, strict=True):
        parts.append(_infer(part, part_path, at, hint))
        at = parts[-1].end
    return Record(path, offset, tuple if names is None else type(value), tuple(parts))


def _tuple_annotations(annotation: Any, count: int) -> list[Any]:
    arguments = typing.get_args(annotation)
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        return [arguments[0]] * count
    return list(arguments) if len(arguments) == count else [None] * count


def _annotations(cls: type) -> dict[str, Any]:
    """The annotations of a NamedTuple; where a name cannot be resolved, U64 is still recognised by its spelling."""
    try:
        return typing.get_type_hints(cls)
    except (NameError, TypeError, AttributeError):
        known = {"U64": U64, "int": int, "float": float}
        hints = {}
        for name, hint in cls.__annotations__.items():
            text = hint.__forward_arg__ if isinstance(hint, typing.ForwardRef) else hint
            hints[name] = known.get(text.rpartition(".")[2]) if isinstance(text, str) else text
        return hints
