"""What a trace of Monte Carlo tree search tells, and that it can be kept."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import pytest

from zermelo.errors import TraceError
from zermelo.games import load
from zermelo.search.mcts import mcts
from zermelo.search.trace import Trace
from zermelo.search.trace.html import view
from zermelo.search.trace.model import Replay
from zermelo.search.trace.scene import Scene
from zermelo.search.trace.words import number

LECTURE = "[[3,12,8],[2,4,6],[14,5,2]]"


def test_a_trace_shows_the_four_steps_and_can_be_kept() -> None:
    game = load("tictactoe")
    found = mcts(game, simulations=30, trace=True)
    kinds = [event["event"] for event in found.trace.events]
    assert Counter(kinds)["simulation"] == Counter(kinds)["playout"] == 30
    assert {"enter", "select", "backup", "result"} <= set(kinds)
    assert Trace.from_json(found.trace.to_json()).events == found.trace.events
    text = found.trace.text()
    assert "── simulation 30 ──" in text
    assert "playout of" in text
    page = found.trace.html()
    for word in ("Selection:", "Playout:", "Backing up:"):
        assert word in page
    assert "<svg" in found.trace.svg()
    assert mcts(game, simulations=30).visits == found.visits  # watching changes nothing


@pytest.mark.parametrize("options", [{}, {"selection": "puct"}, {"rave": 10.0}])
def test_a_trace_takes_the_score_of_every_choice_apart(options: dict[str, Any]) -> None:
    game = load("tictactoe")
    trace = mcts(game, simulations=40, trace=True, **options).trace
    choices = [event["compared"] for event in trace.events if event.get("compared")]
    assert len(choices) >= 40
    for compared in choices:
        (chosen,) = (each for each in compared if each["chosen"])
        assert chosen["score"] == max(each["score"] for each in compared)
        for each in compared:
            if "mean" in each:
                assert each["mean"] + each["exploration"] == pytest.approx(each["score"])
                assert ("prior" in each) == (options.get("selection") == "puct")
            else:
                assert (each["visits"], each["score"]) == (0, math.inf)
    assert Trace.from_json(trace.to_json()).events == trace.events
    steps = view(trace.header, trace.events)["steps"]
    assert sum("scores" in step for step in steps) == len(choices)
    assert all(
        len(row) == len(step["scores"]["columns"])
        for step in steps
        if "scores" in step
        for row in step["scores"]["rows"]
    )


def test_a_comparison_that_makes_no_sense_is_refused() -> None:
    events = mcts(load("tictactoe"), simulations=5, trace=True).trace.to_json()
    place = next(i for i, event in enumerate(events) if "compared" in event)
    for damage in (
        3,
        [{"label": 3, "chosen": True, "score": 1}],
        [{"label": "a"}],
        [{"label": "a", "chosen": True, "score": ""}],
    ):
        with pytest.raises(TraceError, match="compared"):
            Trace.from_json([*events[:place], events[place] | {"compared": damage}])


def test_what_a_trace_calls_proved_is_the_proof_and_not_the_mean() -> None:
    trace = mcts(load(LECTURE), simulations=60, trace=True).trace
    last = {event["node"]: event for event in trace.events if event["event"] == "backup"}
    names = {event["node"]: event["name"] for event in trace.events if event["event"] == "enter"}
    proofs = {names[node]: event["worth"] for node, event in last.items() if event["proved"] and names[node]}
    assert proofs["A"] == proofs["B"] == 3
    scene = Scene(trace.header, trace.events, 100)
    replay = Replay(scene.tree)
    for event in trace.events:
        replay.apply(event)
    looks = {node.position.name: scene.look(place, replay) for place, node in enumerate(scene.nodes)}
    mean, visits = last[0]["value"], last[0]["visits"]
    assert mean > 3
    assert (looks["A"].value, looks["A"].note) == ("3", f"proved, mean {number(mean)} ×{visits}")
    assert f"{visits} visits, proved 3" in trace.text()
    assert f"at A is now {number(mean)}; it is proved to be worth 3." in trace.html()


def test_positions_entered_again_and_again_are_not_called_the_nodes_of_the_tree() -> None:
    found = mcts(load(LECTURE), simulations=60, trace=True)
    nodes = sum(event["event"] == "enter" for event in found.trace.events)
    assert found.nodes > nodes
    assert found.trace.text().splitlines()[-1].endswith(f"{found.leaves} simulations, {found.nodes} positions entered")


def test_a_trace_of_dice_and_of_three_players_can_be_told() -> None:
    for name in ("race:steps=2,sides=2", "kingmaker", LECTURE):
        assert mcts(load(name), simulations=8, trace=True).trace.html()
    short = mcts(load("tictactoe"), simulations=30, trace=5).trace
    assert short.header["truncated"]
    assert len(short) == 6
