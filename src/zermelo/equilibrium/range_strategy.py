"""Strategies over ranges: at each public choice a probability for each action and each hand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.engine.regret import Array
from zermelo.equilibrium.public_form import Choice, PublicForm
from zermelo.errors import InputError

if TYPE_CHECKING:
    from random import Random

START = 0
"""The board before any public card."""


class ClassRow(NamedTuple):
    """What a player does with a class of hands at a public choice."""

    player: int
    name: str
    """The choices so far, as the game writes them for an unknown hand."""
    kind: str
    weight: float
    """How often the player gets there with such hands when it plays this strategy, in hands of weight 1."""
    shares: dict[str, float]


class RangeStrategy:
    """Everybody's behaviour in a game of ranges; names are those of the game's information sets."""

    exact = False

    def __init__(self, form: PublicForm, shares: Array):
        self.form = form
        self.shares: Array = np.asarray(shares, dtype=float)
        """Of player 0, then of player 1: for each board, choice and action one probability per hand."""
        if self.shares.shape != (sum(form.room),):
            raise InputError(f"a strategy of {form.game.name} needs {sum(form.room)} probabilities")

    def table(self, choice: Choice) -> Array:
        """A row for each action, a column for each hand that the board leaves, in the order of `Board.order`."""
        start, actions, hands = self.form.rows(choice)
        return self.shares[start : start + actions * hands].reshape(actions, hands)

    def actions(self, choice: Choice) -> list[str]:
        """The names of the actions of a public choice."""
        game, s = self.form.game, self.form.state(choice)
        return [game.show_action(s, a) for a in game.actions(s)]

    def rows(self, board: int | None = None) -> Iterator[tuple[int, str, dict[str, float]]]:
        """(player, information set, probabilities) for all hands, on one board or on all."""
        for choice in self.form.choices(board):
            p, names, table = self.form.owner(choice), self.actions(choice), self.table(choice)
            for column, hand in enumerate(self.form.boards[choice.board].order[p]):
                shares = dict(zip(names, table[:, column].tolist(), strict=True))
                yield p, self.form.name(choice, int(hand)), shares

    def __getitem__(self, key: tuple[int, str]) -> dict[str, float]:
        """What player p does at the information set of that name: `strategy[0, "AhKd x b50"]`."""
        place = self._places.get(key)
        if place is None:
            raise KeyError(f"player {key[0]} has no information set {key[1]!r}")
        choice, column = place
        return dict(zip(self.actions(choice), self.table(choice)[:, column].tolist(), strict=True))

    @cached_property
    def _places(self) -> dict[tuple[int, str], tuple[Choice, int]]:
        found = {}
        for choice in self.form.choices():
            p = self.form.owner(choice)
            for column, hand in enumerate(self.form.boards[choice.board].order[p]):
                found[p, self.form.name(choice, int(hand))] = (choice, column)
        return found

    def classes(self, board: int = START) -> Iterator[ClassRow]:
        """The table for people: by class of hands, weighted by how often each hand comes there."""
        game = self.form.game
        reach = self._reach(board)
        for choice in self.form.choices(board):
            p, names, table = self.form.owner(choice), self.actions(choice), self.table(choice)
            s = self.form.state(choice)
            name = game.show_view(game.view(s, p), p)
            groups: dict[str, list[int]] = {}
            for column, hand in enumerate(self.form.boards[board].order[p]):
                own = self.form.hands[p][int(hand)]
                groups.setdefault(own.kind or own.name, []).append(column)
            for kind in reversed(groups):
                columns = groups[kind]
                weights = reach[choice.node][columns]
                total = float(weights.sum())
                shared = table[:, columns] @ weights / total if total > 0 else table[:, columns].mean(axis=1)
                yield ClassRow(p, name, kind, total, dict(zip(names, shared.tolist(), strict=True)))

    def _reach(self, board: int) -> dict[int, Array]:
        """Of each choice on a board: how often its own player comes there with each hand, from the board's first on."""
        form, here = self.form, self.form.boards[board]
        street = form.streets[here.street]
        weights = [np.array([form.hands[p][int(i)].weight for i in here.order[p]]) for p in (0, 1)]
        reach = dict.fromkeys(range(street.roots), (weights[0], weights[1]))
        for node, kind in enumerate(street.kind):
            if kind < 0:
                continue
            table = self.table(Choice(board, node))
            for a in range(street.count[node]):
                own = reach[node][kind] * table[a]
                reach[street.first[node] + a] = (own, reach[node][1]) if kind == 0 else (reach[node][0], own)
        return {node: reach[node][kind] for node, kind in enumerate(street.kind) if kind >= 0}

    # What it is worth.

    @cached_property
    def _judgement(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        return self.form.form.judge(self.shares)

    @property
    def values(self) -> tuple[float, ...]:
        """What every player gets."""
        return self._judgement[0]

    @property
    def best_values(self) -> tuple[float, ...]:
        """What each player would get by the best answer to the other."""
        return self._judgement[1]

    @property
    def exploitability(self) -> float:
        """How much a player gains by its best answer, on average over both."""
        gains = sum(best - value for value, best in zip(self.values, self.best_values, strict=True))
        return max(gains / 2, 0.0)

    def best_response(self, p: int) -> RangeStrategy:
        """This strategy with the choices of player `p` replaced by a best answer to the other's."""
        return RangeStrategy(self.form, self.form.form.best_response(self.shares, p))

    # As a player.

    def choose(self, state: Any, history: Sequence[Any], random: Random) -> Any:
        """An action in `state`, drawn with `random`; `history` holds the states before it, from the first on."""
        return random.choices(list(self.form.game.actions(state)), self.policy(state, history))[0]

    def policy(self, state: Any, history: Sequence[Any]) -> list[float]:
        """The probability of each action in `state`, after the states of `history`."""
        choice = self.form.find([*history, state])
        p = self.form.owner(choice)
        order = self.form.boards[choice.board].order[p].tolist()
        shares: list[float] = self.table(choice)[:, order.index(self.form.game.hand(state, p))].tolist()
        return shares
