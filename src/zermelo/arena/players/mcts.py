"""Monte Carlo tree search as a player: `mcts:seconds=1`, `mcts:simulations=1000,c=1.4`, `mcts:rave=500,c=0.3`.

It keeps its tree from move to move within a game. With time to spare it moves once nothing can change its mind.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from zermelo.analysis import Clock
from zermelo.arena.players._kind import Kind
from zermelo.arena.players._limits import SAID, agreed_limits, choice_of
from zermelo.arena.players._noise import SAID as NOISE_SAID
from zermelo.arena.players._noise import Noise
from zermelo.engine.mcts import Mcts
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.options import read_options
from zermelo.play import PlayerMove
from zermelo.search.mcts.settings import Budget, Settings, suited

LIMITS = ("simulations", "nodes", "seconds")
SETTINGS = {
    "selection": "uct or puct",
    "c": "how much to explore; 1.4",
    "rave": "visits at which all moves as first and an action's own mean weigh alike; 0 for none",
    "widening": "the exponent of progressive widening; 0 for all actions at once",
    "solver": "whether to back up what is proved; yes",
    "playout": "own, the game's way of playing at random where it has one, or uniform",
    "plies": "the length of a uniform playout at most",
    "temperature": "0 for the most visited action; above it, others now and then",
}
ROOM = {"threads": "processor cores to use", "memory_mb": "megabytes for its tree; 256"}
MEMORY_MB = 256


class MctsPlayer:
    """Keeps one searcher for as long as it plays games of one kind."""

    def __init__(self, text: str = ""):
        self.name = f"mcts:{text}" if text else "mcts"
        options = read_options(text)
        seed = options.get("seed", 0)
        self.noise = Noise("mcts", options)
        known = (*LIMITS, *SETTINGS, *ROOM, *NOISE_SAID)
        for name in options:
            if name not in known:
                raise OptionError(f"mcts has no option {name!r}; it takes: {', '.join(known)}")
        self.limits = {name: options.pop(name) for name in LIMITS if name in options}
        Budget(**self.limits)
        self.room = {"memory_mb": MEMORY_MB, **{name: options.pop(name) for name in ROOM if name in options}}
        self.given = options
        self.settings = Settings(seed=seed, **options)
        self.searcher: Mcts | None = None

    def choose(self, game: Game, state: Any, history: Sequence[Any] = ()) -> Any:
        return self.think(game, state, history, Clock()).action

    def think(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> PlayerMove:
        if self.searcher is None or self.searcher.game is not game:
            self.begin(game, game.player(state))
        assert self.searcher is not None
        slip = self.noise.instead(game, state, history)
        if slip is not None:
            return slip
        limits = agreed_limits(self.limits, clock, game.player(state))
        return choice_of(self.searcher.run(state, Budget(early=True, **limits), history))

    def reseed(self, seed: int) -> None:
        self.noise.reseed(seed)
        if not self.noise.settled:
            self.settings = replace(self.settings, seed=seed)
            self.searcher = None

    def begin(self, game: Game, seat: int) -> None:
        """Compiles the rules before a clock runs, and forgets the game before."""
        if self.searcher is not None and self.searcher.game is game:
            self.searcher.clear()
        else:
            options = suited(game, {**self.given, "seed": self.settings.seed})
            self.searcher = Mcts(game, settings=Settings(**options), **self.room)

    def close(self) -> None:
        self.searcher = None


KINDS = {
    "mcts": Kind(
        MctsPlayer,
        "Monte Carlo tree search: any game, also with dice, more players or hidden cards; needs no evaluation.",
        "mcts:seconds=0.5,c=1.4",
        {
            "simulations": "simulations for a move",
            **{name: said for name, said in SAID.items() if name != "depth"},
            **SETTINGS,
            **ROOM,
            **NOISE_SAID,
        },
        harmless=True,
    )
}
