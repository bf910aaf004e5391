"""A search says where it is in the middle of a depth, and what a depth that was stopped has found out."""

from __future__ import annotations

from typing import Any

import pytest

from zermelo.analysis import Analysis, Limits, Progress
from zermelo.engine import Searcher
from zermelo.engine import engine as module
from zermelo.engine.core import _core
from zermelo.engine.engine import Engine
from zermelo.games import load


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PROGRESS_SECONDS", 0.0)


def watched(text: str, plies: int, **limits: Any) -> tuple[list[Progress], list[Analysis]]:
    """What `watch` is told, and the analyses, of a search in which it is asked after every 256 nodes or so."""
    game = load(text)
    seen: list[Progress] = []
    searcher = Searcher(game)
    found = list(searcher.think(game.initial(), Limits(depth=plies, **limits), watch=seen.append))
    return seen, found


@pytest.mark.usefixtures("at_once")
def test_a_search_tells_which_action_it_is_at_and_the_best_so_far():
    game = load("chess")
    legal = set(game.actions(game.initial()))
    seen, found = watched("chess", 60, nodes=300_000)
    assert any(now.action is not None for now in seen)
    for now in seen:
        assert now.action in legal or now.action is None
        assert now.found.action in legal
        assert 1 <= now.number <= len(legal) + (now.action is None)
        assert not now.found.stopped
        low, high = now.found.bounds
        assert low <= now.found.value <= high
    assert found[-1].stopped == "nodes"


@pytest.mark.usefixtures("at_once")
def test_what_is_told_follows_the_depths():
    seen, _ = watched("connect4", 42, nodes=400_000)
    depths = [now.found.depth for now in seen]
    nodes = [now.found.nodes for now in seen]
    assert depths == sorted(depths)  # type: ignore[type-var]
    assert nodes == sorted(nodes)


def test_a_short_search_tells_nothing():
    seen, found = watched("connect4", 5)
    assert seen == []
    assert found[-1].depth == 5


def test_an_exception_of_the_watch_ends_the_search(at_once: None):
    game = load("chess")

    def refuse(now: Progress) -> None:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        list(Searcher(game).think(game.initial(), Limits(nodes=10_000_000), watch=refuse))


@pytest.mark.parametrize("text", ["chess", "connect4", "othello"])
def test_a_depth_that_is_stopped_is_told_apart_from_the_one_before(text: str):
    game = load(text)
    partial = 0
    for nodes in range(60, 6000, 270):
        depths = list(Engine(game).think(nodes=nodes))
        last, before = depths[-1], depths[-2]
        assert last.stopped == "nodes"
        low, high = last.bounds
        if last.partial:
            partial += 1
            assert low <= last.value <= high
            assert last.bounds != (last.value, last.value)
        else:
            assert (last.value, last.bounds, last.depth) == (before.value, before.bounds, before.depth)
    assert partial > 0


def test_a_finished_depth_is_exact():
    for found in Engine(load("chess")).think(depth=7):
        assert not found.partial
        assert found.bounds == (found.value, found.value)


def test_only_the_stop_of_a_search_may_ask_where_it_is():
    game = load("chess")
    run = Engine(game).start(game.initial(), Limits(depth=3))
    assert isinstance(run.core, _core.EngineSearch)
    with pytest.raises(RuntimeError, match="only the `stop`"):
        run.core.progress()
