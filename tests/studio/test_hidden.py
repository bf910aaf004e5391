"""What a page is told of a game of hidden information: what its person sees, and no more."""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

import zermelo as z
from tests.studio.conftest import Host, Refused
from zermelo.game import CHANCE, AnyGame, Game
from zermelo.games import games
from zermelo.play.clock import TimeControl
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.session import StudioSession
from zermelo.studio.views import make_views
from zermelo.studio.views.board import draw, legal_moves
from zermelo.studio.views.board import show as show_board
from zermelo.studio.views.clocks import StudioClock, TurnTimer, show_clocks
from zermelo.studio.workers import WorkerPool

HIDING = [name for name in games() if z.load(name).can("view")]


def show(game: AnyGame, state: Any, viewer: int) -> dict[str, Any]:
    """The board as `viewer` sees it."""
    picture = draw(game, state, viewer)
    return show_board(game, state, picture, legal_moves(game, state, game.actions(state), picture, viewer), viewer)


def states_of(game: Game, seed: int, most: int = 60) -> list[Any]:
    """The states of a game of random moves in which somebody is to choose."""
    chance = random.Random(seed)
    state, found = game.initial(), []
    for _ in range(most):
        if game.is_terminal(state):
            break
        if game.player(state) != CHANCE:
            found.append(state)
        state = game.result(state, chance.choice(list(game.actions(state))))
    return found


@pytest.mark.parametrize("name", HIDING)
def test_what_is_drawn_and_told_follows_from_what_is_seen(name: str) -> None:
    game = z.load(name)
    told: dict[Any, Any] = {}
    for seed in range(150):
        for state in states_of(game, seed):
            viewer = game.player(state)
            for p in range(game.players):
                seen = (p, json.dumps(game.view(state, p), default=str))
                shown = show(game, state, p)
                assert told.setdefault(seen, (shown["picture"], shown["text"])) == (shown["picture"], shown["text"])
                assert shown["position"] == ""
                assert bool(shown["legal"]) == (p == viewer)
            mine = ("legal", viewer, json.dumps(game.view(state, viewer), default=str))
            legal = show(game, state, viewer)["legal"]
            assert told.setdefault(mine, legal) == legal


CARDS = ["kuhn", "leduc", "goofspiel:hidden=yes", "liars-dice:dice=2", "one-card", "holdem", "holdem:board=Ks7h2d5c"]


@pytest.mark.parametrize("name", [*CARDS, "battleship", "blind-tictactoe"])
def test_hands_are_drawn_and_those_of_others_lie_face_down(name: str) -> None:
    game = z.load(name)
    for state in states_of(game, 5):
        viewer = game.player(state)
        picture = draw(game, state, viewer)
        assert "monospace" not in picture
        if name in CARDS:
            assert 'class="back"' in picture


def test_cards_and_cells_in_sight_can_be_clicked() -> None:
    for name in ("goofspiel", "battleship", "battleship:columns=3,rows=3,length=2", "blind-tictactoe"):
        game = z.load(name)
        for state in states_of(game, 3):
            for p in range(game.players):
                if game.player(state) == p:
                    assert all(each["at"] for each in show(game, state, p)["legal"]), name


@pytest.mark.parametrize("name", ["leduc", "kuhn"])
def test_no_message_to_a_page_holds_the_card_of_its_opponent(host: Host, name: str) -> None:
    with host.open() as page:
        heard: list[Any] = []
        receive = page.receive
        page.receive = lambda: heard.append(receive()) or heard[-1]  # type: ignore[func-returns-value,method-assign]
        page.ask("play.new", game=name, seats=["human", "random"])
        page.wait("play", lambda data: data["yours"])
        view = host.studio.sessions.known[page.session].views["play"]
        mine, theirs = (ply.action for ply in view.live.plies[:2])  # type: ignore[attr-defined]
        game = z.load(name)
        news = [each["data"] for each in heard if each.get("event") == "play"]
        assert news
        for data in news:
            assert f">{game.card_name(mine)}<" in data["picture"]
            assert f">{game.card_name(theirs)}<" not in data["picture"]
            assert game.card_name(theirs) not in data["text"]
            assert [each["notation"] for each in data["moves"]] == [game.card_name(mine)]


def test_a_page_does_not_learn_how_often_its_opponent_tried(host: Host) -> None:
    with host.open() as page:
        page.ask("play.new", game="blind-tictactoe", seats=["human", "human"])
        view = host.studio.sessions.known[page.session].views["play"]
        view.live.players[1] = None  # type: ignore[attr-defined] # somebody who is not at this page
        plies = []
        for move in ("a1", "a1", "b2"):  # x's mark, o runs into it, o's mark
            live = view.live  # type: ignore[attr-defined]
            live.push(live.game.read_action(live.state, move))
            plies.append((view.snapshot() or {})["ply"])
        assert plies == [1, 1, 1]
        with pytest.raises(Refused, match="when it is over"):
            page.ask("play.look", ply=2)
        page.ask("play.resign")
        assert page.wait("play", lambda data: data["result"])["ply"] == 3
        assert page.ask("play.look", ply=2)["ply"] == 2


