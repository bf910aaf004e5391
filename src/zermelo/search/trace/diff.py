"""Where two searches part ways: a student's trace against ours, or alpha-beta against PVS.

Two traces agree as long as their events, one by one, are of the same kind, happen at the same place of the tree and
carry the same values. Places are compared by the actions that lead to them, not by node numbers, and a field that one
of the two leaves out is not compared.
"""

from __future__ import annotations

import math
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from zermelo.errors import TraceError
from zermelo.search.trace.packed import BLOCK, Event, Packed
from zermelo.search.trace.record import Trace
from zermelo.search.trace.words import clean, number, window

FIELDS = {
    "enter": ("alpha", "beta"),
    "leaf": ("value", "reason"),
    "value": ("value", "best"),
    "window": ("alpha", "beta"),
    "cutoff": ("reason", "value", "bound"),
    "table": ("value", "used"),
    "extend": ("reason",),
    "research": ("alpha", "beta"),
    "leave": ("value",),
    "iteration": ("depth",),
    "simulation": ("count",),
    "world": ("text",),
    "vote": ("labels",),
    "front": ("vectors",),
    "select": (),
    "playout": ("value", "reason"),
    "backup": ("value", "visits"),
    "result": ("value",),
}
SPOKEN = {"alpha": "α", "beta": "β", "value": "the value", "place": "the node", "event": "the kind of step"}


@dataclass(frozen=True)
class Difference:
    """The first step at which trace A and trace B differ."""

    step_a: int
    """The number of A's step, as `Trace.svg(step)` counts; one past the last if A has ended."""
    step_b: int
    path: tuple[str, ...]
    """The actions from the root to where A is (where B is, if A has ended)."""
    a: Event | None
    """What A does; `None` if it has ended."""
    b: Event | None
    field: str
    """What differs: `event`, `place`, `end`, or the name of a field."""
    path_b: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.say("A", "B")

    def say(self, first: str, second: str) -> str:
        """The difference in words, with these names for the two searches."""
        same_place = self.path == self.path_b and self.a is not None and self.b is not None
        where = f", at {_say_path(self.path)}" if same_place else ""
        head = f"The searches part ways at step {self.step_a} of {first}, step {self.step_b} of {second}{where}:"
        place_a, place_b = ("", "") if same_place else (_say_path(self.path), _say_path(self.path_b))
        lines = [head, f"  {first} {_say(self.a, place_a)}", f"  {second} {_say(self.b, place_b)}"]
        if self.field not in ("end", "event", "place"):
            lines.append(f"What differs is {SPOKEN.get(self.field, self.field)}.")
        return "\n".join(lines)


COMPARED = ("enter", "leaf", "cutoff", "leave", "world", "front", "playout", "backup")


def diff(
    a: Trace, b: Trace, events: Sequence[str] = COMPARED, stop: Callable[[], bool] = lambda: False
) -> Difference | None:
    """The first step at which `a` and `b` differ in those kinds of `events`; `None` if they never do.

    A trace that its recorder truncated is compared as far as it goes. `stop` is asked now and then; once it says yes,
    a `TraceError` ends the comparison.
    """
    views = {trace.header.get("view") or "max" for trace in (a, b)}
    if len(views) > 1:
        raise TraceError("one trace is in MAX's view and the other in the mover's: record both in the same view")
    common = 0
    if isinstance(a.events, Packed) and isinstance(b.events, Packed):
        common = a.events.common(b.events, stop)
        if common == len(a) == len(b):
            return None
    sides = _Side(a, stop), _Side(b, stop)
    sides[0].pass_by(common)
    sides[1].know(sides[0])
    places = _Places(*sides)
    steps_a, steps_b = (side.read(events, common) for side in sides)
    while True:
        step_a, event_a = next(steps_a, (len(a) + 1, None))
        step_b, event_b = next(steps_b, (len(b) + 1, None))
        if event_a is None or event_b is None:
            ended = a if event_a is None else b
            if event_a is event_b or ended.header.get("truncated"):
                return None
            field = "end"
        else:
            field = _first_difference(event_a, event_b, places)
        if field:
            path_a, path_b = sides[0].path(event_a), sides[1].path(event_b)
            return Difference(step_a, step_b, path_b if event_a is None else path_a, event_a, event_b, field, path_b)


def _first_difference(a: Event, b: Event, places: _Places) -> str:
    """What differs between two events: a field's name, or nothing."""
    if not places.same(a["node"], b["node"]):
        return "place"
    if a["event"] != b["event"]:
        return "event"
    for name in FIELDS.get(a["event"], ()):
        if not _agree(a.get(name), b.get(name)):
            return name
    return ""


def _agree(a: object, b: object) -> bool:
    """Whether two fields are equal as far as both are known; floats may differ in the last digits."""
    if a is None or b is None:
        return True
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_agree, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
    return bool(a == b)


NOBODY, UNKNOWN = -1, -2
_clean = lru_cache(maxsize=4096)(clean)


