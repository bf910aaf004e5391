"""The method that fits the tree of a game, or the one asked for by name."""

from __future__ import annotations

from typing import Any

from zermelo.equilibrium.backward import backward_induction, is_perfect
from zermelo.equilibrium.extensive import ExtensiveForm
from zermelo.equilibrium.outcome import ExtensiveEquilibrium
from zermelo.equilibrium.public_form import PublicForm
from zermelo.equilibrium.regret import IN_TREES, METHODS, cfr, form_of
from zermelo.equilibrium.sequence_program import MOST_SEQUENCES, sequence_form
from zermelo.errors import MethodError, OptionError
from zermelo.game.contract import Game


def solve_extensive(
    game: Game | ExtensiveForm | PublicForm, method: str | None = None, exact: bool = False, **options: Any
) -> ExtensiveEquilibrium:
    """An equilibrium of the tree of a game: by `backward` induction, `sequence` form or one of the methods of `cfr`.

    Without a method: `cfr` over ranges where a game declares its public and private parts; backward induction where
    nothing is hidden, the sequence form of a zero-sum game of two players that is not too large, and else `cfr`, which
    takes the `options`.
    """
    if exact and method is None and not options:
        method = "sequence"
    if method is not None and method not in ("sequence", "backward", *METHODS):
        raise MethodError(
            f"no method for trees is called {method!r}; there are sequence, backward, {', '.join(METHODS)}"
        )
    form = form_of(game, method)
    if method is None and isinstance(form, ExtensiveForm):
        method = "cfr" if options else choose(form)
        method = IN_TREES if method == "cfr" else method
    if isinstance(form, PublicForm) or method in METHODS:
        if exact:
            raise MethodError(f"{method or 'cfr'} computes in floating point: leave out exact, or take sequence")
        return cfr(form, method, **options)
    if options:
        raise OptionError(f"{method} takes no {next(iter(options))}: that is for cfr")
    return sequence_form(form, exact) if method == "sequence" else backward_induction(form)


def choose(form: ExtensiveForm) -> str:
    """The name of the method that fits."""
    if is_perfect(form):
        return "backward"
    small = sum(int(form.form.side(p, merged=True).first[-1]) for p in range(form.players)) <= MOST_SEQUENCES
    return "sequence" if form.is_zero_sum and small else "cfr"
