"""A stretch of a long run, with as much of the tree as it takes to follow it.

Of a run of millions of steps a page is shown some hundreds at a time. What is drawn then is what those steps touch, the
way there from the root, the brothers and sisters of everything on that way with the values they have by then, the
principal line where the run ends, and, while there is room, the upper levels. The rest is folded into markers. What has
happened before is not replayed: a node's own last words say how it stands.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.errors import InputError
from zermelo.search.trace.index import CODES, CUTOFF, ENTER, Index, Numbers
from zermelo.search.trace.packed import Event, Packed
from zermelo.search.trace.record import Trace

WHOLE = 1_500
"""A run of so many steps is one excerpt: nothing in its drawing moves while one steps through it."""
STEPS = 500
"""Steps of one excerpt of a longer run: some 200 nodes and their surroundings, worked out in a few hundredths of a
second, and about as much of a tree as one can find one's way in."""
MOST_NODES = 1_500
"""Nodes that an excerpt has at most: SVG of ten times as many elements is the most that a browser moves smoothly."""
FILLED = 200
"""Nodes up to which the upper levels are added: enough to see where one is, few enough to find one's way."""
ABOVE = 100
"""Levels above the shallowest step that are drawn, of trees that are deeper than any screen."""
RECENT = 400
"""Of the events of one node, so many of the last are looked at: in Monte Carlo search the root has thousands."""
SUBTREE = 40
"""A skipped subtree that is larger is drawn as one marker."""
COUNTED = ("enter", "leaf", "cutoff", "simulation")
"""What is counted up to each step."""
OUTSIDE = frozenset(("iteration", "simulation", "result"))
"""Events of the whole run, which are at the root in name only."""
OUTSIDE_CODES = frozenset(CODES[kind] for kind in OUTSIDE)


@dataclass(frozen=True)
class Excerpt:
    """Steps of a run, and what was there before them."""

    events: Sequence[Event]
    before: Sequence[Event] = ()
    """What makes the tree as it is before the first of `events`."""
    first: int = 0
    """How many steps come before them."""
    total: int = 0
    """How many steps the run has."""
    counts: tuple[int, ...] = (0,) * len(COUNTED)
    """Nodes, leaves, cut-offs and simulations in the steps before."""
    next_cut: int | None = None
    """The first step after them that cuts."""
    sizes: dict[int, int] = field(default_factory=dict)
    """How many nodes the whole run enters at and below each node that is drawn; empty if all of them are here."""
    closed: frozenset[int] = frozenset()
    """Nodes below which nothing is drawn, because somebody has folded them."""


class Cutter:
    """Cuts excerpts from one trace."""

    def __init__(self, trace: Trace):
        self.events = trace.events if isinstance(trace.events, Packed) else Packed(trace.events)
        self.index = Index(self.events)

    @property
    def nbytes(self) -> int:
        """How much memory the trace and its index take."""
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
    """Between which steps the excerpt around `step` lies: after the first of them, up to the second."""
    if total <= WHOLE:
        return 0, total
    first = max(0, step - 1) // STEPS * STEPS
    return first, min(total, first + STEPS)


class _Choice:
    """Which nodes go with some steps, and what is to be known of them."""

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
        if self.index.depths[shallowest] - self.index.depths[root] <= ABOVE:
            return root
        return self.index.path(shallowest, root)[-1 - ABOVE]

    def _add(self, node: int) -> None:
        """Adds `node` and the way to it."""
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
        """Adds the brothers and sisters of every node that is there, those of upper levels first."""
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
        """How each node came to stand as it does before the first step."""
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
        """The events before `start` by which the standing of `node` is known: those since it was last entered."""
        own = self.index.events_of(node)
        own = own[: int(np.searchsorted(own, start))]
        entries = np.flatnonzero(self.index.kinds[own] == ENTER)
        own = own[int(entries[-1]) if len(entries) else 0 :]
        if len(own) > RECENT:
            own = np.concatenate([own[:1], own[-RECENT:]])
        kinds = self.index.kinds[own].tolist()
        if not is_inner:
            last = {kind: int(each) for each, kind in zip(own, kinds, strict=True)}
            return [each for kind, each in last.items() if kind not in OUTSIDE_CODES]
        return [int(each) for each, kind in zip(own, kinds, strict=True) if kind not in OUTSIDE_CODES]

    def _restrict(self, event: Event) -> Event:
        """`event` with nothing in it that leads out of what is drawn."""
        changed: dict[str, Any] = {}
        if event["node"] == self.top and event.get("parent") is not None:
            changed["parent"] = None
        if event.get("bound_from") is not None and event["bound_from"] not in self.nodes:
            changed["bound_from"] = None
        if event["event"] == "value" and event["child"] not in self.nodes:
            changed["improved"] = False  # which child it was cannot be shown
        if any("tree" in skip for skip in event.get("skipped") or ()):
            changed["skipped"] = [_outline(skip) for skip in event["skipped"]]
        return {**event, **changed} if changed else event


def _outline(skip: dict[str, Any]) -> dict[str, Any]:
    """What was skipped, without its tree if that is large."""
    pending, seen = [skip.get("tree")], 0
    while pending and seen <= SUBTREE:
        written = pending.pop()
        seen += 1
        if isinstance(written, dict):
            pending.extend(written.values())
        elif isinstance(written, (list, tuple)):
            pending.extend(written)
    return skip if seen <= SUBTREE else {name: value for name, value in skip.items() if name != "tree"}
