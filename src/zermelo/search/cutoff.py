"""H-MINIMAX: minimax that stops where CUTOFF(s, d) says so and takes EVAL(s) for the value.

    H(s, d) = EVAL(s)                                 if CUTOFF(s, d)
    H(s, d) = max or min over a of H(RESULT(s, a), d + 1)    otherwise

By default CUTOFF is a depth limit and EVAL the game's own `evaluate`, or a draw if it has none; `cutoff=` and
`evaluate=` replace them, in every search of the package. With a cut-off at the ends of the game only, this is
minimax.
"""

from __future__ import annotations

import math
from typing import Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.search.composable import SearchRecipe
from zermelo.search.options import Options
from zermelo.search.run import run
from zermelo.search.visit import Literal, Visit


def h_minimax(game: Game[S, A], state: S | None = None, **options: Unpack[Options]) -> Analysis:
    """Minimax to `depth=` plies, or as far as `cutoff=` allows, on estimates."""
    return run(game, state, SearchRecipe("h-minimax", prune=False), options, Literal(h_minimax_value))


def h_minimax_value(game: Game[S, A], s: S, visit: Visit) -> float:
    """The value of `s` for MAX, as far as CUTOFF(s, d) lets the search look; d counts plies from the root."""
    MAX = visit.maximiser  # noqa: N806 - as on the slide

    def value(s: S, d: int) -> float:
        visit.enter(s)
        if game.is_terminal(s):
            return visit.leaf(game.utility(s, MAX))
        if visit.cutoff(s, d):
            return visit.leaf(visit.evaluate(s, MAX), "cutoff")
        return max_value(s, d) if game.player(s) == MAX else min_value(s, d)

    def max_value(s: S, d: int) -> float:
        v = -math.inf
        for a in visit.actions(s):
            v = max(v, value(game.result(s, a), d + 1))
            visit.back_up(v)
        return visit.leave(v)

    def min_value(s: S, d: int) -> float:
        v = math.inf
        for a in visit.actions(s):
            v = min(v, value(game.result(s, a), d + 1))
            visit.back_up(v)
        return visit.leave(v)

    return value(s, 0)
