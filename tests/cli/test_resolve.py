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
