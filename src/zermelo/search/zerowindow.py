"""Zero-window search: a yes-or-no question, asked of alpha-beta.

    Is V ≥ bound?    search with a window that no value fits into: (just below the bound, bound)

Every node is then either refuted or confirmed at once, so that this is the cheapest search there is. Scout,
principal variation search and MTD(f) are made of it.
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


def zero_window(game: Game[S, A], bound: float, state: S | None = None, **options: Unpack[Options]) -> Analysis:
    """Whether the player to move can reach `bound`: `Analysis.value >= bound` says yes, a smaller value no.

    `Analysis.bounds` is what is then known of the value.
    """
    below = math.nextafter(bound, -math.inf) if game.scale is None else bound - 1 / game.scale
    recipe = SearchRecipe("zero-window", window=(below, bound))
    return run(game, state, recipe, options, Literal(zero_window_value, one_sided=True, takes=("window",)))


def zero_window_value(game: Game[S, A], s: S, visit: Visit) -> float:
    """A value that is at least the bound if and only if the value of `s` is, for the player to move there."""
    MAX = visit.maximiser  # noqa: N806 - as on the slide
    sign = visit.sign  # −1 where the opponent of MAX moves, 1 elsewhere

    def value(s: S, d: int, below: float, bound: float) -> float:
        visit.enter(s, below, bound)
        if game.is_terminal(s):
            return visit.leaf(game.utility(s, MAX))
        if visit.cutoff(s, d):
            return visit.leaf(sign(s) * visit.evaluate(s, MAX), "cutoff")
        v = -math.inf
        for a in visit.actions(s):
            child = game.result(s, a)
            if sign(child) == sign(s):
                v = max(v, value(child, d + 1, below, bound))
            else:
                v = max(v, -value(child, d + 1, -bound, -below))
            visit.back_up(v, below, bound)
            if v >= bound:  # yes: one action that reaches the bound is enough
                visit.cut(v, bound)
                break
            below = max(below, v)  # no value lies between the two, unless `bound` is no value of the game
        return visit.leave(v)

    return value(s, 0, *visit.root_window())
