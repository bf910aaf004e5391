"""The method that fits a game in normal form or a tree, or the one asked for by name; what it cannot do is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.errors import MethodError, OptionError
from zermelo.game.contract import Game

if TYPE_CHECKING:
    from zermelo.equilibrium.extensive import ExtensiveForm
    from zermelo.equilibrium.form import NormalForm
    from zermelo.equilibrium.profile import Equilibria, Equilibrium
    from zermelo.equilibrium.public_form import PublicForm
    from zermelo.equilibrium.strategies import ExtensiveEquilibrium, Point
    from zermelo.equilibrium.zerosum import ZeroSum

SOLVED = ("backward", "sequence", "lemke")
"""Methods that solve a tree at one go."""
ONE = ("simplex", "highs", "lemke-howson", "logit")
ALL = ("vertices", "supports", "lemke-howson")


def read_game(game: object, costs: bool = False) -> NormalForm:
    """A normal form from a matrix, text, tables, a `Game`, or one that is a normal form already."""
    from zermelo.equilibrium.form import NormalForm

    if isinstance(game, NormalForm):
        return game
    if isinstance(game, Game):
        from zermelo.equilibrium.reduction import normal_form

        return normal_form(game)
    return NormalForm(game, costs=costs)


def equilibrium(
    game: object, exact: bool = False, method: str | None = None, costs: bool = False
) -> ZeroSum | Equilibrium:
    """One equilibrium of a matrix, of payoff tables, or of a `Game`.

    A zero-sum game is solved by linear programming, another of two players by Lemke–Howson, one of more by the logit
    homotopy. `exact` computes in fractions.
    """
    form = read_game(game, costs)
    if method is None:
        two = len(form.players) == 2
        zero = form.is_exactly_zero_sum if exact else form.is_zero_sum
        method = "simplex" if zero else "lemke-howson" if two else "logit"
    if method in ("simplex", "highs"):
        from zermelo.equilibrium.zerosum import zero_sum

        return zero_sum(form, exact, method)
    if method == "lemke-howson":
        from zermelo.equilibrium.bimatrix import lemke_howson

        return lemke_howson(form, 0, exact)
    if method == "logit":
        if exact:
            raise MethodError("the logit homotopy computes in floating point: leave out exact")
        from zermelo.equilibrium.dynamics import logit

        return logit(form).equilibrium
    if method in ALL:
        raise MethodError(f"{method} finds all equilibria: ask for them with `equilibria`, or take {', '.join(ONE)}")
    raise MethodError(f"no method is called {method!r}; there are {', '.join(dict.fromkeys(ONE + ALL))}")


def equilibria(game: object, exact: bool | None = None, method: str | None = None, costs: bool = False) -> Equilibria:
    """All extreme equilibria of two players, by `vertices` or `supports`; all isolated ones of more, by `supports`.

    `lemke-howson` gives those that its paths lead to, which need not be all. They are computed in fractions, or in
    floating point and verified where the fractions would be too long; `exact` asks for one of the two. The list says
    whether it is `complete`; `continua` has supports with others that cannot be listed one by one.
    """
    from zermelo.equilibrium.profile import Equilibria

    form = read_game(game, costs)
    if method is None:
        method = "vertices" if len(form.players) == 2 else "supports"
    if exact is None and len(form.players) == 2:
        from zermelo.equilibrium.zerosum import fits_exactly

        exact = fits_exactly(form)
    exact = exact is None or exact
    if method == "vertices":
        from zermelo.equilibrium.bimatrix import vertex_enumeration

        return Equilibria(vertex_enumeration(form, exact))
    if method == "supports":
        from zermelo.equilibrium.supports import support_enumeration

        return support_enumeration(form)
    if method == "lemke-howson":
        from zermelo.equilibrium.bimatrix import lemke_howson_all

        return Equilibria(lemke_howson_all(form, exact), complete=False)
    if method in ONE:
        raise MethodError(f"{method} finds one equilibrium, not all: take {', '.join(ALL)}")
    raise MethodError(f"no method is called {method!r}; there are {', '.join(dict.fromkeys(ALL + ONE))}")


def solve_extensive(
    game: Game | ExtensiveForm | PublicForm,
    method: str | None = None,
    exact: bool = False,
    progress: Callable[[Point], None] | None = None,
    **options: Any,
) -> ExtensiveEquilibrium:
    """An equilibrium of a tree: by `backward` induction, `sequence` form, `lemke` or one of the methods of `cfr`.

    Without a method: `cfr` over ranges where a game declares its public and private parts; backward induction where
    nothing is hidden; of two players the sequence form of a zero-sum game and `lemke` of another, unless they are too
    large; and else `cfr`, which takes the `options` and reports its `progress`.
    """
    from zermelo.equilibrium.backward import backward_induction
    from zermelo.equilibrium.complementarity import lemke
    from zermelo.equilibrium.extensive import ExtensiveForm
    from zermelo.equilibrium.public_form import PublicForm
    from zermelo.equilibrium.regret import IN_TREES, METHODS, cfr, form_of
    from zermelo.equilibrium.sequence_program import sequence_form

    if method is not None and method not in (*SOLVED, *METHODS):
        raise MethodError(
            f"no method for trees is called {method!r}; there are {', '.join(SOLVED)}, {', '.join(METHODS)}"
        )
    if not exact and (method in METHODS or (method is None and options)):
        return cfr(game, method, progress=progress, **options)  # which walks the game within its time
    form = form_of(game, "sequence" if exact and method is None and not options else method)
    if method is None and isinstance(form, ExtensiveForm):
        method = "cfr" if options else method_for_tree(form, exact)
        method = IN_TREES if method == "cfr" else method
    if isinstance(form, PublicForm) or method in METHODS:
        if exact:
            other = ", or take sequence or lemke" if form.game.players == 2 else ""
            raise MethodError(f"{method or 'cfr'} computes in floating point: leave out exact{other}")
        return cfr(form, method, progress=progress, **options)
    if options:
        raise OptionError(f"{method} takes no {next(iter(options))}: that is for cfr")
    if method == "backward":
        return backward_induction(form)
    return sequence_form(form, exact) if method == "sequence" else lemke(form, exact)


def method_for_tree(form: ExtensiveForm, exact: bool = False) -> str:
    """The name of the method that fits a tree."""
    from zermelo.equilibrium.backward import is_perfect
    from zermelo.equilibrium.complementarity import MOST_SEQUENCES as MOST_OF_LEMKE
    from zermelo.equilibrium.complementarity import count_merged
    from zermelo.equilibrium.sequence_program import MOST_SEQUENCES

    if is_perfect(form):
        return "backward"
    if form.is_exactly_zero_sum if exact else form.is_zero_sum:
        return "sequence" if exact or count_merged(form) <= MOST_SEQUENCES else "cfr"
    if form.players != 2:
        return "cfr"
    if not exact and (count := count_merged(form)) > MOST_OF_LEMKE:
        raise MethodError(
            f"{form.game.name} has {count:,} sequences, too many for Lemke's method: ask for cfr, which promises no "
            f"equilibrium unless the game is zero-sum, with seconds or iterations"
        )
    return "lemke"
