"""Public states of a tree by what can follow: those of one kind differ in name only, so one network knows them all.

The hands of a public state have places, in the order in which the tree numbers them. Two states are of a kind if what
follows them is the same, node for node: the choices, what is known at them, the chances and the payoffs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from zermelo.engine.regret import Array
from zermelo.equilibrium.public_tree import NOWHERE, PublicTree
from zermelo.equilibrium.subgame import Subgame

DIGITS = 9
"""To which chances and payoffs are compared."""


class Kind(NamedTuple):
    """What public states of a kind have in common."""

    state: int
    """One of them."""
    meets: Array
    """Of each hand of player 0 and each of player 1: the chance that both are dealt; they sum to 1."""
    stake: float
    """The greatest amount that an end below pays."""


class PublicKinds:
    """The kinds of some public states of a tree."""

    def __init__(self, tree: PublicTree, states: Sequence[int]):
        self.tree = tree
        self.kinds: list[Kind] = []
        self.of: dict[int, int] = {}
        """Of each state: the number of its kind."""
        self.masses: dict[int, float] = {}
        """Of each state: the sum of the chances of its nodes."""
        known: dict[str, int] = {}
        digest = hashlib.sha256()
        for state in states:
            sub = Subgame(tree, state)
            roots = sub.nodes[: sub.roots]
            self.masses[state] = float(tree.chance[roots].sum())
            hands = [np.unique(tree.hands[p][roots], return_inverse=True)[1] for p in (0, 1)]
            meets = np.zeros((int(hands[0].max()) + 1, int(hands[1].max()) + 1))
            np.add.at(meets, (hands[0], hands[1]), tree.chance[roots] / self.masses[state])
            mark = self._mark(sub, meets, hands)
            if mark not in known:
                known[mark] = len(self.kinds)
                stake = float(np.abs(np.concatenate([sub.payoffs(0), sub.payoffs(1)])).max())
                self.kinds.append(Kind(state, meets, stake or 1.0))
                digest.update(mark.encode())
            self.of[state] = known[mark]
        self.identity = digest.hexdigest()
        """What distinguishes these kinds from others: a network belongs to them."""
        self.hands = max((size for kind in self.kinds for size in kind.meets.shape), default=0)
        """The most that a player can hold."""

    def _mark(self, sub: Subgame, meets: Array, hands: Sequence[Array]) -> str:
        chance = sub.tree.form.arrays.chance[sub.nodes]
        chance[: sub.roots] = 0
        after = [own[sub.roots :] for own in (sub.parent, sub.infoset, sub.movers)]
        parts = [sub.infoset, sub.movers, *hands, *after]
        numbers = [meets, chance, sub.payoffs(0), sub.payoffs(1)]
        digest = hashlib.sha256(repr([len(part) for part in parts]).encode())
        for part in parts:
            digest.update(np.asarray(part, dtype=np.int64).tobytes())
        for own in numbers:
            digest.update((np.round(own, DIGITS) + 0.0).tobytes())
        return digest.hexdigest()


def states_after_a_deal(tree: PublicTree) -> list[int]:
    """The first public states after each deal but that of the hands: where a player stops that looks a round ahead."""
    found, size = [], len(tree.states)
    deals = np.zeros(size, dtype=np.int64)
    for state in range(1, size):
        before = int(tree.before[state])
        if before != NOWHERE:
            deals[state] = deals[before] + tree.deals(before)
    start = next((state for state in range(size) if not tree.deals(state)), 0)
    for state in range(1, size):
        if deals[state] > deals[start] and deals[int(tree.before[state])] < deals[state]:
            found.append(state)
    return found
