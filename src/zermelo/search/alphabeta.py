"""Alpha-beta: minimax without looking at what cannot matter.

    α   the least that MAX is sure of on the path so far
    β   the most that MIN has to allow

A node whose value is seen to lie outside (α, β) is left at once. For α < β and the true value V

    result ≤ α  ⇔  V ≤ α,      result ≥ β  ⇔  V ≥ β,      result = V otherwise

so the root, searched with (−∞, ∞), gets minimax's value from never more nodes: of b^d leaves, all in the worst
order and b^⌈d/2⌉ + b^⌊d/2⌋ − 1 in the best. Fail-soft returns the best bound it has; fail-hard returns α or β
itself.
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


def alphabeta(game: Game[S, A], state: S | None = None, **options: Unpack[Options]) -> Analysis:
    """Minimax's value of `state`; `window=(a, b)` narrows the root, `hard=True` fails hard."""
    return run(game, state, SearchRecipe("alphabeta"), options, Literal(alphabeta_value, takes=("window", "hard")))


def alphabeta_value(game: Game[S, A], s: S, visit: Visit) -> float:
    """The value of `s` for MAX, or a bound on it if it lies outside the window."""
    MAX = visit.maximiser  # noqa: N806 - as on the slide
    hard = visit.hard

    def value(s: S, d: int, alpha: float, beta: float) -> float:
        visit.enter(s, alpha, beta)
        if game.is_terminal(s):
            return visit.leaf(game.utility(s, MAX))
        if visit.cutoff(s, d):
            return visit.leaf(visit.evaluate(s, MAX), "cutoff")
        return max_value(s, d, alpha, beta) if game.player(s) == MAX else min_value(s, d, alpha, beta)

    def max_value(s: S, d: int, alpha: float, beta: float) -> float:
        v = -math.inf
        for a in visit.actions(s):
            v = max(v, value(game.result(s, a), d + 1, alpha, beta))
            visit.back_up(v, alpha, beta)
            if v >= beta:
                visit.cut(v, beta)
                return visit.leave(beta if hard else v)
            alpha = max(alpha, v)
        return visit.leave(alpha if hard else v)

    def min_value(s: S, d: int, alpha: float, beta: float) -> float:
        v = math.inf
        for a in visit.actions(s):
            v = min(v, value(game.result(s, a), d + 1, alpha, beta))
            visit.back_up(v, alpha, beta)
            if v <= alpha:
                visit.cut(v, alpha)
                return visit.leave(alpha if hard else v)
            beta = min(beta, v)
        return visit.leave(beta if hard else v)

    return value(s, 0, *visit.root_window())
