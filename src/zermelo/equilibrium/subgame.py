"""What can follow a public state: a forest of nodes, solved as a game of its own.

The counterfactual value of a hand is what its player gets, summed over the nodes that it may be at, each weighted with
the probability of chance and of the other's choices on the way, as if the player itself had come there on purpose.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from zermelo.engine.regret import CHANCE_NODE, END_NODE, TYPES, Array, Arrays
from zermelo.equilibrium.public_tree import NOWHERE, PublicTree

STOP, FOLLOW = 0, 1
"""The choices of the gadget."""


class Range(NamedTuple):
    """A number for each hand that a player can hold in a public state."""

    hands: Array
    """As `PublicTree.hands` numbers them, in ascending order."""
    numbers: Array

    def at(self, hands: Array) -> Array:
        """The numbers of these hands."""
        found: Array = self.numbers[np.searchsorted(self.hands, hands)]
        return found


class Subgame:
    """The nodes below a public state, level by level; those of `leaves` have nothing below them here."""

    def __init__(self, tree: PublicTree, state: int, leaves: Array | None = None):
        """`leaves` says of each public state whether it is one; `None` for none."""
        self.tree = tree
        self.state = state
        arrays = tree.form.arrays
        nodes, parents, cuts = [tree.states[state]], [np.full(len(tree.states[state]), NOWHERE)], [0]
        cuts.append(len(nodes[0]))
        while len(nodes[-1]):
            here = nodes[-1]
            count = np.where(self._ends_here(here, leaves, state), 0, arrays.count[here])
            start = np.repeat(np.cumsum(count) - count, count)
            children = np.repeat(arrays.first[here], count) + np.arange(count.sum()) - start
            parents.append(np.repeat(cuts[-2] + np.arange(len(here)), count))
            nodes.append(children.astype(np.int64))
            cuts.append(cuts[-1] + len(children))
        self.nodes: Array = np.concatenate(nodes)
        self.parent: Array = np.concatenate(parents)
        """Per node: the place of its parent in `nodes`, `NOWHERE` at a root."""
        self.cuts = cuts[:-1]
        """Where each level begins; the last is their number of nodes."""
        self.roots = len(nodes[0])
        self.movers: Array = tree.movers[self.nodes]
        kind = arrays.infoset[self.nodes]
        self.sets, local = np.unique(kind[kind >= 0], return_inverse=True)
        """The information sets below, by their numbers in the whole tree."""
        self.infoset: Array = kind.astype(np.int64)
        self.infoset[kind >= 0] = local
        self.width: Array = arrays.width[self.sets].astype(np.int64)
        self.offsets: Array = np.concatenate([[0], np.cumsum(self.width)])
        """The place of each information set's first action in a strategy of this subgame."""
        after = self.parent >= 0
        self.action: Array = np.full(len(self.nodes), NOWHERE)
        """Per node: the place in such a strategy of the action that leads to it, `NOWHERE` after none."""
        mother = self.parent[after]
        chosen = self.infoset[mother] >= 0
        place = self.offsets[np.maximum(self.infoset[mother], 0)] + self.nodes[after] - arrays.first[self.nodes[mother]]
        self.action[after] = np.where(chosen, place, NOWHERE)
        self.is_leaf: Array = self._ends_here(self.nodes, leaves, state)

    def _ends_here(self, nodes: Array, leaves: Array | None, state: int) -> Array:
        places = self.tree.place[nodes]
        if leaves is None:
            return np.zeros(len(nodes), dtype=bool)
        return leaves[places] & (places != state) & (places != NOWHERE)

    def levels(self) -> Iterator[slice]:
        """The nodes of each level, the roots first."""
        for begin, end in zip(self.cuts, self.cuts[1:], strict=False):
            yield slice(begin, end)

    def reach(self, p: int, roots: Array, shares: Array) -> Array:
        """The probability per node that player `p` has gone there by `shares`, from that at the roots on."""
        found = np.empty(len(self.nodes))
        found[: self.roots] = roots
        for level in list(self.levels())[1:]:
            mother, action = self.parent[level], self.action[level]
            factor = np.where(self.movers[mother] == p, shares[np.maximum(action, 0)], 1.0)
            found[level] = found[mother] * factor
        return found

    def payoffs(self, p: int) -> Array:
        """What the ends pay to `p`, 0 at other nodes."""
        arrays = self.tree.form.arrays
        ends = self.movers == END_NODE
        found = np.zeros(len(self.nodes))
        found[ends] = arrays.payoffs[2 * arrays.first[self.nodes[ends]] + p]
        return found

    def values(self, p: int, ends: Array, shares: Array | None) -> tuple[Array, Array]:
        """The counterfactual value for `p` of each node, and of each action of its information sets.

        `ends` has what ends and leaves are worth, times the probability that the others come there. `p` chooses by
        `shares`, or its best answer if that is `None`.
        """
        found = np.array(ends)
        actions = np.zeros(int(self.offsets[-1]))
        for level in reversed(list(self.levels())[1:]):
            mother, action, worth = self.parent[level], self.action[level], found[level]
            own = self.movers[mother] == p
            np.add.at(found, mother[~own], worth[~own])
            if not own.any():
                continue
            np.add.at(actions, action[own], worth[own])
            if shares is None:
                chosen = self._best(self.infoset[mother[own]], actions)[self.infoset[mother[own]]] == action[own]
                np.add.at(found, mother[own], np.where(chosen, worth[own], 0.0))
            else:
                np.add.at(found, mother[own], shares[action[own]] * worth[own])
        return found, actions

    def _best(self, sets: Array, actions: Array) -> Array:
        """Of each of these information sets: the place of its best action, the first of several."""
        best = np.full(len(self.sets), NOWHERE)
        for number in np.unique(sets):
            begin, end = int(self.offsets[number]), int(self.offsets[number + 1])
            best[number] = begin + int(np.argmax(actions[begin:end]))
        return best

    def uniform(self) -> Array:
        """The strategy that chooses all actions alike."""
        return np.repeat(1.0 / self.width, self.width)

    def collect(self, p: int, at: Array, numbers: Array) -> Range:
        """The sums of `numbers` by the hand of `p`, over some nodes."""
        hands, place = np.unique(self.tree.hands[p][self.nodes[at]], return_inverse=True)
        return Range(hands, np.bincount(place, weights=numbers, minlength=len(hands)))

    def arrays(self, weights: Array, gadget: tuple[int, Array] | None) -> tuple[Arrays, Array]:
        """A tree whose chance begins by drawing a root with `weights`; and which of the sets it holds.

        With `gadget`, a player and what it gets at each root by stopping there: that player first chooses between this
        and going on, knowing its hand only.
        """
        kept = self._kept(weights > 0)
        renumber = np.cumsum(kept) - 1
        own = self.tree.form.arrays
        nodes, roots = self.nodes[kept], int((weights > 0).sum())
        infoset = self.infoset[kept]
        held, infoset_of = np.unique(infoset[infoset >= 0], return_inverse=True)
        infoset[infoset >= 0] = infoset_of
        count = np.where(self.is_leaf[kept], 0, own.count[nodes])
        first_child = np.full(len(nodes), 0, dtype=np.int64)
        has = self.parent[kept] >= 0
        mother = renumber[self.parent[kept][has]]
        first_child[mother[::-1]] = np.flatnonzero(has)[::-1]  # the first of several is written last
        ends = infoset == END_NODE
        payoffs = own.payoffs.reshape(-1, 2)[own.first[nodes[ends]]]
        chance = own.chance[nodes]
        share = weights[weights > 0] / weights.sum()
        first_child[ends] = np.arange(int(ends.sum()))
        owner, width = own.owner[self.sets[held]], self.width[held]
        if gadget is None:
            chance = np.concatenate([[1.0], share, chance[roots:]])
            shifted = np.where(ends, first_child, first_child + 1)
            columns: tuple[Any, ...] = (
                *([CHANCE_NODE, *infoset], [1, *shifted], [roots, *count], chance, payoffs.ravel(), owner, width),
            )
        else:
            p, stops = gadget
            columns = self._with_gadget(
                p, stops[weights > 0], share, (nodes, infoset, first_child, count, chance, payoffs, owner, width, ends)
            )
        packed = Arrays(*(np.array(column, dtype=kind) for column, kind in zip(columns, TYPES, strict=True)))
        return packed, held

    def _with_gadget(self, p: int, stops: Array, share: Array, parts: tuple[Array, ...]) -> tuple[Any, ...]:
        """Chance at node 0, the gadget's choices, then pairs of a stop and a root, then all that follows."""
        nodes, infoset, first, count, chance, payoffs, owner, width, ends = parts
        roots = len(share)
        hands, hand = np.unique(self.tree.hands[p][nodes[:roots]], return_inverse=True)
        before = 1 + roots
        shift = np.concatenate([before + 2 * np.arange(roots) + 1, before + roots + np.arange(roots, len(nodes))])
        size = before + roots + len(nodes)
        kinds, firsts, counts = np.full(size, END_NODE), np.zeros(size, dtype=np.int64), np.zeros(size, dtype=np.int64)
        chances = np.ones(size)
        kinds[0], firsts[0], counts[0] = CHANCE_NODE, 1, roots
        choices, stopped = 1 + np.arange(roots), before + 2 * np.arange(roots)
        kinds[choices], firsts[choices], counts[choices] = len(owner) + hand, stopped, 2
        chances[choices] = share
        firsts[stopped] = len(payoffs) + np.arange(roots)
        kinds[shift], counts[shift] = infoset, count
        firsts[shift] = np.where(ends, first, shift[np.minimum(first, len(nodes) - 1)])
        chances[shift[roots:]] = chance[roots:]
        total = self.tree.game.utility_sum or 0.0
        pair = np.empty((roots, 2))
        pair[:, p], pair[:, 1 - p] = stops, total - stops
        everything = np.concatenate([payoffs.ravel(), pair.ravel()])
        owners, widths = [*owner, *[p] * len(hands)], [*width, *[2] * len(hands)]
        return kinds, firsts, counts, chances, everything, owners, widths

    def _kept(self, roots: Array) -> Array:
        """The nodes below the roots that are wanted."""
        found = np.empty(len(self.nodes), dtype=bool)
        found[: self.roots] = roots
        for level in list(self.levels())[1:]:
            found[level] = found[self.parent[level]]
        return found
