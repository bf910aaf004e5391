"""Every search of the textbook leaves a trace that keeps the format and can be shown."""

from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings

import zermelo as z
from tests.search.trace.streams import eight_steps, two_ply
from tests.search.trees import chance_trees, trees
from zermelo.search.trace import Trace, diff

SEARCHES: dict[str, Callable[[Any], Any]] = {
    "minimax": lambda game: z.minimax(game, trace=True),
    "negamax": lambda game: z.negamax(game, trace=True),
    "alphabeta": lambda game: z.alphabeta(game, trace=True),
    "fail-hard": lambda game: z.alphabeta(game, hard=True, trace=True),
    "quick": lambda game: z.alphabeta(game, quick=True, trace=True),
    "deepening": lambda game: z.alphabeta(game, depth=4, deepen=True, table=True, trace=True),
    "pvs": lambda game: z.pvs(game, trace=True),
    "mtdf": lambda game: z.mtdf(game, table=True, trace=True),
    "maxn": lambda game: z.maxn(game, trace=True),
    "few events": lambda game: z.alphabeta(game, trace=5),
}


def check(trace: Trace) -> None:
    assert Trace.from_json(trace.to_json()) == trace
    assert len(trace.text().splitlines()) > 1
    ElementTree.fromstring(trace.svg())
    assert len(trace.view()["steps"]) == len(trace)


@pytest.mark.parametrize("name", SEARCHES)
@settings(max_examples=30, deadline=None)
@given(data=trees(most_leaves=25))
def test_traces_of_trees_keep_the_format(name: str, data: Any) -> None:
    check(SEARCHES[name](z.Tree(data)).trace)


@settings(max_examples=30, deadline=None)
@given(data=chance_trees(most_leaves=15))
def test_traces_with_chance_keep_the_format(data: Any) -> None:
    check(z.expectiminimax(z.Tree(data), trace=True).trace)


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "nim"])
def test_traces_of_games_with_everything_on_keep_the_format(game: str) -> None:
    rules = z.load(game)
    check(z.alphabeta(rules, depth=4, deepen=True, table=True, order="best", trace=True).trace)
    check(z.pvs(rules, depth=4, deepen=True, table=True, order="best", trace=True).trace)


def test_the_lectures_eight_steps_are_those_written_by_hand() -> None:
    ours = z.alphabeta(z.Tree([[[2, 3], [5, 9]], [[0, 1], [7, 5]]]), trace=True).trace
    events = ("leaf", "value", "window", "cutoff", "leave", "result")
    assert diff(ours, eight_steps(), events=events) is None
    ours = z.alphabeta(z.Tree([[3, 12, 8], [2, 4, 6], [14, 5, 2]]), trace=True).trace
    assert diff(ours, two_ply(), events=events) is None
