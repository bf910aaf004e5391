"""Where two searches part ways."""

from copy import deepcopy

import pytest
from hypothesis import given

import zermelo as z
from tests.search.trace.streams import by_a_student, eight_steps, header, truncated, two_ply
from tests.search.trees import trees
from zermelo.errors import TraceError
from zermelo.search.trace import Packed, Trace, diff


def find(trace: Trace, kind: str, node: int) -> int:
    """The number of the first step of a kind at a node."""
    return next(i for i, event in enumerate(trace.events, 1) if event["event"] == kind and event["node"] == node)


def test_a_trace_does_not_differ_from_itself() -> None:
    assert diff(two_ply(), two_ply()) is None


def test_a_students_bare_trace_agrees_with_ours() -> None:
    assert diff(two_ply(), by_a_student()) is None
    assert diff(by_a_student(), two_ply()) is None


def test_whole_numbers_and_floats_agree() -> None:
    other = two_ply()
    for event in other.events:
        event.update({name: float(event[name]) for name in ("value", "alpha", "beta") if name in event})
    assert diff(two_ply(), other) is None


def test_a_wrong_window_is_found_and_named() -> None:
    student = by_a_student()
    step = find(student, "enter", 5)
    student.events[step - 1]["alpha"] = float("-inf")
    found = diff(two_ply(), student)
    assert found is not None
    assert (found.step_a, found.step_b, found.path, found.field) == (
        find(two_ply(), "enter", 5),
        step,
        ("a2",),
        "alpha",
    )
    assert str(found) == (
        "The searches part ways at step 16 of A, step 10 of B, at a2:\n"
        "  A enters it with α = 3, β = ∞.\n"
        "  B enters it with α = −∞, β = ∞.\n"
        "What differs is α."
    )


def test_a_missed_cut_off_is_told_as_what_each_does() -> None:
    student = by_a_student()
    step = find(student, "cutoff", 5)
    student.events[step - 1] = {"event": "enter", "node": 7, "parent": 5, "label": "c2"}
    found = diff(two_ply(), student)
    assert found is not None
    assert found.field == "place"
    assert "A cuts off at a2 by alpha with 2 against 3: it skips the remaining actions." in str(found)
    assert "B enters a2 → c2." in str(found)


def test_the_order_of_actions_counts() -> None:
    other = two_ply()
    for event in other.events:
        if event["event"] == "enter" and event["label"] in ("b1", "b2"):
            event["label"] = event["action"] = {"b1": "b2", "b2": "b1"}[event["label"]]
    found = diff(two_ply(), other)
    assert found is not None
    assert "A enters a1 → b1" in str(found)
    assert "B enters a1 → b2" in str(found)


def test_a_wrong_value_is_found() -> None:
    other = two_ply()
    other.events[find(other, "leave", 1) - 1]["value"] = 8
    found = diff(two_ply(), other)
    assert found is not None
    assert (found.field, found.path) == ("value", ("a1",))
    assert "leaves it with the value 8" in str(found)


def test_one_that_ends_early_differs() -> None:
    whole, half = two_ply(), Trace(header("x"), two_ply().events[:10])
    for found in (diff(whole, half), diff(half, whole)):
        assert found is not None
        assert found.field == "end"
        assert "has ended." in str(found)


def test_one_that_its_recorder_truncated_does_not() -> None:
    assert diff(two_ply(), truncated()) is None


def test_node_numbers_do_not_matter() -> None:
    other = deepcopy(two_ply())
    swap = {1: 101, 101: 1}
    for event in other.events:
        event.update(
            {name: swap.get(event[name], event[name]) for name in ("node", "parent", "child") if name in event}
        )
    assert diff(two_ply(), other) is None


def test_actions_and_labels_are_matched_across() -> None:
    only_actions = by_a_student()
    for event in only_actions.events:
        if event["event"] == "enter":
            event["action"] = event.pop("label") or None
    assert diff(by_a_student(), only_actions) is None
    for event in only_actions.events:
        event.pop("action", None)
    assert diff(by_a_student(), only_actions) is None


def test_other_events_can_be_compared() -> None:
    other = two_ply()
    other.events[find(other, "value", 0) - 1]["value"] = 99
    assert diff(two_ply(), other) is None
    found = diff(two_ply(), other, events=("value",))
    assert found is not None
    assert "has `value`" in str(found)


def test_different_trees_differ() -> None:
    assert diff(two_ply(), eight_steps()) is not None


def test_different_views_cannot_be_compared() -> None:
    with pytest.raises(TraceError, match="same view"):
        diff(two_ply(), Trace(header("x", view="mover"), []))


@given(data=trees(most_leaves=20))
def test_alphabeta_differs_from_minimax_only_where_it_cuts_or_narrows(data: object) -> None:
    tree = z.Tree(data)
    pruned, whole = z.alphabeta(tree, trace=True).trace, z.minimax(tree, trace=True).trace
    found = diff(pruned, whole, events=("enter", "leaf", "cutoff"))
    assert diff(pruned, pruned) is None
    if found is not None:
        assert found.field in ("alpha", "beta") or (found.a or {}).get("event") == "cutoff"


def long_trace() -> Trace:
    """Some thousand steps, packed in blocks."""
    game = z.load("tictactoe")
    trace = z.alphabeta(game, game.read("x.o/.../..."), depth=6, trace=True).trace
    assert trace is not None
    return Trace(trace.header, Packed(trace.events))


def spoilt(trace: Trace, place: int) -> Trace:
    """The trace with another value, or another action, at the first step from `place` on that has one."""
    events = list(trace.events)
    place = next(i for i in range(place, len(events)) if events[i]["event"] in ("enter", "leave", "leaf"))
    changes = {"alpha": -7.0} if events[place]["event"] == "enter" else {"value": 7.0}
    return Trace(trace.header, Packed([*events[:place], events[place] | changes, *events[place + 1 :]]))


@pytest.mark.parametrize("place", [0, 127, 128, 700, 1200])
def test_packed_traces_differ_where_loose_ones_do(place: int) -> None:
    trace = long_trace()
    assert len(trace) > 1250
    other = spoilt(trace, place)
    found = diff(trace, other)
    assert found is not None
    assert found == diff(Trace(trace.header, list(trace.events)), Trace(other.header, list(other.events)))
    assert found == diff(trace, Trace(other.header, list(other.events)))


def test_equal_packed_traces_agree_even_if_packed_otherwise() -> None:
    trace = long_trace()
    again = Trace(trace.header, Packed(deepcopy(event) for event in trace.events))
    assert trace.events == again.events
    assert diff(trace, again) is None
    shorter = Trace(trace.header, Packed(list(trace.events)[:-3]))
    found = diff(trace, shorter)
    assert found is not None
    assert found.field == "end"


@pytest.mark.parametrize("place", [None, 700])
def test_a_comparison_can_be_stopped(place: int | None) -> None:
    trace = long_trace()
    other = long_trace() if place is None else spoilt(trace, place)
    with pytest.raises(TraceError, match="was stopped"):
        diff(trace, other, stop=lambda: True)
