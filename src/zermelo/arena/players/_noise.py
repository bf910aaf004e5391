"""Weaker play: with the probability `noise` a move is any legal one, else it is what the player would have done.

Why this and not a choice among the better moves by their values: alpha-beta knows bounds of most moves and not their
values, and what a difference of values means differs from game to game. A blunder now and then means the same in all
of them. It is what parts people from programs of their strength, who see much and overlook something; more noise is
never stronger play, and noise 1 is the random player, so that one option leads from there to the search at its best.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.play import PlayerMove
from zermelo.play.notation import legal_actions

SAID = {
    "noise": "how often, from 0 to 1, it plays any legal move instead of its best",
    "seed": "a whole number; with it, the same noise every time",
}
"""What the options mean, for the list of players."""


class Noise:
    """The dice of a player that does not always play its best."""

    def __init__(self, kind: str, options: dict[str, Any]):
        """Takes `noise` and `seed` out of the options of a player of this kind."""
        self.share = options.pop("noise", 0.0)
        seed = options.pop("seed", None)
        if isinstance(self.share, bool) or not isinstance(self.share, (int, float)) or not 0 <= self.share <= 1:
            raise OptionError(f"{kind}: noise must be a number from 0 to 1, not {self.share!r}")
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise OptionError(f"{kind}: seed must be a whole number, not {seed!r}")
        self.settled = seed is not None
        self.dice = random.Random(seed)

    def reseed(self, seed: int) -> None:
        """Settles the dice, unless whoever made the player has."""
        if not self.settled:
            self.dice.seed(seed)

    def instead(self, game: Game, state: Any, history: Sequence[Any]) -> PlayerMove | None:
        """Any legal action, if the dice want it so; `None` if the player is to play its best."""
        if self.share == 0 or self.dice.random() >= self.share:
            return None
        return PlayerMove(self.dice.choice(legal_actions(game, state, history)))
