"""Positions of recorded games as batches for a grid network, kept where the network learns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.core import _core
from zermelo.engine.grid import GridShape
from zermelo.learn.learner import import_torch

PIECE = 1 << 16
"""Positions whose lists are laid out at a time."""


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
    owned: Any
    """[cells], 1 for a cell that is the mover's in the end, 0.5 for nobody's; above 1 where that is not known. Empty in
    a game without `owners`."""


class Positions:
    """The samples of the core as tensors on a device, a byte for each input that may be on."""

    def __init__(self, shape: GridShape, samples: _core.GridSamples, device: str):
        torch = import_torch()
        count, width, actions = len(samples), shape.planes * shape.cells + shape.globals, len(shape.actions)
        self._count, self._device = count, device
        self._inputs = torch.zeros((count, width), dtype=torch.uint8, device=device)
        self._legal = torch.zeros((count, actions), dtype=torch.bool, device=device)
        self._policy = torch.zeros((count, actions), dtype=torch.float32, device=device)
        _lay_out(self._inputs, samples.places, samples.place_starts, 1)
        _lay_out(self._legal, samples.legal, samples.legal_starts, True)
        _lay_out(self._policy, samples.visited, samples.visited_starts, samples.shares)
        self._policy /= self._policy.sum(1, keepdim=True).clamp(min=1e-9)
        self._inputs[:, -1] = torch.from_numpy(samples.movers == 1).to(device)
        self._values = torch.from_numpy(samples.values).to(device)
        self._owned = torch.from_numpy(samples.owned.reshape(count, -1)).to(device)

    def __len__(self) -> int:
        return self._count

    def batch(self, chosen: NDArray[np.int64]) -> Batch:
        """The positions with these numbers."""
        torch = import_torch()
        at = torch.from_numpy(chosen).to(self._device)
        parts = self._inputs[at].float(), self._legal[at], self._policy[at], self._values[at]
        return Batch(*parts, self._owned[at].float() / 2)


def _lay_out(rows: Any, items: NDArray[np.uint32], starts: NDArray[np.uint64], numbers: Any) -> None:
    """Writes `numbers`, one or one for each item, to the places of their lists in the rows."""
    torch = import_torch()
    device, width = rows.device, rows.shape[1]
    ends = starts.astype(np.int64)
    for first in range(0, len(rows), PIECE):
        bounds = torch.from_numpy(ends[first : first + PIECE + 1]).to(device)
        begin, end = int(ends[first]), int(ends[min(first + PIECE, len(rows))])
        own = torch.arange(first, first + len(bounds) - 1, device=device).repeat_interleave(bounds[1:] - bounds[:-1])
        places = torch.from_numpy(items[begin:end].astype(np.int64)).to(device) + own * width
        single = not isinstance(numbers, np.ndarray)
        rows.view(-1)[places] = numbers if single else torch.from_numpy(numbers[begin:end]).to(device)
