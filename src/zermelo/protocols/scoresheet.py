"""The moves of a game of which only the states are known.

A player is shown the states of its game; an outside program wants to hear moves. A scoresheet finds the action that
leads from each state to the next, and only for those states that it has not seen yet.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zermelo.game import Game
from zermelo.game.text import freeze
from zermelo.play.notation import write_action


class Scoresheet:
    """A start and the moves from there, kept up to date with a game that goes on, goes back or starts anew."""

    def __init__(self, game: Game):
        self.game = game
        self.states: list[Any] = []
        """From the start to the current one."""
        self.moves: list[str] = []
        """The moves between them, each as one word."""

    @property
    def from_the_beginning(self) -> bool:
        """Whether the first state is the one in which the game begins."""
        return self._same(self.states[0], self.game.initial())

    @property
    def start(self) -> str:
        """The first state, as the game writes it."""
        return self.game.write(self.states[0])

    def update(self, history: Sequence[Any], state: Any) -> None:
        """Makes `state`, after the states of `history`, the current one."""
        path = [*history, state]
        known = 0
        while known < min(len(path), len(self.states)) and self._same(path[known], self.states[known]):
            known += 1
        del self.states[known:]
        del self.moves[max(known - 1, 0) :]
        for each in path[known:]:
            self.add(each)

    def add(self, state: Any) -> None:
        """Writes down the move that leads to `state`; where none does, the sheet begins again there."""
        if self.states:
            move = self.move_between(self.states[-1], state)
            if move is None:
                self.states.clear()
                self.moves.clear()
            else:
                self.moves.append(move)
        self.states.append(state)

    def move_between(self, before: Any, after: Any) -> str | None:
        game = self.game
        if game.is_terminal(before):
            return None
        results = [(action, game.result(before, action)) for action in game.actions(before)]
        wanted, key = freeze(after), game.key(after)
        exact = (action for action, result in results if freeze(result) == wanted)
        near = (action for action, result in results if game.key(result) == key)
        for action in (*exact, *near):
            return write_action(game, before, action)
        return None

    @staticmethod
    def _same(a: Any, b: Any) -> bool:
        return a is b or freeze(a) == freeze(b)
