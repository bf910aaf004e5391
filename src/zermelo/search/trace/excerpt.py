"""A stretch of a long run, with as much of the tree as it takes to follow it.

A page shows a few hundred steps of a run of millions at a time. It draws the nodes that those steps touch, the path to
them from the root, the siblings of every node on that path with their values at that moment, the principal variation
where the run ends, and, while there is room, the upper levels. The rest is folded into markers. Earlier steps are not
replayed: the last event of a node says how it stands.

The index holds the events of each node, the nodes below each node, and the counts up to each step. It is built once, in
one pass over the columns, and takes 9 bytes per event and 32 per node. Each query then takes milliseconds, however long
the run is: a node's number is greater than its parent's, so one pass sorts the tree such that all nodes below a node
are contiguous.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import InputError
from zermelo.search.trace.packed import Columns, Event, Packed
from zermelo.search.trace.schema import FIELDS

CODES = {kind: code for code, kind in enumerate(FIELDS)}
ENTER, LEAF, CUTOFF = CODES["enter"], CODES["leaf"], CODES["cutoff"]
NOBODY = -1

Numbers = NDArray[np.int32]


class Index:
    """The index of one trace. Nodes are numbered from 0 in the order in which they are first entered."""

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
        """For each node, the event with which it is first entered."""
        self.parents: Numbers = parents[self.entered]
        assert len(numbers) == 0 or int(numbers[-1]) == len(numbers) - 1, "nodes count on from 0 as they are entered"
        self._measure()

    def _measure(self) -> None:
        """For each node, its depth, the size of its subtree, and its place in the order of the tree."""
        parents = self.parents.tolist()
        count = len(parents)
        sizes, depths, places = [1] * count, [0] * count, [0] * count
        for node in range(count - 1, 0, -1):
            sizes[parents[node]] += sizes[node]
        following = [1] * count
        """For each node, where its next child goes."""
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
        """Its memory, in bytes."""
        arrays = (self.kinds, self.nodes, self.entered, self.parents, self.sizes, self.depths, self.places)
        return sum(each.nbytes for each in (*arrays, *self._by_node, *self._by_parent))

    def __len__(self) -> int:
        """The number of nodes."""
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


WHOLE = 1_500
"""A run of at most this many steps is one excerpt, so that its drawing stays in place from step to step."""
STEPS = 500
"""Steps per excerpt of a longer run: about 200 nodes and their surroundings, computed in a few hundredths of a second,
and about as much of a tree as a reader can take in."""
MOST_NODES = 1_500
"""The greatest number of nodes in an excerpt; a browser moves about ten times as many SVG elements smoothly."""
FILLED = 200
"""The upper levels are added up to this number of nodes: enough for orientation, few enough to read."""
ABOVE_LEVELS = 100
"""Levels drawn above the shallowest step, in trees too deep for a screen."""
RECENT_EVENTS = 400
"""The number of latest events of a node that are considered: in Monte Carlo search the root has thousands."""
SUBTREE_NODES = 40
"""A skipped subtree of more nodes is drawn as one marker."""
COUNTED = ("enter", "leaf", "cutoff", "simulation")
"""What is counted up to each step."""
OUTSIDE = frozenset(("iteration", "simulation", "world", "vote", "result"))
"""Events of the whole run, which belong to the root only formally."""
OUTSIDE_CODES = frozenset(CODES[kind] for kind in OUTSIDE)


@dataclass(frozen=True)
class Excerpt:
    """Steps of a run, and what was there before them."""

    events: Sequence[Event]
    before: Sequence[Event] = ()
    """What makes the tree as it is before the first of `events`."""
    first: int = 0
    """The number of steps before them."""
    total: int = 0
    """The number of steps in the run."""
    counts: tuple[int, ...] = (0,) * len(COUNTED)
    """Nodes, leaves, cut-offs and simulations in the steps before."""
    next_cut: int | None = None
    """The first step after them that cuts."""
    sizes: dict[int, int] = field(default_factory=dict)
    """The number of nodes that the whole run enters at and below each drawn node; empty if all of them are drawn."""
    closed: frozenset[int] = frozenset()
    """Nodes below which nothing is drawn, because the user has folded them."""


class Cutter:
    """Cuts excerpts from one trace."""

    def __init__(self, events: Sequence[Event]):
        self.events = events if isinstance(events, Packed) else Packed(events)
        self.index = Index(self.events)

    @property
    def nbytes(self) -> int:
        """The memory of the trace and its index, in bytes."""
        return self.events.nbytes + self.index.nbytes

    def cut(self, root: int = 0, step: int | None = None, closed: Collection[int] = ()) -> Excerpt:
        """The steps around `step` (the last, if `None`) of what happens at and below the node `root`.

        Steps count from 1, within what happens there.
        """
        index = self.index
        if not 0 <= root < max(1, len(index)):
            raise InputError(f"the search has no node {root}")
        places = index.below(root) if root else None
        kinds = index.kinds if places is None else index.kinds[places]
        total = len(kinds)
        if step is not None and not 0 <= step <= total:
            raise InputError(f"there are steps from 0 to {total:,} here, not {step:,}")
        first, last = _bounds(total, total if step is None else step)
        cuts = np.flatnonzero(kinds[last:] == CUTOFF)
        shown = np.arange(first, last, dtype=np.int32) if places is None else places[first:last]
        chosen = _Choice(self, root, shown, frozenset(closed))
        return Excerpt(
            events=chosen.told,
            before=chosen.before(),
            first=first,
            total=total,
            counts=tuple(int(np.count_nonzero(kinds[:first] == CODES[kind])) for kind in COUNTED),
            next_cut=last + int(cuts[0]) + 1 if len(cuts) else None,
            sizes={node: int(index.sizes[node]) for node in chosen.nodes},
            closed=frozenset(closed),
        )


def _bounds(total: int, step: int) -> tuple[int, int]:
    """The range of the excerpt around `step`: after the first of the two steps, up to the second."""
    if total <= WHOLE:
        return 0, total
    first = max(0, step - 1) // STEPS * STEPS
    return first, min(total, first + STEPS)


class _Choice:
    """The nodes that belong to a range of steps, and what has to be known about them."""

    def __init__(self, cutter: Cutter, root: int, places: Numbers, closed: frozenset[int]):
        self.packed, self.index = cutter.events, cutter.index
        self.places = places
        self.closed = closed
        self.nodes: set[int] = set()
        events = self.packed.pick(places.tolist())
        if not len(self.index):
            self.told: list[Event] = events
            return
        self.end = int(places[-1]) + 1 if len(places) else 0
        self.top = self._find_top(root)
        self.nodes.add(self.top)
        for event in events:
            if event["event"] not in OUTSIDE:
                self._add(event["node"])
                if event.get("child") is not None:
                    self._add(event["child"])
        self._add_line(events)
        self._add_families()
        self._fill()
        self.told = [self._restrict(event) for event in events]

    def _find_top(self, root: int) -> int:
        """The node to draw from: `root`, unless everything happens very far below it."""
        inside = [code not in OUTSIDE_CODES for code in self.index.kinds[self.places].tolist()]
        touched = self.index.nodes[self.places][inside]
        if not len(touched):
            return root
        shallowest = int(touched[np.argmin(self.index.depths[touched])])
        if self.index.depths[shallowest] - self.index.depths[root] <= ABOVE_LEVELS:
            return root
        return self.index.path(shallowest, root)[-1 - ABOVE_LEVELS]

    def _add(self, node: int) -> None:
        """Adds `node` and the path to it."""
        if not self.index.is_below(node, self.top):
            return
        while node not in self.nodes:
            self.nodes.add(node)
            node = int(self.index.parents[node])

    def _family(self, node: int) -> list[int]:
        """The children of `node` that have been entered by the end of these steps."""
        return [child for child in self.index.children(node) if self.index.entered[child] < self.end]

    def _add_line(self, events: list[Event]) -> None:
        """Adds the principal line, if the run ends here."""
        for event in events:
            node = self.top
            for label in (event.get("line") or ()) if event["event"] == "result" else ():
                children = self._family(node)
                entries = self.packed.pick(self.index.entered[children].tolist())
                same = [child for child, entry in zip(children, entries, strict=True) if entry.get("label") == label]
                if not same:
                    break
                node = same[0]
                self._add(node)

    def _add_families(self) -> None:
        """Adds the siblings of every node included so far, upper levels first."""
        parents = {int(self.index.parents[node]) for node in self.nodes if node != self.top}
        for parent in sorted(parents, key=lambda node: int(self.index.depths[node])):
            self._take_in(self._family(parent), MOST_NODES)

    def _take_in(self, family: Iterable[int], most: int) -> bool:
        """Adds `family` if there is room for it."""
        new = [child for child in family if child not in self.nodes]
        if len(self.nodes) + len(new) > most:
            return False
        self.nodes.update(new)
        return True

    def _fill(self) -> None:
        """Adds the upper levels, while there is room."""
        pending = deque([self.top])
        while pending:
            node = pending.popleft()
            family = [] if node in self.closed else self._family(node)
            if family and not self._take_in(family, FILLED):
                return
            pending.extend(child for child in family if self.index.sizes[child] > 1)

    def before(self) -> list[Event]:
        """The events that give each node its standing before the first step."""
        if not len(self.places):
            return []
        start = int(self.places[0])
        inner = {int(self.index.parents[node]) for node in self.nodes if node != self.top}
        found: set[int] = set()
        for node in self.nodes:
            if self.index.entered[node] < start:
                found.add(int(self.index.entered[node]))
                found.update(self._last_words(node, start, node in inner))
        events = [self._restrict(event) for event in self.packed.pick(sorted(found))]
        for place, event in enumerate(events):
            # Where no child is drawn, those that were skipped are not either.
            if event["event"] == "cutoff" and event["node"] not in inner:
                events[place] = {**event, "skipped": []}
        return [each for each in events if each["event"] != "research" or each["child"] in self.nodes]

    def _last_words(self, node: int, start: int, is_inner: bool) -> list[int]:
        """The events before `start` that determine the standing of `node`: those since it was last entered."""
        own = self.index.events_of(node)
        own = own[: int(np.searchsorted(own, start))]
        entries = np.flatnonzero(self.index.kinds[own] == ENTER)
        own = own[int(entries[-1]) if len(entries) else 0 :]
        if len(own) > RECENT_EVENTS:
            own = np.concatenate([own[:1], own[-RECENT_EVENTS:]])
        kinds = self.index.kinds[own].tolist()
        if not is_inner:
            last = {kind: int(each) for each, kind in zip(own, kinds, strict=True)}
            return [each for kind, each in last.items() if kind not in OUTSIDE_CODES]
        return [int(each) for each, kind in zip(own, kinds, strict=True) if kind not in OUTSIDE_CODES]

    def _restrict(self, event: Event) -> Event:
        """`event` without references to nodes that are not drawn."""
        changed: dict[str, object] = {}
        if event["node"] == self.top and event.get("parent") is not None:
            changed["parent"] = None
        if event.get("bound_from") is not None and event["bound_from"] not in self.nodes:
            changed["bound_from"] = None
        if event["event"] == "value" and event["child"] not in self.nodes:
            changed["improved"] = False  # which child it was cannot be shown
        if any("tree" in skip for skip in event.get("skipped") or ()):
            changed["skipped"] = [_outline(skip) for skip in event["skipped"]]
        return {**event, **changed} if changed else event


def _outline(skip: dict[str, object]) -> dict[str, object]:
    """The skipped action, without its tree if that is large."""
    pending, seen = [skip.get("tree")], 0
    while pending and seen <= SUBTREE_NODES:
        written = pending.pop()
        seen += 1
        if isinstance(written, dict):
            pending.extend(written.values())
        elif isinstance(written, (list, tuple)):
            pending.extend(written)
    return skip if seen <= SUBTREE_NODES else {name: value for name, value in skip.items() if name != "tree"}
