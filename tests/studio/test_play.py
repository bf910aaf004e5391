"""Games at a table of the studio: people, opponents, clocks, what is shown and what is not."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

from tests.studio.conftest import Host, Page, Refused, hosting, soon
from tests.studio.views import begin, play, sit
from zermelo.analysis import Limits
from zermelo.engine.searcher import Searcher
from zermelo.games import load
from zermelo.studio.opponents import opponents


def test_two_people_play_a_game_to_its_end(page: Page) -> None:
    shown = begin(page, "tictactoe", "human", "human")
    assert (shown["mover"], len(shown["legal"]), shown["legal"][0]) == ("x", 9, {"notation": "a1", "at": ["a1"]})
    shown = play(page, "a1", "b1", "a2", "b2", "a3")
    assert shown["result"]["message"] == "3 in a row; x wins"
    assert [move["notation"] for move in shown["moves"]] == ["a1", "b1", "a2", "b2", "a3"]
    assert shown["legal"] == []
    with pytest.raises(Refused, match="not your turn"):
        page.ask("play.move", move="c3")


@pytest.mark.parametrize(
    ("game", "first"),
    [
        ("chess", "engine:seconds=1,book=yes"),
        ("chess:book=no", "engine:seconds=1"),
        ("backgammon", "engine:seconds=1"),
        ("kingmaker", "engine:seconds=1"),
        ("go", "mcts:seconds=1"),
        ("kuhn", "mcts:seconds=1"),
    ],
)
def test_the_first_opponent_to_choose_from_is_the_strongest_for_the_game(game: str, first: str) -> None:
    assert [each["text"] for each in opponents(load(game))][:2] == ["human", first]


def test_an_opponent_answers_and_its_move_can_be_taken_back(page: Page) -> None:
    begin(page, "tictactoe", "human", "alphabeta:depth=9")
    page.ask("play.move", move="b2")
    assert page.wait("play", lambda data: data["ply"] == 2 and data["yours"])["moves"][1]["player"] == 1
    page.ask("play.undo")
    assert page.wait("play", lambda data: data["ply"] == 0)["yours"]


def test_nobody_waits_while_an_opponent_makes_ready(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.arena.players.search import SearchPlayer

    ready = threading.Event()
    begin_game = SearchPlayer.begin

    def slowly(self: SearchPlayer, game: Any, seat: int) -> None:
        ready.wait(60)
        begin_game(self, game, seat)

    monkeypatch.setattr(SearchPlayer, "begin", slowly)
    assert begin(page, "tictactoe", "engine:depth=1", "human", evaluate=False)["thinking"]
    assert page.ask("home.game", game="tictactoe")
    ready.set()
    assert page.wait("play", lambda data: data["ply"] == 1)["yours"]


def test_an_illegal_move_is_refused_and_the_game_goes_on(page: Page) -> None:
    begin(page, "tictactoe", "human", "human")
    for move in ("z9", "", "a1 b2"):
        with pytest.raises(Refused):
            page.ask("play.move", move=move)
    assert play(page, "a1")["ply"] == 1
    with pytest.raises(Refused, match="changed meanwhile"):
        page.ask("play.move", move="b1", ply=0)


def test_a_hint_and_the_bar_come_from_a_search(page: Page) -> None:
    begin(page, "tictactoe", "human", "human", position="xx./oo./...")
    page.ask("play.hint")
    assert page.wait("play", lambda data: data["hint"])["hint"]["move"] == "c3"
    assert page.wait("play", lambda data: data["values"][0] is not None)["values"] == [1.0]


def test_rules_that_fail_in_the_search_for_a_hint_are_said_to(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise KeyError("stones")

    begin(page, "tictactoe", "human", "human", evaluate=False)
    monkeypatch.setattr(Searcher, "search", fail)
    page.ask("play.hint")
    hint = page.wait("play", lambda data: data["hint"])["hint"]
    assert hint["move"] == ""
    assert hint["message"].startswith("the rules raised KeyError: 'stones'")
    assert play(page, "b2")["hint"] is None


def test_to_resign_is_to_lose(page: Page) -> None:
    begin(page, "tictactoe", "human", "random")
    page.ask("play.resign")
    shown = page.wait("play", lambda data: data["result"])
    assert shown["result"]["utilities"] == [-1.0, 1.0]


@pytest.mark.parametrize("clock", ["0.001", "60,move=0.001"])
def test_a_person_whose_time_is_up_has_lost_though_nobody_asks(page: Page, clock: str) -> None:
    number = begin(page, "tictactoe", "human", "human", clock=clock)["number"]
    assert page.wait("play", lambda data: data["result"])["result"]["reason"] == "time"
    shown = begin(page, "tictactoe", "human", "human", clock="60")
    assert (shown["result"], shown["number"]) == (None, number + 1)


def test_a_page_that_comes_back_learns_how_long_the_turn_has_lasted(page: Page) -> None:
    assert begin(page, "tictactoe", "human", "human", clock="60")["clock"]["remaining"] == [60.0, 60.0]
    time.sleep(0.2)
    page.news.clear()
    page.ask("play.show")
    spent = page.news["play"]["clock"]["spent"]
    assert spent >= 0.2
    shown = play(page, "b2")
    assert shown["clock"]["remaining"][0] <= 60 - spent


def test_time_that_runs_out_while_the_page_is_away_is_up_when_it_is_back(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("zermelo.studio.app.GRACE_SECONDS", 0.0)
    with host.open() as page:
        begin(page, "tictactoe", "human", "human", clock="1", evaluate=False)
        session = page.session
        view: Any = host.studio.sessions.known[session].views["play"]
    assert soon(lambda: view.timer.timer is None)
    assert soon(lambda: view.timer.spent() > 1.2)
    assert not view.live.is_over
    with host.open(session) as page:
        assert page.wait("play", lambda data: data["result"])["result"]["reason"] == "time"


def test_a_clock_that_was_stopped_does_not_ring_in_a_game_that_is_over(page: Page) -> None:
    begin(page, "tictactoe", "human", "human", clock="0.4", position="xx./oo./...", evaluate=False)
    over = play(page, "c3")
    time.sleep(0.7)
    page.ask("play.show")
    assert page.news["play"]["result"] == over["result"]
    assert over["result"]["reason"] == ""


def test_dice_are_rolled_and_hidden_things_stay_hidden(page: Page) -> None:
    shown = begin(page, "pig", "human", "random")
    assert [each["notation"] for each in shown["legal"]] == ["roll"]
    assert play(page, "roll")["ply"] >= 2
    begin(page, "blind-tictactoe", "human", "human")
    sit(page, 0)
    play(page, "b2")
    shown = sit(page, 1)
    assert "x" not in shown["text"].split("\n")[1]  # the second player does not see where the first one went
    assert shown["position"] == ""
    with pytest.raises(Refused):
        page.ask("play.undo")


def test_a_hint_where_something_is_hidden_looks_only_at_what_the_person_sees(page: Page) -> None:
    assert not begin(page, "blind-tictactoe", "human", "human")["hints"]
    assert sit(page, 0)["hints"]
    play(page, "b2")
    shown = sit(page, 1)
    page.ask("play.hint")
    hint = page.wait("play", lambda data: data["hint"])["hint"]
    assert hint["move"] in {each["notation"] for each in shown["legal"]}
    assert "wins" not in hint["message"]
    assert not begin(page, "matching-pennies", "random", "random")["hints"]
    with pytest.raises(Refused, match="no hint"):
        page.ask("play.hint")


def test_earlier_positions_can_be_looked_at(page: Page) -> None:
    first = begin(page, "tictactoe", "human", "human", evaluate=False)
    play(page, "a1", "b2")
    assert page.ask("play.look", ply=0)["picture"] == first["picture"]
    with pytest.raises(Refused):
        page.ask("play.look", ply=3)


def test_a_game_of_ones_own_takes_options_that_are_numbers(page: Page, own_game: Path) -> None:
    name = f"{own_game}:Countdown"
    assert begin(page, f"{name}:stones=3", "human", "human")["position"] == "(3,0)"
    (entry,) = [each for each in page.ask("home.games")["games"] if each["text"] == name]
    assert entry["options"] == "stones=7"
    with pytest.raises(Refused, match="stones must be a number"):
        page.ask("play.new", game=f"{name}:stones=/etc/passwd", seats=["human", "human"])
    with pytest.raises(Refused, match="has no option 'sticks'"):
        page.ask("play.new", game=f"{name}:sticks=3", seats=["human", "human"])


def test_a_game_of_ones_own_comes_from_the_command_line(page: Page, own_game: Path) -> None:
    name = f"{own_game}:Countdown"
    assert page.ask("home.games")["games"][0]["text"] == name
    begin(page, name, "human", "human", evaluate=False)
    assert play(page, "2", "2", "1", "2")["result"]["message"] == "player 1 wins"


def test_a_player_whose_page_is_gone_lets_go_of_its_table_and_plays_on_later(host: Host) -> None:
    with host.open() as page:
        page.ask("play.new", game="chess", seats=["human", "engine:nodes=1000"], evaluate=False)
        page.ask("play.move", move="e4")
        page.wait("play", lambda data: len(data["moves"]) == 2)
        session = host.studio.sessions.known[page.session]
        player = session.views["play"].live.players[1]  # type: ignore[attr-defined]
        assert player.searcher is not None
        session.stop()
        assert player.searcher is None
        page.ask("play.move", move="d4")
        assert page.wait("play", lambda data: len(data["moves"]) == 4)["result"] is None
        assert player.searcher is not None


FAILING = """
from countdown import Countdown

