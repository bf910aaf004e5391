"""Positions that are analysed, and why not."""

from __future__ import annotations

from tests.studio.conftest import Page


def test_an_analysis_deepens_to_a_proof_with_several_lines(page: Page) -> None:
    page.ask("analyse.open", game="tictactoe", position="xx./oo./...", lines=2)
    shown = page.wait("analyse", lambda data: data["analysis"] and data["analysis"]["exact"] and not data["running"])
    assert "x wins in 1 ply" in shown["analysis"]["says"]
    assert shown["analysis"]["lines"][0]["moves"] == ["c3"]
    steps = page.ask("analyse.line", line=0)["steps"]
    assert [step["say"] for step in steps] == ["c3"]


def test_a_game_that_simulations_suit_is_analysed_by_them(page: Page) -> None:
    page.ask("analyse.open", game="go:size=5", lines=3)
    first = page.wait("analyse", lambda data: data["analysis"])["analysis"]
    assert first["method"].startswith("mcts")
    assert len(first["lines"]) == 3
    wanted = first["simulations"]
    grown = page.wait("analyse", lambda data: data["analysis"] and data["analysis"]["simulations"] > wanted)
    assert grown["running"]
    page.ask("analyse.halt")


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
