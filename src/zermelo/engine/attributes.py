"""The attributes of a game on which its compiled rules rest: native code holds their values, not their names.

A game's attributes are fixed once it is compiled. Whoever changes one anyway gets an error from an engine that was made
before, and from a `Searcher`, which compiles again, an answer to the new rules.
"""

from __future__ import annotations

from typing import Any

from zermelo.game.contract import AnyGame

LARGEST_COPY_BYTES = 1 << 16
"""Of an array that is compared by its content; a larger one is compared by identity."""
PLAIN = (bool, int, float, complex, str, bytes, type(None))


class Attributes:
    """The data attributes of a game and of its class, as they were when this was made."""

    def __init__(self, game: AnyGame):
        self.game = game
        self._values = {name: (value, content(value)) for name, value in data_attributes(game).items()}

    def changed(self) -> str:
        """The name of an attribute that has another value now; empty if there is none."""
        for name, (before, was) in self._values.items():
            now = getattr(self.game, name, None)
            if now is before and isinstance(now, PLAIN):
                continue
            if before is None and not isinstance(now, (*PLAIN, tuple, list)) and not hasattr(now, "tobytes"):
                continue  # something that is made when it is first needed, and of no use to compiled rules
            if content(now) != was:
                return name
        return ""


def data_attributes(game: AnyGame) -> dict[str, object]:
    """What `game` holds as data: no methods, no properties, nothing that is computed when it is asked for."""
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
    """What is compared of a value: numbers, texts and small arrays by what they hold, all else by identity."""
    if isinstance(value, PLAIN):
        return (type(value), value)
    if isinstance(value, (tuple, list)):
        return (type(value), tuple(content(each) for each in value))
    if hasattr(value, "tobytes") and getattr(value, "nbytes", LARGEST_COPY_BYTES + 1) <= LARGEST_COPY_BYTES:
        return (type(value), value.shape, str(value.dtype), value.tobytes())
    return id(value)
