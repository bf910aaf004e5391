"""A game written down as a tree with information sets, as files have them: it keeps the contract of `Game`.

Such a game says itself what its information sets are, so a player in it may forget; methods that need perfect recall
find that out and refuse.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from zermelo.errors import PositionError
from zermelo.game.contract import CHANCE, Game


@dataclass(slots=True)
class Node:
    """One node; an end has no actions."""

    player: int = CHANCE
    set: int = -1
    """The number of its information set, unlike those of other players; −1 for chance."""
    actions: list[str] = field(default_factory=list)
    chances: list[Fraction] = field(default_factory=list)
    children: list[int] = field(default_factory=list)
    payoffs: tuple[Fraction, ...] = ()
    """Everybody's, at an end: of all outcomes on the way."""


class ExtensiveGame(Game):
    """A tree of `Node`s; the first is the root."""

    class State(NamedTuple):
        node: int

    def __init__(self, title: str, names: list[str], nodes: list[Node], set_names: list[str]):
        self.title = title
        self.names = names
        self.nodes = nodes
        self.set_names = set_names
        self.players = len(names)
        ends = [[float(u) for u in node.payoffs] for node in nodes if not node.actions]
        sums = [math.fsum(end) for end in ends]
        self.utility_sum = sums[0] if max(sums) - min(sums) < 1e-9 else None
        self.bounds = (min(min(end) for end in ends), max(max(end) for end in ends))

    @property
    def name(self) -> str:
        return self.title or "a game"

    def initial(self) -> State:
        return self.State(0)

    def player(self, s: State) -> int:
        return self.nodes[s.node].player

    def actions(self, s: State) -> Iterator[int]:
        yield from range(len(self.nodes[s.node].actions))

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        for i, share in enumerate(self.nodes[s.node].chances):
            yield i, float(share)

    def result(self, s: State, a: int) -> State:
        return self.State(self.nodes[s.node].children[a])

    def is_terminal(self, s: State) -> bool:
        return not self.nodes[s.node].actions

    def utility(self, s: State, p: int) -> float:
        return float(self.nodes[s.node].payoffs[p])

    def information_set(self, s: State) -> int:
        """The number of the information set of a node at which a player moves."""
        return self.nodes[s.node].set

    def view(self, s: State, p: int) -> int:
        node = self.nodes[s.node]
        return node.set if node.player == p else -1

    # Text.

    def player_name(self, p: int) -> str:
        return self.names[p]

    def show_view(self, view: int, p: int) -> str:
        return self.set_names[view] if view >= 0 else "not to move"

    def show_action(self, s: State, a: int) -> str:
        return self.nodes[s.node].actions[a]

    def read(self, text: str) -> State:
        s: ExtensiveGame.State = super().read(text)
        if not 0 <= s.node < len(self.nodes):
            raise PositionError(f"{text!r} is not a node; they are numbered (0,) to ({len(self.nodes) - 1},)")
        return s
