"""What a line of a trace may say. `docs/reference/trace-format.md` is the specification.

A student's own program may leave out whatever it does not know: only the fields in `REQUIRED` must be there. A field
that is there must have the right type; fields that the format does not name are kept as they are.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zermelo.errors import TraceError, TreeError
from zermelo.game.tree import read_branch

VERSION = 1
TERMS = ("visits", "prior", "mean", "exploration", "score")
"""What a choice among siblings tells of each of them."""


@dataclass(frozen=True, slots=True)
class Field:
    """One type of field: what it takes, in words and as a test, and how its text becomes a value."""

    wants: str
    accepts: Callable[[Any], bool]
    decode: Callable[[Any], Any] = lambda value: value


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    if value in ("inf", "-inf"):
        return True
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) < 2**1023


def _is_value(value: object) -> bool:
    return all(map(_is_number, value)) and bool(value) if isinstance(value, list) else _is_number(value)


def _is_action(value: object) -> bool:
    return value is None or isinstance(value, str) or _is_whole(value)


def _is_skip(value: object) -> bool:
    return (
        isinstance(value, dict)
        and _is_action(value.get("action"))
        and isinstance(value.get("label", ""), str)
        and ("action" in value or "label" in value)
        and ("tree" not in value or _is_tree(value["tree"]))
    )


def _is_comparison(value: object) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("label"), str)
        and isinstance(value.get("chosen"), bool)
        and "score" in value
        and all(_is_number(value[name]) for name in TERMS if name in value)
    )


def _is_count(value: object) -> bool:
    return isinstance(value, dict) and isinstance(value.get("label"), str) and _is_whole(value.get("votes"))


def _is_tree(data: object) -> bool:
    pending = [data]
    try:
        while pending:
            pending.extend(read_branch(pending.pop(), 0).children)
    except (TreeError, OverflowError):
        return False
    return True


def _decode_value(value: object) -> Any:
    if isinstance(value, list):
        return [_decode_value(each) for each in value]
    return float(value) if isinstance(value, str) else value


def _choice(*words: str) -> Field:
    return Field(f"one of {', '.join(words)}", lambda value: value in words)


TEXT = Field("a text", lambda value: isinstance(value, str))
WHOLE = Field("a whole number", _is_whole)
COUNT = Field("a whole number, 0 or more", lambda value: _is_whole(value) and value >= 0)
FLAG = Field("true or false", lambda value: isinstance(value, bool))
NUMBER = Field('a number, "inf" or "-inf"', _is_number, _decode_value)
VALUE = Field('a number, "inf", "-inf", or a list of these, one a player', _is_value, _decode_value)
PROBABILITY = Field("a number from 0 to 1", lambda value: _is_number(value) and 0 <= _decode_value(value) <= 1)
ACTION = Field("a whole number, a text or null", _is_action)
LINE = Field("a list of actions", lambda value: isinstance(value, list) and all(map(_is_action, value)))
SKIPPED = Field(
    "a list of records with action, label and perhaps tree",
    lambda value: isinstance(value, list) and all(map(_is_skip, value)),
)
COMPARED = Field(
    "a list of records with label, chosen, score and perhaps visits, prior, mean, exploration",
    lambda value: isinstance(value, list) and all(map(_is_comparison, value)),
    lambda value: [
        {name: _decode_value(each) if name in TERMS else each for name, each in one.items()} for one in value
    ],
)
LABELS = Field(
    "a list of texts",
    lambda value: isinstance(value, list) and all(isinstance(each, str) for each in value),
)
TALLY = Field(
    "a list of records with label and votes",
    lambda value: isinstance(value, list) and all(map(_is_count, value)),
)
VECTORS = Field(
    "a list of lists of numbers",
    lambda value: isinstance(value, list) and all(isinstance(each, list) and _is_value(each) for each in value),
    _decode_value,
)
KIND = _choice("max", "min", "chance", "player", "leaf")
BOUND = _choice("exact", "lower", "upper")

HEADER = {
    "game": TEXT,
    "algorithm": TEXT,
    "position": TEXT,
    "view": _choice("max", "mover"),
    "truncated": FLAG,
}

FIELDS: dict[str, dict[str, Field]] = {
    "enter": {
        "parent": COUNT,
        "action": ACTION,
        "label": TEXT,
        "probability": PROBABILITY,
        "kind": KIND,
        "player": WHOLE,
        "name": TEXT,
        "ply": COUNT,
        "depth": NUMBER,
        "alpha": NUMBER,
        "beta": NUMBER,
        "mode": TEXT,
        "compared": COMPARED,
    },
    "leaf": {"value": VALUE, "reason": TEXT},
    "value": {"child": COUNT, "value": VALUE, "best": VALUE, "improved": FLAG},
    "window": {"alpha": NUMBER, "beta": NUMBER},
    "cutoff": {"reason": TEXT, "value": VALUE, "bound": VALUE, "bound_from": COUNT, "skipped": SKIPPED},
    "table": {"value": VALUE, "bound": BOUND, "depth": NUMBER, "used": FLAG},
    "extend": {"reason": TEXT},
    "research": {"child": COUNT, "reason": TEXT, "alpha": NUMBER, "beta": NUMBER},
    "leave": {"value": VALUE, "bound": BOUND},
    "iteration": {"depth": COUNT, "moves": COUNT},
    "simulation": {"count": COUNT},
    "world": {"count": COUNT, "text": TEXT, "weight": COUNT},
    "vote": {"count": COUNT, "labels": LABELS, "tally": TALLY},
    "front": {"vectors": VECTORS},
    "select": {"child": COUNT, "visits": COUNT, "score": NUMBER, "compared": COMPARED},
    "playout": {"value": VALUE, "reason": TEXT, "plies": COUNT},
    "backup": {"value": VALUE, "visits": COUNT, "proved": FLAG, "worth": VALUE},
    "result": {
        "value": VALUE,
        "action": ACTION,
        "label": TEXT,
        "line": LINE,
        "nodes": COUNT,
        "leaves": COUNT,
        "cutoffs": COUNT,
        "simulations": COUNT,
        "exact": FLAG,
        "stopped": TEXT,
    },
}

REQUIRED: dict[str, tuple[str, ...]] = {
    "enter": (),
    "leaf": ("value",),
    "value": ("child", "value"),
    "window": ("alpha", "beta"),
    "cutoff": (),
    "table": (),
    "extend": (),
    "research": ("child",),
    "leave": ("value",),
    "iteration": ("depth",),
    "simulation": ("count",),
    "world": ("count",),
    "vote": ("labels",),
    "front": ("vectors",),
    "select": ("child",),
    "playout": ("value",),
    "backup": ("value",),
    "result": ("value",),
}


def check_header(line: object) -> dict[str, Any]:
    """`line` if it is a trace's header."""
    if not isinstance(line, dict) or "trace" not in line:
        raise TraceError('a trace begins with its header, as in {"trace": 1, "game": "Nim"}')
    if not _is_whole(line["trace"]) or line["trace"] != VERSION:
        raise TraceError(f"`trace` must be {VERSION}, the version of the format, not {line['trace']!r}")
    return _decode(line, HEADER)


