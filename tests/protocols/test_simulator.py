"""Monte Carlo tree search in slices, as the protocols ask for it."""

from __future__ import annotations

from zermelo.games.go import Go
from zermelo.protocols.session import Session
from zermelo.protocols.simulator import FIRST_SLICE, Simulator
from zermelo.protocols.timing import Order

ENOUGH = 3_000_000
"""Positions that no slice of the first length enters."""


def test_only_the_last_answer_says_what_ended_the_search():
    game = Go(size=9)
    *earlier, last = Simulator(game, 1, 64).think(game.initial(), (), nodes=ENOUGH)
    assert [found.stopped for found in earlier] == [""] * len(earlier)
    assert earlier
    assert last.stopped == "nodes"
    assert last.nodes >= ENOUGH
    assert last.seconds > FIRST_SLICE


def test_a_session_goes_on_to_the_limit_of_its_order():
    session = Session(Go(size=9))
    search = session.go(Order(nodes=ENOUGH), lambda *_: None, lambda _: None)
    search.join()
    assert search.error is None
    assert search.best is not None
    assert search.best.nodes >= ENOUGH


def test_the_best_of_the_allowed_actions_is_chosen():
    game = Go(size=3, komi=8.5)
    *_, last = Simulator(game, 1, 64).think(game.initial(), (), [0, 8], nodes=50_000)
    assert last.action in (0, 8)
    assert last.line[0] == last.action
    assert set(last.visits) == {0, 8}
    assert min(last.visits.values()) > 0


def test_no_slice_is_longer_than_the_interval_that_is_asked_for(monkeypatch):
    game = Go(size=3, komi=8.5)
    simulator, slices = Simulator(game, 1, 64), []
    search = simulator.searcher.search

    def watched(state, **limits):
        slices.append(limits["seconds"])
        return search(state, **{**limits, "seconds": 0.001})

    monkeypatch.setattr(simulator.searcher, "search", watched)
    thinking = simulator.think(game.initial(), (), interval=0.1)
    for _, _ in zip(range(4), thinking, strict=False):
        pass
    assert slices[0] == FIRST_SLICE
    assert max(slices) <= 0.1
