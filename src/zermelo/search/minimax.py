"""Minimax: the value of a position if both sides play their best.

    V(s) = UTILITY(s)                        at an end
    V(s) = max over a of V(RESULT(s, a))     where MAX moves
    V(s) = min over a of V(RESULT(s, a))     where MIN moves

MAX is the player to move at the root. Depth first: O(b^m) time and O(b·m) space for branching b and length m.
A player who follows the recommended actions never gets less than V, whatever the opponent does.
"""

from __future__ import annotations

import math
from typing import Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.search.composable import SearchRecipe
from zermelo.search.cutoff import h_minimax_value
from zermelo.search.options import Options
from zermelo.search.run import run
from zermelo.search.visit import Literal, Visit


def minimax(game: Game[S, A], state: S | None = None, **options: Unpack[Options]) -> Analysis:
    """The minimax value of `state` and an action that reaches it, every position of the tree looked at."""
    limited = any(options.get(name) is not None for name in ("depth", "cutoff")) or options.get("deepen")
    literal = Literal(h_minimax_value if limited else minimax_value)
    return run(game, state, SearchRecipe("minimax", prune=False), options, literal)


def minimax_value(game: Game[S, A], s: S, visit: Visit) -> float:
    """The value of `s` for MAX, to the ends of the game."""
    MAX = visit.maximiser  # noqa: N806 - as on the slide

    def value(s: S) -> float:
        visit.enter(s)
        if game.is_terminal(s):
            return visit.leaf(game.utility(s, MAX))
        return max_value(s) if game.player(s) == MAX else min_value(s)

    def max_value(s: S) -> float:
        v = -math.inf
        for a in visit.actions(s):
            v = max(v, value(game.result(s, a)))
            visit.back_up(v)
        return visit.leave(v)

    def min_value(s: S) -> float:
        v = math.inf
        for a in visit.actions(s):
            v = min(v, value(game.result(s, a)))
            visit.back_up(v)
        return visit.leave(v)

    return value(s)
