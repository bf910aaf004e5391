"""Traces written by hand, event by event, so that nothing here depends on the searches that record them."""

from __future__ import annotations

from math import inf
from typing import Any

from zermelo.search.trace import Trace

Event = dict[str, Any]


def enter(node: int, parent: int | None, label: str, kind: str, window: tuple[float, float], **more: Any) -> Event:
    alpha, beta = window
    named = {"name": "", "ply": 0, "depth": None, "mode": "", "player": {"max": 0, "min": 1}.get(kind)}
    place = {"event": "enter", "node": node, "parent": parent, "action": label or None, "label": label}
    return {**place, "kind": kind, "alpha": alpha, "beta": beta, **named, **more}


def leaf(node: int, parent: int, label: str, value: Any, window: tuple[float, float] = (-inf, inf)) -> list[Event]:
    """Entering, valuing and leaving one leaf."""
    return [
        enter(node, parent, label, "leaf", window),
        {"event": "leaf", "node": node, "value": value, "reason": "terminal"},
    ]


def value(node: int, child: int, value: Any, best: Any, improved: bool = True) -> Event:
    return {"event": "value", "node": node, "child": child, "value": value, "best": best, "improved": improved}


def window(node: int, alpha: float, beta: float) -> Event:
    return {"event": "window", "node": node, "alpha": alpha, "beta": beta}


def leave(node: int, value: Any, bound: str = "exact") -> Event:
    return {"event": "leave", "node": node, "value": value, "bound": bound}


def cutoff(node: int, reason: str, value: float, bound: float, source: int | None, skipped: list[Event]) -> Event:
    found = {"reason": reason, "value": value, "bound": bound, "bound_from": source, "skipped": skipped}
    return {"event": "cutoff", "node": node, **found}


def result(value: Any, line: list[str], nodes: int, leaves: int, cutoffs: int) -> Event:
    best = {"action": line[0], "label": line[0], "line": line}
    counts = {"nodes": nodes, "leaves": leaves, "cutoffs": cutoffs, "exact": True}
    return {"event": "result", "node": 0, "value": value, **best, **counts}


def header(game: str, algorithm: str = "alphabeta", **more: Any) -> dict[str, Any]:
    return {"trace": 1, "game": game, "algorithm": algorithm, "position": "0", "view": "max", **more}


def two_ply() -> Trace:
    """A = MAX(B, C, D), B = MIN(3, 12, 8), C = MIN(2, 4, 6), D = MIN(14, 5, 2): 4 and 6 are never looked at."""
    whole, after_b = (-inf, inf), (3, inf)
    events = [enter(0, None, "", "max", whole, name="A"), enter(1, 0, "a1", "min", whole, name="B")]
    events += [*leaf(2, 1, "b1", 3), value(1, 2, 3, 3), window(1, -inf, 3)]
    events += [*leaf(3, 1, "b2", 12), value(1, 3, 12, 3, False), *leaf(4, 1, "b3", 8), value(1, 4, 8, 3, False)]
    events += [leave(1, 3), value(0, 1, 3, 3), window(0, 3, inf)]
    events += [enter(5, 0, "a2", "min", after_b, name="C"), *leaf(6, 5, "c1", 2, after_b), value(5, 6, 2, 2)]
    events += [window(5, 3, 2)]
    skipped = [{"action": "c2", "label": "c2", "tree": 4}, {"action": "c3", "label": "c3", "tree": 6}]
    events += [cutoff(5, "alpha", 2, 3, 0, skipped), leave(5, 2, "upper"), value(0, 5, 2, 3, False)]
    events += [enter(7, 0, "a3", "min", after_b, name="D")]
    for node, label, worth in ((8, "d1", 14), (9, "d2", 5), (10, "d3", 2)):
        events += [*leaf(node, 7, label, worth, after_b), value(7, node, worth, worth), window(7, 3, worth)]
    events += [leave(7, 2, "upper"), value(0, 7, 2, 3, False), leave(0, 3)]
    return Trace(header("the two-ply tree"), [*events, result(3, ["a1", "b1"], 11, 7, 1)])


