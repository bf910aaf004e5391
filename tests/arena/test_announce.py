"""What those at a terminal are told of a game of hidden information."""

from __future__ import annotations

from zermelo.arena.play import Announcer
from zermelo.arena.players.human import Human
from zermelo.arena.players.random import Random
from zermelo.games import load
from zermelo.play import Move


def test_an_attempt_that_nobody_else_sees_is_not_told() -> None:
    game = load("blind-tictactoe")
    said: list[str] = []
    announcer = Announcer(game, [Human(), Random()], said.append)
    state = game.result(game.initial(), 0)
    for action in (0, 4):  # the second player runs into the first one's mark, then makes its own
        after = game.result(state, action)
        announcer.tell(Move(game, state, 1, action, after))
        state = after
    assert said == ["o has moved."]
