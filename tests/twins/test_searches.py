"""The native searches return the textbook's values, actions, lines and counts."""

import math

import pytest

import zermelo
from zermelo.engine import CompiledGame
from zermelo.games import load

CASES = [
    ("tictactoe", 4),
    ("tictactoe:m=4,n=3,k=3", 3),
    ("connect4", 4),
    ("connect4:columns=4,rows=4", 5),
    ("hexapawn", 20),
    ("hex:size=3", 4),
    ("nim:heaps=2/3", 10),
    ("nim:heaps=1/2/3,misere=True", 4),
    ("pig:goal=6,sides=3", 4),
    ("race:steps=3,sides=3", 4),
]
WINDOWS = [(-math.inf, math.inf), (-0.5, 0.5), (0.0, 1.0), (-1.0, 0.0), (0.25, 0.5)]


def compare(analysis, found) -> None:
    assert found.value == analysis.value
    assert found.action == analysis.action
    assert found.line == analysis.line
    assert found.nodes == analysis.nodes
    assert found.leaves == analysis.leaves
    assert found.cutoffs == analysis.cutoffs


@pytest.mark.parametrize(("name", "depth"), CASES)
def test_native_minimax_is_the_textbooks_node_for_node(name: str, depth: int) -> None:
    game = load(name)
    compiled = CompiledGame(game)
    textbook = zermelo.expectiminimax if game.can("chances") else zermelo.minimax
    for s in (game.initial(), game.result(game.initial(), next(iter(game.actions(game.initial()))))):
        for d in range(depth + 1):
            compare(textbook(game, s, depth=d), compiled.minimax(s, d))


@pytest.mark.parametrize("hard", [False, True])
@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize(("name", "depth"), [case for case in CASES if case[0].split(":")[0] not in ("pig", "race")])
def test_native_alphabeta_is_the_textbooks_node_for_node(name: str, depth: int, window, hard: bool) -> None:
    game = load(name)
    compiled = CompiledGame(game)
    s = game.initial()
    for d in range(depth + 1):
        compare(zermelo.alphabeta(game, s, depth=d, window=window, hard=hard), compiled.alphabeta(s, d, window, hard))


def test_alphabeta_proves_that_tictactoe_is_a_draw() -> None:
    compiled = CompiledGame(load("tictactoe"))
    found = compiled.alphabeta(compiled.game.initial())
    assert found.value == 0.0
    assert not found.estimated
    assert compiled.minimax(compiled.game.initial()).nodes == 549_946
