"""What each view can be asked, and what it shows."""

from __future__ import annotations

import threading
import time
from pathlib import Path
from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Host, Page, Refused
from zermelo.games import games
from zermelo.studio.catalogue import Catalogue
from zermelo.studio.desk import Desk
from zermelo.studio.exercise import make_exercise
from zermelo.studio.rooms.board import PLACE, find_places, find_ways, list_actions, share
from zermelo.studio.session import Session
from zermelo.studio.window import below

EIGHT_STEPS = "[[[2,3],[5,9]],[[0,1],[7,5]]]"


def begin(page: Page, game: str, *seats: str, **more: Any) -> Any:
    page.news.pop("play", None)
    page.ask("play.new", game=game, seats=list(seats), **more)
    return page.wait("play")


def play(page: Page, *moves: str) -> Any:
    for move in moves:
        ply = page.news["play"]["ply"]
        page.ask("play.move", move=move)
        page.wait("play", lambda data, ply=ply: data["ply"] > ply or data["result"])
    return page.news["play"]


# Play.


def test_two_people_play_a_game_to_its_end(page: Page) -> None:
    shown = begin(page, "tictactoe", "human", "human")
    assert (shown["mover"], len(shown["legal"]), shown["legal"][0]) == ("x", 9, {"say": "a1", "at": ["a1"]})
    shown = play(page, "a1", "b1", "a2", "b2", "a3")
    assert shown["result"]["says"] == "x wins"
    assert [move["say"] for move in shown["moves"]] == ["a1", "b1", "a2", "b2", "a3"]
    assert shown["legal"] == []
    with pytest.raises(Refused, match="not your turn"):
        page.ask("play.move", move="c3")


def test_an_opponent_answers_and_its_move_can_be_taken_back(page: Page) -> None:
    begin(page, "tictactoe", "human", "alphabeta:depth=9")
    page.ask("play.move", move="b2")
    assert page.wait("play", lambda data: data["ply"] == 2 and data["yours"])["moves"][1]["player"] == 1
    page.ask("play.undo")
    assert page.wait("play", lambda data: data["ply"] == 0)["yours"]


