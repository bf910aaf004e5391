"""The network of a side in a race, learned from the bear-off tables outwards.

A side alone has a distribution of the rolls it needs, D(side), which at home is known exactly. Before that

    D(side) = the mean over all rolls of D(side after the play that leaves the fewest on average), a roll later,

so that one learns sides near home from what the tables say of the next ones, and goes farther and farther out. Targets
have no noise of dice, and no game is played. There are two such distributions: of rolls until all chequers are off, and
until the first is.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.games.backgammon.networks import BOARD, ENDS, MOST_ROLLS, Boards, Floats, Networks, race_inputs_of
from zermelo.games.backgammon.training import NetworkPair, PairRun, TrainingSettings
from zermelo.learn.learner import Learner, falling, import_torch, new_parts, start_torch

GENERATIONS = 120
OUTWARD = 0.5
"""The share of a run in which sides come from farther and farther out; then from everywhere."""
NEAREST, FARTHEST = 20.0, 250.0
"""Pips of the farthest sides in the first generation, and at last."""
REUSE = 60.0
"""How often a side is learned from, on average."""
SETTLED = 0.6
"""The share of a run after which all sides are kept. Before it what they were told of the next is soon out of date."""
FRESH = 8
"""So many generations of sides are learned from until then."""
ACTIVE = 12
"""Inputs that are not zero, about."""
HOME, LAST = 6, 23
"""Chequers beyond the home board stand on the points between."""
FULL_SHARE = 0.85
"""Of the sides, how many have all fifteen chequers."""
UNEVEN = 1.5
"""How unevenly chequers are spread over the points: the spread of the logarithm of their weights."""
PIPS = np.arange(1, BOARD // 2 + 1)
PIECE = 256
"""Sides that a thread looks at in one go."""


class RaceRun(PairRun):
    def __init__(self, pair: NetworkPair, settings: TrainingSettings, elapsed: Callable[[], float]):
        device = start_torch(settings.seed, settings.threads, settings.device)
        settings = dataclasses.replace(settings, device=device)
        if pair.old is not None:
            settings = dataclasses.replace(settings, race_hidden=pair.old[1].size, race_inner=pair.old[3].size)
        super().__init__(pair, settings, elapsed)
        self.chance = np.random.default_rng([settings.seed, 1])
        inputs, numbers = ENDS["race"]
        sizes = [inputs, settings.race_hidden, settings.race_inner, numbers]
        parts = pair.old or new_parts(self.chance, sizes, ACTIVE)
        loss = _loss(settings.mean_worth)
        self.learner = Learner(parts, numbers, loss, room=settings.sides, batch=settings.batch, device=device)
        self.outward, self.settled = (0.0, 0.0) if pair.old else (OUTWARD, SETTLED)
        self.pool = ThreadPoolExecutor(self.threads)

    @property
    def share(self) -> float:
        return self.steps / GENERATIONS

    def load(self, path: str | os.PathLike[str]) -> None:
        super().load(path)
        self.chance = np.random.default_rng([self.settings.seed, 1, self.steps])

    def step(self) -> None:
        share = self.share
        out = share / self.outward if share < self.outward else 1.0
        if share < self.settled and self.steps % FRESH == 0:
            self.learner.forget()
        count = -(-self.settings.sides // GENERATIONS)
        sides = draw_sides(self.chance, count, NEAREST + (FARTHEST - NEAREST) * out)
        targets = look_ahead(self.pair.networks(self.parts()), sides, self.pool)
        rate = falling(self.settings.rate, share)
        self.loss = self.learner.learn(lambda begin, end: race_inputs_of(sides[begin:end]), targets, rate, REUSE)
        self.positions += len(sides)
        self.steps += 1

    def close(self) -> None:
        self.pool.shutdown()


def draw_sides(chance: np.random.Generator, count: int, most: float) -> Boards:
    """Sides of races at random, of up to so many pips, none of them home."""
    found: list[Boards] = []
    while sum(map(len, found)) < count:
        sides = _any_sides(chance, count)
        found.append(sides[(sides * PIPS).sum(1) <= most])
    return np.concatenate(found)[:count]


def _any_sides(chance: np.random.Generator, count: int) -> Boards:
    total = np.where(chance.random(count) < FULL_SHARE, 15, chance.integers(1, 16, count))
    outside = np.maximum(1, chance.binomial(total, chance.random(count) ** 2))
    last = HOME + 1 + ((LAST - HOME) * chance.random(count) ** 2).astype(np.int64)
    sides = np.zeros((count, BOARD // 2), np.uint8)
    sides[:, :HOME] = _strewn(chance, total - outside, np.ones((count, HOME), bool))
    sides[:, HOME:LAST] = _strewn(chance, outside, np.arange(HOME, LAST) < last[:, None])
    return sides


def _strewn(chance: np.random.Generator, chequers: NDArray[np.int64], open_points: NDArray[np.bool_]) -> Boards:
    """So many chequers on these points, in heaps and with gaps as in games."""
    weights = np.exp(UNEVEN * chance.standard_normal(open_points.shape)) * open_points
    return chance.multinomial(chequers, weights / weights.sum(1, keepdims=True)).astype(np.uint8)


def look_ahead(networks: Networks, sides: Boards, pool: ThreadPoolExecutor) -> Floats:
    """What each side needs by what its next roll leads to: a row of both distributions."""
    pieces = [sides[begin : begin + PIECE] for begin in range(0, len(sides), PIECE)]
    found = pool.map(lambda piece: networks.needs(piece, 1), pieces)
    return np.concatenate(list(found)).reshape(len(sides), 2 * MOST_ROLLS)


def _loss(mean_worth: float) -> Callable[[Any, Any, Any], Any]:
    """The cross entropy of both distributions, and the square of what their means are off, by which plays are chosen.

    No roll at all has no number: it is for the first chequer where one is off already, and nothing is asked of that."""
    torch = import_torch()

    def loss(inputs: Any, numbers: Any, targets: Any) -> Any:
        pips = 100 * inputs[:, -2:]
        rolls = torch.arange(1.0, MOST_ROLLS, device=inputs.device)
        logits = torch.log_softmax(numbers.reshape(-1, 2, MOST_ROLLS)[:, :, 1:] + bells(pips[:, :, None], rolls), 2)
        targets = targets.reshape(-1, 2, MOST_ROLLS)[:, :, 1:]
        off = targets.sum(2) * ((logits.exp() - targets) @ rolls)
        return (mean_worth * off**2 - (targets * logits).sum(2)).sum(1)

    return loss


def bells(pips: Any, rolls: Any) -> Any:
    """What the network corrects, as in the core: the logarithm of a bell about the rolls that so many pips take."""
    return -((rolls - pips * (6 / 49) - 1) ** 2) / (2 * (0.3 + 0.034 * pips))
