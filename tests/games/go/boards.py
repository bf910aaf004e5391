"""Positions of Go for tests, and games that go on from them."""

from __future__ import annotations

from zermelo.games.go import Go
from zermelo.play.notation import legal_actions


def board(text: str, turn: str = "b") -> str:
    """A position from rows with blanks in them, from the top."""
    return f"{'/'.join(''.join(row.split()) for row in text.strip().splitlines())} {turn} - 0 0 0"


def play(game: Go, state, *moves: str):
    """The states from `state` on, after these moves, by the rule of superko too."""
    path = [state]
    for move in moves:
        action = game.read_action(path[-1], move)
        assert action in legal_actions(game, path[-1], path[:-1]), move
        path.append(game.result(path[-1], action))
    return path