def test_nobody_waits_while_an_opponent_makes_ready(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    from zermelo.arena.players.engine import EnginePlayer

    ready = threading.Event()
    begin_game = EnginePlayer.begin

    def slowly(self: EnginePlayer, game: Any, seat: int) -> None:
        ready.wait(60)
        begin_game(self, game, seat)

    monkeypatch.setattr(EnginePlayer, "begin", slowly)
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


def test_to_resign_is_to_lose(page: Page) -> None:
    begin(page, "tictactoe", "human", "random")
    page.ask("play.resign")
    shown = page.wait("play", lambda data: data["result"])
    assert shown["result"]["utilities"] == [-1.0, 1.0]


def test_a_person_whose_time_is_up_has_lost(page: Page) -> None:
    begin(page, "tictactoe", "human", "human", clock="0.001")
    time.sleep(0.3)
    page.ask("play.flag")
    assert page.wait("play", lambda data: data["result"])["result"]["reason"] == "time"


def test_dice_are_rolled_and_hidden_things_stay_hidden(page: Page) -> None:
    shown = begin(page, "pig", "human", "random")
    assert [each["say"] for each in shown["legal"]] == ["roll"]
    assert play(page, "roll")["ply"] >= 2
    shown = begin(page, "blind-tictactoe", "human", "human")
    shown = play(page, "b2")
    assert "x" not in shown["text"].split("\n")[1]  # the second player does not see where the first one went
    assert shown["position"] == ""
    for verb in ("play.undo", "play.hint"):
        with pytest.raises(Refused):
            page.ask(verb)


def test_earlier_positions_can_be_looked_at(page: Page) -> None:
    first = begin(page, "tictactoe", "human", "human", evaluate=False)
    play(page, "a1", "b2")
    assert page.ask("play.look", ply=0)["picture"] == first["picture"]
    with pytest.raises(Refused):
        page.ask("play.look", ply=3)


def test_a_game_of_ones_own_comes_from_the_command_line(page: Page, own_game: Path) -> None:
    name = f"{own_game}:Countdown"
    assert page.ask("home.games")["games"][0]["text"] == name
    begin(page, name, "human", "human", evaluate=False)
    assert play(page, "2", "2", "1", "2")["result"]["says"] == "player 1 wins"


# A lost connection.


def test_a_page_that_comes_back_finds_its_game(host: Host) -> None:
    with host.open() as page:
        begin(page, "tictactoe", "human", "human", evaluate=False)
        play(page, "a1")
        session = page.session
    with host.open(session) as page:
        assert page.session == session
        assert page.wait("play")["ply"] == 1
        page.number = 100
        page.ask("play.move", move="b2")
    with host.open("unknown") as page:
        assert page.session not in ("unknown", session)
        assert "play" not in page.news


def test_a_request_that_is_sent_twice_is_done_once(page: Page) -> None:
    begin(page, "tictactoe", "human", "human", evaluate=False)
    page.ask("play.move", move="a1")
    page.number -= 1
    assert page.ask("play.move", move="a1") == {}
    assert page.wait("play", lambda data: data["ply"] >= 1)["ply"] == 1


# Watch.


def watch(page: Page, side: int = 0, **given: Any) -> Any:
    versions = [each["version"] for each in page.news["watch"]["sides"]] if "watch" in page.news else [0, 0]
    page.ask("watch.run", side=side, **given)

    def finished(data: Any) -> bool:
        return data["sides"][side]["version"] > versions[side] and not data["sides"][side]["running"]

    return page.wait("watch", finished)


def test_the_eight_steps_have_their_windows_and_cuts(page: Page) -> None:
    shown = watch(page, game=EIGHT_STEPS, algorithm="alphabeta")["sides"][0]["view"]
    kinds = [step["kind"] for step in shown["steps"]]
    assert (kinds.count("enter"), kinds.count("leaf"), kinds.count("cutoff")) == (11, 5, 2)
    cuts = [step["says"] for step in shown["steps"] if step["kind"] == "cutoff"]
    assert "5" in cuts[0]
    assert "9" in cuts[0]
    assert "G" in cuts[1]
    assert len(shown["nodes"]) == len(shown["numbers"]) == len(shown["hidden"])


def test_two_searches_are_compared_to_the_first_difference(page: Page) -> None:
    watch(page, game=EIGHT_STEPS, algorithm="alphabeta")
    shown = watch(page, 1, game=EIGHT_STEPS, algorithm="minimax")
    expected = z.diff(
        z.alphabeta(z.load(EIGHT_STEPS), trace=True).trace, z.minimax(z.load(EIGHT_STEPS), trace=True).trace
    )
    assert shown["difference"]["steps"] == [expected.step_a, expected.step_b]
    assert shown["difference"]["says"].startswith("The searches part ways at step 8 of alphabeta, step 7 of minimax")
    page.ask("watch.close", side=1)
    assert page.wait("watch", lambda data: data["sides"][1]["view"] is None)["difference"] is None


def test_a_large_tree_is_drawn_in_part_and_opened_piece_by_piece(page: Page) -> None:
    shown = watch(page, game="tictactoe", algorithm="alphabeta", depth=5)["sides"][0]["view"]
    assert len(shown["nodes"]) <= 250
    place = max(range(len(shown["hidden"])), key=lambda i: (shown["numbers"][i] is not None, shown["hidden"][i]))
    window = page.ask("watch.window", side=0, node=shown["numbers"][place])["view"]
    assert 0 < len(window["steps"]) < shown["total"]
    assert len(window["nodes"]) > 1


def test_a_window_is_a_run_of_its_own() -> None:
    trace = z.alphabeta(z.load(EIGHT_STEPS), trace=True).trace
    part = below(trace, 1)
    assert part.events[0]["parent"] is None
    assert [event["event"] for event in part.events].count("enter") == 6
    assert part.text()
    assert below(trace, 0) is trace


def test_chance_and_several_players_can_be_watched(page: Page) -> None:
    chance = '{"max": [{"chance": [[0.9, 2], [0.1, 3]]}, {"chance": [[0.9, 1], [0.1, 4]]}]}'
    assert "chance" in watch(page, game=chance, algorithm="expectiminimax")["sides"][0]["view"]["kinds"]
    assert "player" in watch(page, game="kingmaker", algorithm="maxn", depth=3)["sides"][0]["view"]["kinds"]
    assert "use maxn" in watch(page, game="kingmaker", algorithm="minimax", depth=3)["sides"][0]["error"]


def test_a_monte_carlo_search_is_watched_as_it_grows(page: Page) -> None:
    side = watch(page, game="tictactoe", algorithm="mcts")["sides"][0]
    assert side["error"] == ""
    assert side["view"]["total"] > 60


def test_an_exercise_has_the_leaves_and_not_the_answer() -> None:
    trace = z.alphabeta(z.load(EIGHT_STEPS), trace=True).trace
    sheet = make_exercise(trace, with_key=False)
    assert all(f">{leaf}</text>" in sheet for leaf in (2, 3, 5, 9, 0, 1, 7))
    assert "✂" not in sheet
    assert '<tspan class="alpha"></tspan>' in sheet
    assert "✂" in make_exercise(trace)


# Analyse.


def test_an_analysis_deepens_to_a_proof_with_several_lines(page: Page) -> None:
    page.ask("analyse.open", game="tictactoe", position="xx./oo./...", lines=2)
    shown = page.wait("analyse", lambda data: data["analysis"] and data["analysis"]["exact"] and not data["running"])
    assert "x wins in 1 ply" in shown["analysis"]["says"]
    assert shown["analysis"]["lines"][0]["moves"] == ["c3"]
    steps = page.ask("analyse.line", line=0)["steps"]
    assert [step["say"] for step in steps] == ["c3"]


def test_why_not_plays_the_refutation_and_says_the_reason(page: Page) -> None:
    page.ask("analyse.open", game="tictactoe", position="xx./oo./...")
    page.wait("analyse", lambda data: data["analysis"] and not data["running"])
    page.ask("analyse.whynot", move="a1")
    answer = page.wait("analyse", lambda data: data["answer"])["answer"]
    assert "After this, o wins in 1 ply: c2." in answer["says"]
    assert "o already has a reply, c2" in answer["says"]
    assert "with c3" in answer["says"]
    assert [step["say"] for step in answer["steps"]] == ["a1", "c2"]


def test_why_not_names_the_cut_of_the_lecture(page: Page) -> None:
    page.ask("analyse.open", game="[[3,12,8],[2,4,6],[14,5,2]]")
    page.wait("analyse", lambda data: data["analysis"] and not data["running"])
    page.ask("analyse.whynot", move="a2")
    says = page.wait("analyse", lambda data: data["answer"])["answer"]["says"]
    assert says == "Pruned: MIN already has a reply, c1, that leaves you 2, and you have 3 elsewhere, with a1."


def test_why_not_counts_what_chess_loses(page: Page) -> None:
    page.ask("analyse.open", game="chess", position="4k3/8/8/3r4/8/8/3Q4/4K3 w - - 0 1")
    page.wait("analyse", lambda data: data["analysis"] and (data["analysis"]["depth"] or 0) >= 4)
    page.ask("analyse.whynot", move="Qd3")
    says = page.wait("analyse", lambda data: data["answer"])["answer"]["says"]
    assert "black" in says
    assert "Rxd3" in says


def test_lines_are_followed_and_taken_back(page: Page) -> None:
    page.ask("analyse.open", game="tictactoe")
    page.ask("analyse.move", move="b2")
    page.ask("analyse.move", move="a1")
    shown = page.wait("analyse", lambda data: data["ply"] == 2)
    assert [move["say"] for move in shown["moves"]] == ["b2", "a1"]
    page.ask("analyse.back", ply=0)
    assert page.wait("analyse", lambda data: data["ply"] == 0)["moves"] == []
    page.ask("analyse.halt")
    assert not page.wait("analyse", lambda data: not data["running"])["running"]


# Theory and tournaments.


def test_red_and_blue_is_solved_with_its_dominance_and_second_thoughts(page: Page) -> None:
    cells = [["30", "-10", "20"], ["-10", "20", "-20"]]
    page.ask("theory.solve", cells=cells, rows=["1", "2"], columns=["A", "B", "C"], players=["Red", "Blue"])
    answer = page.wait("theory", lambda data: not data["running"])["answer"]
    assert answer["value"] == "20/7"
    assert answer["dominance"] == ["Round 1: Blue never plays A, which C dominates."]
    mixes = answer["equilibria"][0]["mixes"]
    assert [[each["share"] for each in mix] for mix in mixes] == [["4/7", "3/7"], ["0", "4/7", "3/7"]]
    assert answer["picture"].startswith("<svg")
    gains = [gain for _, gain in answer["learning"]]
    assert gains[-1] < gains[0] / 10


def test_costs_turn_the_prisoners_dilemma_round(page: Page) -> None:
    cells = [["1, 1", "4, 0"], ["0, 4", "3, 3"]]
    names = ["cooperate", "confess"]
    page.ask("theory.solve", cells=cells, rows=names, columns=names, players=["one", "two"], costs=True)
    answer = page.wait("theory", lambda data: not data["running"])["answer"]
    assert answer["pure"] == [["confess", "confess"]]
    assert answer["equilibria"][0]["payoffs"] == ["3", "3"]


def test_a_tournament_fills_its_crosstable(page: Page) -> None:
    page.ask("arena.start", game="tictactoe", entrants=["alphabeta:depth=2", "random"], games=4)
    shown = page.wait("arena", lambda data: not data["running"])
    assert shown["error"] == ""
    report = shown["report"]
    assert (report["played"], report["total"]) == (4, 4)
    assert sum(row["points"] for row in report["rows"]) == 4


# Places.


def test_an_action_goes_through_the_places_that_its_text_names() -> None:
    squares = [f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)]
    assert find_places("e7e8q", squares) == ["e7", "e8"]
    assert find_places("9x18x27", [str(n) for n in range(1, 33)]) == ["9", "18", "27"]
    assert find_places("pass", squares) == []


