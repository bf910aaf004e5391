"""Watch, for runs that are far too long to be shown at once."""

from __future__ import annotations

import threading
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Host, Page, Refused, soon
from zermelo.errors import InputError
from zermelo.search.trace.excerpt import MOST_NODES, STEPS
from zermelo.studio.messages import numbers_of
from zermelo.studio.recordings import Recording, RecordingCache
from zermelo.studio.views import watch
from zermelo.studio.workers import WorkerPool

DEEP = {"game": "connect4", "algorithm": "minimax", "depth": 5}


def record(page: Page, side: int = 0, **given: Any) -> Any:
    """The first news in which that side shows what was recorded."""
    before = page.news["watch"]["sides"][side]["version"] if "watch" in page.news else 0
    page.ask("watch.run", side=side, **given)
    return page.wait("watch", lambda data: data["sides"][side]["version"] > before)["sides"][side]


@pytest.fixture(scope="module")
def long(host: Host) -> Any:
    """A page that has recorded some sixty thousand steps, and what it was shown."""
    with host.open() as page:
        yield page, record(page, **DEEP)["view"]


def test_a_long_run_is_kept_whole_and_shown_from_its_end(long: tuple[Page, Any]) -> None:
    _, shown = long
    assert shown["total"] == 58_824
    assert shown["first"] + len(shown["steps"]) == shown["total"]
    assert shown["steps"][-1]["kind"] == "result"
    assert len(shown["nodes"]) + sum(shown["hidden"]) == 19_608
    assert shown["notices"] == [f"{sum(shown['hidden']):,} positions are folded into the +N markers."]


def test_any_step_can_be_gone_to_and_borders_join(long: tuple[Page, Any]) -> None:
    page, _ = long
    trace = z.minimax(z.load("connect4"), depth=5, trace=True).trace
    kinds = [event["event"] for event in trace.events]
    for step in (0, 1, STEPS, STEPS + 1, 29_999, 58_823, 58_824):
        view = page.ask("watch.window", side=0, step=step)["view"]
        first, steps = view["first"], view["steps"]
        assert first < step <= first + len(steps) or step == first == 0
        assert [each["kind"] for each in steps] == kinds[first : first + len(steps)]
        assert view["counts"] == [kinds[:first].count(kind) for kind in ("enter", "leaf", "cutoff", "simulation")]
        assert len(view["nodes"]) <= MOST_NODES


def test_a_part_of_the_tree_has_steps_of_its_own_and_a_name(long: tuple[Page, Any]) -> None:
    page, shown = long
    place = next(place for place, hidden in enumerate(shown["hidden"]) if hidden and shown["numbers"][place])
    number = shown["numbers"][place]
    view = page.ask("watch.window", side=0, node=number)["view"]
    assert 0 < view["total"] < shown["total"]
    assert view["numbers"][0] == view["root"] == number
    assert view["path"]
    again = page.ask("watch.window", side=0, node=number, step=view["total"], closed=[number + 1])["view"]
    assert again["hidden"][again["numbers"].index(number + 1)] > 0


@pytest.mark.parametrize(
    "given",
    [
        {"step": -1},
        {"step": 58_825},
        {"step": 10**30},
        {"step": 1.0},
        {"step": True},
        {"step": "7"},
        {"step": [7]},
        {"node": -1},
        {"node": 19_608},
        {"node": 2**40},
        {"node": 2**80},
        {"node": 0.0},
        {"node": None},
        {"side": 2},
        {"side": 1},
        {"closed": 5},
        {"closed": [1.5]},
        {"closed": [True]},
        {"closed": [-1]},
        {"closed": [2**70]},
        {"closed": list(range(501))},
        {"closed": {"0": 1}},
    ],
    ids=str,
)
def test_a_window_that_is_not_there_is_refused(long: tuple[Page, Any], given: dict[str, Any]) -> None:
    page, _ = long
    with pytest.raises(Refused, match=r"whole number|no node|steps from 0|nothing has been recorded"):
        page.ask("watch.window", **{"side": 0, **given})
    assert page.ask("watch.window", side=0, step=7)["view"]["steps"]


def test_folding_what_is_not_there_changes_nothing(long: tuple[Page, Any]) -> None:
    page, _ = long
    plain = page.ask("watch.window", side=0, step=7)
    assert page.ask("watch.window", side=0, step=7, closed=[2**40, 19_607]) == plain


def test_windows_are_not_kept_for_a_second_asking(host: Host, long: tuple[Page, Any]) -> None:
    page, _ = long
    answers = host.studio.sessions.known[page.session].answers
    before = len(answers)
    first = page.ask("watch.window", side=0, step=7)
    assert len(answers) == before
    page.number -= 1
    assert page.ask("watch.window", side=0, step=7) == first


def test_a_tree_too_large_for_paper_is_no_exercise_but_a_part_of_it_is(long: tuple[Page, Any]) -> None:
    page, _ = long
    with pytest.raises(Refused, match="19,608 nodes is too large for paper"):
        page.ask("watch.exercise", side=0)
    leaf = page.ask("watch.window", side=0, step=20)["view"]["numbers"][4]
    part = page.ask("watch.exercise", side=0, node=leaf)
    assert part["content"].startswith("<!doctype html>")


