"""Dominated actions, and what is left when they are struck out one after the other.

Strictly dominated: some other strategy, pure or mixed, is better whatever the others do. Weakly: never worse, and
better against something. Strict elimination ends at the same game in any order; weak elimination need not, so the order
is part of the answer: in each round all that are dominated go at once, player by player.

The set of all equilibria of two players, from the extreme ones.

Two strategies x, y are exchangeable if (x, y) is an equilibrium. A maximal Nash subset is a set of the row player's
extreme strategies and one of the column player's, all exchangeable and neither to be enlarged: every pair of mixtures
of the two is an equilibrium. Subsets that meet form a connected component (Winkels 1979, Jansen 1981).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from zermelo.equilibrium.form import Array, NormalForm, as_game
from zermelo.equilibrium.linear_program import maximise
from zermelo.equilibrium.numbers import Number, say
from zermelo.equilibrium.profile import Equilibrium, Strategy
from zermelo.errors import MethodError


@dataclass(frozen=True, slots=True)
class Dominated:
    """One action that another strategy of its player dominates, in the game as it was then."""

    player: int
    action: str
    by: tuple[tuple[str, Number], ...]
    """The actions of the dominating strategy, with their probabilities."""
    strict: bool
    stage: int = 1
    """The round of an iterated elimination."""

    @property
    def by_text(self) -> str:
        if len(self.by) == 1:
            return self.by[0][0]
        return " + ".join(f"{say(share)} {name}" for name, share in self.by)


@dataclass(frozen=True, slots=True)
class Elimination:
    """The steps of an iterated elimination, and the game that they leave."""

    steps: tuple[Dominated, ...]
    game: NormalForm


EXACT_ENTRIES = 400
"""Entries of a table up to which mixed dominance is computed in fractions by default."""
CLEAR_GAIN = 1e-9
"""Of a mixture in floating point, for payoffs within 1 of each other: less may be rounding."""
BELIEF_SHARPNESS, BELIEF_ROUNDS = 8.0, 20
"""Of the guesses at beliefs that save linear programs; e⁸ is the greatest ratio of two probabilities."""


def dominated(
    game: object, p: int, strict: bool = True, mixed: bool = True, stage: int = 1, exact: bool | None = None
) -> list[Dominated]:
    """The dominated actions of player `p`; weak dominance includes strict.

    Mixtures are computed in fractions in small games, and else in floating point, where a gain must be clear of
    rounding; `exact` asks for one of the two.
    """
    form = as_game(game)
    exact = form.payoffs[p].size <= EXACT_ENTRIES if exact is None else exact
    table = np.moveaxis(form.tables(exact)[p], p, 0).reshape(form.shape[p], -1)
    unbeaten = set() if exact or not mixed else _best_replies(table)
    found = []
    for action in range(len(table)):
        strategy = _by_pure(table, action, strict)
        if strategy is None and mixed and action not in unbeaten:
            strategy = _by_mixed(table, action, strict)
        if strategy is not None:
            names = form.actions[p]
            by = tuple((names[i], share) for i, share in enumerate(strategy) if share)
            found.append(Dominated(p, names[action], by, strict, stage))
    return found


def _by_pure(table: Array, action: int, strict: bool) -> Strategy | None:
    better = table - table[action]
    wins = (better > 0).all(axis=1) if strict else (better >= 0).all(axis=1) & (better > 0).any(axis=1)
    return tuple(int(i == wins.argmax()) for i in range(len(table))) if wins.any() else None


def _best_replies(table: Array) -> set[int]:
    """Actions that are best replies to some belief in which everything is possible: no strategy dominates them.

    The beliefs are guessed: for each action one in favour of where it does well, which then moves away from where the
    best reply to it does better. An action that is not found may still be undominated.
    """
    span = float(table.max() - table.min())
    if not 0 < span < math.inf:
        return set()
    worth = (table - table.max(axis=0)) / span
    leaning = BELIEF_SHARPNESS * worth
    found: set[int] = set()
    for _ in range(BELIEF_ROUNDS):
        leaning = np.maximum(leaning - leaning.max(axis=1, keepdims=True), -BELIEF_SHARPNESS)
        belief = np.exp(leaning)
        expected = belief @ worth.T
        best = expected.argmax(axis=1)
        found.update(np.flatnonzero(expected.diagonal() >= expected.max(axis=1)).tolist())
        if len(found) == len(table):
            break
        leaning = leaning + BELIEF_SHARPNESS / 2 * (worth - worth[best])
    return found


def _by_mixed(table: Array, action: int, strict: bool) -> Strategy | None:
    """By a linear program: the greatest margin over every column, or the greatest sum of gains with no loss."""
    others = [i for i in range(len(table)) if i != action]
    if len(others) < 2:
        return None  # a mixture of one is pure
    gains = table[others] - table[action]
    most = gains.max(axis=0)
    if ((most <= 0) if strict else (most < 0)).any():
        return None  # it is a best reply
    below = np.column_stack([-gains.T, np.full(gains.shape[1], int(strict))])
    objective = [0] * len(others) + [1] if strict else [*gains.sum(axis=1), 0]
    exact = table.dtype == object
    found = maximise(objective, below, [0] * len(below), [[1] * len(others) + [0]], [1], exact=exact)
    least = 0 if exact else CLEAR_GAIN * float(table.max() - table.min())
    if found is None or found.value <= least:
        return None
    strategy: list[Number] = [0] * len(table)
    for i, share in zip(others, found.point, strict=False):
        strategy[i] = share if exact or share > CLEAR_GAIN else 0
    return tuple(strategy)


def eliminate(game: object, strict: bool = True, mixed: bool = True, exact: bool | None = None) -> Elimination:
    """Strikes out dominated actions until there are none; `exact` as for `dominated`."""
    form = as_game(game)
    steps: list[Dominated] = []
    for stage in range(1, sum(form.shape) + 1):
        found = []
        for p in range(len(form.players)):
            gone = dominated(form, p, strict, mixed, stage, exact)
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


MOST_SUBSETS = 100_000


@dataclass(frozen=True, slots=True)
class NashSubset:
    """Every mixture of `rows` with every mixture of `columns` is an equilibrium."""

    rows: tuple[Strategy, ...]
    columns: tuple[Strategy, ...]

    @property
    def is_point(self) -> bool:
        return len(self.rows) == len(self.columns) == 1


def components(equilibria: Sequence[Equilibrium]) -> list[list[NashSubset]]:
    """The connected components of the set of equilibria, each as its maximal Nash subsets.

    `equilibria` are all extreme ones, found exactly.
    """
    if not all(one.exact and len(one.strategies) == 2 for one in equilibria):
        raise MethodError("components are made from all extreme equilibria of two players, found exactly")
    partners: dict[Strategy, set[Strategy]] = {}
    for one in equilibria:
        partners.setdefault(one.strategies[0], set()).add(one.strategies[1])
    subsets = [NashSubset(rows, columns) for rows, columns in maximal_bicliques(partners)]
    return connect(subsets)


def maximal_bicliques(
    partners: dict[Strategy, set[Strategy]],
) -> list[tuple[tuple[Strategy, ...], tuple[Strategy, ...]]]:
    """The closed sets: intersections of partners' sets, each with everybody who has them all."""
    closed: set[frozenset[Strategy]] = set()
    for mine in partners.values():
        fresh = {frozenset(mine)} | {frozenset(mine & other) for other in closed}
        closed |= {each for each in fresh if each}
        if len(closed) > MOST_SUBSETS:
            raise MethodError(f"the equilibria form more than {MOST_SUBSETS:,} maximal subsets: list them instead")
    found = []
    for columns in closed:
        rows = [row for row, mine in partners.items() if columns <= mine]
        found.append((tuple(sorted(rows, reverse=True)), tuple(sorted(columns, reverse=True))))
    return sorted(found, reverse=True)


def connect(subsets: list[NashSubset]) -> list[list[NashSubset]]:
    """Subsets that share an equilibrium, directly or through others, together."""
    groups: list[list[NashSubset]] = []
    for subset in subsets:
        meeting = [group for group in groups if any(_meet(subset, other) for other in group)]
        merged = [other for group in meeting for other in group] + [subset]
        groups = [group for group in groups if group not in meeting] + [merged]
    return groups


def _meet(one: NashSubset, other: NashSubset) -> bool:
    return bool(set(one.rows) & set(other.rows)) and bool(set(one.columns) & set(other.columns))
