"""Wins in one action and the threat of one, for any game: what ordering, extensions and the null move ask."""

from __future__ import annotations

from typing import Any

from zermelo.game import CHANCE, Game


def wins_at_once(game: Game, s: Any, a: Any) -> bool:
    """Whether `a` ends the game with the greatest utility there is for who plays it."""
    after = game.result(s, a)
    return bool(game.is_terminal(after)) and game.utility(after, game.player(s)) >= game.bounds[1]


def in_check(game: Game, s: Any) -> bool:
    """Whether the opponent of the player to move would win at once if that player passed.

    This is check in chess, an open three in tic-tac-toe, a stone to be blocked in Connect Four. A game may say so
    itself, by `is_check`; one with neither that nor `pass_turn` has no checks.
    """
    if game.can("is_check"):
        return bool(game.is_check(s))
    if not game.can("pass_turn"):
        return False
    passed = game.pass_turn(s)
    if game.is_terminal(passed) or game.player(passed) == CHANCE:
        return False
    return any(wins_at_once(game, passed, a) for a in game.actions(passed))