class _Side:
    """One of the two traces, read once from the beginning. Keeps four integers per node, not its names."""

    def __init__(self, trace: Trace, stop: Callable[[], bool]):
        self.events = trace.events
        self.stop = stop
        self.parents, self.entered, self.ranks, self.children = (array("q") for _ in range(4))
        self.newest: tuple[int, Event] = UNKNOWN, {}
        """The node noted last, which is looked up first, and how it was entered."""

    def pass_by(self, count: int) -> None:
        """Notes the nodes that are entered in the first `count` events."""
        deque(self.read((), 0, count), maxlen=0)

    def know(self, other: _Side) -> None:
        """Takes over what `other` has noted, since both begin with the same events."""
        self.parents, self.entered, self.ranks, self.children = (column[:] for column in other._columns())
        self.newest = other.newest

    def read(self, kinds: Sequence[str], start: int = 0, end: int | None = None) -> Iterator[tuple[int, Event]]:
        """The events of `kinds` with their steps; every node on the way is noted when it is first entered."""
        for first in range(start, len(self.events) if end is None else end, BLOCK):
            if self.stop():
                raise TraceError("the comparison was stopped")
            yield from self._read_block(kinds, first)

    def _read_block(self, kinds: Sequence[str], first: int) -> Iterator[tuple[int, Event]]:
        for place, event in enumerate(self.events[first : first + BLOCK], first):
            if event["event"] == "enter":
                self._note(place, event)
            if event["event"] in kinds:
                yield place + 1, event

    def _note(self, place: int, event: Event) -> None:
        node, parent = event["node"], event.get("parent")
        while len(self.parents) <= node:
            for column, value in zip(self._columns(), (UNKNOWN, 0, 0, 0), strict=True):
                column.append(value)
        if self.parents[node] != UNKNOWN:
            return
        self.parents[node], self.entered[node] = NOBODY if parent is None else parent, place
        self.newest = node, event
        if parent is not None and parent < len(self.children):
            self.ranks[node] = self.children[parent]
            self.children[parent] += 1

    def _columns(self) -> tuple[array[int], ...]:
        return self.parents, self.entered, self.ranks, self.children

    def parent(self, node: int) -> int:
        """The number of its parent; `NOBODY` for a root, and for what was never entered."""
        known = node < len(self.parents) and self.parents[node] != UNKNOWN
        return self.parents[node] if known else NOBODY

    def entry(self, node: int) -> _Entry:
        event = self.newest[1] if self.newest[0] == node else self.events[self.entered[node]]
        return _Entry(event.get("action"), _clean(event.get("label") or ""), self.ranks[node])

    def path(self, event: Event | None) -> tuple[str, ...]:
        """The actions from the root to where `event` happens, as labels."""
        labels: list[str] = []
        node = NOBODY if event is None else event["node"]
        while node != NOBODY and (parent := self.parent(node)) != NOBODY:
            entry = self.entry(node)
            labels.append(entry.label or (f"child {entry.rank + 1}" if entry.action is None else clean(entry.action)))
            node = parent
        return tuple(reversed(labels))


class _Places:
    """Which nodes of two traces stand at the same place of the tree."""

    def __init__(self, a: _Side, b: _Side):
        self.a, self.b = a, b
        self.twins = array("q", (UNKNOWN if each == UNKNOWN else node for node, each in enumerate(a.parents)))
        """For each node of B, the node of A at the same place, as far as known."""

    def same(self, a: int, b: int) -> bool:
        """Whether node `a` of A and node `b` of B are reached from the root by the same actions."""
        climbed = []
        while not (b < len(self.twins) and self.twins[b] == a):
            climbed.append((a, b))
            above_a, above_b = self.a.parent(a), self.b.parent(b)
            if above_a == NOBODY or above_b == NOBODY:
                # The end of a climb: both must be a root. A node that was never entered can only be one.
                if not a == b == 0:
                    return False
                break
            if not self.a.entry(a).is_same_action(self.b.entry(b)):
                return False
            a, b = above_a, above_b
        for twin, node in climbed:
            while len(self.twins) <= node:
                self.twins.append(UNKNOWN)
            self.twins[node] = twin
        return True


@dataclass(slots=True)
class _Entry:
    """How a node is reached from its parent."""

    action: object
    label: str
    rank: int
    """Which of its parent's children it is, in the order in which they were first entered."""

    def is_same_action(self, other: _Entry) -> bool:
        """By label, by action, or by the one's label and the other's action; else by rank."""
        if self.label and other.label:
            return self.label == other.label
        if self.action is not None and other.action is not None:
            return bool(self.action == other.action)
        names = [clean(each.label or ("" if each.action is None else each.action)) for each in (self, other)]
        return names[0] == names[1] if all(names) else self.rank == other.rank


def _say_path(path: tuple[str, ...]) -> str:
    return " → ".join(path) if path else "the root"


def _say(event: Event | None, place: str) -> str:
    """What one of the two does, as the end of a sentence that begins with its name."""
    if event is None:
        return "has ended."
    kind, value = event["event"], number(event.get("value"))
    at = f" {place}" if place else ""
    there = f" at {place}" if place else ""
    if kind == "enter":
        bounds = window(event.get("alpha"), event.get("beta"))
        return f"enters{at or ' it'}{' with ' + bounds if bounds else ''}."
    if kind == "leaf":
        reason = f" ({event['reason']})" if event.get("reason") else ""
        return f"values the leaf{at} at {value}{reason}."
    if kind == "leave":
        return f"leaves{at or ' it'} with the value {value}."
    if kind == "cutoff":
        reason = f" by {event['reason']}" if event.get("reason") else ""
        bound = f" against {number(event['bound'])}" if event.get("bound") is not None else ""
        return f"cuts off{there}{reason}{' with ' + value if value else ''}{bound}: it skips the remaining actions."
    known = [(name, event[name]) for name in FIELDS.get(kind, ()) if event.get(name) is not None]
    told = ", ".join(f"{name} {each if isinstance(each, (str, bool)) else number(each)}" for name, each in known)
    return f"has `{kind}`{there}{': ' + told if told else ''}."
