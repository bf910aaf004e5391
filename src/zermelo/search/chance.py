"""Chance nodes in the composable search: the average of the outcomes, each weighted by its probability.

    value(s) = Σ P(a) · value(RESULT(s, a))    where PLAYER(s) = CHANCE

An outcome of probability 0 is not searched. With `samples=` a few outcomes stand for many:

    Σ over the sample of w(a) · value(RESULT(s, a))     is an unbiased estimate of     Σ P(a) · value(RESULT(s, a))

The outcomes are laid end to end, each as long as it is probable, and a comb of equal steps is laid over them at random:
an outcome's weight is the share of the teeth that fall on it. So every outcome has the weight P(a) on average, and one
that is as probable as k teeth gets at least k − 1 of them. A value from a sample is an estimate, never a proof. The
same seed draws the same sample at the same position, whichever path leads there.
"""

from __future__ import annotations

import random

from zermelo.game.validation import fair_chances
from zermelo.search.composable import Composable, Subsearch
from zermelo.search.node import SearchNode
from zermelo.search.scores import Score, Timed


def expectation(search: Composable, node: SearchNode) -> Subsearch:
    """The expected score of `node`, with every outcome searched to the full."""
    total: Score = None
    for action, probability in outcomes(search, node):
        child = search.child(node, action, node.depth - 1)
        child.probability = probability
        child.alpha, child.beta = search.scores.lowest, search.scores.highest
        total = add(total, (yield child), probability)
        take_in(search, node, child, total)
    node.best = total
    if search.recorder:
        search.recorder.leave(node, total, search.scores.lowest, search.scores.highest)
    return total


def outcomes(search: Composable, node: SearchNode) -> list[tuple[object, float]]:
    """What chance can do in `node`, with the probabilities; a sample of it where the recipe asks for one."""
    found = [(a, p) for a, p in fair_chances(search.game, node.state) if p > 0]
    most = search.recipe.samples
    if 0 < most < len(found):
        node.estimated = True
        return sample(found, most, repr((search.recipe.seed, search.game.key(node.state))))
    return found


def sample(outcomes: list[tuple[object, float]], teeth: int, seed: str) -> list[tuple[object, float]]:
    """At most `teeth` of `outcomes`, with the weights that they have in the sample."""
    whole = sum(p for _, p in outcomes)
    tooth = random.Random(seed).random()
    covered = 0.0
    found = []
    for action, probability in outcomes:
        covered += probability / whole * teeth
        hits = 0
        while tooth < covered:
            hits += 1
            tooth += 1.0
        if hits:
            found.append((action, hits / teeth))
    return found


def take_in(search: Composable, node: SearchNode, child: SearchNode, total: Score) -> None:
    """Notes that `child` has brought the sum so far to `total`."""
    node.estimated |= child.estimated
    node.on_path |= child.on_path
    if search.recorder:
        search.recorder.value(node, child, child.best, total, True)


def add(total: Score, score: Score, probability: float) -> Score:
    """`total` plus `probability` times `score`, for any kind of score."""
    if isinstance(score, Timed):
        value, quick = total or (0.0, 0.0)
        return Timed(value + probability * score.value, quick + probability * score.quick)
    if isinstance(score, tuple):
        return tuple(t + probability * u for t, u in zip(total or (0.0,) * len(score), score, strict=True))
    return (total or 0.0) + probability * score
