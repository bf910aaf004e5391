"""One searcher for every front: which search it chooses, and how it thinks."""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import NamedTuple

import pytest
from tests.protocols.peer import Peer

import zermelo as z
from zermelo.analysis import Clock, Limits
from zermelo.arena.players import make_player
from zermelo.engine import compiled
from zermelo.engine.methods import FIRST_SLICE_SECONDS, NativeMethod, SimulationMethod, TextbookMethod
from zermelo.engine.searcher import Searcher
from zermelo.engine.timeman import budget
from zermelo.games import load
from zermelo.games.go import Go
from zermelo.games.nim.rules import Nim
from zermelo.protocols.session import Session
from zermelo.protocols.settings import SearchRequest

ENOUGH = 3_000_000
"""Positions that no slice of the first length enters."""


def test_only_the_last_answer_says_what_ended_the_search():
    game = Go(size=9)
    *earlier, last = Searcher(game).think(game.initial(), Limits(nodes=ENOUGH))
    assert [found.stopped for found in earlier] == [""] * len(earlier)
    assert earlier
    assert last.stopped == "nodes"
    assert last.nodes >= ENOUGH
    assert last.seconds > FIRST_SLICE_SECONDS


def test_a_session_goes_on_to_the_limit_of_its_order():
    session = Session(Go(size=9))
    search = session.go(SearchRequest(nodes=ENOUGH), lambda *_: None, lambda _: None)
    search.join()
    assert search.error is None
    assert search.best is not None
    assert search.best.nodes >= ENOUGH


def test_the_best_of_the_allowed_actions_is_chosen():
    game = Go(size=3, komi=8.5)
    *_, last = Searcher(game).think(game.initial(), Limits(nodes=50_000), only=[0, 8])
    assert last.action in (0, 8)
    assert last.line[0] == last.action
    assert set(last.visits) == {0, 8}
    assert min(last.visits.values()) > 0


def test_no_slice_is_longer_than_the_interval_that_is_asked_for(monkeypatch):
    game = Go(size=3, komi=8.5)
    searcher, slices = Searcher(game), []
    run = searcher.method.searcher.run

    def watched(state, budget, history):
        slices.append(budget.seconds)
        return run(state, replace(budget, seconds=0.001), history)

    monkeypatch.setattr(searcher.method.searcher, "run", watched)
    thinking = searcher.think(game.initial(), interval=0.1)
    for _, _ in zip(range(4), thinking, strict=False):
        pass
    assert slices[0] == FIRST_SLICE_SECONDS
    assert max(slices) <= 0.1


class Words(z.Game):
    """Rules that do not compile: actions are texts."""

    def initial(self):
        return ()

    def player(self, s):
        return len(s) % 2

    def actions(self, s):
        return ["a", "b"]

    def result(self, s, a):
        return (*s, a)

    def is_terminal(self, s):
        return len(s) == 3

    def utility(self, s, p):
        return (1.0 if s.count("a") > 1 else -1.0) * (1 if p == 0 else -1)


@pytest.mark.parametrize(
    ("text", "options", "method", "name"),
    [
        ("connect4", {}, NativeMethod, "engine"),
        ("pig", {}, NativeMethod, "expectiminimax+star2"),
        ("go:size=5", {}, SimulationMethod, "mcts+uct+rave+solver"),
        ("go:size=5", {"by_depth": True}, NativeMethod, "engine"),
        ("kuhn", {}, SimulationMethod, "mcts+uct"),
        ("connect4", {"algorithm": "mcts"}, SimulationMethod, "mcts+uct+solver"),
        ("connect4", {"algorithm": "pvs"}, TextbookMethod, "pvs"),
        ("connect4", {"order": "best"}, TextbookMethod, "search"),
        ("pig", {"algorithm": "star1"}, NativeMethod, "expectiminimax+star1"),
    ],
)
def test_the_search_that_fits_the_game_is_chosen(text, options, method, name):
    searcher = Searcher(load(text), **options)
    assert isinstance(searcher.method, method)
    assert searcher.method.name == name


