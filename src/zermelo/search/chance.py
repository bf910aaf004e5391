"""Chance nodes: the average of the outcomes, each weighted by its probability.

value(s) = Σ P(a) · value(RESULT(s, a))    where PLAYER(s) = CHANCE

An outcome of probability 0 is no outcome: nobody looks at it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from zermelo.game.validation import fair_chances
from zermelo.search.sampling import sample
from zermelo.search.scores import Score, Timed

if TYPE_CHECKING:
    from zermelo.search.loop import Loop, Node, Visit


def outcomes(loop: Loop, node: Node) -> list[tuple[Any, float]]:
    """What chance can do in `node`, with the probabilities; a sample of it where the recipe asks for one."""
    found = [(a, p) for a, p in fair_chances(loop.game, node.state) if p > 0]
    most = loop.recipe.samples
    if 0 < most < len(found):
        node.estimated = True
        return sample(found, most, repr((loop.recipe.seed, loop.game.key(node.state))))
    return found


def average(loop: Loop, node: Node) -> Visit:
    """The score of a chance node, by the recipe's way to find it, or from the table."""
    table = loop.recipe.table
    if table is not None:
        known = table.probe(loop, node)
        if known is not None:
            return known
    score = yield from loop.recipe.expect(loop, node)
    if table is not None:
        table.store(loop, node, score, node.alpha, node.beta)
    return score


def expectation(loop: Loop, node: Node) -> Visit:
    """The expected score of `node`, with every outcome searched to the full."""
    total: Score = None
    for action, probability in outcomes(loop, node):
        child = loop.child(node, action, node.depth - 1)
        child.probability = probability
        child.alpha, child.beta = loop.scores.lowest, loop.scores.highest
        total = add(total, (yield child), probability)
        take_in(loop, node, child, total)
    node.best = total
    if loop.recorder:
        loop.recorder.leave(node, total, loop.scores.lowest, loop.scores.highest)
    return total


def take_in(loop: Loop, node: Node, child: Node, total: Score) -> None:
    """Notes that `child` has brought the sum so far to `total`."""
    node.estimated |= child.estimated
    node.on_path |= child.on_path
    if loop.recorder:
        loop.recorder.value(node, child, child.best, total, True)


def add(total: Score, score: Score, probability: float) -> Score:
    """`total` and `probability` times `score`, whatever kind of score it is."""
    if isinstance(score, Timed):
        value, haste = total or (0.0, 0.0)
        return Timed(value + probability * score.value, haste + probability * score.haste)
    if isinstance(score, tuple):
        return tuple(t + probability * u for t, u in zip(total or (0.0,) * len(score), score, strict=True))
    return (total or 0.0) + probability * score
