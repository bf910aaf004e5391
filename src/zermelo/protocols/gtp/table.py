"""The game on the table: how it began, the moves since, and taking them back."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

from zermelo.errors import ActionError, InputError, MethodError, ZermeloError
from zermelo.game import Game
from zermelo.play.notation import legal_actions, read_action, write_action
from zermelo.protocols.session import Session, SessionPosition, SessionSettings

COLOURS = {"b": 0, "black": 0, "w": 1, "white": 1}


class Turn(NamedTuple):
    """One move: by whom, from which state, and to which."""

    player: int
    action: Any
    before: Any
    after: Any


class Table:
    """A game, a session that searches it, and its moves so far."""

    def __init__(self, game: Game, settings: SessionSettings):
        if game.players != 2 or game.kind.chance:
            raise MethodError(
                f"{game.name} is not for two without dice, so GTP does not fit: try UCI, or `zermelo studio`"
            )
        self.session = Session(game)
        self.session.settings = settings
        self.base = game.initial()
        self.turns: list[Turn] = []

    @property
    def game(self) -> Game:
        return self.session.game

    @property
    def state(self) -> Any:
        return self.turns[-1].after if self.turns else self.base

    @property
    def history(self) -> tuple[Any, ...]:
        return tuple(turn.before for turn in self.turns)

    def clear(self, base: Any = None) -> None:
        """Begins again, at the start or at `base`."""
        self.session.forget()
        self.base = self.game.initial() if base is None else base
        self.turns.clear()

    def state_for(self, p: int) -> Any:
        """The position with player `p` to move; Go lets anybody move at any time, and on after the end."""
        state = self.state
        if not self.game.is_terminal(state) and self.game.player(state) == p:
            return state
        if self.game.can("with_turn"):
            return self.game.with_turn(state, p)
        raise ActionError("illegal move: " + ("the game is over" if self.game.is_terminal(state) else "not its turn"))

    def position_for(self, p: int) -> SessionPosition:
        return SessionPosition(self.state_for(p), self.history)

    def play(self, p: int, word: str) -> None:
        """Plays the move that `word` names; `ActionError` if that is not legal."""
        state = self.state_for(p)
        try:
            action = self.read_vertex(p, state, word)
        except ActionError as error:
            raise ActionError(f"illegal move: {error}") from None
        self.add(p, state, action)

    def read_vertex(self, p: int, state: Any, word: str) -> Any:
        """The legal action that the protocol writes so, or that `word` names in the game's own notation."""
        if self.game.can("gtp_vertex"):
            for action in self.legal(p):
                if self.vertex(state, action).casefold() == word.casefold():
                    return action
        return read_action(self.game, state, word, self.history)

    def add(self, p: int, state: Any, action: Any) -> None:
        self.turns.append(Turn(p, action, state, self.game.result(state, action)))

    def undo(self) -> None:
        if not self.turns:
            raise InputError("cannot undo")
        self.turns.pop()

    def legal(self, p: int) -> list[Any]:
        return legal_actions(self.game, self.state_for(p), self.history)

    def vertex(self, state: Any, action: Any) -> str:
        """The action as the protocol writes it."""
        return write_vertex(self.game, state, action)


def write_vertex(game: Game, state: Any, action: Any) -> str:
    """An action as the protocol writes it: in the game's own notation, unless it has another for GTP."""
    return game.gtp_vertex(state, action) if game.can("gtp_vertex") else write_action(game, state, action)


def remake(game: Game, **changes: Any) -> Game:
    """A game of the same class and options but for `changes`; `InputError` if it takes no such option, or value."""
    known = inspect.signature(type(game)).parameters
    for name in changes:
        if name not in known:
            raise InputError(f"{game.name} has no {name} to be set")
    options = {name: getattr(game, name) for name in known if name not in changes and hasattr(game, name)}
    try:
        made: Game = type(game)(**{**options, **changes})
    except ZermeloError as error:
        raise InputError(str(error)) from None
    return made