def test_rules_that_do_not_compile_are_searched_by_the_textbook_with_one_warning():
    with pytest.warns(z.InterpretedWarning) as caught:
        searcher = Searcher(Words())
    assert len(caught) == 1
    assert searcher.search().value == 1.0
    assert searcher.search(clock=Clock((60.0, 60.0))).exact
    assert isinstance(searcher.method, TextbookMethod)
    assert "state has no fields" in searcher.why_textbook
    assert Searcher(Words(), quiet=True).why_textbook == searcher.why_textbook


def test_rules_are_compiled_once_per_search(monkeypatch):
    made = []
    monkeypatch.setattr(compiled.CompiledGame, "__init__", counted(compiled.CompiledGame.__init__, made), raising=True)
    z.search(load("connect4"), depth=1)
    assert len(made) == 1


def counted(function, calls):
    def call(*arguments):
        calls.append(1)
        return function(*arguments)

    return call


@pytest.mark.parametrize("game", ["connect4", 3, None])
def test_what_is_no_game_is_refused_in_one_clear_line(game):
    with pytest.raises(z.ContractError, match=r"is not a game: .* use zermelo\.load"):
        z.search(game)


def test_another_thread_ends_a_search_with_the_best_so_far():
    searcher = Searcher(load("connect4"))
    depths = searcher.think()
    assert not next(depths).stopped
    timer = threading.Timer(0.2, searcher.stop)
    timer.start()
    *_, last = depths
    timer.join()
    assert last.action is not None


def test_one_legal_move_is_played_at_once_if_a_clock_runs():
    game = z.Tree([[[1, 0], [-1, [0, 1]]]])
    found = list(Searcher(game).think(clock=Clock((60.0, 60.0))))
    assert len(found) == 1


@pytest.mark.parametrize("clock", [Clock((60.0, 50.0), 0.6), Clock((3.0, 8.0)), Clock((90.0, 90.0), moves_to_go=5)])
def test_a_tournament_and_an_engine_under_uci_give_a_move_the_same_time(clock, monkeypatch):
    """What is measured is what is served: the same clock, the same soft and hard limit."""
    asked = []

    def watched(given, p):
        asked.append(budget(given, p))
        return asked[-1]

    monkeypatch.setattr("zermelo.engine.searcher.budget", watched)
    monkeypatch.setattr("zermelo.protocols.settings.budget", watched)
    game = load("tictactoe")
    make_player("engine").think(game, game.initial(), (), replace(clock, nodes=10))
    words = f"wtime {clock.remaining[0] * 1000:.0f} btime {clock.remaining[1] * 1000:.0f} nodes 10"
    words += f" winc {clock.increment * 1000:.0f}" + (f" movestogo {clock.moves_to_go}" if clock.moves_to_go else "")
    Peer(game).tell("position startpos", f"go {words}")
    tournament, served = asked
    assert tournament == served
    assert served.soft is not None


@pytest.mark.parametrize("options", [{}, {"algorithm": "mcts"}])
def test_a_kept_searcher_answers_for_the_rules_as_they_are_now(options):
    game = Nim(heaps=(3,))
    searcher = Searcher(game, **options)
    assert searcher.search(limits=Limits(nodes=2000)).value == 1.0
    game.heaps = (1, 1)
    assert searcher.search(limits=Limits(nodes=2000)).value == z.minimax(game).value == -1.0


class Countdown(z.Game):
    """Take up to `most` stones of seven."""

    most = 3

    class State(NamedTuple):
        stones: int
        turn: int

    def initial(self):
        return self.State(7, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for n in range(1, self.most + 1):
            if n <= s.stones:
                yield n

    def result(self, s, a):
        return self.State(s.stones - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.stones == 0

    def utility(self, s, p):
        return 1.0 if p != s.turn else -1.0


@pytest.mark.parametrize("make", [z.Engine, z.Mcts])
def test_an_engine_refuses_a_game_that_has_changed_since_it_was_made(make):
    game = Countdown()
    engine = make(game)
    assert engine.search(nodes=1000).action == 3
    game.most = 2
    with pytest.raises(z.ContractError, match=r"Countdown\.most has changed"):
        engine.search(nodes=1000)
    assert make(game).search(nodes=1000).action == 1