def eight_steps() -> Trace:
    """D = MAX(2, 3), E = MAX(5, 9), F = MAX(0, 1), G = MAX(7, 5): 9 is pruned, and the whole of G."""
    whole = (-inf, inf)
    events = [enter(0, None, "", "max", whole, name="A"), enter(1, 0, "a1", "min", whole, name="B")]
    events += [enter(2, 1, "b1", "max", whole, name="D")]
    events += [*leaf(3, 2, "d1", 2), value(2, 3, 2, 2), window(2, 2, inf)]
    events += [*leaf(4, 2, "d2", 3), value(2, 4, 3, 3), window(2, 3, inf), leave(2, 3)]
    events += [value(1, 2, 3, 3), window(1, -inf, 3), enter(5, 1, "b2", "max", (-inf, 3), name="E")]
    events += [*leaf(6, 5, "e1", 5), value(5, 6, 5, 5), window(5, 5, 3)]
    events += [cutoff(5, "beta", 5, 3, 1, [{"action": "e2", "label": "e2", "tree": 9}])]
    events += [leave(5, 5, "lower"), value(1, 5, 5, 3, False), leave(1, 3), value(0, 1, 3, 3), window(0, 3, inf)]
    events += [enter(7, 0, "a2", "min", (3, inf), name="C"), enter(8, 7, "c1", "max", (3, inf), name="F")]
    events += [*leaf(9, 8, "f1", 0), value(8, 9, 0, 0), *leaf(10, 8, "f2", 1), value(8, 10, 1, 1)]
    events += [leave(8, 1, "upper"), value(7, 8, 1, 1), window(7, 3, 1)]
    whole_of_g = {"name": "G", "max": {"g1": 7, "g2": 5}}
    events += [cutoff(7, "alpha", 1, 3, 0, [{"action": "c2", "label": "c2", "tree": whole_of_g}])]
    events += [leave(7, 1, "upper"), value(0, 7, 1, 3, False), leave(0, 3)]
    return Trace(header("eight steps"), [*events, result(3, ["a1", "b1", "d2"], 11, 5, 2)])


def chance() -> Trace:
    """MAX over a chance node worth 0.9 · 2 + 0.1 · 3 and a sure 2."""
    whole = (-inf, inf)
    events = [enter(0, None, "", "max", whole), enter(1, 0, "roll", "chance", whole)]
    rolled = (*leaf(2, 1, "low", 2), value(1, 2, 2, 1.8), *leaf(3, 1, "high", 3), value(1, 3, 3, 2.1))
    events += [
        {**each, "probability": {2: 0.9, 3: 0.1}[each["node"]]} if each["event"] == "enter" else each for each in rolled
    ]
    events += [leave(1, 2.1), value(0, 1, 2.1, 2.1), *leaf(4, 0, "stay", 2), value(0, 4, 2, 2.1, False), leave(0, 2.1)]
    return Trace(header("a die", "expectiminimax"), [*events, result(2.1, ["roll"], 5, 3, 0)])


def research() -> Trace:
    """Two iterations of PVS: the second child fails high in a zero window and is searched again; a table helps."""
    whole = (-inf, inf)
    events = [{"event": "iteration", "node": 0, "depth": 1}, enter(0, None, "", "max", whole)]
    events += [*leaf(1, 0, "left", 3), value(0, 1, 3, 3), window(0, 3, inf)]
    events += [enter(2, 0, "right", "min", (3, 4), mode="zero window")]
    events += [{"event": "leaf", "node": 2, "value": 5, "reason": "cutoff"}]
    again = {"event": "research", "node": 0, "child": 2, "reason": "failed high", "alpha": 5, "beta": inf}
    events += [
        again,
        enter(2, 0, "right", "min", (5, inf)),
        {"event": "leaf", "node": 2, "value": 6, "reason": "cutoff"},
    ]
    events += [value(0, 2, 6, 6), leave(0, 6), {"event": "iteration", "node": 0, "depth": 2}]
    events += [enter(0, None, "", "max", whole), enter(2, 0, "right", "min", whole)]
    known = {"value": 6, "bound": "lower", "depth": 1, "used": True}
    events += [{"event": "extend", "node": 2, "reason": "check"}, {"event": "table", "node": 2, **known}]
    events += [value(0, 2, 6, 6), window(0, 6, inf)]
    events += [cutoff(0, "beta", 6, 6, None, [{"action": "left", "label": "left"}]), leave(0, 6, "lower")]
    return Trace(header("again", "pvs+table"), [*events, result(6, ["right"], 6, 3, 1)])


def three_players() -> Trace:
    events = [enter(0, None, "", "player", (0, 0), player=0, alpha=None, beta=None)]
    for node, label, worth in ((1, "a", [1, 2, 6]), (2, "b", [4, 3, 3])):
        events += [*leaf(node, 0, label, worth), value(0, node, worth, worth)]
    return Trace(header("three", "maxn"), [*events, leave(0, [4, 3, 3]), result([4, 3, 3], ["b"], 3, 2, 0)])


def truncated() -> Trace:
    whole = two_ply()
    return Trace(header("the two-ply tree", truncated=True), whole.events[:12])


def by_a_student() -> Trace:
    """The two-ply tree with nothing but what one cannot do without."""
    kept = ("event", "node", "parent", "label", "alpha", "beta", "value", "child")
    kinds = ("enter", "leaf", "cutoff", "leave")
    whole = [event for event in two_ply().events if event["event"] in kinds]
    return Trace({"trace": 1}, [{name: event[name] for name in kept if name in event} for event in whole])


STREAMS = [two_ply, eight_steps, chance, research, three_players, truncated, by_a_student]