class Guess(z.Game):
    """Player 0 hides a number, player 1 guesses it; the places that can be clicked tell who may do what."""

    class State(NamedTuple):
        hidden: int
        turn: int

    def initial(self) -> State:
        return self.State(0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        yield from (1, 2) if s.turn == 0 else (s.hidden, 3)

    def result(self, s: State, a: int) -> State:
        return self.State(a if s.turn == 0 else s.hidden, s.turn + 1)

    def is_terminal(self, s: State) -> bool:
        return s.turn == 2

    def utility(self, s: State, p: int) -> float:
        return 0.0

    def view(self, s: State, p: int) -> int:
        return s.turn

    def picture(self, s: State) -> str:
        return '<svg><g data-at="1"/><g data-at="2"/><g data-at="3"/></svg>'

    def view_picture(self, view: int, p: int) -> str:
        return self.picture(self.initial())

    def show_view(self, view: int, p: int) -> str:
        return "a guess"

    def clicks(self, s: State, a: int) -> list[list[tuple[str, ...]]]:
        return [[(str(a),)]]


def test_the_steps_of_others_are_not_told_to_a_page() -> None:
    session = StudioSession(Catalogue([Guess()]), WorkerPool(1, "search"), make_views)
    view = session.views["play"]
    view.verbs["new"]({"game": "Guess", "seats": ["human", "human"]})
    view.verbs["sit"]({"seat": 0})
    assert [each["at"] for each in view.snapshot()["steps"]] == [("1",), ("2",)]  # type: ignore[index]
    view.live.players[1] = None  # type: ignore[attr-defined] # somebody who is not at this page
    view.live.push(2)  # type: ignore[attr-defined]
    shown = view.snapshot()
    assert shown is not None
    assert (shown["legal"], shown["steps"]) == ([], [])


def test_a_clock_does_not_tell_how_often_its_owner_tried() -> None:
    once, twice = (StudioClock(2, TimeControl.read("60+5")) for _ in range(2))
    for clock in (once, twice):
        clock.charge(0, 2.0)
    twice.charge(1, 1.0)
    assert twice.remaining == [63.0, 64.0]
    assert twice.seen_by(0, 1) == once.seen_by(0, 1) == [63.0, 60.0]  # in the middle of the row
    assert twice.seen_by(1, 1) == [63.0, 64.0]  # one sees one's own
    twice.charge(1, 2.0)
    once.charge(1, 3.0)
    assert twice.seen_by(0, 0) == once.seen_by(0, 0) == [63.0, 62.0]
    for clock in (once, twice):
        clock.charge(0, 1.0)
        clock.charge(1, 1.0)
    assert twice.seen_by(0, 0) == once.seen_by(0, 0)
    assert twice.seen_by(None, 0) == twice.remaining == [67.0, 71.0]


def test_a_turn_does_not_tell_when_its_owner_tried_again() -> None:
    timer, clock = TurnTimer(threading.RLock(), lambda: None), StudioClock(2, TimeControl.read("60+5"))
    timer.start(1)
    time.sleep(0.1)
    clock.charge(1, timer.spent())
    timer.start(1)
    told, seen = (show_clocks(clock, timer, 1, viewer) for viewer in (1, 0))
    assert told is not None
    assert seen is not None
    assert told["spent"] < seen["spent"] >= 0.1
    assert (told["remaining"], seen["remaining"]) == (clock.remaining, [60.0, 60.0])
    timer.start(0)
    timer.start(1)
    assert timer.run_began_at == timer.asked_at


def test_a_page_sees_the_clock_of_a_row_of_hidden_attempts_as_one(host: Host) -> None:
    with host.open() as page:
        page.ask("play.new", game="blind-tictactoe", seats=["human", "human"], clock="60+5")
        view = host.studio.sessions.known[page.session].views["play"]
        live = view.live  # type: ignore[attr-defined]
        live.players[1] = None  # somebody who is not at this page
        seen = []
        for mover, move in ((0, "a1"), (1, "a1"), (1, "b2")):  # x's mark, o runs into it, o's mark
            live.timekeeper.charge(mover, 1.0)
            live.push(live.game.read_action(live.state, move))
            seen.append((view.snapshot() or {})["clock"]["remaining"])
        assert seen == [[64.0, 60.0], [64.0, 60.0], [64.0, 63.0]]
        page.ask("play.resign")
        over = page.wait("play", lambda data: data["result"])
        assert over["clock"]["remaining"] == [64.0, 68.0]
