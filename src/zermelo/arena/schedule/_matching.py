"""Perfect matching in any graph, by Edmonds's blossoms, and the first one in an order of preference.

A matching is as large as it can be if and only if there is no augmenting path: one that begins and ends at free
vertices, and every second edge of which is in the matching. A search for one takes at most the square of the number of
vertices in steps.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Sequence

Graph = dict[int, set[int]]


class Matching:
    """A matching that grows by augmenting paths; `mate` holds both ends of each edge."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.mate: dict[int, int] = {}

    def complete(self) -> bool:
        """Whether everybody can be matched; then everybody is."""
        return all(vertex in self.mate or self.augment(vertex) for vertex in sorted(self.graph))

    def augment(self, root: int) -> bool:
        """Takes the free vertex `root` in, if an augmenting path begins there."""
        return _Search(self.graph, self.mate, root).run()


class _Search:
    """The tree of alternating paths from one free vertex; odd cycles (blossoms) are shrunk into their base."""

    def __init__(self, graph: Graph, mate: dict[int, int], root: int):
        self.graph = graph
        self.mate = mate
        self.root = root
        self.parent: dict[int, int] = {}
        self.base = {vertex: vertex for vertex in graph}
        self.even = {root}
        self.queue = deque([root])

    def run(self) -> bool:
        while self.queue:
            vertex = self.queue.popleft()
            for other in sorted(self.graph[vertex]):
                if self.base[vertex] == self.base[other] or self.mate.get(vertex) == other:
                    continue
                if other == self.root or self.mate.get(other) in self.parent:
                    self.shrink(vertex, other)
                elif other not in self.parent:
                    self.parent[other] = vertex
                    if other not in self.mate:
                        self.flip(other)
                        return True
                    self.even.add(self.mate[other])
                    self.queue.append(self.mate[other])
        return False

    def flip(self, end: int) -> None:
        """Exchanges the edges on the path from `end` to the root: those in the matching leave it, the others join."""
        at: int | None = end
        while at is not None:
            before = self.parent[at]
            following = self.mate.get(before)
            self.mate[at], self.mate[before] = before, at
            at = following

    def shrink(self, one: int, other: int) -> None:
        base = self.common_base(one, other)
        blossom: set[int] = set()
        self.mark(one, base, other, blossom)
        self.mark(other, base, one, blossom)
        for vertex in sorted(self.graph):
            if self.base[vertex] in blossom:
                self.base[vertex] = base
                if vertex not in self.even:
                    self.even.add(vertex)
                    self.queue.append(vertex)

    def common_base(self, one: int, other: int) -> int:
        """Where the ways of two vertices to the root meet."""
        seen = set()
        at = self.base[one]
        while True:
            seen.add(at)
            if at not in self.mate:
                break
            at = self.base[self.parent[self.mate[at]]]
        at = self.base[other]
        while at not in seen:
            at = self.base[self.parent[self.mate[at]]]
        return at

    def mark(self, vertex: int, base: int, child: int, blossom: set[int]) -> None:
        """Walks down one side of a blossom, and points its edges the other way round as well."""
        while self.base[vertex] != base:
            partner = self.mate[vertex]
            blossom |= {self.base[vertex], self.base[partner]}
            self.parent[vertex] = child
            child = partner
            vertex = self.parent[partner]


def first_perfect_matching(
    vertices: Sequence[int], graph: Graph, preferences: Callable[[Sequence[int]], Iterable[int]]
) -> list[tuple[int, int]] | None:
    """Pairs up all `vertices`, or gives `None` if the graph allows no such pairing.

    The first of those unpaired gets the first partner in `preferences(unpaired)` that leaves all others a pairing.
    """
    graph = {vertex: graph[vertex] & {*vertices} for vertex in vertices}
    matching = Matching(graph)
    if not matching.complete():
        return None
    unpaired = list(vertices)
    pairs = []
    while unpaired:
        first = unpaired[0]
        partner = next(p for p in preferences(unpaired) if p in matching.graph[first] and force(matching, first, p))
        pairs.append((first, partner))
        unpaired = [vertex for vertex in unpaired if vertex not in (first, partner)]
    return pairs


def force(matching: Matching, one: int, other: int) -> bool:
    """Takes the two out of a perfect matching as a pair, if the rest then still has a perfect matching."""
    mate = matching.mate
    rest = {v: near - {one, other} for v, near in matching.graph.items() if v not in (one, other)}
    trial = Matching(rest)
    trial.mate = {v: m for v, m in mate.items() if not {v, m} & {one, other}}
    if mate[one] != other and not trial.augment(mate[one]):
        return False
    matching.graph, matching.mate = trial.graph, trial.mate
    return True


def has_perfect_matching(vertices: Sequence[int], graph: Graph) -> bool:
    """Whether all `vertices` can be paired up among themselves."""
    return Matching({vertex: graph[vertex] & {*vertices} for vertex in vertices}).complete()
