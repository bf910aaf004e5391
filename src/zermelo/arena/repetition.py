"""The rule of repetition in a game that is played: what `Game.repetition` says of a position that comes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.errors import ContractError
from zermelo.game import CHANCE, Game, repeatable, repetition_utility


def has_been(game: Game, state: Any, history: Sequence[Any]) -> bool:
    """Whether `state` has stood on the board as often before as the game's rule of repetition asks."""
    if game.repetition is None:
        return False
    key = game.recurrence(state)
    return sum(game.recurrence(earlier) == key for earlier in history) >= game.occurrences - 1


def legal_actions(game: Game, state: Any, history: Sequence[Any]) -> list[Any]:
    """The actions that may be played in `state`, after the states of `history`; at least one."""
    actions = list(game.actions(state))
    if game.repetition == "forbidden" and game.player(state) != CHANCE:
        path = [*history, state]
        actions = [a for a in actions if not has_been(game, game.result(state, a), path)]
    if not actions:
        raise ContractError(
            f"{game.name} offers no action in {game.write(state)}, which is not terminal: "
            f"run `zermelo check` on the game"
        )
    return actions


def repetition_utilities(game: Game, state: Any, history: Sequence[Any]) -> tuple[float, ...]:
    """What everybody gets when the last move has brought `state` back, which has been in `history` often enough."""
    since = repeatable(game, history, state)[game.recurrence(state)]
    return tuple(repetition_utility(game, p, game.player(history[-1]), since) for p in range(game.players))
