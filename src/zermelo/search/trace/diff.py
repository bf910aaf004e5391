"""Where two searches part ways: a student's trace against ours, or alpha-beta against PVS.

Two traces agree as long as their events, one by one, are of the same kind, happen at the same place of the tree and
carry the same values. Places are compared by the actions that lead to them, not by node numbers, and a field that one
of the two leaves out is not compared.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.errors import TraceError
from zermelo.search.trace.record import Event, Trace
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


COMPARED = ("enter", "leaf", "cutoff", "leave", "playout", "backup")


def diff(a: Trace, b: Trace, events: Sequence[str] = COMPARED) -> Difference | None:
    """The first step at which `a` and `b` differ in those kinds of `events`; `None` if they never do.

    A trace that its recorder truncated is compared as far as it goes.
    """
    views = {trace.header.get("view") or "max" for trace in (a, b)}
    if len(views) > 1:
        raise TraceError("one trace is in MAX's view and the other in the mover's: record both in the same view")
    places = _Places(a, b)
    steps_a, steps_b = _only(a, events), _only(b, events)
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
            path_a, path_b = places.path(0, event_a), places.path(1, event_b)
            return Difference(step_a, step_b, path_b if event_a is None else path_a, event_a, event_b, field, path_b)


def _only(trace: Trace, kinds: Sequence[str]) -> Iterator[tuple[int, Event]]:
    return ((step, event) for step, event in enumerate(trace.events, start=1) if event["event"] in kinds)


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


def _agree(a: Any, b: Any) -> bool:
    """Whether two fields are equal as far as both are known; floats may differ in the last digits."""
    if a is None or b is None:
        return True
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_agree, a, b))
    if isinstance(a, (int, float)) and isinstance(b, (int, float)):
        return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12)
    return bool(a == b)


class _Places:
    """Which nodes of two traces stand at the same place of the tree."""

    def __init__(self, a: Trace, b: Trace):
        self.entries = tuple(_entries(trace) for trace in (a, b))
        self.known: dict[tuple[int, int], bool] = {}

    def same(self, a: int, b: int) -> bool:
        """Whether node `a` of A and node `b` of B are reached from the root by the same actions."""
        climbed = []
        while (a, b) not in self.known:
            climbed.append((a, b))
            entry_a, entry_b = self.entries[0].get(a), self.entries[1].get(b)
            if entry_a is None or entry_b is None or entry_a.parent is None or entry_b.parent is None:
                # The end of a climb: both must be a root. A node that was never entered can only be one.
                self.known[a, b] = a == b == 0
            elif not entry_a.is_same_action(entry_b):
                self.known[a, b] = False
            else:
                a, b = entry_a.parent, entry_b.parent
        agree = self.known[a, b]
        self.known.update(dict.fromkeys(climbed, agree))
        return agree

    def path(self, side: int, event: Event | None) -> tuple[str, ...]:
        """The actions from the root to where `event` happens, as labels."""
        labels: list[str] = []
        entry = None if event is None else self.entries[side].get(event["node"])
        while entry is not None and entry.parent is not None:
            labels.append(entry.label or (f"child {entry.rank + 1}" if entry.action is None else clean(entry.action)))
            entry = self.entries[side].get(entry.parent)
        return tuple(reversed(labels))


@dataclass(frozen=True, slots=True)
class _Entry:
    """How a node is reached from its parent."""

    parent: int | None
    action: Any
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


def _entries(trace: Trace) -> dict[int, _Entry]:
    entries: dict[int, _Entry] = {}
    children: dict[int | None, int] = {}
    for event in trace.events:
        if event["event"] == "enter" and event["node"] not in entries:
            parent = event.get("parent")
            rank = children.get(parent, 0)
            children[parent] = rank + 1
            label = clean(event.get("label") or "")
            entries[event["node"]] = _Entry(parent, event.get("action"), label, rank)
    return entries


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
