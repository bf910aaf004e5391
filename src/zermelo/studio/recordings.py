"""Recorded searches, and the cache that holds those of all pages.

A recording knows its size, while it grows and after. When all recordings together exceed the capacity of the cache, the
least recently used one is evicted; a page that returns to it has to record it again. Recordings that still grow
are never evicted: if they alone fill the cache, the one that needs more memory stops.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Collection
from typing import Any

from zermelo.errors import InputError
from zermelo.game import AnyGame
from zermelo.search.trace import Packed, Trace
from zermelo.search.trace.excerpt import MOST_NODES, Cutter
from zermelo.search.trace.html import show

CAPACITY_BYTES = 1_000_000_000
"""Of all recordings of a studio: a dozen of a million nodes each, or thousands of small ones."""
MAX_EVENTS = 10_000_000
"""Of one recording: about 250 MB with its index."""
MAX_PATH_LABELS = 12
"""Actions on the way to a part of the tree that are named: the last ones."""
INDEX_BYTES_PER_EVENT = 20
"""Approximate; the index is built when a recording ends, and memory for it is reserved before."""
NODE_FIELDS = ("parent", "child", "bound_from")
"""Fields of an event that name another node."""


class Recording:
    """One search: first only its events, which grow; then its trace, and the index by which it is shown."""

    def __init__(self, cache: RecordingCache, start: tuple[AnyGame, Any] | None = None):
        self.cache = cache
        self.start = start
        """The game and the position that is searched, where the nodes of the search are positions to be drawn."""
        self.events = Packed(most=MAX_EVENTS)
        self.done: tuple[Trace, Cutter] | None = None
        """The trace and its index, from the end of the search until it is evicted."""
        self.nbytes = 0
        """Its size, as last measured."""
        self.used = time.monotonic()
        self.ended = ""
        """Why the search was stopped, if it was."""

    def grow(self) -> bool:
        """Measures the present size and returns whether the cache has room for it."""
        self.nbytes = self.events.nbytes + INDEX_BYTES_PER_EVENT * len(self.events)
        return self.cache.make_room(self)

    def finish(self, trace: Trace) -> None:
        """Builds the index; the search is over."""
        cutter = Cutter(trace.events)
        self.nbytes = cutter.nbytes
        self.done = trace, cutter
        self.cache.make_room(self)

    def evict(self) -> None:
        """Drops everything."""
        self.events, self.done, self.nbytes = Packed(), None, 0

    @property
    def trace(self) -> Trace | None:
        return None if self.done is None else self.done[0]

    def open(self) -> tuple[Trace, Cutter]:
        """The trace and its index, which count as used now."""
        done = self.done
        if done is None:
            raise InputError("this recording has made room for newer ones; record it again")
        self.used = time.monotonic()
        return done

    def part(self, root: int, most: int) -> Trace:
        """What happens at and below the node `root`, as a trace of its own, if that has at most `most` nodes."""
        trace, cutter = self.open()
        if not 0 <= root < len(cutter.index):
            raise InputError(f"the search has no node {root}")
        size = int(cutter.index.sizes[root])
        if size > most:
            raise InputError(
                f"a tree of {size:,} nodes is too large for paper, which takes {most}: open a smaller part of it, "
                f"by a +N marker, or search less deep"
            )
        return subtrace(Trace(trace.header, cutter.events.pick(cutter.index.below(root).tolist())), root)

    def line(self, node: int) -> list[dict[str, Any]]:
        """The events that enter the nodes on the way from the root to `node`, without the root's."""
        _, cutter = self.open()
        if not 0 <= node < len(cutter.index):
            raise InputError(f"the search has no node {node}")
        return cutter.events.pick(int(cutter.index.entered[each]) for each in cutter.index.path(node)[1:])

    def view(self, root: int = 0, step: int | None = None, closed: Collection[int] = ()) -> dict[str, object]:
        """What a page shows around `step` of what happens below `root`, with nothing below the nodes in `closed`."""
        trace, cutter = self.open()
        path = [] if root == 0 or not 0 <= root < len(cutter.index) else cutter.index.path(root)
        found = show(trace.header, cutter.cut(root, step, closed), MOST_NODES)
        if self.ended:
            found["notices"].append(f"The search was stopped {self.ended}; what it had done by then is here.")
        entries = cutter.events.pick(int(cutter.index.entered[node]) for node in path[1:][-MAX_PATH_LABELS:])
        labels = [str(entry.get("label") or entry.get("name") or entry["node"])[:40] for entry in entries]
        return found | {"root": root, "path": labels}


class RecordingCache:
    """All recordings of a studio, for as long as a page refers to them."""

    def __init__(self, capacity: int = CAPACITY_BYTES):
        self.capacity = capacity
        self.lock = threading.Lock()
        self.recordings: weakref.WeakSet[Recording] = weakref.WeakSet()

    def start(self, start: tuple[AnyGame, Any] | None = None) -> Recording:
        """A new, empty recording of a search from `start`."""
        recording = Recording(self, start)
        with self.lock:
            self.recordings.add(recording)
        return recording

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in list(self.recordings))

    def make_room(self, recording: Recording) -> bool:
        """Whether the cache holds `recording` at its present size, after evicting others if need be."""
        with self.lock:
            others = [each for each in self.recordings if each is not recording and each.done is not None]
            for oldest in sorted(others, key=lambda each: each.used):
                if self.nbytes <= self.capacity:
                    break
                oldest.evict()
            return self.nbytes <= self.capacity


def subtrace(trace: Trace, root: int) -> Trace:
    """The events of `trace` at and below the node `root`, numbered, drawn and written like a whole run."""
    if root == 0:
        return trace
    numbers = _numbers_below(trace, root)
    if not numbers:
        raise InputError(f"the search has no node {root}")
    events = []
    for event in trace.events:
        if event["node"] not in numbers or event["event"] in ("iteration", "result"):
            continue
        events.append(_renumbered(event, numbers, event["node"] == root))
    return Trace({**trace.header, "position": f"node {root} of {trace.header.get('position', '')}"}, events)


def _numbers_below(trace: Trace, root: int) -> dict[int, int]:
    """The new number of each node at and below `root`, in the order in which they were entered."""
    numbers: dict[int, int] = {}
    for event in trace.events:
        if event["event"] != "enter" or event["node"] in numbers:
            continue
        if event["node"] == root or event.get("parent") in numbers:
            numbers[event["node"]] = len(numbers)
    return numbers


def _renumbered(event: dict[str, Any], numbers: dict[int, int], is_root: bool) -> dict[str, Any]:
    """`event` with the new numbers; references to nodes outside the subtree become `None`."""
    changed = {**event, "node": numbers[event["node"]]}
    for name in NODE_FIELDS:
        if changed.get(name) is not None:
            changed[name] = numbers.get(changed[name])
    if is_root and event["event"] == "enter":
        changed["parent"] = None
    return changed
