"""Plain PUCT (AlphaGo Zero, 2017): a network in place of playouts, as it stands in the paper.

    score of a child = mean + c · width · prior · √N / (1 + n)     N the visits of its parent, n its own

What is new to the tree is judged, once: the network says how likely each action is, and what the position is worth. A
child that was never visited counts as the mean of those that were. There is no solver and no other technique: those are
in `simulate.py`, which does the same where they are off.
"""

from __future__ import annotations

import math

from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.search.mcts.settings import MctsSettings, judge
from zermelo.search.mcts.tree import MctsNode
from zermelo.search.mcts.uct import PlainUct, has_rest_off


def is_plain_puct(game: AnyGame, settings: MctsSettings) -> bool:
    """Whether nothing but PUCT with an evaluator is asked for."""
    judged = settings.evaluator is not None and settings.judged_from == 0 and settings.mix == 0
    return settings.puct and judged and has_rest_off(game, settings)


class PlainPuct(PlainUct):
    """A tree that grows by plain PUCT, with the hooks of its simulations."""

    def simulate(self) -> None:
        puct_simulation(self.game, self.state, self)
        self.simulations += 1

    def judge(self, node: MctsNode, state: object) -> list[float]:
        """What the network says of a position: its actions get their priors, and the players their utilities."""
        assert self.settings.evaluator is not None
        priors, utilities = judge(self.game, self.settings.evaluator, state)
        self.expand(node, state, priors)
        return utilities

    def judged(self, node: MctsNode, utilities: list[float]) -> None:
        """The position that is new has its value."""
        self.selector.note_range(utilities)
        if self.recorder:
            self.recorder.playout(node, utilities, "evaluator" if node.settled is None else "terminal", 0)


def puct_simulation(game: Game[S, A], s: S, hooks: PlainPuct) -> None:
    """One simulation from `s`: selection, judgement, backing up."""
    c, width = hooks.settings.exploration, hooks.selector.width

    def puct(node: MctsNode, child: MctsNode) -> float:
        mean = child.sums[node.mover or 0] / child.visits if child.visits > 0 else hooks.selector.siblings(node)
        return mean + c * width * math.sqrt(max(node.visits, 1)) * child.prior / (1.0 + child.visits)

    # Selection: down the tree by PUCT, and by chance where chance moves.
    node = hooks.root
    path = [node]
    while node.children:
        scores = [puct(node, child) for child in node.children] if node.mover != CHANCE else []
        child = node.children[scores.index(max(scores))] if scores else hooks.outcome(node)
        below = game.result(s, child.action)
        hooks.step(node, child, s, below)
        node, s = child, below
        path.append(node)
        if node.children is None and node.mover == CHANCE and node.settled is None:
            hooks.expand(node, s, None)

    # Judgement: the network's opinion of a position that is new; an end is worth what it is worth.
    utilities = hooks.judge(node, s) if node.settled is None else list(node.settled)
    hooks.judged(node, utilities)

    # Backing up: every position on the path takes in the value.
    for node in reversed(path):
        node.visits += 1
        node.sums = [total + utility for total, utility in zip(node.sums, utilities, strict=True)]
        hooks.backed_up(node)
