"""Plain UCT (Kocsis and Szepesvári, 2006): the four steps of a simulation as they stand on the slide.

    score of a child = mean + c · width · √(ln N / n)     N the visits of its parent, n its own

A child that was never visited comes first. The tree grows by one position per simulation. It has no solver, no prior
probabilities and no other technique: those are in `simulate.py`, which does the same where they are off.
"""

from __future__ import annotations

import math

from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.search.mcts.settings import MctsSettings
from zermelo.search.mcts.simulate import Simulator
from zermelo.search.mcts.tree import MctsNode


def is_plain(game: AnyGame, settings: MctsSettings) -> bool:
    """Whether nothing but UCT is asked for."""
    return not settings.puct and has_rest_off(game, settings)


def has_rest_off(game: AnyGame, settings: MctsSettings) -> bool:
    """Whether there is no technique beside the way to select."""
    techniques = settings.rave > 0 or settings.widening > 0 or settings.playout == "evaluate"
    return not techniques and not settings.solves(game) and game.repetition is None and not game.kind.hidden


class PlainUct(Simulator):
    """A tree that grows by plain UCT, with the hooks of its simulations."""

    def simulate(self) -> None:
        uct_simulation(self.game, self.state, self)
        self.simulations += 1

    def step(self, node: MctsNode, child: MctsNode, state: object, below: object) -> None:
        """The simulation goes from `node` to `child`."""
        self.nodes += 1
        if child.mover is None:
            self.look(child, node, below, [], [])
        if self.recorder:
            self.recorder.select(node, child, state, below)

    def played_out(self, node: MctsNode, utilities: list[float], plies: int) -> None:
        """The playout below `node` is over."""
        self.nodes += plies
        self.selector.note_range(utilities)
        if self.recorder:
            self.recorder.playout(node, utilities, "terminal" if node.settled else "playout", plies)

    def backed_up(self, node: MctsNode) -> None:
        if self.recorder:
            self.recorder.back_up(node)


def uct_simulation(game: Game[S, A], s: S, hooks: PlainUct) -> None:
    """One simulation from `s`: selection, expansion, playout, backing up."""
    c, width = hooks.settings.exploration, hooks.selector.width

    def uct(node: MctsNode, child: MctsNode) -> float:
        if child.visits == 0:
            return math.inf
        mean = child.sums[node.mover or 0] / child.visits
        return mean + c * width * math.sqrt(math.log(node.visits) / child.visits)

    # Selection: down the tree by UCT, and by chance where chance moves.
    node = hooks.root
    path = [node]
    while node.children:
        scores = [uct(node, child) for child in node.children] if node.mover != CHANCE else []
        child = node.children[scores.index(max(scores))] if scores else hooks.outcome(node)
        below = game.result(s, child.action)
        hooks.step(node, child, s, below)
        node, s = child, below
        path.append(node)
        # Expansion: a position that is visited for the second time gets its children.
        if node.visits > 0 and node.children is None and not game.is_terminal(s):
            hooks.expand(node, s, None)

    # Playout: random actions to the end of the game.
    plies = 0
    while plies < hooks.settings.plies and not game.is_terminal(s):
        s = game.result(s, hooks.random_action(s))
        plies += 1
    utilities = hooks.utilities(s)
    hooks.played_out(node, utilities, plies)

    # Backing up: every position on the path takes in the result.
    for node in reversed(path):
        node.visits += 1
        node.sums = [total + utility for total, utility in zip(node.sums, utilities, strict=True)]
        hooks.backed_up(node)
