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
from typing import Unpack

from zermelo.analysis import Analysis
from zermelo.errors import MethodError, OptionError
from zermelo.game import CHANCE, Game
from zermelo.game.contract import A, S
from zermelo.search.chance import expectation
from zermelo.search.composable import Composable, SearchRecipe, Subsearch
from zermelo.search.node import SearchNode
from zermelo.search.options import Options
from zermelo.search.run import run
from zermelo.search.scores import Score, Shared, Vector
from zermelo.search.visit import Literal, Visit


def maxn(
    game: Game[S, A], state: S | None = None, *, pruning: str | None = None, **options: Unpack[Options]
) -> Analysis:
    """The equilibrium that backward induction finds; `Analysis.values` has every player's utility."""
    if pruning not in (None, "shallow"):
        raise OptionError(f"pruning must be shallow or None, not {pruning!r}")
    if pruning is None:
        return run(game, state, maxn_recipe(), options, Literal(maxn_value))
    if not game.kind.constant_sum or not math.isfinite(game.bounds[0]):
        raise MethodError(f"{game.name} has no constant sum of bounded utilities to prune by; leave out the pruning")
    return run(game, state, maxn_recipe("maxn+shallow", Shared), options)


def maxn_value(game: Game[S, A], s: S, visit: Visit) -> tuple[float, ...]:
    """Every player's utility in `s`."""
    players = range(game.players)

    def value(s: S, d: int) -> tuple[float, ...]:
        visit.enter(s)
        if game.is_terminal(s):
            return visit.leaf(tuple(game.utility(s, p) for p in players))
        if visit.cutoff(s, d):
            return visit.leaf(tuple(visit.evaluate(s, p) for p in players), "cutoff")
        if game.player(s) == CHANCE:
            return chance_value(s, d)
        mover = game.player(s)
        best: tuple[float, ...] = ()
        for a in visit.actions(s):
            v = value(game.result(s, a), d + 1)
            if not best or v[mover] > best[mover]:
                best = v
            visit.back_up(best)
        return visit.leave(best)

    def chance_value(s: S, d: int) -> tuple[float, ...]:
        mean = (0.0,) * game.players
        for a, p in visit.chances(s):
            v = value(game.result(s, a), d + 1)
            mean = tuple(m + p * u for m, u in zip(mean, v, strict=True))
            visit.add_up(mean)
        return visit.leave(mean)

    return value(s, 0)


def maxn_recipe(name: str = "maxn", scores: type[Vector] = Vector) -> SearchRecipe:
    """max^n for the composable search."""
    return SearchRecipe(name, prune=False, scores=scores, decide=decide_for_oneself, expect=expectation)


def decide_for_oneself(search: Composable, node: SearchNode) -> Subsearch:
    """The vector of the child whose component for the mover is greatest."""
    best: Score = None
    table = search.recipe.table
    if table is not None:
        known = table.probe(search, node)
        if known is not None:
            return known
    actions = search.candidates(node)
    for i, action in enumerate(actions):
        child = search.child(node, action, node.depth - 1)
        child.alpha = child.beta = None
        score = yield child
        improved = best is None or (not child.refuted and score[node.player] > best[node.player])
        if improved:
            best = score
            node.best, node.line = score, (action, child.line)
        node.estimated |= child.estimated
        node.on_path |= child.on_path
        if node.parent is None:
            search.root_values[action] = score
        if search.recorder:
            search.recorder.value(node, child, score, best, improved)
        if isinstance(search.scores, Shared) and is_enough(search.scores, node, best[node.player]):
            if actions[i + 1 :]:
                search.cutoffs += 1
                if search.recorder:
                    search.recorder.cutoff(node, "shallow", best, None, actions[i + 1 :])
            break
    if table is not None and not node.refuted:
        table.store(search, node, best, None, None)
    if search.recorder:
        search.recorder.leave(node, best, None, None)
    return best


def is_enough(scores: Shared, node: SearchNode, value: float) -> bool:
    """Whether the other actions of `node`, whose mover has `value`, cannot matter; notes if it will not be chosen."""
    above = node.parent
    if above is not None and above.player not in (CHANCE, node.player) and above.best is not None:
        node.refuted = scores.left_for_another(value) <= above.best[above.player]
    return node.refuted or value >= scores.most