class Unseen(Countdown):
    def picture(self, s):
        if s.stones < 7:
            raise KeyError("no such stone")
        return "<svg xmlns='http://www.w3.org/2000/svg'/>"

class Mute(Countdown):
    def show(self, s):
        raise KeyError("no words")
"""


def test_a_picture_that_fails_is_no_reason_not_to_play(own_game: Path) -> None:
    (own_game.parent / "failing.py").write_text(FAILING, encoding="utf-8")
    names = [f"{own_game.parent / 'failing.py'}:{name}" for name in ("Unseen", "Mute")]
    with hosting((*names,)) as host:
        with host.open() as page:
            begin(page, names[0], "human", "human")
            assert "no such stone" in play(page, "2")["picture"]
            assert play(page, "2", "1", "2")["result"]["message"] == "player 1 wins"
            page.ask("theory.solve", players=["one", "two"], rows=["a"], columns=["b"], cells=[["1"]])
            with pytest.raises(Refused, match="no words"):
                page.ask("play.new", game=names[1], seats=["human", "human"])
        with host.open(page.session) as again:
            assert again.session == page.session
            again.number = page.number
            assert again.wait("theory")
            assert again.ask("home.games")["games"]


UNCOMPILED = """
import json
from countdown import Countdown

class Slow(Countdown):
    def is_terminal(self, s):
        return json.loads(str(s.stones)) == 0
