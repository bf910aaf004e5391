"""The engine as a player: `engine:seconds=1`, `engine:nodes=10000,threads=2`, `engine:depth=2,noise=0.3`.

It starts every game afresh, so that what it plays does not depend on the games before.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.analysis import Analysis, Clock
from zermelo.arena.players._kind import Kind
from zermelo.arena.players._limits import SAID, agreed_limits, choice_of
from zermelo.arena.players._noise import SAID as NOISE_SAID
from zermelo.arena.players._noise import Noise
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.options import read_options
from zermelo.play import PlayerMove
from zermelo.search import search

TAKES = {"depth": int, "nodes": int, "seconds": float, "threads": int, "table_mb": int}
TABLE_MB = 16
"""Its table, if nobody says otherwise: enough for a move's thought, and soon emptied for the next game."""


class EnginePlayer:
    """Keeps one engine for as long as it plays games of one kind, and with it, within a game, what it has learnt."""

    def __init__(self, text: str = ""):
        self.name = f"engine:{text}" if text else "engine"
        options = read_options(text)
        self.noise = Noise("engine", options)
        for name, value in options.items():
            if name not in TAKES:
                raise OptionError(f"engine has no option {name!r}; it takes: {', '.join((*TAKES, *NOISE_SAID))}")
            if isinstance(value, bool) or not isinstance(value, (int, TAKES[name])):
                raise OptionError(f"engine: {name} must be a number, not {value!r}")
        self.settings = {"threads": options.pop("threads", 1), "table_mb": options.pop("table_mb", TABLE_MB)}
        self.limits = options
        self.engine: Any = None

    def choose(self, game: Game, state: Any, history: Sequence[Any] = ()) -> Any:
        return self.think(game, state, history, Clock()).action

    def think(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> PlayerMove:
        if self.engine is None or self.engine.game is not game:
            self.begin(game, game.player(state))
        slip = self.noise.instead(game, state, history)
        if slip is not None:
            return slip
        limits = agreed_limits(self.limits, clock, game.player(state))
        return choice_of(self.engine.search(state, history=history, **limits))

    def reseed(self, seed: int) -> None:
        self.noise.reseed(seed)

    def begin(self, game: Game, seat: int) -> None:
        """Compiles the rules before a clock runs; if that cannot be, it says so and asks the textbook."""
        from zermelo.engine import Engine, compile_or_none
        from zermelo.engine.engine import check_fit

        check_fit(game)
        if self.engine is not None and self.engine.game is game:
            self.engine.clear()
        else:
            self.engine = Engine(game, **self.settings) if compile_or_none(game) is not None else Interpreted(game)

    def close(self) -> None:
        self.engine = None


class Interpreted:
    """In place of the engine, where rules cannot be compiled: the textbook's search, within the same limits."""

    def __init__(self, game: Game):
        self.game = game

    def search(self, state: Any, **limits: Any) -> Analysis:
        return search(self.game, state, **limits)

    def clear(self) -> None:
        """It keeps nothing from one search to the next."""


KINDS = {
    "engine": Kind(
        EnginePlayer,
        "The native engine: strong at any game without hidden information.",
        "engine:seconds=0.5,threads=2",
        {
            **SAID,
            "threads": "processor cores to use",
            "table_mb": f"megabytes for its table; {TABLE_MB}",
            **NOISE_SAID,
        },
        harmless=True,
    )
}
