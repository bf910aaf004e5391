"""A player who takes any legal action, each with the same probability."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import Any

from zermelo.arena.repetition import legal_actions
from zermelo.game import Game
from zermelo.game.options import call_with_options


class Random:
    """Plays at random; with a seed, the same way every time."""

    def __init__(self, seed: int | None = None):
        self.name = "random" if seed is None else f"random:seed={seed}"
        self.random = random.Random(seed)

    def choose(self, game: Game, state: Any, history: Sequence[Any] = ()) -> Any:
        return self.random.choice(legal_actions(game, state, history))


KINDS = {"random": partial(call_with_options, Random)}
