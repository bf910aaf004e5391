"""What can follow a public state of a hand up to the next deal, solved for all hands that both may hold.

Beyond the deal hands are compared: on every river after the turn, on a sample of boards before. A network says what
the betting on the river is worth beyond that. Player 0 of the solver is who acts first after the flop, the big blind.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from zermelo.engine.ranges import (
    DEAL_NODE,
    FIXED_NODE,
    SHOWDOWN_NODE,
    Beyond,
    Boards,
    Evaluation,
    Lookahead,
    PublicGame,
    Streets,
)
from zermelo.engine.regret import Array
from zermelo.equilibrium.regret import OVER_RANGES, RULES
from zermelo.errors import InputError
from zermelo.games.holdem.cards import CARDS, evaluate
from zermelo.learn.dense import DenseNetwork
from zermelo.learn.situations import read_values, write_values

if TYPE_CHECKING:
    from zermelo.games.poker.rules import Poker

HANDS: Array = np.array([(high, low) for low, high in combinations(range(CARDS), 2)], dtype=np.int64)
"""All hands, the higher card first."""
PLACE = {(int(high), int(low)): place for place, (high, low) in enumerate(HANDS)}
FLOP, TURN, RIVER = 1, 2, 3
SAMPLED_BOARDS = {0: 200, FLOP: 120}
"""Before the turn: how many boards hands are compared on."""
PUBLIC_INPUTS = 2
MOST_NUMBERS = 64
RIVER_KINDS = "hold'em rivers"


def blocked(cards: ArrayLike) -> Array:
    """Which hands hold one of these cards."""
    return np.asarray(np.isin(HANDS, np.asarray(cards, dtype=np.int64)).any(axis=1))


def strengths_on(boards: Array, hands: Array) -> list[tuple[Array, Array]]:
    """On each board of five: the hands that it leaves, the weakest first, and their strengths."""
    free = [hands[~np.isin(HANDS[hands], board).any(axis=1)] for board in boards]
    rows = [
        np.concatenate([HANDS[own], np.tile(board, (len(own), 1))], axis=1)
        for own, board in zip(free, boards, strict=True)
    ]
    found = np.split(evaluate(np.concatenate(rows)), np.cumsum([len(own) for own in free])[:-1])
    orders = [np.argsort(strength, kind="stable") for strength in found]
    return [(own[order], strength[order]) for own, strength, order in zip(free, found, orders, strict=True)]


def public_inputs(pot: float, behind: float) -> tuple[float, float]:
    """What a network is told of the chips."""
    ratio = behind / pot
    return min(ratio, 8.0) / 4, math.log1p(ratio)


@dataclass
class Street:
    """The choices of a round, parents before children."""

    kind: list[int] = field(default_factory=list)
    first: list[int] = field(default_factory=list)
    actions: list[list[int]] = field(default_factory=list)
    payoffs: list[tuple[float, float, float]] = field(default_factory=list)
    states: list[Any] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    """Of each choice: how many actions its player has before it."""

    @cached_property
    def deals(self) -> list[int]:
        return [node for node, kind in enumerate(self.kind) if kind == DEAL_NODE]


def walk(game: Poker, start: Any) -> Street:
    """The round from `start` on."""
    street = Street(states=[start])
    actions = [0, 0]
    for s in street.states:  # grows as it goes
        own: list[int] = []
        payoffs = (0.0, 0.0, 0.0)
        if s.folded >= 0:
            lost = float(s.paid if s.folded == 0 else s.others)
            payoffs = (lost,) * 3 if s.folded == 0 else (-lost,) * 3
            kind = FIXED_NODE
        elif s.round != start.round:
            kind = SHOWDOWN_NODE if start.round == RIVER else DEAL_NODE
            payoffs = (float(s.paid), 0.0, -float(s.paid)) if kind == SHOWDOWN_NODE else payoffs
        else:
            kind, own = 1 - s.turn, list(game.actions(s))
        street.first.append(len(street.states) if own else 0)
        street.states += [game.result(s, a) for a in own]
        street.place.append(actions[kind] if kind >= 0 else 0)
        if kind >= 0:
            actions[kind] += len(own)
        street.kind.append(kind)
        street.actions.append(own)
        street.payoffs.append(payoffs)
    return street


class RiverNetwork(NamedTuple):
    """What the betting on the river is worth beyond a showdown."""

    network: DenseNetwork
    buckets: int

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> RiverNetwork:
        """The network in a file of `zermelo train poker`."""
        network = read_values(path, RIVER_KINDS, "poker")
        inputs, numbers = network.sizes[0], network.sizes[-1]
        if inputs != numbers + PUBLIC_INPUTS or numbers % 2 or numbers > MOST_NUMBERS:
            raise InputError(f"{path} holds a network of another shape: train it again")
        return cls(network, numbers // 2)

    def write(self, path: str | os.PathLike[str], record: Mapping[str, Any]) -> None:
        write_values(path, self.network, RIVER_KINDS, record)


class Spot:
    """A round to be solved, for all hands of both."""

    def __init__(
        self,
        game: Poker,
        start: Any,
        ranges: tuple[Array, Array],
        network: RiverNetwork | None = None,
        stops: tuple[int, Array] | None = None,
        street: Street | None = None,
    ):
        """`ranges` and `stops` go by the places of `HANDS`, the first range is that of the big blind."""
        self.game, self.start = game, start
        self.board = game.board(start)
        self.street = street or walk(game, start)
        self.live = np.flatnonzero(~blocked(self.board))
        self.boards = self._boards()
        held = np.ascontiguousarray(HANDS, dtype=np.int64).ravel()
        weights = [np.where(blocked(self.board), 0.0, own) for own in ranges]
        self.form = PublicGame(CARDS, 0.0, (held, held), (weights[0], weights[1]), *self._arrays())
        gated, values = (-1, None) if stops is None else (stops[0], stops[1][self.order])
        rule = RULES[OVER_RANGES]
        self.lookahead = Lookahead(self.form, rule, self._beyond(network), gated, values)

    def _boards(self) -> Array:
        """The cards that may still come, a row for each board looked at."""
        left = np.array([card for card in range(CARDS) if card not in self.board])
        if self.start.round == TURN:
            return left[:, None]
        if self.start.round == RIVER:
            return np.empty((0, 0), dtype=np.int64)
        random = np.random.default_rng([5, *self.board])
        missing = 5 - len(self.board)
        return np.stack([random.choice(left, missing, replace=False) for _ in range(SAMPLED_BOARDS[self.start.round])])

    def _arrays(self) -> tuple[Streets, Boards]:
        street, known = self.street, len(self.board)
        nodes, payoffs = [len(street.kind)], list(street.payoffs)
        kind, first, width = list(street.kind), list(street.first), [len(own) for own in street.actions]
        order, level = self.live, np.zeros(len(self.live), dtype=np.int64)
        if self.start.round == RIVER:
            ((order, strength),) = strengths_on(np.array([self.board]), self.live)
            level = np.unique(strength, return_inverse=True)[1]
        self.order: Array = order
        """The hands, in the order of the solver."""
        orders, levels, probability = [order], [level], [1.0]
        if street.deals and len(self.boards):
            nodes.append(len(street.deals))
            for node in street.deals:
                paid = float(street.states[node].paid)
                kind.append(SHOWDOWN_NODE)
                payoffs.append((paid, 0.0, -paid))
                first.append(0)
                width.append(0)
            missing, left = self.boards.shape[1], CARDS - known
            share = math.comb(left, missing) / math.comb(left - 4, missing) / len(self.boards)
            whole = np.array([(*self.board, *more) for more in self.boards])
            for own, strength in strengths_on(whole, self.live):
                orders.append(own)
                levels.append(np.unique(strength, return_inverse=True)[1])
                probability.append(min(share, 1.0))
        count = len(orders)
        boards = Boards([-1] + [0] * (count - 1), [0] + [1] * (count - 1), probability, (orders,) * 2, (levels,) * 2)
        return Streets(nodes, [1, *nodes[1:]], kind, first, width, payoffs), boards

    def _beyond(self, river: RiverNetwork | None) -> Beyond | None:
        if not self.street.deals:
            return None
        if river is None or self.start.round != TURN:
            return None
        scales, features = [], []
        for node in self.street.deals:
            paid = self.street.states[node].paid
            behind = self.game.most - paid
            scales.append(2.0 * paid if behind and self.game.most_raises else 0.0)
            features.append(public_inputs(2 * paid, behind))
        return Beyond(river.network.tensors, river.buckets, scales, features)

    # Solving and asking.

    def run(self, iterations: int, stop: Callable[[], bool] | None = None) -> None:
        self.lookahead.run(iterations, stop)
        self.__dict__.pop("_strategy", None)

    @cached_property
    def _strategy(self) -> Array:
        return self.lookahead.strategy()

    def shares(self, node: int) -> Array:
        """What the player who chooses there does: a row for each action, by the places of `HANDS`."""
        street, p = self.street, self.street.kind[node]
        begin = street.place[node] * len(self.order) + p * self.form.room[0]
        count = len(street.actions[node])
        rows = np.full((count, len(HANDS)), 1.0 / count)
        rows[:, self.order] = self._strategy[begin : begin + count * len(self.order)].reshape(count, -1)
        return rows

    def evaluate(self, p: int) -> Evaluation:
        """What p can get at most against the other's average; hands as in `order`."""
        return self.lookahead.evaluate(p, (len(self.order),) * 2, len(self.street.kind), len(self.street.deals))

    def reach(self, q: int, node: int, own: Array) -> Array:
        """How likely q goes to a node with each hand, if it begins with the range `own`."""
        found = np.where(blocked(self.board), 0.0, own)
        for before, action in self.way(node):
            if self.street.kind[before] == q:
                found = found * self.shares(before)[action]
        return found

    def way(self, node: int) -> list[tuple[int, int]]:
        """The choices on the way to a node, each with the place of the action taken."""
        found = []
        while node:
            before = max(i for i, first in enumerate(self.street.first) if 0 < first <= node)
            found.append((before, node - self.street.first[before]))
            node = before
        return found[::-1]
