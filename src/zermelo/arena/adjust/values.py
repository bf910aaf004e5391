"""What positions are worth, for taking luck off: any numbers will do, and good ones take off more."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from zermelo.errors import InputError
from zermelo.game import CHANCE, AnyGame

MOST_NODES = 300_000
"""Nodes of a tree that is solved for its values."""
ITERATIONS = 1_000
"""Of regret minimisation; they settle the values, so a time limit would make them differ from machine to machine."""

Worth = Sequence[float]
"""What something is worth to each player."""


class Values(Protocol):
    """Follows one game at a time."""

    def begin(self, states: Sequence[Any]) -> None:
        """The game has come to the last of these states, by way of those before it."""

    def after(self, s: Any, actions: Sequence[Any]) -> Sequence[Worth]:
        """What the states after each of all the `actions` in `s`, where the game stands, are worth."""

    def move(self, s: Any, a: Any) -> None:
        """The game goes on by action `a`."""


class EstimatedValues:
    """The game's own estimates, with one choice searched: an estimate may not know what dice are for."""

    def __init__(self, game: AnyGame):
        self.game = game

    def begin(self, states: Sequence[Any]) -> None: ...

    def move(self, s: Any, a: Any) -> None: ...

    def after(self, s: Any, actions: Sequence[Any]) -> list[Worth]:
        return [self.search(self.game.result(s, a)) for a in actions]

    def search(self, s: Any) -> Worth:
        game = self.game
        p = CHANCE if game.is_terminal(s) else game.player(s)
        if p == CHANCE:
            return self.estimate(s)
        return max((self.estimate(game.result(s, a)) for a in game.actions(s)), key=lambda worth: worth[p])

    def estimate(self, s: Any) -> Worth:
        game = self.game
        if game.is_terminal(s):
            return game.utilities(s)
        return [float(game.evaluate(s, p)) for p in range(game.players)]


class SolvedValues:
    """What each node of the tree is worth if everybody plays an equilibrium from there on."""

    def __init__(self, game: AnyGame):
        from zermelo.arena.adjust.hands import HandMeans
        from zermelo.equilibrium.backward import is_perfect
        from zermelo.equilibrium.choose import solve_extensive
        from zermelo.equilibrium.extensive import extensive_form
        from zermelo.equilibrium.strategies import Strategy

        self.game = game
        self.form = form = extensive_form(game, most=MOST_NODES)
        found = solve_extensive(form) if is_perfect(form) else solve_extensive(form, "cfr+", iterations=ITERATIONS)
        assert isinstance(found.strategy, Strategy)
        values = found.strategy.node_values()
        self.values: list[Worth] = values.tolist()
        self.node = 0
        self.hands = HandMeans(form, values)

    def begin(self, states: Sequence[Any]) -> None:
        game = self.game
        if game.key(states[0]) != game.key(self.form.root):
            raise InputError(f"values of {game.name} are known from its start on: add --openings none")
        self.node = self.form.node(states)

    def means(self, states: Sequence[Any], players: Sequence[Any]) -> tuple[float, ...] | None:
        """What the game that ended in the last state is worth over all hands of players who tell their strategies."""
        self.begin(states)
        return self.hands.of(int(self.form.arrays.first[self.node]), players)

    def after(self, s: Any, actions: Sequence[Any]) -> list[Worth]:
        first = int(self.form.arrays.first[self.node])
        return self.values[first : first + len(actions)]

    def move(self, s: Any, a: Any) -> None:
        place = next(i for i, action in enumerate(self.game.actions(s)) if action == a)
        self.node = int(self.form.arrays.first[self.node]) + place
