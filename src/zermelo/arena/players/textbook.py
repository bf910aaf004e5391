"""Players who take the action that a search of the textbook recommends."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from types import UnionType
from typing import Any, get_args, get_type_hints

from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.game.options import read_options
from zermelo.search import Options
from zermelo.search.algorithms import ALGORITHMS

UNHURRIED = {"maxn", "search", "star1", "star2"}
"""Those that have no use for `quick`, or settle it themselves; the others prefer the quicker win."""
LIMITS = {"depth", "nodes", "seconds"}
DEFAULT_SECONDS = 1.0
"""How long a player thinks about a move if it is given no limit."""
PLAIN = (bool, int, float, str)


def written_options() -> dict[str, tuple[type, ...]]:
    """The options of a search that can be written as text, each with the types that it takes."""
    found = {}
    for name, hint in get_type_hints(Options).items():
        types = tuple(t for t in (get_args(hint) if isinstance(hint, UnionType) else (hint,)) if t in PLAIN)
        if types and name != "trace":
            found[name] = (*types, int) if float in types else types
    return found


class Textbook:
    """A search as a player. Without a limit it deepens for a second a move."""

    def __init__(self, kind: str, text: str = ""):
        self.name = f"{kind}:{text}" if text else kind
        self.algorithm = ALGORITHMS[kind]
        self.options = self._check(kind, read_options(text))
        if not LIMITS & set(self.options):
            self.options |= {"seconds": DEFAULT_SECONDS, "deepen": True}
        if kind not in UNHURRIED:
            self.options.setdefault("quick", True)

    @staticmethod
    def _check(kind: str, options: dict[str, Any]) -> dict[str, Any]:
        """`options`, if each exists and has a value of its type; lists are written `killers/history`."""
        known = written_options()
        for name, value in options.items():
            if name not in known:
                raise OptionError(f"{kind} has no option {name!r}; it takes: {', '.join(known)}")
            if not isinstance(value, known[name]) or (isinstance(value, bool) and bool not in known[name]):
                wanted = " or ".join(t.__name__ for t in known[name])
                raise OptionError(f"{kind}: {name} must be of type {wanted}, not {value!r}")
            if isinstance(value, str):
                options[name] = value.replace("/", ",")
        return options

    def choose(self, game: Game, state: Any, history: Sequence[Any] = ()) -> Any:
        found = self.algorithm(game, state, history=history, **self.options)
        if found.stopped == "interrupt":
            raise KeyboardInterrupt
        return found.action


KINDS = {kind: partial(Textbook, kind) for kind in ALGORITHMS}
