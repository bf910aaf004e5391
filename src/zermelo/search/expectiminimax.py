"""Expectiminimax: minimax with dice.

    V(s) = Σ P(a) · V(RESULT(s, a))              where chance moves
    V(s) = max or min over a of V(RESULT(s, a))  where a player moves

The value is an expectation, so that utilities matter and not only their order: a relabelling of the ends that keeps
their order leaves minimax unmoved and can change the action chosen here. With `pruning="star1"` or `"star2"`
windows reach through the chance nodes, which needs a game whose `bounds` are finite to be of use.
"""

from __future__ import annotations

import math
from typing import Unpack

from zermelo.analysis import Analysis
from zermelo.errors import OptionError
from zermelo.game import CHANCE, Game
from zermelo.game.contract import A, S
from zermelo.search.chance import expectation
from zermelo.search.composable import SearchRecipe
from zermelo.search.options import Options
from zermelo.search.run import run
from zermelo.search.scores import Bounded, Plain
from zermelo.search.star import star1, star2
from zermelo.search.visit import Literal, Visit

PRUNING = {None: expectation, "star1": star1, "star2": star2}


def expectiminimax(
    game: Game[S, A], state: S | None = None, *, pruning: str | None = None, **options: Unpack[Options]
) -> Analysis:
    """The expected utility of best play, plain or pruned."""
    if pruning not in PRUNING:
        raise OptionError(f"pruning must be star1, star2 or None, not {pruning!r}")
    name = f"expectiminimax+{pruning}" if pruning else "expectiminimax"
    scores = Bounded if pruning else Plain
    recipe = SearchRecipe(name, prune=pruning is not None, scores=scores, expect=PRUNING[pruning])
    return run(game, state, recipe, options, None if pruning else Literal(expectiminimax_value))


def expectiminimax_value(game: Game[S, A], s: S, visit: Visit) -> float:
    """The expected value of `s` for MAX."""
    MAX = visit.maximiser  # noqa: N806 - as on the slide

    def value(s: S, d: int) -> float:
        visit.enter(s)
        if game.is_terminal(s):
            return visit.leaf(game.utility(s, MAX))
        if visit.cutoff(s, d):
            return visit.leaf(visit.evaluate(s, MAX), "cutoff")
        if game.player(s) == CHANCE:
            return chance_value(s, d)
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

    def chance_value(s: S, d: int) -> float:
        v = 0.0
        for a, p in visit.chances(s):
            v += p * value(game.result(s, a), d + 1)
            visit.add_up(v)
        return visit.leave(v)

    return value(s, 0)
