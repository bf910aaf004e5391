"""Packed events: what comes out is what went in."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.search.trace import Packed, Trace, diff, packed

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(min_value=-(2**200), max_value=2**200)
    | st.floats(allow_nan=False)
    | st.text(max_size=5)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)
EVENTS = st.lists(st.dictionaries(st.sampled_from(["event", "node", "value", "child", "x"]), VALUES, max_size=4))


@pytest.fixture(autouse=True)
def _small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "BLOCK", 4)


def exactly(value: Any) -> str:
    """Tells apart what `==` does not: 1, 1.0 and True, 0.0 and -0.0, the order of fields."""
    return repr(value)


@settings(deadline=None)
@given(EVENTS)
def test_every_event_that_was_put_in_comes_out_as_it_was(events: list[dict[str, Any]]) -> None:
    kept = Packed(events)
    assert exactly(list(kept)) == exactly(events)
    assert exactly([kept[place] for place in range(len(kept))]) == exactly(events)
    assert kept == events
    assert events == kept
    assert len(kept) == len(events)
    assert exactly([event for columns in kept.columns() for event in columns.events()]) == exactly(events)


@settings(deadline=None)
@given(st.integers(0, 30), st.slices(40))
def test_slices_are_those_of_a_list(count: int, part: slice) -> None:
    events = [{"event": "leaf", "node": node, "value": node / 2} for node in range(count)]
    assert Packed(events)[part] == events[part]


def test_places_count_from_the_end_too_and_end_somewhere() -> None:
    kept = Packed({"node": node} for node in range(10))
    assert (kept[-1], kept[-10]) == ({"node": 9}, {"node": 0})
    for place in (10, -11, 10**30):
        with pytest.raises(IndexError):
            kept[place]


class Own:
    def __reduce__(self) -> Any:
        raise TypeError("not to be packed")


def test_what_cannot_be_packed_is_kept_as_it_is() -> None:
    deep: Any = 1
    for _ in range(100_000):
        deep = [deep]
    own = Own()
    events = [{"event": "leaf", "node": 0, "value": value} for value in (own, deep, np.float64(0.5), math.inf, 1)]
    kept = Packed(events)
    assert kept[0]["value"] is own
    assert kept[1]["value"] is deep
    assert exactly(kept[4]) == exactly(events[4])
    while isinstance(deep, list):  # to let go of it level by level, as Python's own way down is short
        deep = deep.pop()


def test_numbers_of_other_libraries_keep_their_type() -> None:
    events = [{"event": "leaf", "node": 0, "value": np.float64(node / 3)} for node in range(8)]
    assert all(type(event["value"]) is np.float64 for event in Packed(events))


def test_what_comes_out_is_a_copy() -> None:
    kept = Packed({"node": node, "line": ["a"]} for node in range(8))
    kept[0]["line"].append("b")
    assert kept[0]["line"] == ["a"]


def test_a_recorded_search_takes_little_memory_and_all_its_forms_work(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setattr(packed, "BLOCK", 512)
    trace = z.alphabeta(z.load("tictactoe"), depth=5, trace=True).trace
    assert trace is not None
    assert isinstance(trace.events, Packed)
    assert trace.events.nbytes < 100 * len(trace)
    loose = Trace(trace.header, list(trace.events))
    assert loose == trace
    assert (trace.text(), trace.svg(), trace.view()) == (loose.text(), loose.svg(), loose.view())
    trace.save(tmp_path / "run.jsonl")
    assert Trace.load(tmp_path / "run.jsonl") == trace
    assert json.dumps(trace.to_json()) == json.dumps(loose.to_json())
    assert diff(trace, loose) is None


def test_differences_are_the_same_for_packed_and_loose_events() -> None:
    game = z.load("tictactoe")
    one, other = z.alphabeta(game, depth=4, trace=True).trace, z.pvs(game, depth=4, trace=True).trace
    assert one is not None
    assert other is not None
    found = diff(one, other)
    assert found is not None
    assert found == diff(Trace(one.header, list(one.events)), Trace(other.header, list(other.events)))
    assert diff(one, other, ("leaf", "cutoff")) == diff(Trace(one.header, list(one.events)), other, ("leaf", "cutoff"))


def test_a_recorder_keeps_no_more_than_asked_for_but_always_the_result() -> None:
    kept = Packed(most=10)
    found = z.minimax(z.load("tictactoe"), depth=3, trace=kept)
    assert found.trace is not None
    assert found.trace.events is kept
    assert len(kept) == 11
    assert kept[-1]["event"] == "result"
    assert found.trace.header["truncated"]
