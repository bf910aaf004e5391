"""Values held fast, so that a later change of them shows.

frozen(x) == frozen(y)   if x and y hold the same, however deep; never if an array, list or attribute differs
"""

from __future__ import annotations

import copy
import functools
import random
from types import ModuleType
from typing import Any

from zermelo.game import Game

DEEPEST = 20
"""Nesting beyond which values are no longer looked into: it ends structures that contain themselves."""

PLAIN = (int, float, complex, bool, str, bytes, type(None))


def is_array(value: Any) -> bool:
    """Whether `value` is a NumPy array or number; asked so, NumPy need not be imported."""
    return hasattr(value, "tobytes") and hasattr(value, "dtype")


def is_plain(value: Any) -> bool:
    """Whether `value` is made of numbers, text and tuples alone, so that nothing can change it."""
    if isinstance(value, tuple):
        return all(is_plain(part) for part in value)
    return type(value) in PLAIN


def frozen(value: Any, depth: int = 0) -> Any:
    """A stand-in for `value` that shares nothing changeable with it."""
    kind = type(value)
    if kind in PLAIN:
        return value
    if callable(value) or isinstance(value, ModuleType):
        return (kind, id(value))
    if depth > DEEPEST:
        return kind
    if is_array(value):
        if not value.shape:
            return value.item()
        held = frozen(value.tolist(), depth + 1) if value.dtype.hasobject else value.tobytes()
        return (value.dtype.str, value.shape, held)
    if isinstance(value, (tuple, list)):
        return [frozen(part, depth + 1) for part in value]
    if isinstance(value, dict):
        return {k: frozen(v, depth + 1) for k, v in value.items()}
    if isinstance(value, (set, frozenset)):
        return frozenset(value)
    if isinstance(value, bytearray):
        return bytes(value)
    if isinstance(value, random.Random):
        return value.getstate()
    own = attributes(value)
    if own:
        return (kind, {name: frozen(part, depth + 1) for name, part in own.items()})
    compares = any("__eq__" in vars(ancestor) for ancestor in kind.__mro__[:-1])
    return value if compares else kind


def attributes(value: Any) -> dict[str, Any]:
    """The attributes that an object holds itself, in its dictionary or in slots."""
    held = dict(getattr(value, "__dict__", {}))
    for kind in type(value).__mro__:
        slots = vars(kind).get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            if name not in ("__dict__", "__weakref__") and hasattr(value, name):
                held[name] = getattr(value, name)
    return held


def duplicate(value: Any) -> Any:
    """A deep copy of `value`; `value` itself where it cannot be copied."""
    if is_plain(value):
        return value
    if is_array(value) and not value.dtype.hasobject:
        return value.copy()
    if isinstance(value, tuple) and hasattr(value, "_make"):
        return value._make(map(duplicate, value))
    try:
        return copy.deepcopy(value)
    except Exception:
        return value


def rebuilt(value: Any) -> Any:
    """A copy of `value` that is another object even where nothing can change it, if `value` is a tuple."""
    copied = duplicate(value)
    if isinstance(copied, tuple):
        return copied._make(copied) if hasattr(copied, "_make") else (*copied,)
    return copied


def game_attributes(game: Game) -> dict[str, Any]:
    """What a game object and its own classes hold, less what Python fills in lazily on purpose."""
    held: dict[str, Any] = {}
    for kind in reversed(type(game).__mro__):
        if kind not in Game.__mro__:
            held.update((n, v) for n, v in vars(kind).items() if not n.startswith("__") and not hasattr(v, "__get__"))
    held.update(attributes(game))
    lazy = {n for kind in type(game).__mro__ for n, v in vars(kind).items() if isinstance(v, functools.cached_property)}
    return {name: value for name, value in held.items() if name not in lazy}


class GameSnapshot:
    """A game object held fast. Tables that nothing can change are compared by identity, so size costs no time."""

    def __init__(self, game: Game):
        self.game = game
        self._plain: dict[int, Any] = {}
        self.held = self._freeze()

    def _freeze(self) -> dict[str, Any]:
        return {name: self._part(value) for name, value in game_attributes(self.game).items()}

    def _part(self, value: Any) -> Any:
        if self._plain.get(id(value)) is not None:
            return value
        if is_plain(value):
            # The reference keeps the id from being given to another object.
            self._plain[id(value)] = value
            return value
        return frozen(value)

    def changed(self) -> str:
        """The names of the attributes that changed since the last call, or an empty text."""
        now = self._freeze()
        before, self.held = self.held, now
        if now == before:
            return ""
        missing = object()
        names = [name for name in {**before, **now} if before.get(name, missing) != now.get(name, missing)]
        return ", ".join(names)
