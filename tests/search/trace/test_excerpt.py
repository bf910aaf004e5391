"""Excerpts of long runs: whatever is drawn stands as if the whole run had been replayed."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import zermelo as z
from zermelo.errors import InputError
from zermelo.search.algorithms import algorithm
from zermelo.search.trace import Trace, excerpt
from zermelo.search.trace.excerpt import Cutter
from zermelo.search.trace.html import show
from zermelo.search.trace.model import Replay, survey

RUNS: dict[str, dict[str, Any]] = {
    "minimax": {},
    "alphabeta": {},
    "pvs": {},
    "mtdf": {},
    "alphabeta deepened": {"deepen": True},
    "alphabeta with a table": {"deepen": True, "table": True, "order": "previous,killers"},
    "mcts": {"simulations": 60},
}


def grow(chance: random.Random, depth: int) -> Any:
    if depth == 0 or (depth < 4 and chance.random() < 0.15):
        return chance.randint(-9, 9)
    return [grow(chance, depth - 1) for _ in range(chance.randint(1, 3))]


def record(run: str, seed: int = 1, depth: int = 6) -> Trace:
    tree = [grow(random.Random(seed), depth), grow(random.Random(seed + 1), depth)]
    trace = algorithm(run.split()[0])(z.Tree(tree), trace=True, **RUNS[run]).trace
    assert trace is not None
    return trace


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Excerpts of a few steps, so that small runs have many."""
    monkeypatch.setattr(excerpt, "WHOLE", 30)
    monkeypatch.setattr(excerpt, "STEPS", 30)
    monkeypatch.setattr(excerpt, "FILLED", 25)


def standings(replay: Replay, numbers: list[int]) -> dict[int, tuple[Any, ...]]:
    found = {}
    for number in numbers:
        standing = replay.standings[replay.tree.indices[number]]
        found[number] = (standing.status, standing.alpha, standing.beta, standing.value, standing.bound, standing.note)
    return found


@pytest.mark.parametrize("run", RUNS)
@pytest.mark.parametrize("seed", [1, 5])
@pytest.mark.usefixtures("short")
def test_what_is_drawn_stands_as_in_a_replay_of_the_whole_run(run: str, seed: int) -> None:
    trace = record(run, seed)
    cutter = Cutter(trace.events)
    whole = Replay(survey(trace.header, trace.events))
    step = 0
    while step < len(trace):
        cut = cutter.cut(0, step + 1)
        assert cut.first == step
        part = Replay(survey(trace.header, [*cut.before, *cut.events]))
        for event in cut.before:
            part.apply(event)
        known = [number for number in part.tree.indices if cutter.index.entered[number] < step]
        assert standings(part, known) == standings(whole, known), step
        for event, told in zip(trace.events[step : step + 30], cut.events, strict=True):
            whole.apply(event)
            part.apply(told)
        assert standings(part, list(part.tree.indices)) == standings(whole, list(part.tree.indices)), step
        step += len(cut.events)
    assert step == len(trace)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("run", RUNS)
def test_every_step_is_in_exactly_one_excerpt_and_counts_run_on(run: str) -> None:
    trace = record(run)
    cutter = Cutter(trace.events)
    kinds = [event["event"] for event in trace.events]
    for step in range(len(trace) + 1):
        cut = cutter.cut(0, step)
        assert cut.first < step <= cut.first + len(cut.events) or step == cut.first == 0
        assert cut.counts == tuple(kinds[: cut.first].count(kind) for kind in ("enter", "leaf", "cutoff", "simulation"))
        after = cut.first + len(cut.events)
        following = [place + 1 for place, kind in enumerate(kinds) if kind == "cutoff" and place >= after]
        assert cut.next_cut == (following[0] if following else None)


