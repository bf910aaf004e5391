"""Monte Carlo tree search where players do not see everything: information-set search with an observer each.

The searcher imagines worlds: full states that fit what it sees, from the game's `sample`. Each simulation draws one
of many worlds: with several simulations in a row in one world the searcher would come to know it. The tree has
one node for each information set (a player's own sequence of views and actions since the root), so that no player
chooses by what it cannot know; worlds that look alike to the mover share its statistics. A proof in an imagined world
proves nothing about the game, so there is no solver here.

From move to move the searcher keeps its own information sets below the one that the game has come to. What the others
have seen and done on the way to a world that is imagined later is not known, so theirs start from scratch.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from zermelo.errors import MethodError
from zermelo.game import CHANCE, Game
from zermelo.game.text import freeze
from zermelo.game.validation import fair_chances, unlike_actions, who_moves
from zermelo.search.mcts.settings import MctsSettings
from zermelo.search.mcts.simulate import Played, Simulator
from zermelo.search.mcts.tree import MctsNode
from zermelo.search.worlds import Worlds

Trail = tuple[object, ...]
"""What a player has seen and done, by turns."""
FIRST_WORLDS, MOST_WORLDS = 32, 1024
"""Worlds to draw from at the beginning, and at most; then a new one takes the place of the oldest."""
WORLD_SIMULATIONS = 8
"""Simulations before another world is imagined: that takes longer than a simulation."""


def check_settings(game: Game, settings: MctsSettings) -> None:
    """Refuses what a search of information sets does not know."""
    if settings.evaluator is not None or settings.rave > 0:
        raise MethodError(f"{game.name} hides information: evaluators and all moves as first are not for such games")


class HiddenSimulator(Simulator):
    """One tree of information sets, which goes on from that of the search `before` if the game led from there here."""

    def __init__(
        self,
        game: Game,
        state: object,
        settings: MctsSettings,
        history: Sequence[object] = (),
        before: HiddenSimulator | None = None,
    ):
        check_settings(game, settings)
        number = 0 if before is None else before.number + 1
        self.worlds = Worlds(game, state, settings.seed + number)
        self.trail: Trail = ()
        """What the root's mover had seen and done before it, since the tree began."""
        self.sets: dict[tuple[int, Trail], tuple[MctsNode, list[object]]] = {}
        """For each mover's trail, its node and the mover's actions there."""
        if before is not None:
            self.inherit(before, state, history)
        super().__init__(game, state, settings, (), number)
        self.selector.dice = self.dice
        self.reused = self.root.visits
        """Simulations of earlier searches that this one can build on."""
        self.pool = [self.worlds.imagine() for _ in range(FIRST_WORLDS)]

    def inherit(self, before: HiddenSimulator, state: object, history: Sequence[object]) -> None:
        """Takes over what `before` knows of the information set in `state`."""
        game, observer = self.worlds.game, self.worlds.observer
        if game.key(state) == game.key(before.state):
            self.trail, self.sets = before.trail, before.sets
            return
        trail = before.trail_to(state, history) if observer == before.worlds.observer else None
        if trail is None:
            return
        here = (*trail, self.worlds.seen)
        if (observer, here) in before.sets:
            self.trail = trail
            self.sets = {
                (mover, there): known
                for (mover, there), known in before.sets.items()
                if mover == observer and there[: len(here)] == here
            }

    def trail_to(self, state: object, history: Sequence[object]) -> Trail | None:
        """What the mover of this root had seen and done when the game came to `state`; `None` if by another way."""
        game, observer = self.game, self.worlds.observer
        begun = [place for place, past in enumerate(history) if game.key(past) == game.key(self.state)]
        if not begun:
            return None
        trail, way = self.trail, [*history[begun[-1] :], state]
        for s, after in pairwise(way):
            if game.player(s) == observer:
                chosen = [a for a in game.actions(s) if game.key(game.result(s, a)) == game.key(after)]
                if not chosen:
                    return None
                trail += (freeze(game.view(s, observer)), chosen[0])
        return trail

    def plant(self) -> MctsNode:
        """The information set of the root's mover, which sees the same in every world."""
        place = self.worlds.observer, (*self.trail, self.worlds.seen)
        actions = list(self.game.actions(self.state))
        if place not in self.sets:
            self.sets[place] = super().plant(), actions
        root, known = self.sets[place]
        if actions != known:
            raise unlike_actions(self.game, self.worlds.observer, self.state)
        self.priors = [1.0 / len(actions)] * len(actions)
        return root

    def draw_world(self) -> Any:
        """One of the worlds that are imagined now."""
        added, left = divmod(self.simulations, WORLD_SIMULATIONS)
        if added > 0 and left == 0:
            place = (FIRST_WORLDS + added - 1) % MOST_WORLDS
            self.pool[place : place + 1] = [self.worlds.imagine()]
        return self.pool[self.dice.below(len(self.pool))]

    def simulate(self) -> None:
        """From the root to the root, once, in a world that is imagined."""
        game, state = self.game, self.draw_world()
        trails: list[Trail] = [()] * game.players
        trails[self.worlds.observer] = self.trail
        steps: list[tuple[MctsNode, MctsNode]] = []
        played: Played = []
        while not game.is_terminal(state):
            mover = who_moves(game, state)
            if mover == CHANCE:
                chances = fair_chances(game, state)
                action = chances[self.dice.draw([p for _, p in chances])][0]
            else:
                trails[mover] += (freeze(game.view(state, mover)),)
                node = self.find_set(mover, trails[mover], state)
                if node is None:
                    break
                child = self.selector.choose(node)
                assert child is not None
                steps.append((node, child))
                action = child.action
                trails[mover] += (action,)
            state = game.result(state, action)
            self.nodes += 1
        utilities = self.play_out(state, played)
        self.selector.note_range(utilities)
        for node, child in steps:
            for each in (node, child):
                each.visits += 1
                for p, utility in enumerate(utilities):
                    each.sums[p] += utility
        self.simulations += 1

    def find_set(self, mover: int, trail: Trail, state: object) -> MctsNode | None:
        """The node of what `mover` has seen and done; `None` after making one, if it was new."""
        actions = list(self.game.actions(state))
        node, known = self.sets.get((mover, trail), (None, actions))
        if node is None:
            made = self.make(None, 1.0)
            made.mover = mover
            self.expand(made, state, None)
            self.sets[mover, trail] = made, actions
        elif actions != known:
            raise unlike_actions(self.game, mover, state)
        return node
