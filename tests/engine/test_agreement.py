"""Compiled rules are compared with Python's: they agree in every game of the package, and a difference is found."""

import re
import types

import pytest

from zermelo.engine import compile_game
from zermelo.engine.agreement import disagreement
from zermelo.games import load


@pytest.mark.parametrize("name", ["connect4", "nim", "pig", "othello", "kalah", "chess"])
def test_compiled_rules_agree_with_pythons(name: str) -> None:
    assert disagreement(compile_game(load(name)), games=3, seconds=5.0, seed=1) == ""


@pytest.mark.parametrize(
    ("method", "replacement", "said"),
    [
        ("actions", lambda self, s: [0, 1], "actions"),
        ("player", lambda self, s: 0, "player|what follows"),
        ("utility", lambda self, s, p: 0.0, "utility|what follows"),
        ("result", lambda self, s, a: s._replace(turn=s.turn), "result"),
    ],
)
def test_a_rule_that_says_something_else_in_python_is_named(method, replacement, said) -> None:
    game = load("connect4:columns=4,rows=4")
    compiled = compile_game(game)
    setattr(game, method, types.MethodType(replacement, game))
    assert re.search(f"`.*({said})", disagreement(compiled, games=20, seconds=10.0, seed=1))
