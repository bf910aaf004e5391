"""The engine as a player: `engine:seconds=1`, `engine:nodes=10000,threads=2`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.game.options import read_options

TAKES = {"depth": int, "nodes": int, "seconds": float, "threads": int, "table_mb": int}
DEFAULT_SECONDS = 1.0


class EnginePlayer:
    """Keeps one engine for as long as it plays the same game, and with it what the engine has learnt."""

    def __init__(self, text: str = ""):
        self.name = f"engine:{text}" if text else "engine"
        options = read_options(text)
        for name, value in options.items():
            if name not in TAKES:
                raise OptionError(f"engine has no option {name!r}; it takes: {', '.join(TAKES)}")
            if isinstance(value, bool) or not isinstance(value, (int, TAKES[name])):
                raise OptionError(f"engine: {name} must be a number, not {value!r}")
        self.settings = {name: options.pop(name) for name in ("threads", "table_mb") if name in options}
        self.limits = options or {"seconds": DEFAULT_SECONDS}
        self.engine: Any = None

    def choose(self, game: Game, state: Any, history: Sequence[Any] = ()) -> Any:
        from zermelo.engine import Engine

        if self.engine is None or self.engine.game is not game:
            self.engine = Engine(game, **self.settings)
        found = self.engine.search(state, history=history, **self.limits)
        if found.stopped == "interrupt":
            raise KeyboardInterrupt
        return found.action


KINDS = {"engine": EnginePlayer}
