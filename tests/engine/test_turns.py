"""A searcher that several want something of: it answers one after the other, or says that it is at work."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from zermelo.engine.engine import Engine
from zermelo.engine.expectation import ExpectationEngine
from zermelo.engine.mcts import Mcts
from zermelo.errors import MethodError
from zermelo.games import load


@pytest.mark.parametrize(
    ("maker", "name"), [(Engine, "connect4"), (ExpectationEngine, "pig"), (Mcts, "connect4"), (Mcts, "blind-tictactoe")]
)
def test_a_searcher_that_is_at_work_sends_others_away(maker: Any, name: str) -> None:
    searcher = maker(load(name))
    begun, done, refused = threading.Event(), threading.Event(), []

    def stop() -> bool:
        begun.set()
        return done.is_set()

    thread = threading.Thread(target=lambda: searcher.search(stop=stop))
    thread.start()
    assert begun.wait(60)
    for ask in (searcher.clear, lambda: searcher.search(nodes=10)):
        try:
            ask()
        except MethodError as error:
            refused.append(str(error))
    done.set()
    thread.join()
    assert refused == ["this searcher is at work already: make one for each thread"] * 2
    assert searcher.search(nodes=100).action is not None


def test_what_a_search_asks_cannot_search_with_it() -> None:
    searcher = Mcts(load("connect4"))
    said: list[str] = []

    def stop() -> bool:
        with pytest.raises(MethodError) as caught:
            searcher.search(simulations=10)
        said.append(str(caught.value))
        return True

    searcher.search(stop=stop)
    assert "at work already" in said[0]


@pytest.mark.parametrize("name", ["chess", "othello", "nim"])
def test_searches_of_two_positions_may_take_turns(name: str) -> None:
    game = load(name)
    first = game.initial()
    second = game.result(first, next(iter(game.actions(first))))
    engine = Engine(game, table_mb=1)
    last = list(game.actions(first))[-1]
    runs = (engine.think(first, depth=4), engine.think(second, depth=4), engine.think(first, depth=4, only=[last]))
    for one, other, narrow in zip(*runs, strict=True):
        assert one.action in list(game.actions(first))
        assert other.action in list(game.actions(second))
        assert narrow.action == last


def test_expectations_of_two_positions_may_take_turns() -> None:
    game = load("kingmaker:stones=30")
    first = game.initial()
    second = game.result(first, 1)
    engine = ExpectationEngine(game, table_mb=1)
    for one, other in zip(engine.think(first, depth=4), engine.think(second, depth=4), strict=True):
        assert one.action in list(game.actions(first))
        assert other.action in list(game.actions(second))
