"""The attributes of a game that its compiled rules depend on: native code holds their values, not their names.

A game's attributes, its methods and what they use are fixed once it is compiled. If one changes all the same, an engine
made before raises an error, and a `Searcher` compiles again and searches the new rules.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.rules.reach import Reach
from zermelo.game.contract import AnyGame

LARGEST_COPY_BYTES = 1 << 16
"""Of an array that is compared by its content; a larger one is compared by identity."""
PLAIN = (bool, int, float, complex, str, bytes, type(None))


class Attributes:
    """The data attributes of a game and of its class, and what its rules reach, as they were when this was made."""

    def __init__(self, game: AnyGame, reach: Reach):
        self.game = game
        self._reach = reach
        self._values = {name: (value, content(value)) for name, value in data_attributes(game).items()}

    def changed(self) -> str:
        """Returns the name of an attribute, method, function or global that has changed; empty if none has."""
        for name, (before, was) in self._values.items():
            now = getattr(self.game, name, None)
            if now is before and isinstance(now, PLAIN):
                continue
            if before is None and not isinstance(now, (*PLAIN, tuple, list)) and not hasattr(now, "tobytes"):
                continue  # created on first use, and not used by compiled rules
            if content(now) != was:
                return name
        return self._reach.changed()


def data_attributes(game: AnyGame) -> dict[str, object]:
    """Returns the data attributes of `game`: no methods, no properties, nothing computed on access."""
    found: dict[str, object] = {}
    for cls in reversed(type(game).__mro__[:-1]):
        found |= vars(cls)
    found |= vars(game)
    return {
        name: value
        for name, value in found.items()
        if not name.startswith("__") and not hasattr(type(value), "__get__") and not isinstance(value, type)
    }


def content(value: Any) -> object:
    """Returns what is compared: the content of numbers, strings and small arrays, the identity of anything else."""
    if isinstance(value, PLAIN):
        return (type(value), value)
    if isinstance(value, (tuple, list)):
        return (type(value), tuple(content(each) for each in value))
    if hasattr(value, "tobytes") and getattr(value, "nbytes", LARGEST_COPY_BYTES + 1) <= LARGEST_COPY_BYTES:
        return (type(value), value.shape, str(value.dtype), value.tobytes())
    return id(value)
