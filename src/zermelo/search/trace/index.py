"""What lies where in a long trace: the events of each node, the nodes below each node, counts up to any step.

It is made once, in a pass over the columns, and takes 9 bytes an event and 32 a node. Every question after that is
answered in milliseconds, however long the run is: a node's number is greater than its parent's, so that one pass puts
the tree into an order in which whatever lies below a node stands together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.search.trace.packed import Columns, Event, Packed
from zermelo.search.trace.schema import FIELDS

CODES = {kind: code for code, kind in enumerate(FIELDS)}
ENTER, LEAF, CUTOFF = CODES["enter"], CODES["leaf"], CODES["cutoff"]
NOBODY = -1

Numbers = NDArray[np.int32]


class Index:
    """The index of one trace, whose nodes are numbered from 0 on as they are first entered."""

    def __init__(self, events: Sequence[Event]):
        packed = events if isinstance(events, Packed) else Packed(events)
        read = [_read(columns) for columns in packed.columns()]
        self.kinds: NDArray[np.uint8] = np.concatenate([kinds for kinds, _, _ in read])
        self.nodes: Numbers = np.concatenate([nodes for _, nodes, _ in read])
        parents = np.concatenate([parents for _, _, parents in read])
        del read
        entries = np.flatnonzero(self.kinds == ENTER)
        numbers, firsts = np.unique(self.nodes[entries], return_index=True)
        self.entered: Numbers = entries[firsts].astype(np.int32)
        """Of each node, the event with which it is first entered."""
        self.parents: Numbers = parents[self.entered]
        assert len(numbers) == 0 or int(numbers[-1]) == len(numbers) - 1, "nodes count on from 0 as they are entered"
        self._measure()

    def _measure(self) -> None:
        """How deep each node lies, how many there are at and below it, and where it stands in the order of the tree."""
        parents = self.parents.tolist()
        count = len(parents)
        sizes, depths, places = [1] * count, [0] * count, [0] * count
        for node in range(count - 1, 0, -1):
            sizes[parents[node]] += sizes[node]
        following = [1] * count
        """Of each node, where its next child goes."""
        for node in range(1, count):
            above = parents[node]
            depths[node] = depths[above] + 1
            places[node] = following[above]
            following[above] += sizes[node]
            following[node] = places[node] + 1
        self.sizes: Numbers = np.array(sizes, np.int32)
        self.depths: Numbers = np.array(depths, np.int32)
        self.places: Numbers = np.array(places, np.int32)

    @cached_property
    def _by_node(self) -> tuple[Numbers, Numbers]:
        """All events, sorted by node, and where those of each node begin."""
        return _group(self.nodes, len(self.parents))

    @cached_property
    def _by_parent(self) -> tuple[Numbers, Numbers]:
        """All nodes but the root, sorted by parent, and where those of each parent begin."""
        children, starts = _group(self.parents[1:], len(self.parents))
        return children + 1, starts

    @property
    def nbytes(self) -> int:
        """How much memory it takes."""
        arrays = (self.kinds, self.nodes, self.entered, self.parents, self.sizes, self.depths, self.places)
        return sum(each.nbytes for each in (*arrays, *self._by_node, *self._by_parent))

    def __len__(self) -> int:
        """How many nodes there are."""
        return len(self.parents)

    def events_of(self, node: int) -> Numbers:
        """The events about `node`, in their order."""
        events, starts = self._by_node
        return events[starts[node] : starts[node + 1]]

    def children(self, node: int) -> list[int]:
        """Its children, in the order in which they were first entered."""
        nodes, starts = self._by_parent
        return [int(each) for each in nodes[starts[node] : starts[node + 1]]]

    def below(self, root: int) -> Numbers:
        """The events at `root` and below it, in their order."""
        if root == 0:
            return np.arange(len(self.nodes), dtype=np.int32)
        places = self.places[self.nodes]
        first = self.places[root]
        return np.flatnonzero((places >= first) & (places < first + self.sizes[root])).astype(np.int32)

    def is_below(self, node: int, root: int) -> bool:
        """Whether `node` is `root` or lies below it."""
        return bool(0 <= self.places[node] - self.places[root] < self.sizes[root])

    def path(self, node: int, root: int = 0) -> list[int]:
        """The nodes from `root`, which is an ancestor of `node` or the node itself, to `node`."""
        path = [node]
        while path[-1] != root:
            path.append(int(self.parents[path[-1]]))
        return path[::-1]


def _read(columns: Columns) -> tuple[NDArray[np.uint8], Numbers, Numbers]:
    """Kinds, nodes and parents (`NOBODY` where there is none) of a block of events."""
    order = np.array(columns.order, np.int32)
    kinds = np.zeros(len(order), np.uint8)
    nodes = np.zeros(len(order), np.int32)
    parents = np.full(len(order), NOBODY, np.int32)
    for number, (names, values) in enumerate(columns.shapes):
        here = order == number
        found: dict[str, Any] = dict(zip(names, values, strict=True))
        kinds[here] = [CODES[kind] for kind in found["event"]]
        nodes[here] = found["node"]
        if "parent" in found:
            parents[here] = [NOBODY if parent is None else parent for parent in found["parent"]]
    return kinds, nodes, parents


def _group(keys: Numbers, count: int) -> tuple[Numbers, Numbers]:
    """The places in `keys`, sorted by key, and where each key below `count` begins; after them, where the last ends."""
    starts = np.zeros(count + 1, np.int32)
    np.cumsum(np.bincount(keys, minlength=count), out=starts[1:])
    return np.argsort(keys, kind="stable").astype(np.int32), starts
