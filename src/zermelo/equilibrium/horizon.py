"""A subgame solved to its leaves only: beyond them a function says what hands are worth, given both players' ranges.

Regret matching+ with players that take turns and averages of linear weight (CFR+), in the vectors of a `Subgame`. What
a leaf is worth depends on how players come there, so the function is asked anew in every iteration.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from zermelo.engine.regret import Array, Form, passes
from zermelo.equilibrium.public_tree import PublicTree
from zermelo.equilibrium.regret import IN_TREES, RULES
from zermelo.equilibrium.subgame import FOLLOW, STOP, Range, Subgame

Ranges = tuple[Range, Range]
"""Of both players: how likely each hand comes to a public state by its own choices."""


class Values(Protocol):
    """Says what hands are worth at public states; a network, say."""

    def __call__(self, tree: PublicTree, states: Sequence[int], ranges: Sequence[Ranges]) -> Sequence[Ranges]:
        """The counterfactual values of both players' hands in each of these public states, the hands as given."""


class SolvedValues:
    """Values by solving on: so many iterations of regret minimisation below each leaf."""

    def __init__(self, iterations: int = 100):
        self.iterations = iterations
        self.known: dict[int, Subgame] = {}

    def __call__(self, tree: PublicTree, states: Sequence[int], ranges: Sequence[Ranges]) -> list[Ranges]:
        return [self.solve(tree, state, both) for state, both in zip(states, ranges, strict=True)]

    def solve(self, tree: PublicTree, state: int, ranges: Ranges) -> Ranges:
        if state not in self.known:
            self.known[state] = Subgame(tree, state)
        sub = self.known[state]
        roots = [ranges[p].at(tree.hands[p][sub.nodes[: sub.roots]]) for p in (0, 1)]
        weights = tree.chance[tree.states[state]] * roots[0] * roots[1]
        shares = solve_whole(sub, weights, None, self.iterations)
        found = []
        for p in (0, 1):
            ends = tree.chance[sub.nodes] * sub.reach(1 - p, roots[1 - p], shares) * sub.payoffs(p)
            values, _ = sub.values(p, ends, None)  # the best answer: hands that never come here have a value, too
            found.append(sub.collect(p, np.arange(sub.roots), values[: sub.roots]))
        return found[0], found[1]


def solve_whole(sub: Subgame, weights: Array, gadget: tuple[int, Array] | None, iterations: int) -> Array:
    """A strategy of a subgame without leaves, by the native core; even where no root of any weight leads."""
    shares = sub.uniform()
    if not weights.sum() > 0:
        return shares
    arrays, held = sub.arrays(weights, gadget)
    run = passes(Form(2, arrays), RULES[IN_TREES], merged=False)
    run.run(iterations)
    found = run.strategy()
    places = np.repeat(sub.offsets[held] - np.cumsum(sub.width[held]) + sub.width[held], sub.width[held])
    places += np.arange(len(places))
    shares[places] = found[: len(places)]
    return shares


class Limited(NamedTuple):
    """What has been found above the leaves."""

    shares: Array
    leaves: tuple[Array, Array]
    """Of each player, per node: its share of what a leaf is worth by counterfactual value, 0 elsewhere."""


class Gate:
    """The opponent's choice by hand before the subgame: to take what it had been promised, or to go on."""

    def __init__(self, stops: Range):
        self.stops = stops
        self.regrets = np.zeros((2, len(stops.hands)))

    def follow(self) -> Array:
        total = self.regrets.sum(axis=0)
        return np.where(total > 0, self.regrets[FOLLOW] / np.where(total > 0, total, 1.0), 0.5)

    def learn(self, values: Array) -> None:
        share = self.follow()
        mean = share * values + (1 - share) * self.stops.numbers
        self.regrets[STOP] = np.maximum(self.regrets[STOP] + self.stops.numbers - mean, 0.0)
        self.regrets[FOLLOW] = np.maximum(self.regrets[FOLLOW] + values - mean, 0.0)