"""


def test_a_page_says_that_rules_run_interpreted(own_game: Path) -> None:
    (own_game.parent / "slow.py").write_text(UNCOMPILED, encoding="utf-8")
    name = f"{own_game.parent / 'slow.py'}:Slow"
    with hosting((name,)) as host, host.open() as page:
        begin(page, name, "human", "human")
        assert "json" in page.wait("play", lambda data: data["interpreted"])["interpreted"]
        page.ask("analyse.open", game=name)
        assert "json" in page.wait("analyse", lambda data: data["analysis"] and data["interpreted"])["interpreted"]
        begin(page, "tictactoe", "human", "human")
        assert page.wait("play", lambda data: data["values"][0] is not None)["interpreted"] == ""


def test_a_game_goes_on_if_another_cannot_be_begun(page: Page) -> None:
    begin(page, "tictactoe", "human", "human", evaluate=False)
    play(page, "a1")
    for wrong in ({"position": "xxx/oo./..."}, {"position": "zzz"}, {"clock": "soon"}, {"evaluate": "perhaps"}):
        with pytest.raises(Refused):
            page.ask("play.new", game="tictactoe", seats=["human", "human"], **wrong)
    assert play(page, "b2")["position"] == ".../.o./x.."


def test_a_search_that_had_no_time_tells_nothing(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.studio.views.advice.EVALUATION", Limits(seconds=1e-6))
    begin(page, "morris", "human", "human")
    play(page, "a7", "d6")
    time.sleep(0.5)  # for searches of a microsecond to end, or nothing is shown in vain
    assert page.ask("play.show") == {}
    assert page.news["play"]["values"] == [None, None, None]
