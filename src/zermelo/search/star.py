"""Star1 and Star2 (Ballard, 1983): alpha-beta for chance nodes.

Let each outcome i be known to lie in [lᵢ, uᵢ]; before it is searched these are the bounds of the game. Then the
node lies in

    [Σ Pᵢ·lᵢ,  Σ Pᵢ·uᵢ]

so outcome i matters only inside the window ((α − Σ Pⱼ·uⱼ) / Pᵢ, (β − Σ Pⱼ·lⱼ) / Pᵢ), the sums over all other
outcomes, and the node is left as soon as an outcome falls outside its window. Star2 first probes a single action
below each outcome: where MAX moves there, that raises lᵢ, where MIN does, it lowers uᵢ, and often the node is left
before any outcome is searched whole. Both return what plain expectiminimax does, in the sense of the window
theorem, if the bounds of the game are true: a utility outside them is an error, an estimate is cut to them.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from zermelo.search.chance import add, outcomes, take_in
from zermelo.search.composable import Composable, Subsearch
from zermelo.search.node import SearchNode

SLACK = 1e-12
"""Windows of outcomes are wider by this share, so that rounding never makes one too narrow."""


@dataclass(slots=True)
class BoundedOutcome:
    """One outcome of a chance node: its probability and what is known of its score, in MAX's view."""

    action: object
    probability: float
    lower: float
    upper: float


def star1(search: Composable, node: SearchNode) -> Subsearch:
    """The expected score of `node`, or a bound on it that lies outside the window."""
    return (yield from search_outcomes(search, node, bounded_outcomes(search, node)))


def star2(search: Composable, node: SearchNode) -> Subsearch:
    """As `star1`, with a probe of each outcome first."""
    found = bounded_outcomes(search, node)
    for outcome in found:
        child = search.child(node, outcome.action, node.depth - 1, "probe")
        if child.over or child.player < 0 or search.is_cut(child):
            continue
        child.probing = True
        child.probability = outcome.probability
        alpha, beta = window(node, found, outcome)
        child.alpha, child.beta = (alpha, outcome.upper) if child.flip else (outcome.lower, beta)
        score = yield child
        node.estimated |= child.estimated
        node.on_path |= child.on_path
        if child.flip:
            outcome.upper = min(outcome.upper, score)
        else:
            outcome.lower = max(outcome.lower, score)
        if child.flip and score <= alpha:
            return leave(search, node, upper_bound(found), "star2", found)
        if not child.flip and score >= beta:
            return leave(search, node, lower_bound(found), "star2", found)
    return (yield from search_outcomes(search, node, found))


def search_outcomes(search: Composable, node: SearchNode, found: list[BoundedOutcome]) -> Subsearch:
    """Searches outcome by outcome until all are known or one settles the node."""
    total = 0.0
    for i, outcome in enumerate(found):
        child = search.child(node, outcome.action, node.depth - 1)
        child.probability = outcome.probability
        child.alpha, child.beta = window(node, found, outcome)
        score = yield child
        total = add(total, score, outcome.probability)
        take_in(search, node, child, total)
        if score <= child.alpha:
            outcome.upper = score
            return leave(search, node, upper_bound(found), "star1", found[i + 1 :])
        if score >= child.beta:
            outcome.lower = score
            return leave(search, node, lower_bound(found), "star1", found[i + 1 :])
        outcome.lower = outcome.upper = score
    return leave(search, node, total, "star1", [])


def bounded_outcomes(search: Composable, node: SearchNode) -> list[BoundedOutcome]:
    low, high = search.game.bounds
    return [BoundedOutcome(action, probability, low, high) for action, probability in outcomes(search, node)]


def lower_bound(found: list[BoundedOutcome], but: BoundedOutcome | None = None) -> float:
    """Σ Pᵢ·lᵢ, without the outcome `but`; added one by one, as `sum` rounds differently from one Python to another."""
    total = 0.0
    for outcome in found:
        if outcome is not but:
            total += outcome.probability * outcome.lower
    return total


def upper_bound(found: list[BoundedOutcome], but: BoundedOutcome | None = None) -> float:
    """Σ Pᵢ·uᵢ, without the outcome `but`."""
    total = 0.0
    for outcome in found:
        if outcome is not but:
            total += outcome.probability * outcome.upper
    return total


def window(node: SearchNode, found: list[BoundedOutcome], outcome: BoundedOutcome) -> tuple[float, float]:
    """The window in which `outcome` matters, given what is known of the others."""
    alpha = (node.alpha - upper_bound(found, outcome)) / outcome.probability
    beta = (node.beta - lower_bound(found, outcome)) / outcome.probability
    return alpha - SLACK * max(1.0, abs(alpha)) if math.isfinite(alpha) else alpha, (
        beta + SLACK * max(1.0, abs(beta)) if math.isfinite(beta) else beta
    )


def leave(search: Composable, node: SearchNode, score: float, reason: str, skipped: list[BoundedOutcome]) -> float:
    """The score with which the search leaves `node`, noted as a cut-off if outcomes were skipped."""
    node.best = score
    if skipped:
        search.cutoffs += 1
        if search.recorder:
            bound = node.beta if score >= node.beta else node.alpha
            search.recorder.cutoff(node, reason, score, bound, [o.action for o in skipped])
    if search.recorder:
        search.recorder.leave(node, score, node.alpha, node.beta)
    return score
