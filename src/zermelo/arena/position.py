"""From the text of a position, or of the moves that lead to it, to a state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.arena.repetition import legal_actions
from zermelo.errors import ActionError, PositionError, ZermeloError
from zermelo.game import CHANCE, Game


def read_position(game: Game, text: str) -> Any:
    """The state that `text` describes; a game's own `read` may fail in its own way."""
    try:
        state = game.read(text)
        # The default `read` knows the types of the fields and not their meaning.
        if not game.is_terminal(state) and not CHANCE <= game.player(state) < game.players:
            raise PositionError(
                f"{text!r} is not a position: player {game.player(state)} is to move, and there is none"
            )
        return state
    except ZermeloError:
        raise
    except Exception as error:
        start = game.write(game.initial())
        raise PositionError(f"{text!r} is not a position ({error}); the start is written {start!r}") from error


def play_moves(game: Game, state: Any, moves: Sequence[str]) -> tuple[Any, tuple[Any, ...]]:
    """The state after `moves`, and those before it."""
    history: list[Any] = []
    for number, text in enumerate(moves, start=1):
        if game.is_terminal(state):
            raise ActionError(f"move {number}, {text!r}: the game is over after {number - 1} moves; leave it out")
        action = read_move(game, state, history, number, text)
        history.append(state)
        state = game.result(state, action)
    return state, tuple(history)


def read_move(game: Game, state: Any, history: Sequence[Any], number: int, text: str) -> Any:
    """The action that `text`, move `number`, names in `state`."""
    try:
        action = game.read_action(state, text)
    except ActionError as error:
        raise ActionError(f"move {number}: {error}") from error
    except Exception as error:
        raise ActionError(f"move {number}: {text!r} cannot be read ({error})") from error
    legal = legal_actions(game, state, history)
    if action not in legal:
        names = ", ".join(game.show_action(state, a) for a in legal[:12])
        raise ActionError(f"move {number}: {text!r} is not legal here; the legal ones are: {names}")
    return action
