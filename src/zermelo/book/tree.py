"""The positions of a book while it is made: their moves, what these are worth, and which position to search next.

Values are those of player 0. A position is worth the best of its moves for the player to move, and a move what the
position behind it is worth, where the book knows that, or what a search of the position before it said.

Which position comes next follows Lincke's drop-out expansion (Strategies for the automatic construction of opening
books, 2000). A position is the more urgent the sooner and the likelier it is reached:

    cost(position without a search) = 0
    cost(position)                  = min over its moves of  1 + loss of the move / margin + cost(position behind it)

where the loss is what the move is worse than the best one, for whoever plays it. So the book goes deep along good play
of both sides, and has an answer to each of the moves that are nearly as good. A move that goes back to a position
nearer to the start, or as near, keeps the value of its own search: what follows is free of cycles.
"""

from __future__ import annotations

import math
import statistics
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Generic

from zermelo.book.keys import position_key
from zermelo.game.contract import A, Game, S

UNKNOWN_COST_PLIES = 4.0
"""The cost of a move that was played in games and not searched, beside its ply."""
LEAST_MARGIN_SHARE = 1e-3
"""The least margin, as a share of the way from a loss to a win."""
FIRST_MARGIN_SHARE = 0.01
"""The margin before anything was searched."""


@dataclass(slots=True)
class Edge(Generic[A]):
    """A move of a position."""

    number: int
    """Of the action, among those of the position."""
    action: A
    behind: int
    """The key of the position behind it."""
    value: float = math.nan
    """What a search says of it, for player 0; NaN if nothing was searched."""
    games: int = 0
    results: int = 0
    """Games with a known result, …"""
    total: float = 0.0
    """… and the sum of what the mover got in them."""
    weight: int = 0
    """What another book gives it, beside the games."""
    closed: bool = False
    """Whether the position behind it has no place in the book: the game is over there, or it is too far."""


@dataclass(slots=True)
class Node(Generic[S, A]):
    """A position of the book."""

    key: int
    state: S
    mover: int
    ply: int
    """The least number of moves from the start, when it was found."""
    searched: bool = False
    edges: dict[int, Edge[A]] = field(default_factory=dict)
    """By the number of the action."""
    value: float = math.nan
    cost: float = 0.0

    def better(self, value: float, other: float) -> bool:
        """Whether the mover prefers `value`; anything to NaN."""
        return value == value and (other != other or (value > other if self.mover == 0 else value < other))


class BookTree(Generic[S, A]):
    """The positions by their keys, with the first one as `root`."""

    def __init__(self, game: Game[S, A], plies: int, variety: float = 1.0):
        self.game = game
        self.variety = variety
        """The margin, as a multiple of the usual distance between the best move and the next one."""
        self.plies = plies
        """How far from the start positions are searched."""
        self.nodes: dict[int, Node[S, A]] = {}
        self.parents: defaultdict[int, list[Node[S, A]]] = defaultdict(list)
        """The positions from which a move leads to a position, by its key."""
        low, high = game.bounds
        self.span = high - low if math.isfinite(high - low) else 1.0
        self.margin = FIRST_MARGIN_SHARE * self.span
        self.root = self.add(game.initial(), 0)

    def add(self, state: S, ply: int) -> Node[S, A]:
        """The position `state`, which is new if it is not known."""
        key = position_key(self.game, state)
        if key not in self.nodes:
            self.nodes[key] = Node(key, state, self.game.player(state), ply)
        return self.nodes[key]

    def edge(self, node: Node[S, A], number: int, action: A) -> Edge[A]:
        """The move of `node`, which is new if it is not known."""
        if number not in node.edges:
            after = self.game.result(node.state, action)
            key = position_key(self.game, after)
            closed = node.ply + 1 >= self.plies or self.game.is_terminal(after)
            node.edges[number] = Edge(number, action, key, closed=closed)
            self.parents[key].append(node)
        return node.edges[number]

    def child(self, node: Node[S, A], edge: Edge[A]) -> Node[S, A] | None:
        """The position behind a move, if the book has it and it is further from the start."""
        found = self.nodes.get(edge.behind)
        return found if found is not None and found.ply > node.ply else None

    # Values and costs.

    def worth(self, node: Node[S, A], edge: Edge[A]) -> float:
        """What a move is worth to player 0; NaN if nobody knows."""
        child = self.child(node, edge)
        return edge.value if child is None or child.value != child.value else child.value

    def settle(self, node: Node[S, A]) -> None:
        """The value and the cost of `node` from its moves, and so on up to the start."""
        waiting = {node.key: node}
        while waiting:
            last = max(waiting.values(), key=lambda each: each.ply)
            del waiting[last.key]
            before = last.value, last.cost
            self._evaluate(last)
            if before != (last.value, last.cost):
                waiting |= {each.key: each for each in self.parents[last.key] if each.ply < last.ply}

    def settle_all(self) -> None:
        """The same for every position, after the margin has changed."""
        for node in sorted(self.nodes.values(), key=lambda each: -each.ply):
            self._evaluate(node)

    def _evaluate(self, node: Node[S, A]) -> None:
        node.value = math.nan
        for edge in node.edges.values():
            value = self.worth(node, edge)
            if node.better(value, node.value):
                node.value = value
        node.cost = min((self.cost(node, edge) for edge in node.edges.values()), default=math.inf)
        if not node.searched:
            node.cost = 0.0 if node.ply < self.plies else math.inf

    def cost(self, node: Node[S, A], edge: Edge[A]) -> float:
        """How urgent the positions behind a move are, from `node` on: the less, the more urgent."""
        child = self.child(node, edge)
        further = math.inf if edge.closed or (child is None and edge.behind in self.nodes) else 0.0
        if child is not None:
            further = child.cost
        loss = abs(self.worth(node, edge) - node.value) / self.margin
        return 1 + (UNKNOWN_COST_PLIES if loss != loss else loss) + further

    def next(self) -> Node[S, A] | None:
        """The most urgent position that was not searched; none if there is nothing left to search."""
        node = self.root
        while node.searched:
            if not math.isfinite(node.cost):
                return None
            edge = min(node.edges.values(), key=lambda each: self.cost(node, each))
            node = self.add(self.game.result(node.state, edge.action), node.ply + 1)
        return node if node.ply < self.plies else None

    def measure(self) -> None:
        """The margin, by the median distance from the best searched move of a position to the next one."""
        gaps = []
        for node in self.nodes.values():
            values = sorted(v for edge in node.edges.values() if (v := self.worth(node, edge)) == v)
            if len(values) > 1:
                gaps.append(values[1] - values[0] if node.mover else values[-1] - values[-2])
        if gaps:
            self.margin = max(self.variety * statistics.median(gaps), LEAST_MARGIN_SHARE * self.span)
        self.settle_all()

    def walk(self) -> Iterator[Node[S, A]]:
        """Every position with moves."""
        return (node for node in self.nodes.values() if node.edges)
