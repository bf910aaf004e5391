"""The null move: if even passing would be good enough, the position is.

    V(pass) ≥ beta  ⇒  V ≥ beta        assumed, as long as moving is never worse than passing

The pass is searched with a zero window and `reduction` plies less than usual. It is risky: in zugzwang every move
is worse than passing, and then the assumption is false. It is not tried in check, twice in a row, or against an
infinite bound.

Apart from cut-offs, what passing is worth is an estimate of what the position is worth, and a lower bound on it under
the same assumption: `null_move_score` searches it with an open window.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo.search.composable import Composable, Subsearch, decide, full_window
from zermelo.search.extensions import in_check
from zermelo.search.node import SearchNode


@dataclass(frozen=True, slots=True)
class NullMove:
    """The null move with its reduction, in plies."""

    reduction: int = 2

    def __call__(self, search: Composable, node: SearchNode) -> Subsearch:
        """A score outside the window if passing shows it, in MAX's view, else `None`."""
        beta = -node.alpha if node.flip else node.beta
        if node.action is None or node.depth < 2 or node.excluded is not None or node.probing:
            return None
        if math.isinf(search.scores.value(beta)) or node.depth == math.inf or in_check(search.game, node.state):
            return None
        state = search.game.pass_turn(node.state)
        child = search.settle(SearchNode(state, None, node, max(0, node.depth - 1 - self.reduction), "null move"))
        below = -search.scores.above(-beta)
        score = yield from full_window(search, node, child, below, beta, False)
        if score < beta:
            return None
        node.estimated = True
        node.on_path |= child.on_path
        node.best = -beta if node.flip else beta
        search.cutoffs += 1
        if search.recorder:
            search.recorder.cutoff(node, "null move", score, beta, list(search.game.actions(node.state)))
            search.recorder.leave(node, beta, below, beta)
        return node.best


@dataclass(frozen=True, slots=True)
class PassAtRoot:
    """The score of the root by what follows a pass, searched `reduction` plies less deep than an action would be."""

    reduction: int = 2

    def __call__(self, search: Composable, node: SearchNode) -> Subsearch:
        if node.parent is not None:
            return (yield from decide(search, node))
        alpha, beta = node.window()
        state = search.game.pass_turn(node.state)
        child = search.settle(SearchNode(state, None, node, max(0, node.depth - 1 - self.reduction), "null move"))
        score = yield from full_window(search, node, child, alpha, beta, True)
        node.best, node.estimated, node.probing = score, True, True
        if search.recorder:
            search.recorder.value(node, child, score, score, True)
            search.recorder.leave(node, score, alpha, beta)
        return score
