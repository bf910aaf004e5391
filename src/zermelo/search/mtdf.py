"""MTD(f) (Plaat, 1996): the value by zero-window searches alone, closing in on it from a first guess.

    while lower < upper:  search with the zero window at the guess; it raises `lower` or lowers `upper`;
                          the new bound is the next guess

It needs the transposition table, or each search would begin from nothing. With a good first guess it looks at fewer
nodes than principal variation search.
"""

from __future__ import annotations

from typing import Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.search.composable import Composable, SearchRecipe
from zermelo.search.node import SearchNode
from zermelo.search.options import Options
from zermelo.search.run import run


def mtdf(
    game: Game[S, A], state: S | None = None, *, guess: float | None = None, **options: Unpack[Options]
) -> Analysis:
    """The value of `state` by MTD(f), from `guess` on (a draw, or the previous depth's value, if none is given)."""
    options.setdefault("table", True)
    return run(game, state, SearchRecipe("mtdf", drive=CloseIn(guess)), options)


class CloseIn:
    """The drive of MTD(f); it remembers its last answer as the next guess."""

    def __init__(self, guess: float | None = None):
        self.guess = guess

    def __call__(self, search: Composable, depth: float) -> SearchNode:
        scores = search.scores
        lower, upper = scores.lowest, scores.highest
        first = search.game.neutral if self.guess is None else self.guess
        guess = scores.estimate(lambda _: first)
        estimated = on_path = False
        best: SearchNode | None = None
        while best is None or lower < upper:
            beta = scores.above(guess) if guess == lower else guess
            root = search.root(depth, -scores.above(-beta), beta)
            guess = search.search(root)
            estimated |= root.estimated
            on_path |= root.on_path
            if guess >= beta:
                lower = guess
                best = root
            else:
                upper = guess
                best = best or root
            if search.recorder and lower < upper:
                search.recorder.research(root, root, "the bounds have not met", lower, upper)
        best.best, best.estimated, best.on_path = guess, estimated, on_path
        self.guess = scores.value(guess)
        return best
