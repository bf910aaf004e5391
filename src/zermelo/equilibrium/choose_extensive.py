"""The method that fits the tree of a game, or the one asked for by name."""

from __future__ import annotations

from typing import Any

from zermelo.equilibrium.backward import backward_induction
from zermelo.equilibrium.extensive import ExtensiveForm, extensive_form
from zermelo.equilibrium.outcome import ExtensiveEquilibrium
from zermelo.equilibrium.regret import METHODS, cfr
from zermelo.equilibrium.sequence_program import MOST_SEQUENCES, sequence_form
from zermelo.errors import MethodError, OptionError
from zermelo.game.contract import Game


def solve_extensive(
    game: Game | ExtensiveForm, method: str | None = None, exact: bool = False, **options: Any
) -> ExtensiveEquilibrium:
    """An equilibrium of the tree of a game: by `backward` induction, `sequence` form or one of the methods of `cfr`.

    Without a method: backward induction where nothing is hidden, the sequence form of a zero-sum game of two players
    that is not too large, and else `cfr`, which takes the `options`.
    """
    form = extensive_form(game)
    if method is None:
        method = "sequence" if exact and not options else "cfr" if options else choose(form)
        method = "pdcfr+" if method == "cfr" else method
    if method in METHODS:
        if exact:
            raise MethodError(f"{method} computes in floating point: leave out exact, or take sequence")
        return cfr(form, method, **options)
    if method not in ("sequence", "backward"):
        raise MethodError(
            f"no method for trees is called {method!r}; there are sequence, backward, {', '.join(METHODS)}"
        )
    if options:
        raise OptionError(f"{method} takes no {next(iter(options))}: that is for cfr")
    return sequence_form(form, exact) if method == "sequence" else backward_induction(form)


def choose(form: ExtensiveForm) -> str:
    """The name of the method that fits."""
    if int((form.arrays.infoset >= 0).sum()) == len(form.arrays.owner):
        return "backward"
    small = sum(int(form.form.side(p, merged=True).first[-1]) for p in range(form.players)) <= MOST_SEQUENCES
    return "sequence" if form.is_zero_sum and small else "cfr"
