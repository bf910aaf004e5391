"""Strategies and what they are worth: expected payoff yᵀAx, best responses, regret, and the test of an equilibrium.

regret_p = max over own actions a of  payoff(a, others)  −  payoff(profile)          ≥ 0
equilibrium  ⟺  every player's regret is 0: nobody gains by deviating alone
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from zermelo.equilibrium.form import Array, NormalForm, as_game, fractions_of
from zermelo.equilibrium.numbers import Number, rational, say
from zermelo.errors import InputError

Strategy = tuple[Number, ...]
"""A probability for each action of one player."""
Profile = tuple[Strategy, ...]


@dataclass(frozen=True, slots=True)
class Equilibrium:
    """One equilibrium, and how it was found."""

    strategies: Profile
    payoffs: Strategy
    """Every player's, as the game was given: a cost where the game has costs."""
    method: str
    exact: bool
    """Whether all numbers are fractions and every regret is exactly 0."""
    game: NormalForm | None = field(default=None, compare=False, repr=False)
    """The game of the equilibrium."""

    @property
    def supports(self) -> tuple[tuple[int, ...], ...]:
        """The actions that each player uses."""
        return tuple(tuple(i for i, share in enumerate(own) if share > 0) for own in self.strategies)

    def _repr_html_(self) -> str:
        from zermelo.equilibrium.shown import show_profile

        return show_profile(self)


@dataclass(frozen=True, slots=True)
class Continuum:
    """Supports on which equilibria are not isolated: infinitely many, or some that coincide."""

    supports: tuple[tuple[int, ...], ...]
    """The actions that each player uses."""
    example: Equilibrium | None
    """One of them; `None` if rounding leaves it open whether there is any."""


class Equilibria(list[Equilibrium]):
    """The equilibria that a method finds, and what it cannot list one by one."""

    def __init__(self, found: Iterable[Equilibrium] = (), complete: bool = True, continua: Iterable[Continuum] = ()):
        super().__init__(found)
        self.continua = tuple(continua)
        self.complete = complete and not self.continua
        """Whether the method promises that there are no others (but for mixtures of extreme ones)."""


def make_equilibrium(game: NormalForm, strategies: Sequence[Sequence[Number]], method: str, exact: bool) -> Equilibrium:
    """An `Equilibrium` with its payoffs."""
    kind = fractions_of if exact else lambda own: tuple(map(float, own))
    profile = tuple(kind(own) for own in strategies)
    payoffs = tuple(game.shown(each if exact else float(each)) for each in _expected(game, profile, exact))
    return Equilibrium(profile, payoffs, method, exact, game)


def action_payoffs(table: Array, profile: Sequence[Sequence[Number] | Array], p: int) -> Array:
    """What each action of player `p` is worth in `table`, when the others play as in `profile`."""
    if table.ndim == 2:
        other = np.asarray(profile[1 - p], dtype=table.dtype)
        return table @ other if p == 0 else other @ table
    for q in reversed(range(table.ndim)):
        if q != p:
            table = np.tensordot(table, np.asarray(profile[q], dtype=table.dtype), axes=([q], [0]))
    return table


def number(value: object) -> float:
    """A probability as a float; raises `InputError` if it is not a finite number."""
    return value if type(value) is float and math.isfinite(value) else float(rational(value))


def read_profile(game: NormalForm, profile: Sequence[Sequence[Number | str]], exact: bool) -> Profile:
    """The strategies of a caller, checked: a probability for each action, none negative, with the sum 1."""
    if len(profile) != len(game.players):
        raise InputError(f"the game has {len(game.players)} players, and the profile {len(profile)} strategies")
    found = []
    for name, size, own in zip(game.players, game.shape, profile, strict=True):
        shares: Strategy = fractions_of(list(own)) if exact else tuple(map(number, own))
        if len(shares) != size:
            raise InputError(f"player {name} has {size} actions, and the strategy {len(shares)} probabilities")
        total: Any = sum(shares)
        rounded = not exact or any(isinstance(share, float) for share in own)
        if min(shares) < 0 or (abs(total - 1) > 1e-9 if rounded else total != 1):
            raise InputError(f"the probabilities of player {name} must be at least 0 and sum to 1, not {say(total)}")
        found.append(tuple(share / total for share in shares) if rounded else shares)
    return tuple(found)


