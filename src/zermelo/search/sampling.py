"""Sampling of chance nodes: a few outcomes stand for many.

    Σ over the sample of w(a) · value(RESULT(s, a))     is an unbiased estimate of     Σ P(a) · value(RESULT(s, a))

The outcomes are laid end to end, each as long as it is probable, and a comb of equal steps is laid over them at random:
an outcome's weight is the share of the teeth that fall on it. So every outcome has the weight P(a) on average, and one
that is as probable as k teeth gets at least k − 1 of them. What rests on a sample is an estimate and never a proof. The
same seed draws the same sample at the same position, whichever way the search comes there.
"""

from __future__ import annotations

import random
from typing import Any


def sample(outcomes: list[tuple[Any, float]], teeth: int, seed: str) -> list[tuple[Any, float]]:
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
