"""Principal variation search: trust the first action, and only ask of the others whether they are better.

    first action     the full window (α, β)
    every other      a zero window (α, α + unit); if it comes back above α, again with (that score, β)

Same value as alpha-beta. In good order nearly every question is answered "no" and the re-searches cost less than
the zero windows save; in bad order it is the other way round.
"""

from __future__ import annotations

import math
from typing import Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.search.composable import Composable, SearchRecipe, Subsearch, full_window
from zermelo.search.node import SearchNode
from zermelo.search.options import Options
from zermelo.search.run import run
from zermelo.search.scores import Score
from zermelo.search.visit import Literal, Visit


def pvs(game: Game[S, A], state: S | None = None, **options: Unpack[Options]) -> Analysis:
    """The value of `state` by principal variation search."""
    recipe = SearchRecipe("pvs", look=scout)
    return run(game, state, recipe, options, Literal(pvs_value, one_sided=True, takes=("window",)))


def pvs_value(game: Game[S, A], s: S, visit: Visit) -> float:
    """The value of `s` for the player to move there, or a bound on it if it lies outside the window."""
    MAX = visit.maximiser  # noqa: N806 - as on the slide
    sign = visit.sign  # −1 where the opponent of MAX moves, 1 elsewhere
    above = visit.scores.above  # the least value above another

    def value(s: S, d: int, alpha: float, beta: float) -> float:
        visit.enter(s, alpha, beta)
        if game.is_terminal(s):
            return visit.leaf(game.utility(s, MAX))
        if visit.cutoff(s, d):
            return visit.leaf(sign(s) * visit.evaluate(s, MAX), "cutoff")
        v = -math.inf
        for a in visit.actions(s):
            child = game.result(s, a)
            if v == -math.inf or above(alpha) >= beta:  # the first action, or a window that is a zero window
                v = max(v, look(s, child, d, alpha, beta))
            else:
                visit.scout()
                w = look(s, child, d, alpha, above(alpha))
                if above(alpha) <= w < beta:
                    visit.research(w, beta)
                    w = look(s, child, d, w, beta)
                v = max(v, w)
            visit.back_up(v, alpha, beta)
            if v >= beta:
                visit.cut(v, beta)
                break
            alpha = max(alpha, v)
        return visit.leave(v)

    def look(s: S, child: S, d: int, alpha: float, beta: float) -> float:
        """The value of `child` for the mover of `s`."""
        if sign(child) == sign(s):
            return value(child, d + 1, alpha, beta)
        return -value(child, d + 1, -beta, -alpha)

    return value(s, 0, *visit.root_window())


def scout(search: Composable, node: SearchNode, child: SearchNode, alpha: Score, beta: Score, first: bool) -> Subsearch:
    """The score of `child` for the mover of `node`: the first in full, the others only if a zero window asks for it."""
    if first or alpha == search.scores.lowest:
        return (yield from full_window(search, node, child, alpha, beta, first))
    above = search.scores.above(alpha)
    if above >= beta:
        return (yield from full_window(search, node, child, alpha, beta, first))
    mode, child.mode = child.mode, "zero window"
    score = yield from full_window(search, node, child, alpha, above, first)
    if not above <= score < beta:
        return score
    again = search.child(node, child.action, child.depth, mode)
    if search.recorder:
        search.recorder.research(node, child, "the zero window failed high", score, beta)
    better = yield from full_window(search, node, again, score, beta, first)
    # The lower bound `score` comes from the first look, so the result rests on what that look rests on.
    child.line = again.line
    child.estimated |= again.estimated
    child.on_path |= again.on_path
    return max(score, better)
