"""Matrices that are solved, tournaments that are held, games that are learnt."""

from __future__ import annotations

from typing import Any

import pytest

import zermelo as z
from tests.studio.conftest import Host, Page, Refused, soon
from zermelo.equilibrium import NormalForm, vertex_enumeration
from zermelo.errors import UnsolvedError
from zermelo.studio.views.learn import can_learn, estimate_nodes


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
    shown = page.wait("theory", lambda data: not data["running"])
    assert shown["matrix"] == {
        "cells": cells,
        "rows": names,
        "columns": names,
        "players": ["one", "two"],
        "costs": True,
    }
    answer = shown["answer"]
    assert answer["pure"] == [["confess", "confess"]]
    assert answer["equilibria"][0]["payoffs"] == ["3", "3"]


def solve(page: Page, cells: list[list[str]]) -> Any:
    rows, columns = [f"r{i}" for i in range(len(cells))], [f"c{j}" for j in range(len(cells[0]))]
    page.ask("theory.solve", cells=cells, rows=rows, columns=columns, players=["one", "two"])
    return page.wait("theory", lambda data: not data["running"])["answer"]


@pytest.mark.parametrize(
    ("cells", "count", "mixtures"),
    [
        ([["0, 0", "0, 0"], ["0, 0", "0, 0"]], 4, True),
        ([["1, 1", "1, 0"], ["0, 1", "2, 0"]], 1, False),
        ([["1, 1", "1, 1"], ["0, 0", "2, 0"]], 4, True),
        ([["2, 1", "0, 0"], ["0, 0", "1, 2"]], 3, False),
    ],
)
def test_extreme_equilibria_are_told_apart_from_all(
    page: Page, cells: list[list[str]], count: int, mixtures: bool
) -> None:
    answer = solve(page, cells)
    assert (answer["count"], answer["mixtures"]) == (count, mixtures)


def test_the_search_for_equilibria_stops_when_it_is_told_to() -> None:
    form = NormalForm([[[int(i == j) for j in range(12)] for i in range(12)]] * 2)
    with pytest.raises(UnsolvedError, match="stopped before all equilibria were found"):
        vertex_enumeration(form, stop=lambda: True)


def test_what_is_being_solved_can_be_given_up(page: Page) -> None:
    size = 11
    cells = [["1, 1" if i == j else "0, 0" for j in range(size)] for i in range(size)]
    names = [str(i) for i in range(size)]
    page.ask("theory.solve", cells=cells, rows=names, columns=names, players=["one", "two"])
    page.ask("theory.halt")
    shown = page.wait("theory", lambda data: not data["running"])
    assert shown["answer"] == {"error": "Stopped: press Solve to begin anew."}
    assert solve(page, [["1"]])["value"] == "1"


def test_a_tournament_fills_its_crosstable(page: Page) -> None:
    page.ask("arena.start", game="tictactoe", entrants=["alphabeta:depth=2", "random"], games=4)
    shown = page.wait("arena", lambda data: not data["running"])
    assert shown["error"] == ""
    report = shown["report"]
    assert (report["played"], report["total"]) == (4, 4)
    assert sum(row["points"] for row in report["rows"]) == 4


def test_a_tournament_about_chips_shows_what_everybody_got(page: Page) -> None:
    page.ask("arena.start", game="kuhn", entrants=["random", "random:seed=1"], games=40)
    report = page.wait("arena", lambda data: not data["running"])["report"]
    assert (report["unit"], report["copies"]) == ("chips", 0)
    assert all("[" in row["payoff"] for row in report["rows"])
    assert report["rows"][0]["payoffs"][0] is None
    assert " ± " in report["rows"][0]["payoffs"][1]


def test_a_tournament_that_is_halted_ends_in_the_middle_of_a_game(host: Host, page: Page) -> None:
    page.ask("arena.start", game="chess", entrants=["engine:seconds=50", "engine:seconds=51"], games=2)
    view = host.studio.sessions.known[page.session].views["arena"]
    job = view.job  # type: ignore[attr-defined]
    assert soon(lambda: job in host.studio.searches.running)
    assert page.wait("arena", lambda data: data["running"])["stopped"] is False
    page.ask("arena.halt")
    shown = page.news["arena"]
    assert (shown["report"], shown["running"], shown["stopped"], shown["error"]) == (None, False, True, "")
    assert shown["game"] == "chess"
    assert shown["plan"]["entrants"] == ["engine:seconds=50", "engine:seconds=51"]
    assert soon(lambda: job not in host.studio.searches.running)


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
    monkeypatch.setattr("zermelo.studio.views.learn.MAX_TREE_NODES", 1_000)
    assert "more than 1,000 nodes" in learn(page, game="connect4", method="cfr")["error"]
    for bad in ({"method": "magic"}, {"iterations": 0}, {"game": "/etc/passwd"}):
        with pytest.raises(Refused):
            page.ask("learn.run", **{"game": "kuhn", **bad})


def test_only_games_that_hide_something_and_can_be_built_are_offered(page: Page) -> None:
    offered = {entry["text"] for entry in page.ask("learn.games")["games"]}
    assert {"kuhn", "leduc", "liars-dice", "battleship", "rock-paper-scissors", "goofspiel"} <= offered
    assert not offered & {"chess", "tictactoe", "backgammon", "blind-tictactoe", "holdem"}


def test_the_size_of_a_tree_is_estimated() -> None:
    assert estimate_nodes(z.load("red-blue")) == 9
    assert 40 < estimate_nodes(z.load("kuhn")) < 80  # 58
    assert not can_learn(z.load("blind-tictactoe"))


ENTRY = """EFG 2 R "Market entry" { "Entrant" "Incumbent" } ""
p "" 1 1 "outside" { "enter" "stay out" } 0
p "" 2 1 "entered" { "fight" "share" } 0
t "" 1 "" { -1, -1 }
t "" 2 "" { 2, 1 }
t "" 3 "" { 0, 4 }
"""


def solve_tree(page: Page, game: str) -> Any:
    page.ask("tree.solve", game=game)
    return page.wait("tree", lambda news: news["game"] == game and not news["running"])["answer"]


def test_a_game_is_solved_as_a_tree_in_fractions(page: Page) -> None:
    answer = solve_tree(page, "kuhn")
    assert answer["values"] == [["player 0", "-1/18"], ["player 1", "1/18"]]
    assert answer["exploitability"] == "0"
    assert len(answer["rows"]) == 12
    assert answer["picture"].count("<circle") == 24


def test_a_tree_that_is_typed_in_is_solved(page: Page) -> None:
    answer = solve_tree(page, ENTRY)
    assert [value for _, value in answer["values"]] == ["2", "1"]
    plays = {row["set"]: {each["action"]: each["share"] for each in row["mix"]} for row in answer["rows"]}
    assert plays == {"outside": {"enter": "1", "stay out": "0"}, "entered": {"fight": "0", "share": "1"}}


@pytest.mark.parametrize("text", ["EFG", 'EFG 2 R "x" { "a" } ""', "EFG 2 R", ENTRY.replace("t ", "q ")])
def test_what_is_no_tree_is_said_in_a_line(page: Page, text: str) -> None:
    assert "\n" not in solve_tree(page, text)["error"]


def test_a_tree_that_is_too_large_says_so(page: Page) -> None:
    assert "nodes" in solve_tree(page, "leduc")["error"]
    offered = {game["text"] for game in page.ask("tree.games")["games"]}
    assert "kuhn" in offered
    assert not {"leduc", "chess", "holdem"} & offered
