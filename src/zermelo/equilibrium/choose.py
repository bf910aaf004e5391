"""The method that fits a game, or the one asked for by name. What a method cannot do it refuses by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.errors import MethodError
from zermelo.game.contract import Game

if TYPE_CHECKING:
    from zermelo.equilibrium.form import NormalForm
    from zermelo.equilibrium.profile import Equilibrium
    from zermelo.equilibrium.zerosum import ZeroSum

ONE = ("simplex", "highs", "lemke-howson", "logit")
ALL = ("vertices", "supports", "lemke-howson")


def read_game(game: Any, costs: bool = False) -> NormalForm:
    """A normal form from a matrix, text, tables, a `Game`, or one that is a normal form already."""
    from zermelo.equilibrium.form import NormalForm

    if isinstance(game, NormalForm):
        return game
    if isinstance(game, Game):
        from zermelo.equilibrium.reduction import normal_form

        return normal_form(game)
    return NormalForm(game, costs=costs)


def equilibrium(
    game: Any, exact: bool = False, method: str | None = None, costs: bool = False
) -> ZeroSum | Equilibrium:
    """One equilibrium of a matrix, of payoff tables, or of a `Game`.

    A zero-sum game is solved by linear programming, another of two players by Lemke–Howson, one of more by the logit
    homotopy. `exact` computes in fractions.
    """
    form = read_game(game, costs)
    if method is None:
        two = len(form.players) == 2
        method = "simplex" if form.is_zero_sum else "lemke-howson" if two else "logit"
    if method in ("simplex", "highs"):
        from zermelo.equilibrium.zerosum import zero_sum

        return zero_sum(form, exact, method)
    if method == "lemke-howson":
        from zermelo.equilibrium.lemkehowson import lemke_howson

        return lemke_howson(form, 0, exact)
    if method == "logit":
        if exact:
            raise MethodError("the logit homotopy computes in floating point: leave out exact")
        from zermelo.equilibrium.quantal import logit

        return logit(form).equilibrium
    if method in ALL:
        raise MethodError(f"{method} finds all equilibria: ask for them with `equilibria`, or take {', '.join(ONE)}")
    raise MethodError(f"no method is called {method!r}; there are {', '.join(dict.fromkeys(ONE + ALL))}")


def equilibria(game: Any, exact: bool = True, method: str | None = None, costs: bool = False) -> list[Equilibrium]:
    """All extreme equilibria of two players, by `vertices` or `supports`; all isolated ones of more, by `supports`.

    `lemke-howson` gives those that its paths lead to, which need not be all.
    """
    form = read_game(game, costs)
    if method is None:
        method = "vertices" if len(form.players) == 2 else "supports"
    if method == "vertices":
        from zermelo.equilibrium.bimatrix import vertex_enumeration

        return vertex_enumeration(form, exact)
    if method == "supports":
        from zermelo.equilibrium.supports import support_enumeration

        return support_enumeration(form)
    if method == "lemke-howson":
        from zermelo.equilibrium.lemkehowson import lemke_howson_all

        return lemke_howson_all(form, exact)
    if method in ONE:
        raise MethodError(f"{method} finds one equilibrium, not all: take {', '.join(ALL)}")
    raise MethodError(f"no method is called {method!r}; there are {', '.join(dict.fromkeys(ALL + ONE))}")
