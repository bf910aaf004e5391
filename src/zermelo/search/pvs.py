"""Principal variation search: trust the first action, and only ask of the others whether they are better.

    first action     the full window (α, β)
    every other      a zero window (α, α + unit); if it comes back above α, again with (that score, β)

Same value as alpha-beta. In good order nearly every question is answered "no" and the re-searches cost less than
the zero windows save; in bad order it is the other way round.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.search.loop import full_window
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run
from zermelo.search.scores import Score

if TYPE_CHECKING:
    from zermelo.search.loop import Loop, Node, Visit


def pvs(game: Game, state: Any = None, **options: Unpack[Options]) -> Analysis:
    """The value of `state` by principal variation search."""
    return run(game, state, Recipe("pvs", look=scout), options)


def scout(loop: Loop, node: Node, child: Node, alpha: Score, beta: Score, first: bool) -> Visit:
    """The score of `child` for the mover of `node`: the first in full, the others only if a zero window asks for it."""
    if first or alpha == loop.scores.lowest:
        return (yield from full_window(loop, node, child, alpha, beta, first))
    above = loop.scores.above(alpha)
    if above >= beta:
        return (yield from full_window(loop, node, child, alpha, beta, first))
    mode, child.mode = child.mode, "zero window"
    score = yield from full_window(loop, node, child, alpha, above, first)
    if not above <= score < beta:
        return score
    again = loop.child(node, child.action, child.depth, mode)
    if loop.recorder:
        loop.recorder.research(node, child, "the zero window failed high", score, beta)
    better = yield from full_window(loop, node, again, score, beta, first)
    # That the value is at least `score` is what the first look found, with whatever that rests on.
    child.line = again.line
    child.estimated |= again.estimated
    child.on_path |= again.on_path
    return max(score, better)
