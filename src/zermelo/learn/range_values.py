"""Value networks for ranges: what each hand is worth at a public state, given how likely both players hold which.

A network sees which kind of public state it is and both ranges, and says of each hand what it expects, u, as a share
of the stake. With m the chance to meet the other's hands, its counterfactual value is

    v(hand) = m(hand) · stake · (u(hand) + c)

where c makes what both players get together the sum of the game, as it must be (zero-sum correction).

It is learned from random situations solved by regret minimisation. The same settings give the same network.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from zermelo.engine.regret import Array
from zermelo.equilibrium.horizon import Ranges, SolvedValues
from zermelo.equilibrium.public_tree import PublicTree
from zermelo.equilibrium.resolving import Resolver, Resolving
from zermelo.equilibrium.subgame import Range
from zermelo.errors import InputError, MethodError
from zermelo.learn.dense import DenseNetwork, Floats
from zermelo.learn.public_kinds import PublicKinds, states_after_a_deal
from zermelo.learn.situations import (
    TOLD,
    Learned,
    RangeSettings,
    Situations,
    Stop,
    Told,
    descend,
    never,
    read_values,
    untold,
    write_values,
)

MOST_KINDS = 10_000
POWERS = (0.0, 0.5, 1.0, 2.0, 4.0)
"""How uneven random ranges are."""
EMPTY_SHARE = 0.15
"""Of the hands of half of the random ranges."""


def random_range(random: np.random.Generator, size: int) -> Array:
    """How likely a player comes with each of `size` hands; some do not come at all."""
    found = random.random(size) ** random.choice(POWERS)
    if random.random() < 0.5:
        found *= random.random(size) >= EMPTY_SHARE
    return found / found.sum() if found.sum() > 0 else np.full(size, 1.0 / size)


class RangeNetwork:
    """Values of hands at the public states of a tree that follow a deal, by a network: `Resolving(values=…)`."""

    def __init__(self, kinds: PublicKinds, network: DenseNetwork):
        self.kinds, self.network = kinds, network

    @staticmethod
    def kinds_of(tree: PublicTree) -> PublicKinds:
        states = states_after_a_deal(tree)
        if not states:
            raise MethodError(
                f"{tree.game.name} cannot be trained: it hides information, and deals nothing after the start "
                "for which values could be learned: solve it by zermelo equilibrium"
            )
        kinds = PublicKinds(tree, states)
        if len(kinds.kinds) > MOST_KINDS:
            raise MethodError(f"{tree.game.name} has more than {MOST_KINDS:,} kinds of public states: it is too large")
        return kinds

    @classmethod
    def read(cls, tree: PublicTree, path: str | os.PathLike[str]) -> RangeNetwork:
        """The network in a file of `zermelo train`, for the game that it was trained for."""
        kinds = cls.kinds_of(tree)
        network = read_values(path, kinds.identity, tree.game.name)
        if (network.sizes[0], network.sizes[-1]) != sizes(kinds):
            raise InputError(f"{path} holds a network of another shape: train it again")
        return cls(kinds, network)

    def write(self, path: str | os.PathLike[str], record: Mapping[str, Any]) -> None:
        write_values(path, self.network, self.kinds.identity, record)

    def __call__(self, tree: PublicTree, states: Sequence[int], ranges: Sequence[Ranges]) -> list[Ranges]:
        unknown = [state for state in states if state not in self.kinds.of]
        if unknown:
            raise MethodError("the network knows what hands are worth after a deal: say rounds=1, and no depth")
        rows = np.stack(
            [
                encode(self.kinds, self.kinds.of[state], (both[0].numbers, both[1].numbers))
                for state, both in zip(states, ranges, strict=True)
            ]
        )
        said = self.network(rows).astype(float)
        total = tree.game.utility_sum or 0.0
        return [
            decode(self.kinds, state, both, numbers, total)
            for state, both, numbers in zip(states, ranges, said, strict=True)
        ]


def sizes(kinds: PublicKinds) -> tuple[int, int]:
    """How many inputs and numbers a network for these kinds has."""
    return len(kinds.kinds) + 2 * kinds.hands, 2 * kinds.hands


def encode(kinds: PublicKinds, kind: int, ranges: tuple[Array, Array]) -> Floats:
    """The inputs: a 1 for the kind, and both ranges, each with the sum 1."""
    count = len(kinds.kinds)
    found = np.zeros(count + 2 * kinds.hands, np.float32)
    found[kind] = 1.0
    for p in (0, 1):
        begin, own = count + p * kinds.hands, ranges[p]
        total = own.sum()
        found[begin : begin + len(own)] = own / total if total > 0 else 1.0 / len(own)
    return found


def decode(kinds: PublicKinds, state: int, ranges: Ranges, numbers: Array, total: float) -> Ranges:
    """The counterfactual values that the numbers of the network stand for; `total` is the sum of the game."""
    kind, mass = kinds.kinds[kinds.of[state]], kinds.masses[state]
    mine, theirs = ranges[0].numbers, ranges[1].numbers
    meets = (mass * (kind.meets @ theirs), mass * (mine @ kind.meets))
    own = [kind.stake * numbers[p * kinds.hands :][: len(ranges[p].numbers)] for p in (0, 1)]
    both = float(mine @ meets[0])
    if both > 0:
        got = float((mine * meets[0]) @ own[0] + (theirs * meets[1]) @ own[1])
        own = [each + (total - got / both) / 2 for each in own]
    return Range(ranges[0].hands, meets[0] * own[0]), Range(ranges[1].hands, meets[1] * own[1])


MOST_MET = 20_000
"""Pairs of ranges of a kind that are kept, in a generation."""
MET_ITERATIONS = 150
"""Of the player that meets them, at each choice."""


class Met:
    """The ranges with which a player that re-solves comes to its horizon."""

    def __init__(self, network: RangeNetwork, tree: PublicTree, random: np.random.Generator):
        self.network, self.random = network, random
        self.ranges: list[list[tuple[Array, Array]]] = [[] for _ in network.kinds.kinds]
        self.seen = [0] * len(self.ranges)
        for p in (0, 1):
            resolver = Resolver(tree, p, Resolving(MET_ITERATIONS, rounds=1, values=self))
            ahead = resolver.deals <= resolver.deals[resolver.start]
            for state in np.flatnonzero(ahead).tolist():
                if tree.decides(state, p):
                    resolver.at(state)

    def __call__(self, tree: PublicTree, states: Sequence[int], ranges: Sequence[Ranges]) -> list[Ranges]:
        for state, both in zip(states, ranges, strict=True):
            self._keep(self.network.kinds.of[state], (both[0].numbers, both[1].numbers))
        return self.network(tree, states, ranges)

    def _keep(self, kind: int, both: tuple[Array, Array]) -> None:
        """A sample of all that is met, in which each pair is as likely."""
        if not both[0].any() or not both[1].any():
            return
        self.seen[kind] += 1
        if len(self.ranges[kind]) < MOST_MET:
            self.ranges[kind].append(both)
        else:
            place = int(self.random.integers(self.seen[kind]))
            if place < MOST_MET:
                self.ranges[kind][place] = both


class TreeSituations(Situations):
    """Situations of a tree, with ranges that are random, or were met."""

    def __init__(self, tree: PublicTree, kinds: PublicKinds, settings: RangeSettings):
        super().__init__(settings, *sizes(kinds))
        self.tree, self.kinds = tree, kinds
        self.solver = SolvedValues(settings.iterations)

    def solve(self, met: Met | None) -> None:
        """One more: with ranges that were met, or random ones."""
        kinds, at = self.kinds, self.solved
        number = at % len(kinds.kinds)
        kind = kinds.kinds[number]
        hands = [np.unique(self.tree.hands[p][self.tree.states[kind.state]]) for p in (0, 1)]
        known_ranges = met.ranges[number] if met else []
        if known_ranges:
            drawn = known_ranges[int(self.random.integers(len(known_ranges)))]
        else:
            drawn = tuple(random_range(self.random, len(own)) for own in hands)
        both = tuple(Range(own, numbers) for own, numbers in zip(hands, drawn, strict=True))
        found = self.solver.solve(self.tree, kind.state, (both[0], both[1]))
        mass = kinds.masses[kind.state]
        meets = (mass * (kind.meets @ both[1].numbers), mass * (both[0].numbers @ kind.meets))
        self.inputs[at] = encode(kinds, number, (both[0].numbers, both[1].numbers))
        for p in (0, 1):
            place = slice(p * kinds.hands, p * kinds.hands + len(hands[p]))
            known = meets[p] > 0
            worth = found[p].numbers / np.where(known, meets[p], 1.0) / kind.stake
            self.targets[at, place] = np.where(known, worth, 0.0)
            self.weights[at, place] = known
        self.solved += 1


def learn_values(
    tree: PublicTree,
    settings: RangeSettings,
    told: Told = untold,
    stop: Stop = never,
) -> Learned:
    """A network for the states of `tree` that follow a deal; once `stop` says so, it learns from what is there."""
    settings.check()
    begun = time.process_time()
    kinds = RangeNetwork.kinds_of(tree)
    inputs, numbers = sizes(kinds)
    situations = TreeSituations(tree, kinds, settings)
    network = DenseNetwork.start([inputs, *[settings.width] * settings.layers, numbers], settings.seed)
    steps, loss, met = 0, 0.0, None
    for generation in range(settings.generations):
        if generation and stop():
            break
        if generation:
            met = Met(RangeNetwork(kinds, network), tree, situations.random)
        goal = settings.situations * (generation + 1) // settings.generations
        while situations.solved < goal and not (stop() and situations.solved):
            situations.solve(met)
            if situations.solved % TOLD == 0:
                told("solving", situations.solved / settings.situations, None)
        taken, loss = descend(network, situations, settings, generation, told, stop)
        steps += taken
    spent = time.process_time() - begun
    found = RangeNetwork(kinds, network)
    return Learned(found, situations.solved, steps, loss, situations.error(network), stop(), spent)
