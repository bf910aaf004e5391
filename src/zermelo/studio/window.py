"""A window into a long trace: what happened below one node, as a trace of its own.

So a tree of any size can be looked at piece by piece: the piece is numbered, drawn and told like a whole run.
"""

from __future__ import annotations

from typing import Any

from zermelo.errors import InputError
from zermelo.search.trace import Trace

REFERENCES = ("parent", "child", "bound_from")
"""Fields of an event that name another node."""


def below(trace: Trace, root: int) -> Trace:
    """The events of `trace` at the node numbered `root` and below it."""
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
    """`event` with the new numbers; what lies outside the window is nobody's number any more."""
    changed = {**event, "node": numbers[event["node"]]}
    for name in REFERENCES:
        if changed.get(name) is not None:
            changed[name] = numbers.get(changed[name])
    if is_root and event["event"] == "enter":
        changed["parent"] = None
    return changed