PICTURED = ["tictactoe", "connect4", "hex", "othello", "checkers", "morris", "kalah", "breakthrough", "hexapawn"]


@pytest.mark.parametrize("name", [*PICTURED, "chess", "xiangqi", "nim"])
def test_every_move_of_a_board_game_can_be_clicked(name: str) -> None:
    game = z.load(name)
    state = game.initial()
    for _ in range(6):
        legal = list_actions(find_ways(game, state, [], game.picture(state)))
        assert all(each["at"] for each in legal), legal
        assert len({tuple(each["at"]) for each in legal}) == len(legal)
        state = game.result(state, list(game.actions(state))[len(legal) // 2])
        if game.is_terminal(state):
            break


@pytest.mark.parametrize("name", games())
def test_every_game_can_be_shown(name: str) -> None:
    game = z.load(name)
    picture = game.picture(game.initial())
    assert len(picture) < 100_000
    assert all(len(place) <= 4 for place in PLACE.findall(picture))


def test_prospects_are_measured_from_the_neutral_value() -> None:
    game = z.load("tictactoe")
    assert [share(game, value) for value in (-1.0, 0.0, 0.5, 1.0)] == [-1.0, 0.0, 0.5, 1.0]


def learn(page: Page, **given: Any) -> Any:
    page.news.pop("learn", None)
    page.ask("learn.run", **given)
    return page.wait("learn", lambda data: not data["running"])


def test_a_game_of_hidden_cards_is_learnt_and_its_exploitability_falls(page: Page) -> None:
    shown = learn(page, game="kuhn", method="cfr+", iterations=400)
    assert shown["error"] == ""
    iterations = [steps for steps, _ in shown["curve"]]
    assert iterations == sorted(iterations)
    assert iterations[-1] == shown["outcome"]["iterations"] == 400
    assert shown["curve"][-1][1] < shown["curve"][0][1] / 10
    assert dict(shown["outcome"]["values"])["player 0"] == pytest.approx(-1 / 18, abs=1e-3)
    assert shown["outcome"]["sets"] == len(shown["outcome"]["strategy"]) == 12


def test_a_run_that_is_halted_keeps_what_it_has_learnt(page: Page) -> None:
    page.ask("learn.run", game="leduc", method="cfr", iterations=10_000_000)
    page.wait("learn", lambda data: data["curve"])
    page.ask("learn.halt")
    shown = page.wait("learn", lambda data: not data["running"])
    assert 0 < shown["outcome"]["iterations"] < 10_000_000


def test_a_tree_that_is_too_large_is_not_learnt(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.studio.rooms.learn.MOST_NODES", 1_000)
    assert "more than 1,000 nodes" in learn(page, game="connect4", method="cfr")["error"]
    for bad in ({"method": "magic"}, {"iterations": 0}, {"game": "/etc/passwd"}):
        with pytest.raises(Refused):
            page.ask("learn.run", **{"game": "kuhn", **bad})


# News.


class SlowMail:
    """A lock whose first taker is held up on the way."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.asked = threading.Event()

    def __enter__(self) -> None:
        if not self.asked.is_set():
            self.asked.set()
            time.sleep(0.1)
        self.lock.acquire()

    def __exit__(self, *_: object) -> None:
        self.lock.release()


class Counter:
    """A room whose every picture is new."""

    def __init__(self) -> None:
        self.verbs: dict[str, Any] = {}
        self.pictures = 0

    def snapshot(self) -> dict[str, Any]:
        self.pictures += 1
        return {"picture": self.pictures}

    def stop(self) -> None: ...


def test_an_older_picture_never_overtakes_a_newer_one() -> None:
    session = Session(Catalogue(), Desk(0, "none"), lambda _: {"counter": Counter()})
    mail = SlowMail()
    session.mail = mail  # type: ignore[assignment]
    first = threading.Thread(target=session.push, args=("counter",))
    first.start()
    mail.asked.wait()
    session.push("counter")
    first.join()
    assert session.take_news() == [{"event": "counter", "data": {"picture": 2}}]
