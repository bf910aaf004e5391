"""Players for dice and for many opponents: `expectiminimax:depth=3,width=5`, `maxn:depth=4`, `paranoid`, `brs`.

They search natively where the rules compile and the options are the engine's, and otherwise as the textbook does. The
value of a move is the same either way.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from zermelo.analysis import Clock
from zermelo.arena.players._kind import Kind
from zermelo.arena.players._limits import SAID
from zermelo.arena.players._noise import SAID as NOISE_SAID
from zermelo.arena.players._noise import Noise
from zermelo.arena.players.engine import TABLE_MB, TAKES, EnginePlayer
from zermelo.arena.players.textbook import SUMMARIES, Textbook, written_options
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.options import read_options
from zermelo.play import PlayerMove

ALGORITHMS: dict[str, dict[str, Any]] = {
    "brs": {"algorithm": "brs"},
    "expectiminimax": {"algorithm": "expectiminimax"},
    "maxn": {"algorithm": "maxn"},
    "paranoid": {"algorithm": "paranoid"},
    "star1": {"algorithm": "expectiminimax", "pruning": "star1"},
    "star2": {"algorithm": "expectiminimax", "pruning": "star2"},
}
SHARED = {"width": int, "samples": int}
OWN = {"root_width": int, "root_margin": float, "stride": int, "table_mb": int}
"""What only the engine takes."""
OPTIONS = {
    **SAID,
    "width": "actions searched below the root, by first sight; all if 0",
    "samples": "outcomes that a roll of the dice is sampled to; all if 0",
    "root_width": "actions of the root that go on from one depth to the next; all if 0",
    "root_margin": "what these may be worse than the best, in utility",
    "stride": "plies by which it deepens; 1",
    "table_mb": f"megabytes for its table; {TABLE_MB}",
    **NOISE_SAID,
}


class ExpectationPlayer(EnginePlayer):
    """Keeps an engine as the engine's own player does; without one it asks the textbook."""

    def __init__(self, kind: str, text: str = ""):
        self.name = f"{kind}:{text}" if text else kind
        options = read_options(text)
        self.book: Textbook | None = None
        if set(options) - set(OPTIONS):
            self.book = Textbook(kind, text)
            return
        self.text = text
        self.kind = kind
        seed = options.get("seed", 0)
        self.noise = Noise(kind, options)
        for name, value in options.items():
            wanted = (TAKES | SHARED | OWN)[name]
            if isinstance(value, bool) or not isinstance(value, (int, wanted)):
                raise OptionError(f"{kind}: {name} must be a number, not {value!r}")
        own = {name: options.pop(name) for name in (*SHARED, *OWN) if name in options}
        self.only_native = sorted(set(own) & set(OWN))
        self.settings = {"table_mb": TABLE_MB, **ALGORITHMS[kind], **own, "seed": abs(seed)}
        self.limits = options
        self.engine: Any = None

    def think(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> PlayerMove:
        if self.book is None and (self.engine is None or self.engine.game is not game):
            self.begin(game, game.player(state))
        if self.book is not None:
            return self.book.think(game, state, history, clock)
        return super().think(game, state, history, clock)

    def begin(self, game: Game, seat: int) -> None:
        """Compiles the rules before a clock runs."""
        from zermelo.engine import compile_or_none
        from zermelo.engine.expectation import ExpectationEngine, is_served

        if self.book is not None:
            return
        if self.engine is not None and self.engine.game is game:
            self.engine.clear()
        elif is_served(game) and compile_or_none(game) is not None:
            self.engine = ExpectationEngine(game, **self.settings)
        elif self.only_native:
            raise OptionError(f"{self.kind}: {self.only_native[0]} needs the engine, which does not serve {game.name}")
        else:
            self.book = Textbook(self.kind, self.text)

    def reseed(self, seed: int) -> None:
        (self if self.book is None else self.book).noise.reseed(seed)

    def close(self) -> None:
        self.engine = None


def describe(kind: str) -> Kind:
    """The kind of player that the algorithm called `kind` makes."""
    techniques = {name: "/".join(t.__name__ for t in types) for name, types in written_options().items()}
    slower = {name: f"{types}; by the textbook" for name, types in techniques.items() if name not in OPTIONS}
    return Kind(partial(ExpectationPlayer, kind), SUMMARIES[kind], f"{kind}:depth=4", OPTIONS | slower, harmless=True)


KINDS = {kind: describe(kind) for kind in ALGORITHMS}
