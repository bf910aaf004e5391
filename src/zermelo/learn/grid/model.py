"""A grid network in PyTorch: the weights by name, in the shapes of the file, and what the network makes of a batch.

`native/networks/grid.hpp` describes the network.
"""

from __future__ import annotations

from typing import Any

from zermelo.engine.grid import NOWHERE, GridShape
from zermelo.learn.learner import import_torch

Weights = dict[str, Any]
"""Tensors of PyTorch by name."""

TAPS = 9
VALUE_UNITS = 64
CELL_UNITS = 32
"""Of a cell's policy, where actions are those of cells."""


def tensor_shapes(shape: GridShape) -> dict[str, tuple[int, ...]]:
    """The shapes of the weights."""
    channels, blocks, actions = shape.channels, shape.blocks, len(shape.actions)
    units = CELL_UNITS if shape.action_cells else shape.policy_planes
    return {
        "in_planes": (shape.planes, TAPS, channels),
        "in_globals": (shape.globals, channels),
        "in_bias": (channels,),
        "conv": (blocks, 2, TAPS, channels, channels),
        "conv_bias": (blocks, 2, channels),
        "pool": (blocks, 2 * channels, channels),
        "policy_hidden": (channels, units),
        "policy_hidden_bias": (units,),
        "policy_pool": (2 * channels, units),
        "policy_out": (shape.ways(), units) if shape.action_cells else (shape.cells, units, actions),
        "policy_out_bias": (actions,),
        "policy_extra": (shape.ways(beyond=True), 2 * channels),
        "value_hidden": (2 * channels, VALUE_UNITS),
        "value_hidden_bias": (VALUE_UNITS,),
        "value_out": (VALUE_UNITS,),
        "value_out_bias": (1,),
        "owner_out": (channels,) if shape.owners else (0,),
        "owner_out_bias": (1,) if shape.owners else (0,),
    }


class GridModel:
    """The network's outputs for batches of positions."""

    def __init__(self, shape: GridShape, device: str):
        torch = import_torch()
        self.shape = shape
        # Of each action: where its logit stands among those of all ways on all cells, and those beyond the board.
        ways, of_cells = shape.ways(), shape.cells * shape.ways()
        pairs = zip(shape.action_cells, shape.action_ways, strict=True)
        logits = [of_cells + way if cell == NOWHERE else cell * ways + way for cell, way in pairs]
        self._logits_of = torch.tensor(logits, dtype=torch.long, device=device)

    def run(self, weights: Weights, inputs: Any) -> tuple[Any, Any, Any]:
        """The logits of all known actions, the raw value, and those of the cells to be the mover's in the end (`None`
        in a game without `owners`), for inputs [batch][planes · cells + globals]."""
        torch = import_torch()
        shape, channels = self.shape, self.shape.channels
        on_board = shape.planes * shape.cells
        x = inputs[:, on_board:] @ weights["in_globals"] + weights["in_bias"]
        x = x[:, :, None, None].expand(-1, -1, shape.rows, shape.columns)
        if shape.planes:
            planes = inputs[:, :on_board].reshape(-1, shape.planes, shape.rows, shape.columns)
            x = x + _convolve(planes, weights["in_planes"].permute(1, 0, 2))
        x = torch.relu(x).contiguous(memory_format=torch.channels_last)  # twice as fast on a GPU
        for block in range(shape.blocks):
            kernels, bias = weights["conv"][block], weights["conv_bias"][block]
            y = torch.relu(_convolve(x, kernels[0], bias[0]))
            pooled = _pool(y) @ weights["pool"][block]
            x = torch.relu(x + _convolve(y, kernels[1], bias[1]) + pooled[:, :, None, None])
        pooled = _pool(x)
        cells = x.permute(0, 2, 3, 1).reshape(-1, shape.cells, channels)
        hidden = cells @ weights["policy_hidden"]
        hidden = torch.relu(hidden + (pooled @ weights["policy_pool"] + weights["policy_hidden_bias"])[:, None])
        units = torch.relu(pooled @ weights["value_hidden"] + weights["value_hidden_bias"])
        value = units @ weights["value_out"] + weights["value_out_bias"]
        owners = cells @ weights["owner_out"] + weights["owner_out_bias"] if shape.owners else None
        return self._logits(weights, hidden, pooled), value, owners

    def _logits(self, weights: Weights, hidden: Any, pooled: Any) -> Any:
        torch = import_torch()
        if self.shape.action_cells:
            of_cells = (hidden @ weights["policy_out"].T).flatten(1)
            logits = torch.cat([of_cells, pooled @ weights["policy_extra"].T], dim=1)[:, self._logits_of]
        else:
            logits = hidden.flatten(1) @ weights["policy_out"].flatten(0, 1)
        return logits + weights["policy_out_bias"]


def _convolve(x: Any, kernel: Any, bias: Any = None) -> Any:
    """A convolution with a kernel [taps][in][out]."""
    torch = import_torch()
    return torch.nn.functional.conv2d(x, kernel.unflatten(0, (3, 3)).permute(3, 2, 0, 1), bias, padding=1)


def _pool(x: Any) -> Any:
    """The mean and the maximum of every channel over the cells."""
    torch = import_torch()
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], dim=1)
