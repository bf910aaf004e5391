"""All equilibria of two players by the vertices of their best-response polytopes (Mangasarian 1964).

    P = {x ≥ 0, Bᵀx ≤ 1},  Q = {y ≥ 0, A y ≤ 1}          payoffs made positive, which changes no equilibrium

Labels 0 … m − 1 are the row player's actions, m … m + n − 1 the column player's. A point has the labels of own actions
that it leaves out and of the other's actions that are best against it; a pair of vertices with all labels is an extreme
equilibrium, in degenerate games too. Every equilibrium is a mixture of extreme ones that can all be exchanged for each
other: a maximal Nash subset (see `components`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zermelo.engine import Stopped, polytopes
from zermelo.equilibrium.form import NormalForm, as_game, two_players
from zermelo.equilibrium.profile import Equilibrium, make_equilibrium
from zermelo.equilibrium.zerosum import MOST_VERTICES, positive_doubles, positive_integers, share
from zermelo.errors import UnsolvedError


def best_response_polytopes(form: NormalForm, exact: bool) -> tuple[Any, Any]:
    """The matrices of P and Q: whole numbers, or doubles."""
    make = positive_integers if exact else positive_doubles
    first, second = form.tables(exact)
    return make(second.T), make(first)


def vertex_enumeration(
    game: Any, exact: bool = True, limit: int = MOST_VERTICES, stop: Callable[[], bool] | None = None
) -> list[Equilibrium]:
    """Every extreme equilibrium, each once. `limit` bounds the bases that are looked at in each polytope.

    `stop` is asked now and then; a true answer ends the search with an `UnsolvedError`.
    """
    form = as_game(game)
    two_players(form, "vertex enumeration")
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
    return equilibria
