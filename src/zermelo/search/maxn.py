"""max^n: backward induction for any number of players, each with a utility of its own.

    value(s) = the vector of utilities                                    at an end
    value(s) = value(RESULT(s, a*)), a* the action that maximises component PLAYER(s)    elsewhere

With two players and a constant sum this is minimax. In a general-sum game minimax would assume an opponent who plays
to harm; max^n assumes one who plays for its own good, and finds a subgame-perfect equilibrium. Of equal actions the
first is kept: another choice can be another equilibrium, with other values for the others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run
from zermelo.search.scores import Score, Vector

if TYPE_CHECKING:
    from zermelo.search.loop import Loop, Node, Visit


def maxn(game: Game, state: Any = None, **options: Unpack[Options]) -> Analysis:
    """The equilibrium that backward induction finds; `Analysis.values` has every player's utility."""
    return run(game, state, Recipe("maxn", prune=False, scores=Vector, decide=decide_for_oneself), options)


def decide_for_oneself(loop: Loop, node: Node) -> Visit:
    """The vector of the child whose component for the mover is greatest."""
    best: Score = None
    table = loop.recipe.table
    if table is not None:
        known = table.probe(loop, node)
        if known is not None:
            return known
    for action in loop.candidates(node):
        child = loop.child(node, action, node.depth - 1)
        child.alpha = child.beta = None
        score = yield child
        improved = best is None or score[node.player] > best[node.player]
        if improved:
            best = score
            node.best, node.line = score, (action, child.line)
        node.estimated |= child.estimated
        node.on_path |= child.on_path
        if node.parent is None:
            loop.root_values[action] = score
        if loop.recorder:
            loop.recorder.value(node, child, score, best, improved)
    if table is not None:
        table.store(loop, node, best, None, None)
    if loop.recorder:
        loop.recorder.leave(node, best, None, None)
    return best
