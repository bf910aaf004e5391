"""A player who takes any legal action, each with the same probability."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Clock
from zermelo.arena.players import Kind
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.options import call_with_options, whole
from zermelo.play import PlayerMove
from zermelo.play.notation import legal_actions

if TYPE_CHECKING:
    from zermelo.equilibrium.extensive import ExtensiveForm


class Random:
    """Plays at random; with a seed, the same way every time."""

    varies = True

    def __init__(self, seed: int | None = None):
        whole(optional=True).check("seed", seed, "random")
        self.name = "random" if seed is None else f"random:seed={seed}"
        self.seed = seed
        self.random = random.Random(seed)

    def reseed(self, seed: int) -> None:
        self.random.seed(f"{self.seed}:{seed}")

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A:
        return self.random.choice(legal_actions(game, state, history))

    def policy(self, game: Game[S, A], state: S, history: Sequence[S]) -> list[float]:
        legal = legal_actions(game, state, history)
        return [1 / len(legal) if action in legal else 0.0 for action in game.actions(state)]

    def shares(self, form: ExtensiveForm) -> Any:
        width = form.arrays.width
        return (1 / width).repeat(width)

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        return PlayerMove(self.choose(game, state, history))


KINDS = {
    "random": Kind(
        partial(call_with_options, Random),
        "Takes any legal action, each with the same probability.",
        "random:seed=3",
        {"seed": "a whole number; with it, the same play every time, in a tournament for every seed of its own"},
        harmless=True,
    )
}