def expected_payoffs(game: object, profile: Sequence[Sequence[Number | str]], exact: bool = True) -> Strategy:
    """Every player's expected payoff, yᵀAx for the row player; costs where the game has costs."""
    form = as_game(game)
    return tuple(form.shown(payoff) for payoff in _expected(form, read_profile(form, profile, exact), exact))


def _expected(game: NormalForm, profile: Profile, exact: bool) -> Strategy:
    used = [[i for i, share in enumerate(own) if share] for own in profile]
    few = [[own[i] for i in places] for own, places in zip(profile, used, strict=True)]
    grid = np.ix_(*used)
    return tuple(
        sum(share * payoff for share, payoff in zip(few[p], action_payoffs(table[grid], few, p), strict=True))
        for p, table in enumerate(game.tables(exact))
    )


def best_responses(game: object, profile: Sequence[Sequence[Number | str]], p: int) -> tuple[int, ...]:
    """The actions of player `p` that are best against the others' strategies, exactly."""
    form = as_game(game)
    worth = action_payoffs(form.exact[p], read_profile(form, profile, True), p)
    return tuple(int(i) for i in np.flatnonzero(worth == worth.max()))


def regrets(game: object, profile: Sequence[Sequence[Number | str]], exact: bool = True) -> Strategy:
    """What each player could gain by deviating alone."""
    form = as_game(game)
    checked = read_profile(form, profile, exact)
    gains = []
    for p, table in enumerate(form.tables(exact)):
        worth = action_payoffs(table, checked, p)
        gains.append(worth.max() - sum(share * each for share, each in zip(checked[p], worth, strict=True)))
    return tuple(gains)


def is_equilibrium(game: object, profile: Sequence[Sequence[Number | str]], tolerance: float | None = None) -> bool:
    """Whether nobody gains by deviating alone: exactly, or no more than `tolerance`."""
    if tolerance is None:
        return not any(regrets(game, profile))
    return all(gain <= tolerance for gain in regrets(game, profile, exact=False))


def pure(shape: Sequence[int], actions: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """The profile in which each player takes one action for certain."""
    return tuple(tuple(int(i == a) for i in range(size)) for size, a in zip(shape, actions, strict=True))


def pure_equilibria(game: object) -> list[tuple[int, ...]]:
    """All combinations of actions from which nobody gains by deviating alone, for any number of players."""
    form = as_game(game)
    stable = np.ones(form.shape, dtype=bool)
    for p, table in enumerate(form.payoffs):
        stable &= table == table.max(axis=p, keepdims=True)
    return [tuple(map(int, place)) for place in np.argwhere(stable)]


def second_thoughts(game: object, start: Sequence[int], first: int = 0) -> list[tuple[int, ...]]:
    """The chain in which the players in turn, `first` first, reply best to what the others do now.

    It ends at an equilibrium, or with the first combination that comes round again for the same player.
    """
    form = as_game(game)
    profile, p = tuple(start), first
    if len(profile) != len(form.shape) or any(not 0 <= a < n for a, n in zip(profile, form.shape, strict=True)):
        raise InputError(f"{profile} is not one action for each player")
    chain, seen, idle = [profile], {(profile, p)}, 0
    while idle < len(form.shape):
        place: tuple[int | slice, ...] = (*profile[:p], slice(None), *profile[p + 1 :])
        worth = form.payoffs[p][place]
        reply = profile[p] if worth[profile[p]] == worth.max() else int(np.argmax(worth))
        idle = idle + 1 if reply == profile[p] else 0
        if not idle:
            profile = (*profile[:p], reply, *profile[p + 1 :])
            chain.append(profile)
        p = (p + 1) % len(form.shape)
        if not idle and (profile, p) in seen:
            break
        seen.add((profile, p))
    return chain
