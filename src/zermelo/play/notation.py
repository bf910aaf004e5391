"""Legal actions after a history, and positions, moves and lines as text.

A protocol separates moves by blanks, so there a move is one word: `write_action` gives the game's notation with `_` for
every run of blanks. `read_action` takes what the game's own `read_action` takes, and such words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from zermelo.errors import ActionError, ContractError, PositionError, ZermeloError
from zermelo.game import CHANCE, Game, repeatable, repetition_utility
from zermelo.game.contract import A, S
from zermelo.search.trace.words import clean


def legal_actions(game: Game[S, A], state: S, history: Sequence[S] = ()) -> list[A]:
    """The legal actions in `state`, after the states of `history`: none if the game is over, else at least one."""
    if game.is_terminal(state):
        return []
    actions = list(game.actions(state))
    if game.repetition == "forbidden" and game.player(state) != CHANCE:
        seen = repeatable(game, (*history, state), state)
        actions = [a for a in actions if game.recurrence(game.result(state, a)) not in seen]
    if not actions:
        raise no_action(game, state)
    return actions


def no_action(game: Game[S, A], state: S) -> ContractError:
    """The error of a game without a legal action in `state`, which is not terminal."""
    return ContractError(
        f"{game.name} offers no action in {game.write(state)}, which is not terminal: run `zermelo check` on the game"
    )


def repetition_utilities(game: Game[S, A], state: S, history: Sequence[S]) -> tuple[float, ...]:
    """The utilities when the last move has repeated `state`, which is in `history` as often as the rule asks."""
    since = repeatable(game, history, state)[game.recurrence(state)]
    return tuple(repetition_utility(game, p, game.player(history[-1]), since) for p in range(game.players))


# Positions.


def read_position(game: Game[S, A], text: str) -> S:
    """The state that `text` describes; a `PositionError` if there is none, whatever `Game.read` raises."""
    try:
        state = game.read(text)
        # The default `read` knows the types of the fields and not their meaning.
        if not game.is_terminal(state) and not CHANCE <= game.player(state) < game.players:
            raise PositionError(f"{text!r} is not a position: player {game.player(state)} is to move; there is none")
        return state
    except ZermeloError:
        raise
    except Exception as error:
        start = game.write(game.initial())
        raise PositionError(f"{text!r} is not a position ({error}); the start is written {start!r}") from error


def play_moves(game: Game[S, A], state: S, moves: Sequence[str]) -> tuple[S, tuple[S, ...]]:
    """The state after `moves`, and the states before it."""
    history: list[S] = []
    for number, text in enumerate(moves, start=1):
        if game.is_terminal(state):
            raise ActionError(f"move {number}, {text!r}: the game is over after {number - 1} moves; leave it out")
        try:
            action = read_action(game, state, text, history)
        except ActionError as error:
            raise ActionError(f"move {number}: {error}") from error
        history.append(state)
        state = game.result(state, action)
    return state, tuple(history)


# Actions.


def write_action(game: Game[S, A], state: S, action: A) -> str:
    """`action` as one word."""
    return "_".join(clean(game.write_action(state, action)).split())


def show_action(game: Game[S, A], state: S, action: A) -> str:
    """`action` in the game's notation for people, on one line."""
    return clean(game.show_action(state, action))


def read_action(game: Game[S, A], state: S, word: str, history: Sequence[S] = ()) -> A:
    """The legal action that `word` names; an `ActionError` if there is none, even if the game fails otherwise."""
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
    except Exception as error:
        raise ActionError(f"{clean(word)!r} cannot be read as a move ({type(error).__name__}: {error})") from error
    if not known:
        names = ", ".join(show_action(game, state, a) for a in legal[:12])
        raise ActionError(f"{clean(word)!r} is not legal here; the legal ones are: {names}")
    return action


def write_line(
    game: Game[S, A], state: S, line: Iterable[A], write: Callable[[Game[S, A], S, A], str] = show_action
) -> list[str]:
    """The actions of `line`, from `state` on, each as `write` writes it."""
    words = []
    for action in line:
        words.append(write(game, state, action))
        state = game.result(state, action)
    return words
