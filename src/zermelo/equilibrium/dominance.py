"""Dominated actions, and what is left when they are struck out one after the other.

Strictly dominated: some other strategy, pure or mixed, is better whatever the others do. Weakly: never worse, and
better against something. Strict elimination ends at the same game in any order; weak elimination need not, so the order
is part of the answer: in each round all that are dominated go at once, player by player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from zermelo.equilibrium.form import Array, NormalForm, as_game
from zermelo.equilibrium.linear_program import maximise
from zermelo.equilibrium.profile import Strategy


@dataclass(frozen=True, slots=True)
class Dominated:
    """One action that another strategy of its player dominates, in the game as it was then."""

    player: int
    action: str
    by: tuple[tuple[str, Any], ...]
    """The actions of the dominating strategy, with their probabilities."""
    strict: bool
    stage: int = 1
    """The round of an iterated elimination."""

    @property
    def by_text(self) -> str:
        if len(self.by) == 1:
            return self.by[0][0]
        return " + ".join(f"{share} {name}" for name, share in self.by)


@dataclass(frozen=True, slots=True)
class Elimination:
    """The steps of an iterated elimination, and the game that they leave."""

    steps: tuple[Dominated, ...]
    game: NormalForm


def dominated(game: Any, p: int, strict: bool = True, mixed: bool = True, stage: int = 1) -> list[Dominated]:
    """The dominated actions of player `p`; weak dominance includes strict."""
    form = as_game(game)
    table = np.moveaxis(form.exact[p], p, 0).reshape(form.shape[p], -1)
    found = []
    for action in range(len(table)):
        strategy = _by_pure(table, action, strict)
        if strategy is None and mixed:
            strategy = _by_mixed(table, action, strict)
        if strategy is not None:
            names = form.actions[p]
            by = tuple((names[i], share) for i, share in enumerate(strategy) if share)
            found.append(Dominated(p, names[action], by, strict, stage))
    return found


def _by_pure(table: Array, action: int, strict: bool) -> Strategy | None:
    better = table - table[action]
    for i, gains in enumerate(better):
        if (gains > 0).all() if strict else (gains >= 0).all() and (gains > 0).any():
            return tuple(int(i == j) for j in range(len(table)))
    return None


def _by_mixed(table: Array, action: int, strict: bool) -> Strategy | None:
    """By a linear program: the greatest margin over every column, or the greatest sum of gains with no loss."""
    others = [i for i in range(len(table)) if i != action]
    if len(others) < 2:
        return None  # a mixture of one is pure
    gains = table[others] - table[action]
    below = [[*(-gain for gain in column), 1 if strict else 0] for column in gains.T]
    objective = [0] * len(others) + [1] if strict else [*gains.sum(axis=1), 0]
    found = maximise(objective, below, [0] * len(below), [[1] * len(others) + [0]], [1])
    if found is None or found.value <= 0:
        return None
    strategy: list[Any] = [0] * len(table)
    for i, share in zip(others, found.point, strict=False):
        strategy[i] = share
    return tuple(strategy)


def eliminate(game: Any, strict: bool = True, mixed: bool = True) -> Elimination:
    """Strikes out dominated actions until there are none."""
    form = as_game(game)
    steps: list[Dominated] = []
    for stage in range(1, sum(form.shape) + 1):
        found = []
        for p in range(len(form.players)):
            gone = dominated(form, p, strict, mixed, stage)
            found += gone
            form = _without(form, p, [each.action for each in gone])
        if not found:
            break
        steps += found
    return Elimination(tuple(steps), form)


def _without(form: NormalForm, p: int, gone: Sequence[str]) -> NormalForm:
    kept = [list(range(size)) for size in form.shape]
    kept[p] = [i for i, name in enumerate(form.actions[p]) if name not in gone]
    return form.restrict(kept)
