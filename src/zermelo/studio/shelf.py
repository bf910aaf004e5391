"""Recorded searches, and the room that those of all pages share.

A recording knows how much memory it takes, while it grows and after. When all of them take more than there is room for,
the one that nobody has looked at for longest makes room; a page that comes back to it is told to record it again. Those
that still grow are not touched: where they alone fill the room, the one that asks for more has to stop.
"""

from __future__ import annotations

import threading
import time
import weakref
from collections.abc import Collection
from typing import Any

from zermelo.errors import InputError
from zermelo.search.trace import Packed, Trace
from zermelo.search.trace.excerpt import MOST_NODES, Cutter
from zermelo.search.trace.html import show
from zermelo.studio.window import below

ROOM = 1_000_000_000
"""Bytes that all recordings of a studio take at most: a dozen of a million nodes each, or thousands of small ones."""
MOST_EVENTS = 10_000_000
"""Steps of one recording: with its index about 250 MB."""
MOST_LABELS = 12
"""Actions on the way to a part of the tree that are named: the last ones."""
BYTES_OF_INDEX = 20
"""What the index takes for a step, about; it is made when a recording ends, and there must be room for it."""


class Recording:
    """One search: first only its events, which grow; then its trace, and the index by which it is looked at."""

    def __init__(self, shelf: Shelf):
        self.shelf = shelf
        self.events = Packed(most=MOST_EVENTS)
        self.done: tuple[Trace, Cutter] | None = None
        """The trace and its index, once the search is over and as long as there is room."""
        self.nbytes = 0
        """What it takes, as it was last measured."""
        self.used = time.monotonic()
        self.ended = ""
        """Why the search was stopped, if it was."""

    def grow(self) -> bool:
        """Measures what it has become by now, and says whether there is room for it."""
        self.nbytes = self.events.nbytes + BYTES_OF_INDEX * len(self.events)
        return self.shelf.make_room(self)

    def finish(self, trace: Trace) -> None:
        """The search is over: its index is made."""
        cutter = Cutter(trace)
        self.nbytes = cutter.nbytes
        self.done = trace, cutter
        self.shelf.make_room(self)

    def leave(self) -> None:
        """Lets go of everything, to make room."""
        self.events, self.done, self.nbytes = Packed(), None, 0

    @property
    def trace(self) -> Trace | None:
        return None if self.done is None else self.done[0]

    def look(self) -> tuple[Trace, Cutter]:
        """The trace and its index, for somebody who looks at them now."""
        done = self.done
        if done is None:
            raise InputError("this recording has made room for newer ones; record it again")
        self.used = time.monotonic()
        return done

    def part(self, root: int, most: int) -> Trace:
        """What happens at and below the node `root`, as a trace of its own, if that has at most `most` nodes."""
        trace, cutter = self.look()
        if not 0 <= root < len(cutter.index):
            raise InputError(f"the search has no node {root}")
        size = int(cutter.index.sizes[root])
        if size > most:
            raise InputError(
                f"a tree of {size:,} nodes is too large for paper, which takes {most}: open a smaller part of it, "
                f"by a +N marker, or search less deep"
            )
        return below(Trace(trace.header, cutter.events.pick(cutter.index.below(root).tolist())), root)

    def view(self, root: int = 0, step: int | None = None, closed: Collection[int] = ()) -> dict[str, Any]:
        """What a page shows around `step` of what happens below `root`, with nothing below the nodes in `closed`."""
        trace, cutter = self.look()
        path = [] if root == 0 or not 0 <= root < len(cutter.index) else cutter.index.path(root)
        found = show(trace.header, cutter.cut(root, step, closed), MOST_NODES)
        if self.ended:
            found["notices"].append(f"The search was stopped {self.ended}; what it had done by then is here.")
        entries = cutter.events.pick(int(cutter.index.entered[node]) for node in path[1:][-MOST_LABELS:])
        labels = [str(entry.get("label") or entry.get("name") or entry["node"])[:40] for entry in entries]
        return found | {"root": root, "path": labels}


class Shelf:
    """All recordings of a studio, as long as anybody has them."""

    def __init__(self, room: int = ROOM):
        self.room = room
        self.lock = threading.Lock()
        self.recordings: weakref.WeakSet[Recording] = weakref.WeakSet()

    def start(self) -> Recording:
        """A new recording, to be filled."""
        recording = Recording(self)
        with self.lock:
            self.recordings.add(recording)
        return recording

    @property
    def nbytes(self) -> int:
        return sum(each.nbytes for each in list(self.recordings))

    def make_room(self, recording: Recording) -> bool:
        """Whether there is room for what `recording` has become, after others have left if need be."""
        with self.lock:
            others = [each for each in self.recordings if each is not recording and each.done is not None]
            for oldest in sorted(others, key=lambda each: each.used):
                if self.nbytes <= self.room:
                    break
                oldest.leave()
            return self.nbytes <= self.room
