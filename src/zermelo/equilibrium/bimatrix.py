"""All equilibria of two players by the vertices of their best-response polytopes (Mangasarian 1964).

    P = {x ≥ 0, Bᵀx ≤ 1},  Q = {y ≥ 0, A y ≤ 1}          payoffs made positive, which changes no equilibrium

Labels 0 … m − 1 are the row player's actions, m … m + n − 1 the column player's. A point has the labels of own actions
that it leaves out and of the other's actions that are best against it; a pair of vertices with all labels is an extreme
equilibrium, in degenerate games too. Every equilibrium is a mixture of extreme ones that can all be exchanged for each
other: a maximal Nash subset (see `components`).

One equilibrium of two players by the method of Lemke and Howson (1964), from any label.

A path of pivots begins at the artificial equilibrium (0, 0) by dropping a label and ends where that label is picked up
again, which is an equilibrium. Ties are broken lexicographically, so that it ends in degenerate games as well. In a
game without ties their number is odd: every path has two ends.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.engine import Stopped, polytopes
from zermelo.equilibrium.form import Array, NormalForm, as_game, two_players
from zermelo.equilibrium.profile import Equilibrium, Profile, make_equilibrium, regrets
from zermelo.equilibrium.zerosum import MOST_VERTICES, positive_doubles, positive_integers, share
from zermelo.errors import OptionError, UnsolvedError


def best_response_polytopes(form: NormalForm, exact: bool) -> tuple[Any, Any]:
    """The matrices of P and Q: whole numbers, or doubles."""
    make = positive_integers if exact else positive_doubles
    first, second = form.tables(exact)
    return make(second.T), make(first)


def vertex_enumeration(
    game: object, exact: bool = True, limit: int = MOST_VERTICES, stop: Callable[[], bool] | None = None
) -> list[Equilibrium]:
    """Every extreme equilibrium, each once. `limit` bounds the bases that are looked at in each polytope.

    `stop` is called regularly; if it returns true, the search ends with an `UnsolvedError`.
    """
    form = as_game(game)
    two_players(form, "vertex enumeration")
    if not exact and any(map(is_ill_scaled, form.floats)):
        return _enumerate_in_fractions(form, limit, stop)
    stopped = UnsolvedError("it was stopped before all equilibria were found: take fewer actions, or ask for one")
    try:
        found = polytopes.extreme_equilibria(*best_response_polytopes(form, exact), limit, stop)
    except Stopped:
        raise stopped from None
    rows, columns = list(map(share, found.first)), list(map(share, found.second))
    ordered = sorted(((rows[i], columns[j]) for i, j in found.pairs), reverse=True)
    equilibria = []
    for pair in ordered:
        if stop is not None and stop():
            raise stopped
        equilibria.append(make_equilibrium(form, pair, "vertices", exact))
    if exact or (equilibria and all(is_verified(form, each) for each in equilibria)):
        return equilibria
    return _enumerate_in_fractions(form, limit, stop)


def _enumerate_in_fractions(form: NormalForm, limit: int, stop: Callable[[], bool] | None) -> list[Equilibrium]:
    """The same as floats, where rounding would mislead."""
    return [in_floats(form, each) for each in vertex_enumeration(form, True, limit, stop)]


ILL_SCALED = 1e6
"""Span of payoffs, in units of the least of them, from which on doubles may lose an equilibrium."""


def is_ill_scaled(table: Array) -> bool:
    """Whether payoffs differ so much in size that the small ones vanish in the rounding of the large ones."""
    sizes = np.abs(table[table != 0])
    return bool(sizes.size) and float(table.max() - table.min()) > ILL_SCALED * float(sizes.min())


TOLERANCE = 1e-9
"""Regret, for payoffs within 1 of each other, above which a result in floating point is rejected."""


def is_verified(form: NormalForm, found: Equilibrium) -> bool:
    """Whether an equilibrium in floating point is one within rounding: every regret is within the tolerance."""
    if not all(math.isfinite(share) for own in found.strategies for share in own):
        return False
    gains = regrets(form, found.strategies, exact=False)
    spans = [float(table.max() - table.min()) for table in form.floats]
    return all(gain <= TOLERANCE * span for gain, span in zip(gains, spans, strict=True))


def in_floats(form: NormalForm, found: Equilibrium) -> Equilibrium:
    """An exact equilibrium as one in floating point."""
    return make_equilibrium(form, [list(map(float, own)) for own in found.strategies], found.method, False)


def lemke_howson(game: object, label: int = 0, exact: bool = False) -> Equilibrium:
    """The equilibrium at the end of the path that drops `label`; exact arithmetic is used where rounding fails."""
    form = as_game(game)
    two_players(form, "Lemke–Howson")
    labels = sum(form.shape)
    if not 0 <= label < labels:
        raise OptionError(f"the labels of this game are 0 … {labels - 1}, one an action; {label} is none of them")
    if not exact:
        try:
            first, second, _ = polytopes.lemke_howson(*best_response_polytopes(form, False), label)
        except UnsolvedError:
            pass
        else:
            found = make_equilibrium(form, (share(first), share(second)), "lemke-howson", False)
            if is_verified(form, found):
                return found
    first, second, _ = polytopes.lemke_howson(*best_response_polytopes(form, True), label)
    return make_equilibrium(form, (share(first), share(second)), "lemke-howson", exact)


def lemke_howson_all(game: object, exact: bool = True) -> list[Equilibrium]:
    """The equilibria that the paths from all labels lead to, each once, in the order of the labels. Not always all."""
    form = as_game(game)
    two_players(form, "Lemke–Howson")
    found: dict[Profile, Equilibrium] = {}
    for label in range(sum(form.shape)):
        one = lemke_howson(form, label, exact)
        rounded = tuple(tuple(round(float(share), 9) for share in own) for own in one.strategies)
        found.setdefault(one.strategies if exact else rounded, one)
    return list(found.values())