def test_long_runs_are_compared_to_their_first_difference(host: Host) -> None:
    with host.open() as page:
        record(page, **DEEP)
        record(page, 1, **{**DEEP, "algorithm": "alphabeta"})
        found = page.news["watch"]["difference"]
        assert found["steps"][0] > 1
        assert found["steps"][1] > 1
        record(page, 1, **DEEP)
        assert page.news["watch"]["difference"]["message"] == "The two searches agree in every step."


def test_a_recording_says_how_far_it_is_and_stops_when_asked(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "PROGRESS_INTERVAL_SECONDS", 0.02)
    with host.open() as page:
        page.ask("watch.run", game="connect4", algorithm="minimax", depth=30)
        assert page.wait("recording", lambda data: data["steps"] > 500)["side"] == 0
        page.ask("watch.halt", side=0)
        shown = page.wait("watch", lambda data: data["sides"][0]["version"] > 0)["sides"][0]["view"]
        assert "The search was stopped by hand; what it had done by then is here." in shown["notices"]
        assert shown["steps"][-1]["kind"] == "result"
        assert soon(lambda: not host.studio.searches.running)


@pytest.mark.parametrize(
    ("what", "value", "says"),
    [
        ("zermelo.studio.views.watch.MAX_SEARCH_SECONDS", 0.05, "after 0.05 seconds"),
        ("zermelo.studio.recordings.MAX_EVENTS", 700, "after 700 steps"),
    ],
)
def test_a_recording_has_limits(
    host: Host, monkeypatch: pytest.MonkeyPatch, what: str, value: float, says: str
) -> None:
    monkeypatch.setattr(watch, "PROGRESS_INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr(what, value)
    with host.open() as page:
        shown = record(page, game="connect4", algorithm="minimax", depth=30)["view"]
        assert any(f"The search was stopped {says}" in notice for notice in shown["notices"])


def test_a_recording_for_which_there_is_no_memory_stops(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "PROGRESS_INTERVAL_SECONDS", 0.01)
    with host.open() as page:
        monkeypatch.setattr(host.studio.sessions.known[page.session].recordings, "capacity", 100_000)
        shown = record(page, game="connect4", algorithm="minimax", depth=30)["view"]
        assert any("because no more memory is free for recordings" in notice for notice in shown["notices"])


def test_a_recording_makes_room_after_a_while_if_others_wait(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "PROGRESS_INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr(watch, "FAIR_SECONDS", 0.05)
    monkeypatch.setattr(WorkerPool, "waiting", property(lambda _: 1))
    with host.open() as page:
        shown = record(page, game="connect4", algorithm="minimax", depth=30)["view"]
        assert any("because others were waiting" in notice for notice in shown["notices"])


# The cache.


def fill(cache: RecordingCache, depth: int = 3) -> Recording:
    recording = cache.start()
    trace = z.minimax(z.load("tictactoe"), depth=depth, trace=recording.events).trace
    assert trace is not None
    recording.finish(trace)
    return recording


def test_the_recording_that_was_not_looked_at_for_longest_makes_room() -> None:
    cache = RecordingCache()
    one, two = fill(cache), fill(cache)
    cache.capacity = one.nbytes + two.nbytes
    one.view()
    three = fill(cache)
    assert cache.nbytes <= cache.capacity
    assert [each.trace is not None for each in (one, two, three)] == [True, False, True]
    with pytest.raises(InputError, match="made room for newer ones; record it again"):
        two.view()


def test_recordings_that_nobody_has_any_more_take_no_room() -> None:
    cache = RecordingCache()
    fill(cache)
    assert cache.nbytes == 0


def test_recordings_that_grow_are_not_sent_away() -> None:
    cache = RecordingCache(capacity=100)
    growing = cache.start()
    growing.events.append({"event": "enter", "node": 0, "parent": None})
    assert not growing.grow()
    late = fill(cache)
    assert len(growing.events) == 1
    assert late.trace is not None


def test_many_pages_at_once_stay_within_the_room() -> None:
    cache = RecordingCache()
    cache.capacity = 3 * fill(cache).nbytes
    kept: list[Recording] = []
    threads = [threading.Thread(target=lambda: kept.extend(fill(cache) for _ in range(4))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(kept) == 16
    assert cache.nbytes <= cache.capacity
    assert 1 <= sum(each.trace is not None for each in kept) <= 3


def test_a_page_whose_recording_made_room_is_told(host: Host) -> None:
    with host.open() as page:
        record(page, game="[[1,2],[3,4]]", algorithm="minimax")
        recording = host.studio.sessions.known[page.session].views["watch"].recordings[0]  # type: ignore[attr-defined]
        recording.evict()
        for verb in ("watch.window", "watch.exercise"):
            with pytest.raises(Refused, match="record it again"):
                page.ask(verb, side=0)
        page.ask("home.refresh")
        assert page.wait("watch", lambda data: data["sides"][0]["error"])["sides"][0]["view"] is None
        assert record(page, game="[[1,2],[3,4]]", algorithm="minimax")["view"]["total"] > 0


def test_lists_of_numbers_are_lists_of_numbers() -> None:
    assert numbers_of({}, "closed", 3) == []
    assert numbers_of({"closed": [3, 0]}, "closed", 3) == [3, 0]
