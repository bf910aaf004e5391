"""Monte Carlo tree search where players do not see everything: information-set search with an observer each.

Every few simulations the searcher imagines another world: a full state that fits what it sees, from the game's
`sample`. The tree has one node for each information set (a player's own sequence of views and actions since the root),
so that in no world anybody chooses by what it cannot know; worlds that look alike to the mover share its statistics.
What is proved in a world one imagines is no proof, so that there is no solver here.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from typing import Any

from zermelo.errors import ContractError, MethodError
from zermelo.game import CHANCE, Game
from zermelo.game.text import freeze
from zermelo.search.mcts.settings import Settings
from zermelo.search.mcts.simulate import Played, Simulator
from zermelo.search.mcts.tree import Node

WORLD_SIMULATIONS = 8
"""Simulations in a row in each world that is imagined."""
ATTEMPTS = 100
"""Worlds in which the game would be over are imagined anew; so often."""


class Worlds:
    """What may lie behind the view of the player to move, one possibility after another."""

    def __init__(self, game: Game, state: Any, seed: int):
        self.game = game
        self.observer = game.player(state)
        if self.observer == CHANCE:
            raise MethodError(f"chance moves in {game.write(state)}: search a position in which a player does")
        self.view = game.view(state, self.observer)
        self.dice = random.Random(seed)

    def imagine(self) -> Any:
        """A full state that fits the view, with the same player to move."""
        for _ in range(ATTEMPTS):
            world = self.game.sample(self.view, self.observer, self.dice)
            if not self.game.is_terminal(world):
                if self.game.player(world) != self.observer:
                    raise ContractError(
                        f"`sample` of {self.game.name} gave a state in which somebody else moves: {world}"
                    )
                return world
        raise ContractError(
            f"`sample` of {self.game.name} gives only states in which the game is over, for {self.view}"
        )


class HiddenSimulator(Simulator):
    """One tree of information sets."""

    def __init__(self, game: Game, state: Any, settings: Settings, history: Sequence[Any] = ()):
        if settings.evaluator is not None or settings.rave > 0:
            raise MethodError(
                f"{game.name} hides information: evaluators and all moves as first are not for such games"
            )
        self.worlds = Worlds(game, state, settings.seed)
        super().__init__(game, state, settings, ())
        self.sets: dict[Hashable, Node] = {self.first_key(state): self.root}
        self.world = state

    def first_key(self, state: Any) -> Hashable:
        observer = self.worlds.observer
        return observer, (freeze(self.game.view(state, observer)),)

    def simulate(self) -> None:
        """From the root to the root, once, in the world that is imagined now."""
        if self.simulations % WORLD_SIMULATIONS == 0:
            self.world = self.worlds.imagine()
        game, state = self.game, self.world
        trails: list[tuple[Any, ...]] = [()] * game.players
        steps: list[tuple[Node, Node]] = []
        played: Played = []
        while not game.is_terminal(state):
            mover = game.player(state)
            if mover == CHANCE:
                chances = list(game.chances(state))
                action = chances[self.dice.draw([p for _, p in chances])][0]
            else:
                trails[mover] += (freeze(game.view(state, mover)),)
                node = self.sets.get((mover, trails[mover]))
                if node is None:
                    self.sets[mover, trails[mover]] = node = self.make(None, 1.0)
                    node.mover = mover
                    self.expand(node, state, None)
                    break
                child = self.selector.choose(node)
                assert child is not None
                steps.append((node, child))
                action = child.action
                trails[mover] += (action,)
            state = game.result(state, action)
            self.nodes += 1
        utilities = self.play_out(state, played)
        for node, child in steps:
            for each in (node, child):
                each.visits += 1
                for p, utility in enumerate(utilities):
                    each.sums[p] += utility
        self.simulations += 1