class HorizonSolver:
    """CFR+ for player `p` and its opponent over a subgame with leaves."""

    def __init__(self, sub: Subgame, p: int, ranges: Ranges, stops: Range | None, values: Values):
        """The opponent has a range, or is free to stop with what it had been promised for each hand."""
        self.sub, self.p, self.values = sub, p, values
        self.gate = None if stops is None else Gate(stops)
        tree, nodes = sub.tree, sub.nodes
        self.roots = [ranges[q].at(tree.hands[q][nodes[: sub.roots]]) for q in (0, 1)]
        self.chance = tree.chance[nodes]
        self.payoffs = [sub.payoffs(q) for q in (0, 1)]
        size = int(sub.offsets[-1])
        self.regrets, self.sums = np.zeros(size), np.zeros(size)
        self.owner = np.repeat(tree.form.arrays.owner[sub.sets], sub.width)
        places = tree.place[nodes[sub.is_leaf]]
        at = np.flatnonzero(sub.is_leaf)
        self.leaves = [(int(state), at[places == state]) for state in np.unique(places)]

    def run(self, iterations: int) -> Limited:
        worth = (np.zeros(len(self.sub.nodes)), np.zeros(len(self.sub.nodes)))
        for t in range(1, iterations + 1):
            for q in (0, 1):
                shares = self.matched(self.regrets)
                reach = [self.sub.reach(r, self.entry(r), shares) for r in (0, 1)]
                leaves = self.ask(q, reach)
                worth[q][:] += 2 * t / (iterations * (iterations + 1)) * leaves
                self.learn(q, shares, self.chance * reach[1 - q] * self.payoffs[q] + leaves)
                self.average(q, t, shares, reach[q])
        return Limited(self.matched(self.sums), worth)

    def entry(self, q: int) -> Array:
        """How likely `q` enters with each root's hand."""
        if self.gate is None or q == self.p:
            return self.roots[q]
        hands = self.sub.tree.hands[q][self.sub.nodes[: self.sub.roots]]
        return Range(self.gate.stops.hands, self.gate.follow()).at(hands)

    def ask(self, q: int, reach: Sequence[Array]) -> Array:
        """The counterfactual values of `q` at the leaves, shared among the nodes of each hand."""
        tree, nodes = self.sub.tree, self.sub.nodes
        found = np.zeros(len(nodes))
        ranges = []
        for _, at in self.leaves:
            both = []
            for r in (0, 1):
                hands, first = np.unique(tree.hands[r][nodes[at]], return_index=True)
                both.append(Range(hands, reach[r][at][first]))
            ranges.append((both[0], both[1]))
        states = [state for state, _ in self.leaves]
        for (_, at), worth in zip(self.leaves, self.values(tree, states, ranges), strict=True):
            hands, place, count = np.unique(tree.hands[q][nodes[at]], return_inverse=True, return_counts=True)
            found[at] = worth[q].at(hands)[place] / count[place]
        return found

    def learn(self, q: int, shares: Array, ends: Array) -> None:
        values, actions = self.sub.values(q, ends, shares)
        own = self.owner == q
        starts = self.sub.offsets[:-1]
        if len(starts):
            mean = np.repeat(np.add.reduceat(shares * actions, starts), self.sub.width)
            self.regrets[own] = np.maximum(self.regrets[own] + (actions - mean)[own], 0.0)
        if self.gate is not None and q != self.p:
            entered = self.sub.collect(q, np.arange(self.sub.roots), values[: self.sub.roots])
            self.gate.learn(entered.at(self.gate.stops.hands))

    def average(self, q: int, t: int, shares: Array, reach: Array) -> None:
        """Adds the strategy of `q`, by its weight and by how likely `q` itself comes to each choice."""
        mine = np.flatnonzero(self.sub.movers == q)
        sets, first = np.unique(self.sub.infoset[mine], return_index=True)
        weight = np.zeros(len(self.sub.sets))
        weight[sets] = t * reach[mine[first]]
        self.sums += np.repeat(weight, self.sub.width) * shares

    def matched(self, numbers: Array) -> Array:
        """Probabilities in proportion to `numbers`, even where all are 0."""
        starts = self.sub.offsets[:-1]
        if not len(starts):
            return numbers
        total = np.repeat(np.add.reduceat(numbers, starts), self.sub.width)
        found: Array = np.where(total > 0, numbers / np.where(total > 0, total, 1.0), self.sub.uniform())
        return found
