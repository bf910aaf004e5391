"""Positions of recorded games as batches for a grid network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.core import _core
from zermelo.engine.grid import GridShape
from zermelo.learn.learner import import_torch

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Batch:
    """Tensors of PyTorch with a row for each position."""

    inputs: Any
    """[planes · cells + globals], 1 where an input is on."""
    legal: Any
    """[actions], whether an action is legal."""
    policy: Any
    """[actions], the shares of the visits; all 0 where they are not known."""
    values: Any
    """What the mover can expect, from 0 to 1."""


class Positions:
    """The samples of the core; lists of different length lie behind each other."""

    def __init__(self, shape: GridShape, samples: _core.GridSamples):
        self.shape = shape
        self._places = samples.places, samples.place_starts.astype(np.int64)
        self._legal = samples.legal, samples.legal_starts.astype(np.int64)
        self._visited = samples.visited, samples.visited_starts.astype(np.int64)
        self._shares = samples.shares
        self._movers, self._values = samples.movers, samples.values

    def __len__(self) -> int:
        return len(self._values)

    def batch(self, chosen: Indices, device: str) -> Batch:
        """The positions with these numbers."""
        torch = import_torch()
        shape, count = self.shape, len(chosen)
        inputs = np.zeros((count, shape.planes * shape.cells + shape.globals), np.float32)
        rows, at = _entries(self._places[1], chosen)
        inputs[rows, self._places[0][at]] = 1
        inputs[:, -1] = self._movers[chosen] == 1
        legal = np.zeros((count, len(shape.actions)), np.bool_)
        rows, at = _entries(self._legal[1], chosen)
        legal[rows, self._legal[0][at]] = True
        policy = np.zeros((count, len(shape.actions)), np.float32)
        rows, at = _entries(self._visited[1], chosen)
        policy[rows, self._visited[0][at]] = self._shares[at]
        policy /= np.maximum(policy.sum(1, keepdims=True), 1e-9)
        parts = inputs, legal, policy, self._values[chosen]
        return Batch(*(torch.from_numpy(part).to(device) for part in parts))


def _entries(starts: Indices, chosen: Indices) -> tuple[Indices, Indices]:
    """Of all items of the chosen lists: the row that each belongs to, and where it lies."""
    first, counts = starts[chosen], starts[chosen + 1] - starts[chosen]
    rows = np.repeat(np.arange(len(chosen)), counts)
    return rows, np.arange(len(rows)) + np.repeat(first - (np.cumsum(counts) - counts), counts)
