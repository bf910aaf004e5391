"""What everybody knows at each node of a tree: its public states, and the hands that players hold in them.

A hand is all that one player has seen and done so far, at other players' choices as at its own. Two nodes share a
public state if a chain of nodes leads from one to the other in which neighbours share a hand of somebody: that the game
is not at the one when it is at the other is then not known to everybody. Public states form a tree, and a hand belongs
to one of them.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import cached_property
from typing import Any

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from zermelo.engine.regret import CHANCE_NODE, END_NODE, Array
from zermelo.equilibrium.extensive import ExtensiveForm, extensive_form
from zermelo.errors import MethodError
from zermelo.game.contract import AnyGame
from zermelo.game.text import freeze

MOST_NODES = 2_000_000
NOWHERE = -1
"""The public state of an end, and the one before the first."""


class PublicTree:
    """The public states of a tree of two players with a constant sum, numbered so that earlier ones come first."""

    def __init__(self, game: AnyGame | ExtensiveForm):
        rules = game.game if isinstance(game, ExtensiveForm) else game
        if not rules.kind.adversarial:
            raise MethodError(f"{rules.name} is not a game of two players with a constant sum: re-solving needs one")
        self.form = extensive_form(game, most=MOST_NODES)
        self.game = rules
        self._walk()
        self._check_memory()
        self._join()

    def _walk(self) -> None:
        """Enters every node; `hands` numbers what each player knows there."""
        game, arrays = self.game, self.form.arrays
        kind, first, count = arrays.infoset.tolist(), arrays.first.tolist(), arrays.count.tolist()
        shares = arrays.chance.tolist()
        size = len(kind)
        hands: tuple[list[int], list[int]] = ([NOWHERE] * size, [NOWHERE] * size)
        known: tuple[dict[Hashable, int], dict[Hashable, int]] = ({}, {})
        owner = arrays.owner.tolist()
        self.parent = np.full(size, NOWHERE, dtype=np.int64)
        self.chance = np.ones(size)
        states: dict[int, Any] = {0: self.form.root}
        for node in range(size):  # parents come before children
            s = states.pop(node)
            here = kind[node]
            if here == END_NODE:
                continue
            before = int(self.parent[node])
            mover = owner[kind[before]] if before >= 0 and kind[before] >= 0 else CHANCE_NODE
            for p in (0, 1):
                last = hands[p][before] if before >= 0 else NOWHERE
                did = node - first[before] if mover == p else NOWHERE
                key = (last, did, freeze(game.view(s, p)) if game.kind.hidden else game.key(s))
                hands[p][node] = known[p].setdefault(key, len(known[p]))
            children = range(first[node], first[node] + count[node])
            for child, a in zip(children, game.actions(s), strict=True):
                states[child] = game.result(s, a)
                self.parent[child] = node
                self.chance[child] = self.chance[node] * shares[child]
        self.hands = tuple(np.array(own, dtype=np.int64) for own in hands)
        """Of each player, per node: its hand; `NOWHERE` at an end."""

    def _check_memory(self) -> None:
        """Refuses a game in which a player chooses alike with hands that it could tell apart."""
        for p in (0, 1):
            pairs = np.stack([self.form.arrays.infoset, self.hands[p]])[:, self.movers == p]
            if len(np.unique(pairs, axis=1).T) > len(np.unique(pairs[0])):
                name = self.game.player_name(p)
                raise MethodError(
                    f"{name} forgets what it has seen in {self.game.name}: its public states are not known"
                )

    def _join(self) -> None:
        inner = np.flatnonzero(self.movers > END_NODE)
        counts = [int(own.max()) + 1 for own in self.hands]
        edges = (self.hands[0][inner], counts[0] + self.hands[1][inner])
        graph = coo_array((np.ones(len(inner), dtype=np.int8), edges), shape=(sum(counts), sum(counts)))
        _, group = connected_components(graph, directed=False)
        found = group[self.hands[0][inner]]
        _, begin, inverse = np.unique(found, return_index=True, return_inverse=True)
        rank = np.argsort(np.argsort(begin))
        self.place = np.full(len(self.movers), NOWHERE, dtype=np.int64)
        """Per node: its public state, `NOWHERE` at an end."""
        self.place[inner] = rank[inverse]
        order = inner[np.argsort(self.place[inner], kind="stable")]
        cuts = np.flatnonzero(np.diff(self.place[order])) + 1
        self.states: list[Array] = np.split(order, cuts)
        """Of each public state: its nodes."""

    @cached_property
    def movers(self) -> Array:
        """Per node: who moves, `CHANCE_NODE` or `END_NODE`."""
        kind = self.form.arrays.infoset
        return np.where(kind >= 0, self.form.arrays.owner[np.maximum(kind, 0)], kind)

    @cached_property
    def before(self) -> Array:
        """Of each public state: the one before it, `NOWHERE` for the first."""
        first = np.array([nodes[0] for nodes in self.states])
        parents = self.parent[first]
        return np.where(parents >= 0, self.place[parents], NOWHERE)

    def decides(self, state: int, p: int) -> bool:
        """Whether player `p` chooses in a public state, with some hand at least."""
        return bool((self.movers[self.states[state]] == p).any())

    def deals(self, state: int) -> bool:
        """Whether chance moves there, with some hands at least."""
        return bool((self.movers[self.states[state]] == CHANCE_NODE).any())

    def path(self, state: int) -> list[int]:
        """The public states up to this one, from the first on."""
        found = [state]
        while self.before[found[-1]] != NOWHERE:
            found.append(int(self.before[found[-1]]))
        return found[::-1]

    def state(self, node: int) -> Any:
        """The state of the game at a node."""
        way = []
        while node != 0:
            way.append(node - int(self.form.arrays.first[self.parent[node]]))
            node = int(self.parent[node])
        s = self.form.root
        for place in reversed(way):
            s = self.game.result(s, list(self.game.actions(s))[place])
        return s

    def hand_name(self, state: int, p: int, hand: int) -> str:
        """What player `p` sees with that hand in a public state, as the game writes it."""
        nodes = self.states[state]
        s = self.state(int(nodes[np.flatnonzero(self.hands[p][nodes] == hand)[0]]))
        return self.game.show_view(self.game.view(s, p), p) if self.game.kind.hidden else self.game.write(s)
