"""The promise that rules are short: tic-tac-toe's take at most 25 lines, Connect Four's 35."""

from __future__ import annotations

import ast
import inspect

import pytest

from zermelo.games.connect4 import ConnectFour
from zermelo.games.tictactoe import TicTacToe


def lines_of_rules(game):
    """The lines from `class` to the end of `utility`, without blank ones, comments, docstrings and imports."""
    source = inspect.getsource(game)
    (tree,) = ast.parse(source).body
    end = next(node.end_lineno for node in tree.body if getattr(node, "name", "") == "utility")
    left_out = set()
    for node in ast.walk(tree):
        is_text = (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        )
        if is_text or isinstance(node, (ast.Import, ast.ImportFrom)):
            left_out |= set(range(node.lineno, node.end_lineno + 1))
    lines = enumerate(source.splitlines()[:end], 1)
    return [line for number, line in lines if number not in left_out and line.split("#")[0].strip()]


@pytest.mark.parametrize(("game", "most"), [(TicTacToe, 25), (ConnectFour, 35)])
def test_rules_are_short(game, most):
    assert len(lines_of_rules(game)) <= most
