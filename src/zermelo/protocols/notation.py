"""Actions as single words and positions as text, the same for every protocol.

A protocol separates moves by blanks, so a move is one word: what `write_action` gives, with `_` for every run of blanks
in it. `read_action` takes whatever it takes; a word with `_` is compared with the words of the legal actions first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from zermelo.errors import ActionError, PositionError, ZermeloError
from zermelo.game import CHANCE, Game, repeatable
from zermelo.search.trace.words import clean


def legal_actions(game: Game, state: Any, history: Sequence[Any] = ()) -> list[Any]:
    """The actions that may be played in `state`, after the states of `history`; none if the game is over."""
    if game.is_terminal(state):
        return []
    actions = list(game.actions(state))
    if game.repetition != "forbidden" or game.player(state) == CHANCE:
        return actions
    seen = repeatable(game, (*history, state), state)
    return [a for a in actions if game.recurrence(game.result(state, a)) not in seen]


def write_action(game: Game, state: Any, action: Any) -> str:
    """`action` as one word."""
    return "_".join(clean(game.write_action(state, action)).split())


def read_action(game: Game, state: Any, word: str, history: Sequence[Any] = ()) -> Any:
    """The legal action that `word` names; `ActionError` if there is none, whatever the game makes of the word."""
    legal = legal_actions(game, state, history)
    if "_" in word:
        named = [a for a in legal if write_action(game, state, a) == word]
        if len(named) == 1:
            return named[0]
    try:
        action = game.read_action(state, word)
        known = action in legal
    except ActionError:
        raise
    except Exception as error:  # a game's own `read_action` may fail in its own way
        raise ActionError(f"{clean(word)!r} cannot be read as a move ({type(error).__name__}: {error})") from error
    if not known:
        names = ", ".join(write_action(game, state, a) for a in legal[:12])
        raise ActionError(f"{clean(word)!r} is not legal here; the legal moves are: {names}")
    return action


def write_line(
    game: Game, state: Any, line: Iterable[Any], write: Callable[[Game, Any, Any], str] = write_action
) -> list[str]:
    """The actions of `line`, from `state` on, as words, each as `write` writes it."""
    words = []
    for action in line:
        words.append(write(game, state, action))
        state = game.result(state, action)
    return words


def read_position(game: Game, text: str) -> Any:
    """The state that `text` describes; `PositionError` if it describes none, whatever the game makes of it."""
    try:
        state = game.read(text)
        if not game.is_terminal(state) and not CHANCE <= game.player(state) < game.players:
            raise PositionError(f"{text!r} is not a position: nobody is to move")
    except ZermeloError:
        raise
    except Exception as error:
        start = game.write(game.initial())
        raise PositionError(f"{text!r} is not a position ({error}); the start is written {start!r}") from error
    return state
