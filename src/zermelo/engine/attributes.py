"""The attributes of a game that its compiled rules depend on: native code holds their values, not their names.

A game's attributes, its methods and what they use are fixed once it is compiled. If one changes all the same, an engine
made before raises an error, and a `Searcher` compiles again and searches the new rules.
"""

from __future__ import annotations

from types import MemberDescriptorType
from typing import Any

from zermelo.engine.rules.content import PLAIN, content, is_array
from zermelo.engine.rules.reach import Reach
from zermelo.game.contract import AnyGame

LARGEST_COPY_BYTES = 1 << 16
"""Of an array that no rule reaches and that is compared by its content; a larger one is compared by identity."""


class Attributes:
    """The data attributes of a game and of its class, and what its rules reach, as they were when this was made."""

    def __init__(self, game: AnyGame, reach: Reach):
        self.game = game
        self._reach = reach
        self._values = {
            name: (value, _outline(value))
            for name, value in data_attributes(game).items()
            if name not in reach.constants
        }

    def changed(self) -> str:
        """Returns the name of an attribute, method, function or global that has changed; empty if none has."""
        for name, (before, was) in self._values.items():
            now = getattr(self.game, name, None)
            if now is before and isinstance(now, PLAIN):
                continue
            if before is None and not isinstance(now, (*PLAIN, tuple, list)) and not hasattr(now, "tobytes"):
                continue  # created on first use, and not used by compiled rules
            if _outline(now) != was:
                return name
        return self._reach.changed()


def data_attributes(game: AnyGame) -> dict[str, object]:
    """Returns the data attributes of `game`: no methods, no properties, nothing computed on access."""
    found: dict[str, object] = {}
    for cls in reversed(type(game).__mro__[:-1]):
        found |= vars(cls)
    slots = [name for name, value in found.items() if isinstance(value, MemberDescriptorType)]
    found |= vars(game) | {name: getattr(game, name, None) for name in slots}
    return {
        name: value
        for name, value in found.items()
        if not name.startswith("__") and not hasattr(type(value), "__get__") and not isinstance(value, type)
    }


def _outline(value: Any) -> object:
    """The content of what no rule reaches, without what the author may keep there between two searches."""
    large = is_array(value) and value.nbytes > LARGEST_COPY_BYTES
    return (id(value), value) if large or isinstance(value, (set, frozenset)) else content(value)