class Checker:
    """Checks the events of one trace in their order; knows which nodes exist so far."""

    def __init__(self) -> None:
        self.parents: list[int | None] = []
        self.finished = False

    def check(self, line: Any) -> dict[str, Any]:
        """The event in `line`, with its infinite numbers as floats."""
        kind = line.get("event") if isinstance(line, dict) else None
        if not isinstance(kind, str) or kind not in FIELDS:
            raise TraceError(f"an event is a record whose `event` is one of {', '.join(FIELDS)}")
        missing = [name for name in REQUIRED[kind] if line.get(name) is None]
        if missing:
            raise TraceError(f"`{kind}` needs the field `{missing[0]}`")
        if self.finished:
            raise TraceError("nothing may follow `result`")
        event = _decode(line, FIELDS[kind])
        if not COUNT.accepts(line.get("node")):
            raise TraceError(f"`{kind}` needs the field `node`, {COUNT.wants}")
        self._check_numbers(event, kind)
        self.finished = kind == "result"
        return event

    def _check_numbers(self, event: dict[str, Any], kind: str) -> None:
        """Refuses events about nodes that the search has not entered."""
        node = event["node"]
        if kind == "enter":
            self._check_enter(node, event.get("parent"))
        elif kind in ("iteration", "simulation", "world", "vote", "result"):
            if node != 0:
                raise TraceError(f"`{kind}` is about node 0, the root, not {node}")
        else:
            self._check_known(node, "node")
        if event.get("bound_from") is not None:
            self._check_known(event["bound_from"], "bound_from")
        if event.get("child") is not None:
            self._check_known(event["child"], "child")
            # MTD(f) searches the root again from outside: there alone a node is its own child.
            if self.parents[event["child"]] != node and not (kind == "research" and event["child"] == node == 0):
                raise TraceError(f"node {event['child']} is not a child of node {node}")

    def _check_enter(self, node: int, parent: int | None) -> None:
        if (parent is None) != (node == 0):
            raise TraceError("the root is node 0 and has no parent; every other node needs the field `parent`")
        if parent is not None:
            self._check_known(parent, "parent")
        if node > len(self.parents):
            raise TraceError(f"nodes count on from 0 as they are entered: {len(self.parents)} comes before {node}")
        if node == len(self.parents):
            self.parents.append(parent)
        elif self.parents[node] != parent:
            raise TraceError(f"node {node} was entered from {self.parents[node]} before, not from {parent}")

    def _check_known(self, node: int, field: str) -> None:
        if node >= len(self.parents):
            raise TraceError(f"`{field}` is {node}, a node that was never entered")


def _decode(line: dict[str, Any], fields: dict[str, Field]) -> dict[str, Any]:
    """`line` with every field of the format checked; `null` stands for a field that is not there."""
    decoded = dict(line)
    for name, field in fields.items():
        value = line.get(name)
        if value is None:
            continue
        if not field.accepts(value):
            raise TraceError(f"`{name}` must be {field.wants}, not {_quote(value)}")
        decoded[name] = field.decode(value)
    return decoded


def _quote(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def encode(value: object) -> Any:
    """`value` in what JSON can hold: infinities as texts, tuples as lists, NumPy's numbers as Python's."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        if math.isnan(value):
            raise TraceError("the trace holds a value that is not a number (nan); mend the game's utility")
        return "inf" if value > 0 else "-inf"
    if isinstance(value, dict):
        return {str(name): encode_action(each) if name == "action" else encode(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [encode(each) for each in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    return str(value)


def encode_action(action: object) -> Any:
    """An action as the format knows it: a whole number, a text or nothing; everything else by its text."""
    plain = encode(action)
    return plain if _is_action(plain) else str(action)
