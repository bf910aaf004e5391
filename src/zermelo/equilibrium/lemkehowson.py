"""One equilibrium of two players by the method of Lemke and Howson (1964), from any label.

A path of pivots begins at the artificial equilibrium (0, 0) by dropping a label and ends where that label is picked up
again, which is an equilibrium. Ties are broken lexicographically, so that it ends in degenerate games as well. In a
game without ties their number is odd: every path has two ends.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine import polytopes
from zermelo.equilibrium.bimatrix import best_response_polytopes
from zermelo.equilibrium.form import as_game, two_players
from zermelo.equilibrium.profile import Equilibrium, is_equilibrium, make_equilibrium
from zermelo.equilibrium.zerosum import share
from zermelo.errors import OptionError, UnsolvedError

TOLERANCE = 1e-9
"""Regret, for payoffs within 1 of each other, beyond which a result in floating point is not believed."""


def lemke_howson(game: Any, label: int = 0, exact: bool = False) -> Equilibrium:
    """The equilibrium at the end of the path that drops `label`; exact arithmetic steps in where rounding fails."""
    form = as_game(game)
    two_players(form, "Lemke–Howson")
    labels = sum(form.shape)
    if not 0 <= label < labels:
        raise OptionError(f"the labels of this game are 0 … {labels - 1}, one an action; {label} is none of them")
    if not exact:
        span = max(float(table.max() - table.min()) for table in form.floats)
        try:
            first, second, _ = polytopes.lemke_howson(*best_response_polytopes(form, False), label)
        except UnsolvedError:
            pass
        else:
            found = make_equilibrium(form, (share(first), share(second)), "lemke-howson", False)
            if is_equilibrium(form, found.strategies, TOLERANCE * span):
                return found
    first, second, _ = polytopes.lemke_howson(*best_response_polytopes(form, True), label)
    return make_equilibrium(form, (share(first), share(second)), "lemke-howson", exact)


def lemke_howson_all(game: Any, exact: bool = True) -> list[Equilibrium]:
    """The equilibria that the paths from all labels lead to, each once, in the order of the labels. Not always all."""
    form = as_game(game)
    two_players(form, "Lemke–Howson")
    found: dict[Any, Equilibrium] = {}
    for label in range(sum(form.shape)):
        one = lemke_howson(form, label, exact)
        rounded = tuple(tuple(round(float(share), 9) for share in own) for own in one.strategies)
        found.setdefault(one.strategies if exact else rounded, one)
    return list(found.values())
