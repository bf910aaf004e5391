"""The expectation of a game between two known strategies, by walking its whole tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from zermelo.game import CHANCE, AnyGame
from zermelo.play import Chooser, LiveGame, PlayerMove, Ply


def plays(game: AnyGame, players: list[Chooser]) -> Iterator[tuple[float, LiveGame]]:
    """Every way in which the game can go, with its probability."""

    def walk(share: float, plies: list[Ply]) -> Iterator[tuple[float, LiveGame]]:
        s = game.initial() if not plies else game.result(plies[-1].state, plies[-1].action)
        if game.is_terminal(s):
            live = LiveGame(game)
            for ply in plies:
                live.take(ply)
            yield share, live
            return
        for action, chance in chances(game, s, [ply.state for ply in plies], players):
            if chance > 0:
                ply = Ply(s, game.player(s), PlayerMove(action))
                yield from walk(share * chance, [*plies, ply])

    yield from walk(1.0, [])


def chances(game: AnyGame, s: Any, history: list[Any], players: list[Any]) -> list[tuple[Any, float]]:
    p = game.player(s)
    if p == CHANCE:
        return list(game.chances(s))
    return list(zip(game.actions(s), players[p].policy(game, s, history), strict=True))
