"""Negamax, the lectures' MaxMax: minimax with one routine, in which every player maximises.

    V(s) = max over a of −V(RESULT(s, a))    in the view of the player to move

What is 10 for one is −10 for the other, so that MIN is not needed. Its trace shows each value as its own mover sees it.
Same answers and same nodes as minimax. Where a player moves twice in a row the sign stays.
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


def negamax(game: Game[S, A], state: S | None = None, **options: Unpack[Options]) -> Analysis:
    """As `minimax`, with values in the mover's view; `prune=True` adds alpha-beta in the same view."""
    recipe = SearchRecipe("negamax", prune=False, view="mover")
    return run(game, state, recipe, options, Literal(negamax_value, one_sided=True))


def negamax_value(game: Game[S, A], s: S, visit: Visit) -> float:
    """The value of `s` for the player to move there."""
    MAX = visit.maximiser  # noqa: N806 - as on the slide
    sign = visit.sign  # −1 where the opponent of MAX moves, 1 elsewhere

    def value(s: S, d: int) -> float:
        visit.enter(s)
        if game.is_terminal(s):
            return visit.leaf(game.utility(s, MAX))
        if visit.cutoff(s, d):
            return visit.leaf(sign(s) * visit.evaluate(s, MAX), "cutoff")
        v = -math.inf
        for a in visit.actions(s):
            child = game.result(s, a)
            turn = sign(s) * sign(child)
            v = max(v, turn * value(child, d + 1))
            visit.back_up(v)
        return visit.leave(v)

    return value(s, 0)
