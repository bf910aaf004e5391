"""Quiescence search: do not evaluate in the middle of an exchange.

    Q(s) = max(EVAL(s), max over noisy actions of −Q(RESULT(s, a)))    in the mover's view

Beyond the depth limit only noisy actions are tried, and the mover may always stand pat: it need not go on exchanging.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from zermelo.search.loop import cut, settle_score, try_actions

if TYPE_CHECKING:
    from zermelo.search.loop import Loop, Node, Visit


@dataclass(frozen=True, slots=True)
class Quiescence:
    """Quiescence search, to at most `longest` plies beyond the depth limit."""

    longest: int = 32

    def __call__(self, loop: Loop, node: Node) -> Visit:
        """The score of `node`, in MAX's view, once the noise has settled."""
        noisy = [a for a in loop.candidates(node) if loop.game.is_noisy(node.state, a)]
        standing = loop.estimate(node, "stand pat" if noisy else "cutoff")
        if not noisy or -node.depth >= self.longest:
            return standing
        best = -standing if node.flip else standing
        alpha, beta = (-node.beta, -node.alpha) if node.flip else (node.alpha, node.beta)
        if best >= beta and loop.recipe.prune:
            cut(loop, node, None, noisy, best, beta)
            return settle_score(loop, node, best, alpha, beta)
        node.mode = "quiescence"
        return (yield from try_actions(loop, node, noisy, best))
