"""The steps of a re-solving player for people to read: ranges, values and strategy, hand by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from zermelo.engine.regret import Array
from zermelo.equilibrium.resolving import Resolver, Step
from zermelo.equilibrium.subgame import Range


class HandRow(NamedTuple):
    """A hand of the player that re-solves."""

    name: str
    share: float
    """Of its range."""
    value: float | None
    """What it expects with this hand; `None` if the opponent cannot be there."""
    actions: dict[str, float]
    """What it does, where it is to choose."""


class OtherRow(NamedTuple):
    """A hand of the opponent."""

    name: str
    share: float
    """Of its range, as far as it has played by the solutions so far."""
    promised: float | None
    """What it was held to before; `None` at the start, and where the player cannot be."""
    value: float | None
    """The most that it can get now."""


class ShownStep(NamedTuple):
    """A solved subgame."""

    name: str
    """What has happened in public, as the moves that led there say it."""
    hands: list[HandRow]
    others: list[OtherRow]


def show_step(resolver: Resolver, step: Step) -> ShownStep:
    """One step, with values by hand instead of counterfactual ones."""
    tree, p = resolver.tree, resolver.p
    nodes = tree.states[step.state]
    now = step.situation
    mine, theirs = tree.hands[p][nodes], tree.hands[1 - p][nodes]
    met = _sums(mine, tree.chance[nodes] * now.believed.at(theirs))
    faced = _sums(theirs, tree.chance[nodes] * now.range.at(mine))
    shown, others = _shares(now.range), _shares(now.believed)
    infoset = tree.form.arrays.infoset[nodes]
    hands = []
    for i, hand in enumerate(now.range.hands.tolist()):
        number = int(infoset[np.flatnonzero(mine == hand)[0]])
        actions = {}
        if number in step.strategy:
            names = tree.form.sets[number].actions
            actions = dict(zip(names, step.strategy[number].tolist(), strict=True))
        value = _mean(step.worth, met, i)
        hands.append(HandRow(tree.hand_name(step.state, p, hand), float(shown[i]), value, actions))
    rows = []
    for i, hand in enumerate(now.promised.hands.tolist()):
        promised = _mean(now.promised, faced, i) if step.gadget else None
        value = _mean(step.reached, faced, i)
        rows.append(OtherRow(tree.hand_name(step.state, 1 - p, hand), float(others[i]), promised, value))
    return ShownStep(_course(resolver, int(nodes[0])), hands, rows)


def show_way(resolver: Resolver, history: Sequence[Any]) -> list[ShownStep]:
    """All steps on the way to the last state of `history`, which begins at the root."""
    tree = resolver.tree
    state = int(tree.place[tree.form.node(history)])
    return [show_step(resolver, step) for step in resolver.way(state)]


def _course(resolver: Resolver, node: int) -> str:
    """The moves of players up to a node."""
    tree, way = resolver.tree, []
    while node != 0:
        before = int(tree.parent[node])
        kind = int(tree.form.arrays.infoset[before])
        if kind >= 0:
            way.append(tree.form.sets[kind].actions[node - int(tree.form.arrays.first[before])])
        node = before
    return " ".join(reversed(way)) or "the start"


def _sums(hands: Array, weights: Array) -> Range:
    own, place = np.unique(hands, return_inverse=True)
    return Range(own, np.bincount(place, weights=weights, minlength=len(own)))


def _shares(own: Range) -> Array:
    total = own.numbers.sum()
    return own.numbers / total if total > 0 else own.numbers


def _mean(values: Range, masses: Range, i: int) -> float | None:
    mass = float(masses.numbers[i])
    return float(values.numbers[i]) / mass if mass > 0 else None
