"""Worlds: what may lie behind what a player sees, as the game's `sample` imagines it."""

from __future__ import annotations

import random
from typing import Any

from zermelo.errors import ContractError, MethodError
from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.text import freeze
from zermelo.game.validation import who_moves

WORLD_ATTEMPTS = 100
"""Attempts to imagine a world in which the game is not over."""


class Worlds:
    """What may lie behind the view of the player to move, one possibility after another."""

    def __init__(self, game: Game, state: object, seed: int):
        self.game = game
        self.observer = who_moves(game, state)
        if self.observer == CHANCE:
            raise MethodError(f"chance moves in {game.write(state)}: search a position in which a player does")
        self.view = game.view(state, self.observer)
        self.seen = freeze(self.view)
        self.dice = random.Random(seed)

    def imagine(self) -> Any:
        """A full state that fits the view, with the same player to move."""
        game = self.game
        for _ in range(WORLD_ATTEMPTS):
            world = game.sample(self.view, self.observer, self.dice)
            if game.is_terminal(world):
                continue
            if game.player(world) != self.observer:
                raise ContractError(f"`sample` of {game.name} gave a state in which somebody else moves: {world}")
            if freeze(game.view(world, self.observer)) != self.seen:
                raise ContractError(
                    f"`sample` of {game.name} gave a state that looks different to player {self.observer}: {world}"
                )
            return world
        raise ContractError(f"`sample` of {game.name} gives only states in which the game is over, for {self.view}")


def check_fit(game: AnyGame) -> None:
    """Refuses games that hide something and cannot say what might be hidden."""
    if game.kind.hidden and not game.can("sample"):
        raise MethodError(
            f"{game.name} hides information and does not say what may be hidden: "
            f"write `def sample(self, view, p, random)` in the class, or search zermelo.revealed(game)"
        )
