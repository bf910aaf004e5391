"""What the betting on the river is worth: a network that is learned from random rivers, solved.

Hands are put in the order of their strength and spread over buckets, each between two neighbours. The network sees
which share of each range lies in each bucket, and how much is behind. It says for each bucket what a hand gets beyond
the showdown, in pots; the showdown itself, and which hands can meet, are computed exactly.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from zermelo.engine.regret import Array
from zermelo.games.holdem.cards import CARDS
from zermelo.games.poker.rules import BIG_BLIND, NOBODY, Poker
from zermelo.games.poker.spot import (
    HANDS,
    PUBLIC_INPUTS,
    RiverNetwork,
    Spot,
    blocked,
    public_inputs,
    strengths_on,
)
from zermelo.learn.dense import DenseNetwork
from zermelo.learn.situations import (
    TOLD,
    Learned,
    RangeSettings,
    Situations,
    Stop,
    Told,
    descend,
    never,
    untold,
)

POT = 1000
LEAST_RATIO, MOST_RATIO = 0.05, 25.0
"""What is behind, in pots."""
BUCKETS = 32
RIVERS_OF_A_TURN = 24
"""Situations that are taken from one turn."""
TURN_ITERATIONS = 24
MET_SHARE = 0.75
"""Of the situations after the first generation: those met on turns that are solved with the network so far."""
CASCADE_DEPTH = 8


@dataclass(frozen=True, slots=True)
class RiverSettings(RangeSettings):
    """How the network is learned."""

    situations: int = 16_000
    generations: int = 4
    iterations: int = 100
    passes: float = 50.0


def spot_game(ratio: float) -> Poker:
    """A game in which `POT` chips lie in the middle, and so many pots are behind."""
    chips = POT // 2 + max(round(ratio * POT), 1)
    return Poker(stacks=(chips, chips), raises=3)


def spot_state(game: Poker, board: Array) -> Any:
    """The start of the round after these public cards, with `POT` in the middle; the hidden cards are any."""
    hidden = [card for card in range(CARDS) if card not in board][:4]
    cards = np.full(9, -1, dtype=np.int64)
    cards[: 4 + len(board)] = [*hidden, *board]
    line = np.full(game.most_choices, -1, dtype=np.int64)
    paid, least = POT // 2, game.blinds[1]
    return game.State(cards, 4 + len(board), line, 0, BIG_BLIND, paid, paid, paid, len(board) - 2, 0, 0, least, NOBODY)


def cascade(random: np.random.Generator, size: int) -> Array:
    """Random weights of hands in order, with a sum of 1: halves share at random, and so on, to a random depth."""
    found = np.ones(1)
    for _ in range(int(random.integers(0, CASCADE_DEPTH + 1))):
        left = random.random(len(found))
        found = np.stack([found * left, found * (1 - left)], axis=1).ravel()
    return found[np.arange(size) * len(found) // size] + 1e-12


def random_hands(random: np.random.Generator, order: Array) -> Array:
    """A random range over `HANDS`; `order` has the hands that are possible, the weakest first."""
    found = np.zeros(len(HANDS))
    own = cascade(random, len(order)) if random.random() < 0.85 else np.ones(len(order))
    own = own * random.random(len(order)) ** random.choice((0.0, 0.0, 0.3, 1.0, 2.0))
    found[order] = own / own.max()
    return found


class Places(NamedTuple):
    """Where hands lie between buckets."""

    low: Array
    above: Array
    """The share of the bucket above."""

    def spread(self, weights: Array) -> Array:
        """The sum of the weights in each bucket."""
        found = np.bincount(self.low, weights=weights * (1 - self.above), minlength=BUCKETS)
        return found + np.bincount(self.low + 1, weights=weights * self.above, minlength=BUCKETS)


def place(strength: Array) -> tuple[Places, Array, Array]:
    """Of hands in the order of their strength: their places, and where their level begins and ends."""
    _, level, count = np.unique(strength, return_inverse=True, return_counts=True)
    end = np.cumsum(count)[level]
    begin = end - count[level]
    at = np.clip((begin + end) / 2 / len(strength) * BUCKETS - 0.5, 0, BUCKETS - 1.001)
    low = at.astype(np.int64)
    return Places(low, at - low), begin, end


def meet(order: Array, reach: Array, begin: Array, end: Array) -> tuple[Array, Array]:
    """Of each hand: the reach of the hands that it can meet, and how much more of them it beats than loses to."""
    cards = HANDS[order]
    held = np.zeros((len(order) + 1, CARDS))
    rows = np.arange(1, len(order) + 1)
    held[rows, cards[:, 0]] = reach
    held[rows, cards[:, 1]] = reach
    held = np.cumsum(held, axis=0)
    sums = np.concatenate([[0.0], np.cumsum(reach)])

    def before(at: Array) -> Array:
        found: Array = sums[at] - held[at, cards[:, 0]] - held[at, cards[:, 1]]
        return found

    whole = before(np.full(len(order), len(order)))
    return whole + reach, before(begin) - (whole - before(end))


class Rivers(Situations):
    """Random rivers, solved."""

    def __init__(self, settings: RiverSettings):
        super().__init__(settings, 2 * BUCKETS + PUBLIC_INPUTS, 2 * BUCKETS)
        self.pending: list[tuple[Array, float, tuple[Array, Array]]] = []

    def add(self, network: RiverNetwork | None) -> None:
        """One more; some are met on a turn that is solved with `network`."""
        random = self.random
        if network is None or random.random() >= MET_SHARE:
            board = random.choice(CARDS, 5, replace=False)
            ratio = float(np.exp(random.uniform(np.log(LEAST_RATIO), np.log(MOST_RATIO))))
            self._solve(board, ratio, None)
            return
        if not self.pending:
            self.pending = meet_rivers(random, network)
        self._solve(*self.pending.pop())

    def _solve(self, board: Array, ratio: float, ranges: tuple[Array, Array] | None) -> None:
        ((order, strength),) = strengths_on(board[None, :], np.flatnonzero(~blocked(board)))
        if ranges is None:
            ranges = (random_hands(self.random, order), random_hands(self.random, order))
        game = spot_game(ratio)
        spot = Spot(game, spot_state(game, board), ranges)
        spot.run(self.settings.iterations)
        places, begin, end = place(strength)
        at, random = self.solved, [own[order] for own in ranges]
        self.inputs[at] = encode(places, (random[0], random[1]), spot.game.most - POT // 2)
        for p in (0, 1):
            met, ahead = meet(order, random[1 - p], begin, end)
            beyond = spot.evaluate(p).worths[0] - ahead * (POT / 2)
            weight = places.spread(met)
            here = slice(p * BUCKETS, (p + 1) * BUCKETS)
            self.targets[at, here] = places.spread(beyond) / np.maximum(weight, 1e-9) / POT
            self.weights[at, here] = weight > 1e-6 * weight.max()
        self.solved += 1


def encode(places: Places, reach: tuple[Array, Array], behind: float) -> Array:
    """The inputs of the network."""
    shares = [places.spread(own) / max(own.sum(), 1e-30) for own in reach]
    return np.concatenate([*shares, public_inputs(POT, behind)]).astype(np.float32)


def meet_rivers(random: np.random.Generator, network: RiverNetwork) -> list[tuple[Array, float, tuple[Array, Array]]]:
    """Boards, what is behind in pots, and ranges, after the betting of a random turn."""
    board = random.choice(CARDS, 4, replace=False)
    live = np.flatnonzero(~blocked(board))
    rank = np.zeros(len(live))
    for more in random.choice([card for card in range(CARDS) if card not in board], 8, replace=False):
        own, strength = strengths_on(np.array([[*board, more]]), live)[0]
        rank[np.searchsorted(live, own)] += np.searchsorted(np.sort(strength), strength) / len(own)
    order = live[np.argsort(rank, kind="stable")]
    everything = np.ones(len(HANDS))
    broad = random.random() < 0.3
    ranges = (everything, everything) if broad else (random_hands(random, order), random_hands(random, order))
    game = spot_game(float(np.exp(random.uniform(np.log(4 * LEAST_RATIO), np.log(MOST_RATIO)))))
    spot = Spot(game, spot_state(game, board), ranges, network)
    spot.run(int(random.integers(4, TURN_ITERATIONS)))
    deals = [node for node in spot.street.deals if spot.street.states[node].paid < game.most]
    found = []
    for _ in range(RIVERS_OF_A_TURN):
        node = deals[int(random.integers(len(deals)))]
        card = random.choice([card for card in range(CARDS) if card not in board])
        paid = spot.street.states[node].paid
        reach = [spot.reach(q, node, np.where(blocked([card]), 0.0, ranges[q])) for q in (0, 1)]
        if min(own.max() for own in reach) > 1e-9:
            pair = (reach[0] / reach[0].max(), reach[1] / reach[1].max())
            found.append((np.array([*board, card]), (game.most - paid) / (2 * paid), pair))
    return found or meet_rivers(random, network)


def learn_river(
    settings: RiverSettings,
    told: Told = untold,
    stop: Stop = never,
) -> Learned:
    """A network for the river; once `stop` says so, it learns from what is there."""
    settings.check()
    begun = time.process_time()
    rivers = Rivers(settings)
    network = DenseNetwork.start(
        [2 * BUCKETS + PUBLIC_INPUTS, *[settings.width] * settings.layers, 2 * BUCKETS], settings.seed
    )
    steps, loss = 0, 0.0
    for generation in range(settings.generations):
        if generation and stop():
            break
        goal = settings.situations * (generation + 1) // settings.generations
        known = RiverNetwork(network, BUCKETS) if generation else None
        while rivers.solved < goal and not (stop() and rivers.solved):
            rivers.add(known)
            if rivers.solved % TOLD == 0:
                told("solving", rivers.solved / settings.situations, None)
        taken, loss = descend(network, rivers, settings, generation, told, stop)
        steps += taken
    spent = time.process_time() - begun
    river = RiverNetwork(network, BUCKETS)
    return Learned(river, rivers.solved, steps, loss, rivers.error(network), stop(), spent)
