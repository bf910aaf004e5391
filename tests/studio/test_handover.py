"""Several people at one page in a game of hidden information: nobody is shown what another may see."""

from __future__ import annotations

import json
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Host, Page, Refused
from tests.studio.views import begin, play, sit
from zermelo.games import games
from zermelo.studio.views.clocks import NOBODY

HIDING = [name for name in games() if z.load(name).can("view")]


def view_of(host: Host, page: Page) -> Any:
    return host.studio.sessions.known[page.session].views["play"]


@pytest.mark.parametrize("name", HIDING)
def test_a_covered_board_tells_nothing_that_one_person_alone_may_see(host: Host, page: Page, name: str) -> None:
    """The same words for all that may lie below: what is sent depends on whose turn it is, and on nothing else."""
    game = z.load(name)
    told = {}
    for _ in range(3):
        begin(page, name, *["human"] * game.players, clock="600+5")
        view = view_of(host, page)
        for _ in range(6):
            shown = page.news["play"]
            if shown["result"] is not None:
                break
            if shown["handover"] is not None:
                mover = game.player(view.live.state)
                assert shown["handover"] == shown["turn"] == mover
                assert (shown["legal"], shown["moves"], shown["last"], shown["position"]) == ([], [], [], "")
                assert (shown["hint"], shown["hints"], shown["values"], shown["ply"]) == (None, False, [], 0)
                assert not shown["clock"]["running"]
                public = {key: value for key, value in shown.items() if key not in ("clock", "number")}
                assert told.setdefault(mover, json.dumps(public)) == json.dumps(public)
                shown = sit(page, mover)
            assert shown["yours"]
            page.ask("play.move", move=view.live.dice.choice(shown["legal"])["notation"])
    assert told


def test_the_page_is_handed_over_whenever_the_turn_comes_to_another_person(page: Page) -> None:
    assert begin(page, "blind-tictactoe", "human", "human")["handover"] == 0
    sit(page, 0)
    assert play(page, "b2")["handover"] == 1
    sit(page, 1)
    assert play(page, "b2")["handover"] is None  # taken already, which one learns, and tries again
    assert play(page, "a1")["handover"] == 0
    shown = sit(page, 0)
    assert [move["notation"] for move in shown["moves"]] == ["b2"]
    assert shown["ply"] == 1


def test_before_the_page_is_handed_over_nothing_can_be_asked_of_the_game(page: Page) -> None:
    begin(page, "goofspiel", "human", "human")
    for verb, given in (("move", {"move": "1"}), ("step", {"made": [["1"]]}), ("resign", {})):
        with pytest.raises(Refused, match=r"hand the page over to .* first"):
            page.ask(f"play.{verb}", **given)
    for verb in ("hint", "undo", "save"):
        with pytest.raises(Refused):
            page.ask(f"play.{verb}")
    with pytest.raises(Refused, match="when it is over"):
        page.ask("play.look", ply=0)


@pytest.mark.parametrize("seat", [-1, 2, "0", None, 0.0, True])
def test_only_a_seat_of_the_game_can_be_taken(page: Page, seat: Any) -> None:
    begin(page, "kuhn", "human", "human")
    with pytest.raises(Refused, match="seat must be a whole number from 0 to 1"):
        page.ask("play.sit", seat=seat)


def test_only_whoever_is_to_move_takes_the_page_over(page: Page) -> None:
    begin(page, "kuhn", "human", "human")
    with pytest.raises(Refused, match="to look now"):
        page.ask("play.sit", seat=1)
    sit(page, 0)
    assert page.ask("play.sit", seat=0) == {}  # a button pressed twice
    with pytest.raises(Refused, match="to look now"):
        page.ask("play.sit", seat=1)
    begin(page, "tictactoe", "human", "human")
    with pytest.raises(Refused, match="to look now"):
        page.ask("play.sit", seat=0)


@pytest.mark.parametrize("seats", [("human", "random"), ("random", "human"), ("random", "random")])
def test_one_person_or_none_hands_nothing_over(page: Page, seats: tuple[str, str]) -> None:
    shown = begin(page, "leduc", *seats)
    assert shown["handover"] is None
    assert page.wait("play", lambda data: data["yours"] or data["result"])["handover"] is None


def test_a_clock_runs_only_once_its_owner_is_there(host: Host, page: Page) -> None:
    assert begin(page, "blind-tictactoe", "human", "human", clock="600")["clock"]["spent"] == 0.0
    view = view_of(host, page)
    assert view.timer.mover == NOBODY
    assert sit(page, 0)["clock"]["running"]
    assert view.timer.mover == 0
    shown = play(page, "b2")
    assert (shown["clock"]["running"], view.timer.mover) == (False, NOBODY)


def test_what_is_covered_stays_covered_when_the_page_comes_back(host: Host) -> None:
    with host.open() as page:
        begin(page, "kuhn", "human", "human", clock="600")
        sit(page, 0)
        play(page, "pass")
        session = page.session
    with host.open(session) as page:
        shown = page.wait("play")
        assert (shown["handover"], shown["text"]) == (1, "Hand over to player 1.")
        assert not shown["clock"]["running"]


def test_when_the_game_is_over_everybody_sees_everything(page: Page) -> None:
    begin(page, "kuhn", "human", "human")
    sit(page, 0)
    play(page, "pass")
    sit(page, 1)
    shown = play(page, "pass")
    assert shown["result"]
    assert shown["handover"] is None
    assert len(shown["moves"]) == 4
