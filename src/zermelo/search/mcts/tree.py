"""Nodes, and which child a simulation goes to.

UCT    mean + c · width · √(ln N / n)              N the visits of the parent, n those of the child
PUCT   mean + c · width · prior · √N / (1 + n)     width that of the game's utilities

Where choices are unseen, what is added to the mean is multiplied by a random number from 0 to 1, each time another.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

from zermelo.game import CHANCE, Game
from zermelo.search.mcts.dice import Dice
from zermelo.search.mcts.settings import PUCT_EXPLORATION, UCT_EXPLORATION, MctsSettings

UNTRIED = 1e300
"""A score above that of every action tried."""
UNJUDGED = -1.0
"""The prior of an action while the evaluator has not judged its position."""


class MctsNode:
    """A position of the tree, as its parent's mover sees it."""

    __slots__ = (
        *("action", "amaf", "banned", "children", "left_out", "lower", "mover", "number", "prior", "settled", "sums"),
        *("upper", "visits", "weight"),
    )

    def __init__(self, action: Any, prior: float, players: int, bounds: tuple[float, float]):
        self.action = action
        self.prior = prior
        """Its probability: by the evaluator's opinion, or by chance."""
        self.mover: int | None = None
        """Who moves there; `None` until it is looked up."""
        self.visits = 0
        self.sums = [0.0] * players
        """Every player's utilities, added up."""
        self.amaf, self.weight = 0.0, 0.0
        """Utilities of the parent's mover in games in which it played the action later, and how many these are."""
        self.lower, self.upper = bounds
        """Proved bounds on player 0's utility."""
        self.settled: tuple[float, ...] | None = None
        """Every player's utility where the game is over."""
        self.banned = False
        """Whether the rule of repetition forbids the action."""
        self.left_out = False
        """Whether the caller does not ask for the action."""
        self.children: list[MctsNode] | None = None
        self.number = -1
        """Its number in a trace."""

    @property
    def is_closed(self) -> bool:
        return self.banned or self.left_out

    @property
    def is_proved(self) -> bool:
        return self.lower >= self.upper


class Terms(NamedTuple):
    """Why a child is chosen: its score is its mean and what is added for exploring it."""

    visits: int
    prior: float | None
    """Only with PUCT."""
    mean: float | None
    """For the mover; that of its siblings with PUCT, if it was not tried."""
    exploration: float | None
    score: float
    """Infinite with UCT, if it was not tried."""


class Observer(Protocol):
    """What is called at each step of a simulation (`record.py`)."""

    def select(self, node: MctsNode, child: MctsNode, state: object, below: object) -> None: ...
    def playout(self, node: MctsNode, utilities: list[float], reason: str, plies: int) -> None: ...
    def back_up(self, node: MctsNode) -> None: ...


class Selector:
    """Chooses children by the settings of a search."""

    def __init__(self, game: Game, settings: MctsSettings):
        self.game = game
        self.settings = settings
        self.solver = settings.solves(game)
        self.chances = game.kind.chance
        self.dice: Dice | None = None
        """Where players do not see everything: choices in step with another's, unseen, would seem to answer it."""
        low, high = game.bounds
        self.bounded = math.isfinite(high - low)
        self.least, self.most = (low, high) if self.bounded else (math.inf, -math.inf)

    @property
    def width(self) -> float:
        """Of the game's utilities; of those seen so far where the game does not bound them."""
        return self.most - self.least if self.most > self.least else 1.0

    def note_range(self, utilities: Sequence[float]) -> None:
        """Widens what has been seen, where the game does not bound its utilities."""
        if not self.bounded:
            self.least = min(self.least, *utilities)
            self.most = max(self.most, *utilities)

    def choose(self, node: MctsNode) -> MctsNode | None:
        """The child to go to from `node`; `None` where no child can matter any more."""
        assert node.children is not None
        width = len(node.children)
        if self.settings.widening > 0:
            width = math.ceil(max(node.visits, 1) ** self.settings.widening)
        candidates = [child for child in node.children if self.is_open(node, child)][:width]
        return max(candidates, key=self.score(node), default=None)

    def score(self, node: MctsNode) -> Callable[[MctsNode], float]:
        """By which the children of `node` are compared: priors, if it has them, or UCT."""
        assert node.children is not None
        judged = self.settings.puct and node.children[0].prior != UNJUDGED
        return self.puct(node) if judged else self.uct(node)

    def is_open(self, node: MctsNode, child: MctsNode) -> bool:
        """Whether the mover of `node` may gain by `child` more than it is sure of already.

        With chance in the game, as much is enough: so the mean of the node takes in what is sure.
        """
        if child.is_closed or not self.solver:
            return not child.is_closed
        gain = child.upper - node.lower if node.mover == 0 else node.upper - child.lower
        return gain > 0 or (self.chances and gain == 0)

    def luck(self) -> float:
        """What the exploration of a child is multiplied by: 1; where choices are unseen, by chance less."""
        return 1.0 if self.dice is None else self.dice.unit()

    def uct(self, node: MctsNode) -> Callable[[MctsNode], float]:
        logarithm = math.log(max(node.visits, 1))
        exploration = self.settings.exploration * self.width
        if self.settings.puct:  # the position is not judged yet
            exploration *= UCT_EXPLORATION / PUCT_EXPLORATION

        def score(child: MctsNode) -> float:
            luck = self.luck()
            if child.visits == 0 and child.weight == 0:
                return UNTRIED * (1.0 + luck)
            return self.mean(node, child) + luck * exploration * math.sqrt(logarithm / max(child.visits, 1))

        return score

    def puct(self, node: MctsNode) -> Callable[[MctsNode], float]:
        siblings = self.siblings(node)
        exploration = self.settings.exploration * self.width * math.sqrt(max(node.visits, 1))

        def score(child: MctsNode) -> float:
            value = self.mean(node, child) if child.visits or child.weight else siblings
            return value + self.luck() * exploration * child.prior / (1.0 + child.visits)

        return score

    def siblings(self, node: MctsNode) -> float:
        """The mean of what was tried in `node`, which is what PUCT expects of an action that was not."""
        assert node.children is not None
        assert node.mover is not None
        tried = sum(child.visits for child in node.children)
        total = 0.0
        for child in node.children:
            total += child.sums[node.mover]
        return total / tried if tried else self.game.neutral

    def terms(self, node: MctsNode) -> Callable[[MctsNode], Terms]:
        """The score of a child of `node`, taken apart."""
        score = self.score(node)
        judged = node.children is not None and self.settings.puct and node.children[0].prior != UNJUDGED
        siblings = self.siblings(node) if judged else None

        def take(child: MctsNode) -> Terms:
            whole = score(child)
            mean = self.mean(node, child) if child.visits or child.weight else siblings
            prior = child.prior if judged else None
            if mean is None:
                return Terms(child.visits, prior, None, None, math.inf)
            return Terms(child.visits, prior, mean, whole - mean, whole)

        return take

    def mean(self, node: MctsNode, child: MctsNode) -> float:
        """What `child` is worth to the mover of `node` so far, mixed with what all moves as first say of it."""
        assert node.mover is not None
        assert node.mover != CHANCE
        n, w = child.visits, child.weight
        if w == 0:
            return child.sums[node.mover] / n
        amaf = child.amaf / w
        if n == 0:
            return amaf
        beta = w / (w + n + w * n / (self.settings.rave or 1.0))
        return beta * amaf + (1 - beta) * (child.sums[node.mover] / n)
