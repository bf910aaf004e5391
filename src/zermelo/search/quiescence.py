"""Quiescence search: do not evaluate in the middle of an exchange.

    Q(s) = max(EVAL(s), max over noisy actions of −Q(RESULT(s, a)))    in the mover's view

Beyond the depth limit only noisy actions are tried, and the mover may always stand pat: it need not go on exchanging.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.search.composable import Composable, Subsearch
from zermelo.search.node import SearchNode


@dataclass(frozen=True, slots=True)
class Quiescence:
    """Quiescence search, to at most `longest` plies beyond the depth limit."""

    longest: int = 32

    def __call__(self, search: Composable, node: SearchNode) -> Subsearch:
        """The score of `node`, in MAX's view, once the noise has settled."""
        noisy = [a for a in search.candidates(node) if search.game.is_noisy(node.state, a)]
        standing = search.estimate(node, "stand pat" if noisy else "cutoff")
        if not noisy or -node.depth >= self.longest:
            return standing
        best = node.turned(standing)
        alpha, beta = node.window()
        if best >= beta and search.recipe.prune:
            search.cut(node, None, noisy, best, beta)
            return search.leave(node, best, alpha, beta)
        node.mode = "quiescence"
        return (yield from search.try_actions(node, noisy, best))
