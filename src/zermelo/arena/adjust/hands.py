"""What a player whose whole strategy is known would have got with every hand that it might have held (AIVAT).

The other's sequence of choices is as likely at all ends that it leads to, whatever the other's strategy: which of them
the game comes to is up to chance and the known player, whose probabilities are known. So the mean over them in place of
the one end is unbiased, and what the cards of the known player did to the result is gone.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.regret import CHANCE_NODE, END_NODE
from zermelo.equilibrium.extensive import ExtensiveForm

Array = NDArray[np.float64]
MOST_KEPT = 8
"""Pairs of strategies for which the means are kept."""


@runtime_checkable
class Tabled(Protocol):
    """A player that can tell all it would do in a game."""

    def shares(self, form: ExtensiveForm) -> Array | None:
        """The probability of each action of each information set, in the order of `form`; `None` if it is another's."""


class HandMeans:
    """The means of ends, for the players of one game."""

    def __init__(self, form: ExtensiveForm, values: Array):
        self.form = form
        self.values = values
        """What each node is worth to everybody."""
        self._kept: list[tuple[list[Array | None], int, Array]] = []

    def of(self, end: int, players: Sequence[Any]) -> tuple[float, ...] | None:
        """What an end is worth to everybody, in means over the hands of each player who tells them; else `None`."""
        if self.form.players != 2:
            return None
        tables = [player.shares(self.form) if isinstance(player, Tabled) else None for player in players]
        found = [self._means(tables, p)[end] for p in (0, 1) if tables[p] is not None]
        return tuple((sum(found) / len(found)).tolist()) if found else None

    def _means(self, tables: list[Array | None], p: int) -> Array:
        for kept, q, means in self._kept:
            if p == q and all(a is b or _equal(a, b) for a, b in zip(kept, tables, strict=True)):
                return means
        means = average(self.form, self.values, tables, p)
        self._kept = [*self._kept[1 - MOST_KEPT :], (tables, p, means)]
        return means


def _equal(a: Array | None, b: Array | None) -> bool:
    return a is not None and b is not None and np.array_equal(a, b)


def average(form: ExtensiveForm, values: Array, tables: Sequence[Array | None], p: int) -> Array:
    """For each end: everybody's payoffs with luck taken off, in the mean over all ends of the other's last choice."""
    arrays = form.arrays
    infoset, first, count = arrays.infoset.tolist(), arrays.first.tolist(), arrays.count.tolist()
    owner, offsets = arrays.owner.tolist(), form.offsets.tolist()
    reach = np.ones(form.nodes)  # by chance and p
    luck = np.zeros((form.nodes, form.players))
    last = np.zeros(form.nodes, dtype=np.int64)  # the other's last choice, 0 for none
    for node, here in enumerate(infoset):
        if here == END_NODE:
            continue
        below = slice(first[node], first[node] + count[node])
        place = 0 if here == CHANCE_NODE else offsets[here]
        mover = None if here == CHANCE_NODE else owner[here]
        table = None if mover is None else tables[mover]
        weights = arrays.chance[below] if mover is None else None if table is None else table[place:][: count[node]]
        luck[below] = luck[node]
        if weights is not None:
            luck[below] += values[below] - weights @ values[below]
        theirs = mover is not None and mover != p
        reach[below] = reach[node] if theirs or weights is None else reach[node] * weights
        last[below] = place + 1 + np.arange(count[node]) if theirs else last[node]
    ends = np.flatnonzero(arrays.infoset == END_NODE)
    ends = ends[np.argsort(arrays.first[ends])]
    worth = arrays.payoffs.reshape(-1, form.players) - luck[ends]
    weight, choice = reach[ends], last[ends]
    total = np.bincount(choice, weight)
    sums = np.stack([np.bincount(choice, weight * worth[:, q]) for q in range(form.players)], axis=1)
    met = np.where(total > 0, total, 1.0)
    means: Array = (sums / met[:, None])[choice]
    return means