@pytest.mark.usefixtures("short")
@pytest.mark.parametrize("run", RUNS)
def test_a_part_has_the_events_below_its_node_and_no_others(run: str) -> None:
    trace = record(run)
    cutter = Cutter(trace.events)
    parents = {event["node"]: event["parent"] for event in trace.events if event["event"] == "enter"}

    def is_below(node: int | None, root: int) -> bool:
        while node is not None and node != root:
            node = parents[node]
        return node == root

    for root in range(1, len(parents), 3):
        expected = [event for event in trace.events if is_below(event["node"], root)]
        total = cutter.cut(root).total
        assert total == len(expected)
        told = [event for step in range(1, total + 1, 30) for event in cutter.cut(root, step).events]
        assert [(each["event"], each["node"]) for each in told] == [(each["event"], each["node"]) for each in expected]
        assert show(trace.header, cutter.cut(root, total // 2))["steps"]


@pytest.mark.usefixtures("short")
def test_the_markers_count_all_that_is_not_drawn() -> None:
    trace = record("minimax", depth=8)
    nodes = sum(event["event"] == "enter" for event in trace.events)
    for step in (1, len(trace) // 2, len(trace)):
        shown = show(trace.header, Cutter(trace.events).cut(0, step))
        entered = [number for number in shown["numbers"] if number is not None]
        assert len(entered) + sum(shown["hidden"]) == nodes
        assert shown["total"] == len(trace)


@pytest.mark.usefixtures("short")
def test_a_folded_node_shows_nothing_below_it_and_says_how_much_there_is() -> None:
    trace = record("alphabeta")
    cutter = Cutter(trace.events)
    before = show(trace.header, cutter.cut(0, 40))
    place = next(each for each in before["inner"] if each)
    number = before["numbers"][place]
    after = show(trace.header, cutter.cut(0, 40, [number]))
    where = after["numbers"].index(number)
    assert after["hidden"][where] == cutter.index.sizes[number] - 1
    assert where not in after["inner"]
    assert len(after["steps"]) == len(before["steps"])
    assert all(-1 <= step["at"] < len(after["nodes"]) for step in after["steps"])


def test_a_short_run_is_one_excerpt_with_everything_in_it() -> None:
    trace = z.alphabeta(z.Tree([[[2, 3], [5, 9]], [[0, 1], [7, 5]]]), trace=True).trace
    assert trace is not None
    for step in (None, 0, 7, 41):
        shown = show(trace.header, Cutter(trace.events).cut(0, step))
        assert {name: shown[name] for name in trace.view()} == trace.view()


def test_the_way_down_a_very_deep_tree_is_cut_off_above() -> None:
    deep: Any = 1
    for _ in range(4_000):
        deep = [deep]
    trace = z.minimax(z.Tree(deep), trace=True).trace
    assert trace is not None
    cutter = Cutter(trace.events)
    for step in (1, 4_000, 8_002, 12_002, len(trace)):
        shown = show(trace.header, cutter.cut(0, step))
        assert 0 < len(shown["nodes"]) <= excerpt.MOST_NODES
        assert all(each["says"] for each in shown["steps"])


def test_wide_families_leave_no_more_than_the_limit() -> None:
    tree = [[[value % 7 for value in range(40)] for _ in range(40)] for _ in range(40)]
    trace = z.minimax(z.Tree(tree), trace=True).trace
    assert trace is not None
    shown = show(trace.header, Cutter(trace.events).cut(0, len(trace) // 2), excerpt.MOST_NODES)
    assert len(shown["nodes"]) <= excerpt.MOST_NODES


def test_a_large_subtree_that_was_skipped_is_one_marker() -> None:
    large = [[[1, 2, 3]] * 5] * 5
    trace = z.alphabeta(z.Tree([[3, 12], [2, large]]), trace=True).trace
    assert trace is not None
    assert len(Cutter(trace.events).cut().events) == len(trace)
    assert len(show(trace.header, Cutter(trace.events).cut())["nodes"]) < 20


def test_a_skipped_subtree_too_large_to_be_written_down_breaks_nothing() -> None:
    huge = [[[1, 2, 3, 4] * 3] * 5] * 6
    trace = z.alphabeta(z.Tree([[3, 12], [2, huge]]), trace=True).trace
    assert trace is not None
    assert "skips" in trace.text()
    assert trace.svg()
    assert Trace.from_json(trace.to_json()) == trace
    assert len(show(trace.header, Cutter(trace.events).cut())["steps"]) == len(trace)


@pytest.mark.parametrize(
    ("root", "step"), [(-1, None), (11, None), (2**40, None), (0, -1), (0, 42), (1, 30), (0, 10**30)]
)
def test_what_is_not_there_is_refused(root: int, step: int | None) -> None:
    trace = z.alphabeta(z.Tree([[[2, 3], [5, 9]], [[0, 1], [7, 5]]]), trace=True).trace
    assert trace is not None
    with pytest.raises(InputError, match=r"no node|there are steps from 0"):
        Cutter(trace.events).cut(root, step)


def test_a_trace_of_nothing_has_an_excerpt_of_nothing() -> None:
    assert show({}, Cutter([]).cut())["steps"] == []
    assert show({}, Cutter([{"event": "iteration", "node": 0, "depth": 1}]).cut())["nodes"] == []


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6), st.sampled_from(sorted(RUNS)))
def test_the_order_of_the_tree_keeps_what_is_below_a_node_together(seed: int, run: str) -> None:
    index = Cutter(record(run, seed, depth=5).events).index
    for node in range(len(index)):
        below = [other for other in range(len(index)) if index.is_below(other, node)]
        assert len(below) == index.sizes[node]
        assert all(node in index.path(other) for other in below)
        assert index.children(node) == [other for other in below if index.parents[other] == node]
