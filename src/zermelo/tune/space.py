"""Parameters of the search as a point in space: each in steps of its own, from 0 on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from zermelo.engine.engine import Engine
from zermelo.engine.parameters import PARAMETERS, Parameter
from zermelo.game import AnyGame
from zermelo.train.positions import draw_line, shown_states
from zermelo.tune.spsa import Vector

DIGITS = 5
"""Of a value that is written: more would say nothing."""
MOST_NODES = 20_000
"""Of a search that shows which parameters matter."""


class Space:
    """Some parameters, in an order."""

    def __init__(self, names: Sequence[str]):
        self.names = tuple(names)
        self.parameters: list[Parameter] = [PARAMETERS[name] for name in names]
        self.steps = np.array([each.step for each in self.parameters])
        self.low = np.array([each.least for each in self.parameters]) / self.steps
        self.high = np.array([each.most for each in self.parameters]) / self.steps

    def point(self, values: Mapping[str, float]) -> Vector:
        """Where the values lie; what has none has its default."""
        found: Vector = np.array([values.get(each.name, each.value) for each in self.parameters]) / self.steps
        return found

    def exact(self, point: Vector) -> dict[str, float]:
        """The numbers at a point, whole or not."""
        return dict(zip(self.names, (point * self.steps).tolist(), strict=True))

    def values(self, point: Vector, luck: float | Vector = 0.5) -> dict[str, float]:
        """The values at a point; whole numbers are rounded up if the fraction and the luck add up to 1."""
        found = self.exact(point)
        lucks = np.broadcast_to(luck, point.shape)
        return {
            each.name: self._rounded(each, found[each.name], float(fortune))
            for each, fortune in zip(self.parameters, lucks, strict=True)
        }

    def _rounded(self, parameter: Parameter, value: float, luck: float) -> float:
        if parameter.whole:
            return int(min(max(math.floor(value + luck), parameter.least), parameter.most))
        return min(max(float(f"{value:.{DIGITS}g}"), parameter.least), parameter.most)


def all_values(values: Mapping[str, float]) -> dict[str, float]:
    """Every parameter with its value."""
    return {name: values.get(name, int(each.value) if each.whole else each.value) for name, each in PARAMETERS.items()}


def what_matters(game: AnyGame, values: Mapping[str, float], nodes: int, seed: int = 0) -> list[str]:
    """The parameters whose bounds make a difference to searches of `game` with so many nodes.

    Others belong to techniques that the game does not use, or to depths that are not reached.
    """
    engine = Engine(game, table_mb=1)
    states = shown_states(game, draw_line(game, seed))

    def searched(parameters: Mapping[str, float]) -> list[tuple[object, ...]]:
        found: list[tuple[object, ...]] = []
        for state in states:
            engine.clear()
            engine.parameters = dict(parameters)
            each = engine.search(state, nodes=min(nodes, MOST_NODES))
            if each.stopped == "interrupt":
                raise KeyboardInterrupt
            found.append((each.line, each.value, each.depth, each.leaves, each.cutoffs))
        return found

    usual = searched(values)
    return [
        name
        for name, each in PARAMETERS.items()
        if any(
            searched({**values, name: int(bound) if each.whole else bound}) != usual
            for bound in (each.least, each.most)
        )
    ]
