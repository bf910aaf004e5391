"""`zermelo resolve`: the steps of a player that re-solves, and what it can be exploited by."""

from __future__ import annotations

import json


def test_it_shows_each_step_hand_by_hand(zermelo):
    done = zermelo("resolve", "kuhn:players=2", "--moves", "J K pass bet", "--iterations", "300", "--json")
    told = json.loads(done.output)
    assert [step["after"] for step in told["steps"]] == ["the start", "the start", "pass bet"]
    last = told["steps"][-1]
    assert {row["name"] for row in last["hands"]} == {"J pb", "Q pb", "K pb"}
    assert all(abs(sum(row["actions"].values()) - 1) < 1e-9 for row in last["hands"])
    assert all(row["value"] <= row["promised"] + 1e-3 for row in last["opponent"])


def test_it_measures_the_player_as_it_plays(zermelo):
    done = zermelo("resolve", "kuhn:players=2", "--measure", "--iterations", "500", "--json")
    assert json.loads(done.output)["exploitability"] < 1e-4


def test_what_cannot_be_resolved_is_said_in_one_line(zermelo):
    assert "two players" in zermelo.fails("resolve", "kuhn:players=3")
    assert "nobody chooses" in zermelo.fails("resolve", "kuhn:players=2", "--moves", "J")
    assert "nobody chooses" in zermelo.fails("resolve", "kuhn:players=2", "--moves", "J K pass pass")


LESSONS = "situations=40,generations=2,iterations=20,width=8,passes=2"


def test_values_are_learned_kept_and_measured(zermelo, tmp_path):
    out = str(tmp_path / "values.safetensors")
    learned = json.loads(zermelo("train", "leduc:ranks=2", "--out", out, "--networks", LESSONS, "--json").output)
    assert (learned["out"], learned["situations"], learned["settings"]["width"]) == (out, 40, 8)
    found = zermelo(
        "resolve", "leduc:ranks=2", "--rounds", "1", "--values", out, "--measure", "--iterations", "20", "--json"
    )
    assert 0 < json.loads(found.output)["exploitability"] < 5
    assert "another game" in zermelo.fails("resolve", "leduc", "--rounds", "1", "--values", out)


def test_poker_is_measured_by_playing_hands(zermelo):
    game = "poker:stacks=30,raises=1"
    given = ("--measure", "--iterations", "1", "--hands", "2", "--against", "call,lbr", "--json")
    told = json.loads(zermelo("resolve", game, *given).output)["opponents"]
    assert list(told) == ["call", "lbr"]
    assert all(row["hands"] == 2 and row["error"] >= 0 for row in told.values())


def test_what_cannot_be_learned_or_measured_is_said_in_one_line(zermelo, tmp_path):
    out = str(tmp_path / "values.safetensors")
    assert "say --measure" in zermelo.fails("resolve", "poker")
    assert "no opponent of" in zermelo.fails("resolve", "poker", "--measure", "--against", "god")
    assert "deals nothing after the start" in zermelo.fails("train", "kuhn:players=2", "--minutes", "1", "--out", out)
    assert "leave out --data" in zermelo.fails("train", "poker", "--games", "3", "--out", out)
    assert "situations must be" in zermelo.fails("train", "leduc", "--networks", "situations=0", "--out", out)
