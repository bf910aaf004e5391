"""max^n: backward induction for any number of players, each with a utility of its own.

    value(s) = the vector of utilities                                    at an end
    value(s) = value(RESULT(s, a*)), a* the action that maximises component PLAYER(s)    elsewhere

With two players and a constant sum this is minimax. In a general-sum game minimax would assume an opponent who plays
to harm; max^n assumes one who plays for its own good, and finds a subgame-perfect equilibrium. Of equal actions the
first is kept: another choice can be another equilibrium, with other values for the others.

Where the utilities of n players add up to a constant U and none is below L, `pruning="shallow"` (Korf, 1991) leaves a
position as soon as its mover j has found v for itself with

    U − v − (n − 2)·L  ≤  what the mover above, another one, has already
    U − (n − 1)·L      ≤  v

for in the first case the position will not be chosen, and in the second nothing is better. The values are those of
plain max^n. Deeper windows would be unsound: what j takes may depend on all the others.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Unpack

from zermelo.analysis import Analysis
from zermelo.errors import MethodError, OptionError
from zermelo.game import CHANCE, Game
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run
from zermelo.search.scores import Score, Shared, Vector

if TYPE_CHECKING:
    from zermelo.search.loop import Loop, Node, Visit


def maxn(game: Game, state: Any = None, *, pruning: str | None = None, **options: Unpack[Options]) -> Analysis:
    """The equilibrium that backward induction finds; `Analysis.values` has every player's utility."""
    if pruning not in (None, "shallow"):
        raise OptionError(f"pruning must be shallow or None, not {pruning!r}")
    if pruning is None:
        return run(game, state, Recipe("maxn", prune=False, scores=Vector, decide=decide_for_oneself), options)
    if not game.kind.constant_sum or not math.isfinite(game.bounds[0]):
        raise MethodError(f"{game.name} has no constant sum of bounded utilities to prune by; leave out the pruning")
    return run(game, state, Recipe("maxn+shallow", prune=False, scores=Shared, decide=decide_for_oneself), options)


def decide_for_oneself(loop: Loop, node: Node) -> Visit:
    """The vector of the child whose component for the mover is greatest."""
    best: Score = None
    table = loop.recipe.table
    if table is not None:
        known = table.probe(loop, node)
        if known is not None:
            return known
    actions = loop.candidates(node)
    for i, action in enumerate(actions):
        child = loop.child(node, action, node.depth - 1)
        child.alpha = child.beta = None
        score = yield child
        improved = best is None or (not child.refuted and score[node.player] > best[node.player])
        if improved:
            best = score
            node.best, node.line = score, (action, child.line)
        node.estimated |= child.estimated
        node.on_path |= child.on_path
        if node.parent is None:
            loop.root_values[action] = score
        if loop.recorder:
            loop.recorder.value(node, child, score, best, improved)
        if isinstance(loop.scores, Shared) and is_enough(loop.scores, node, best[node.player]):
            if actions[i + 1 :]:
                loop.cutoffs += 1
                if loop.recorder:
                    loop.recorder.cutoff(node, "shallow", best, None, actions[i + 1 :])
            break
    if table is not None and not node.refuted:
        table.store(loop, node, best, None, None)
    if loop.recorder:
        loop.recorder.leave(node, best, None, None)
    return best


def is_enough(scores: Shared, node: Node, value: float) -> bool:
    """Whether the other actions of `node`, whose mover has `value`, cannot matter; notes if it will not be chosen."""
    above = node.parent
    if above is not None and above.player not in (CHANCE, node.player) and above.best is not None:
        node.refuted = scores.left_for_another(value) <= above.best[above.player]
    return node.refuted or value >= scores.most
