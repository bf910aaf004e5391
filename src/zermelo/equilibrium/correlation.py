"""Correlated play and commitment, by linear programming.

Correlated equilibrium (Aumann): somebody draws a combination of actions and whispers to each player the own one; nobody
gains by disobeying. Coarse: nobody gains by ignoring the whisper for good. Every Nash equilibrium is correlated, and
every correlated one is coarse. Stackelberg: the leader commits to a mixed strategy, the follower replies best, and
ties go as the leader likes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from zermelo.equilibrium.form import Array, NormalForm, as_game, fractions_of, two_players
from zermelo.equilibrium.linear_program import maximise
from zermelo.equilibrium.numbers import Number
from zermelo.equilibrium.profile import Strategy
from zermelo.errors import InputError, OptionError


@dataclass(frozen=True, slots=True)
class Correlated:
    """A distribution over combinations of actions."""

    game: NormalForm
    probabilities: Array
    """One axis per player."""
    payoffs: Strategy
    coarse: bool
    exact: bool

    def shares(self) -> list[tuple[tuple[str, ...], Number]]:
        """The combinations that are drawn at all, by name."""
        found = [(self.game.name_profile(place), self.probabilities[place]) for place in self.game.profiles()]
        return [(names, share) for names, share in found if share > (0 if self.exact else 1e-12)]


@dataclass(frozen=True, slots=True)
class Commitment:
    """The leader's best commitment, and the reply to it."""

    leader: int
    strategy: Strategy
    reply: int
    payoffs: Strategy


def correlated(
    game: object, weights: Sequence[Number] | None = None, coarse: bool = False, exact: bool = False
) -> Correlated:
    """A correlated equilibrium with the greatest sum of payoffs, each player's counted with its weight."""
    form = as_game(game)
    tables = form.tables(exact)
    chosen = fractions_of([1] * len(tables) if weights is None else weights)
    if len(chosen) != len(tables):
        raise OptionError(f"give one weight for each of the {len(tables)} players")
    goal = np.zeros_like(tables[0])
    for table, weight in zip(tables, chosen, strict=True):
        goal = goal + table * (weight if exact else float(weight))
    below = [(-row).ravel() for row in incentives(tables, coarse)]
    size = int(np.prod(form.shape))
    found = maximise(goal.ravel(), below, [0] * len(below), [[1] * size], [1], exact)
    assert found is not None  # every Nash equilibrium is one
    draw = np.array(found.point, dtype=tables[0].dtype).reshape(form.shape)
    if not exact:
        draw = np.maximum(draw, 0.0) / np.maximum(draw, 0.0).sum()
    payoffs = tuple(form.shown((draw * table).sum()) for table in tables)
    return Correlated(form, draw, payoffs if exact else tuple(map(float, payoffs)), coarse, exact)


def incentives(tables: Sequence[Array], coarse: bool) -> Iterator[Array]:
    """What must not be negative, each as an array over combinations: the gain of obeying over one way not to."""
    for p, table in enumerate(tables):
        own = np.moveaxis(table, p, 0)
        for other in range(len(own)):
            gains = np.moveaxis(own - own[other], 0, p)
            if coarse:
                yield gains
                continue
            for told in range(len(own)):
                if told != other:
                    only = np.zeros_like(gains)
                    place = (slice(None),) * p + (told,)
                    only[place] = gains[place]
                    yield only


def is_correlated(game: object, probabilities: Any, coarse: bool = False) -> bool:
    """Whether nobody gains by not following the draw, exactly."""
    form = as_game(game)
    draw = np.array(probabilities, dtype=object)
    if draw.shape != form.shape:
        raise InputError(f"give a probability for each of the {form.shape} combinations of actions")
    exact = np.array(fractions_of(list(draw.ravel())), dtype=object).reshape(form.shape)
    if (exact < 0).any() or exact.sum() != 1:
        raise InputError("probabilities must be at least 0 and sum to 1")
    return all((gains * exact).sum() >= 0 for gains in incentives(form.exact, coarse))


def stackelberg(game: object, leader: int = 0, exact: bool = False) -> Commitment:
    """The best mixed strategy to commit to: one linear program for each reply (Conitzer and Sandholm 2006)."""
    form = as_game(game)
    two_players(form, "Stackelberg commitment")
    if leader not in (0, 1):
        raise OptionError(f"the leader is player 0 or 1, not {leader}")
    tables = [table if leader == 0 else table.T for table in form.tables(exact)]
    mine, theirs = tables[leader], tables[1 - leader]
    best: tuple[Any, int, list[Number]] | None = None
    for reply in range(mine.shape[1]):
        below = [theirs[:, other] - theirs[:, reply] for other in range(mine.shape[1]) if other != reply]
        ones = [[1] * len(mine)]
        found = maximise(list(mine[:, reply]), below, [0] * len(below), ones, [1], exact)
        if found is not None and (best is None or found.value > best[0]):
            best = (found.value, reply, found.point)
    assert best is not None  # some reply is best against the first action
    value, reply, point = best
    follower = sum((x * u for x, u in zip(point, theirs[:, reply], strict=True)), Fraction(0) if exact else 0.0)
    both = (value, follower) if leader == 0 else (follower, value)
    return Commitment(leader, tuple(point), reply, tuple(form.shown(payoff) for payoff in both))
