"""A grid network in plain NumPy, cell by cell: what every other implementation must agree with."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.grid import NOWHERE

Floats = NDArray[np.float64]


def run(shape: Any, weights: dict[str, Any], inputs: Any) -> tuple[Floats, float, Floats | None]:
    """The logits of all known actions, the raw value and those of owning the cells, if the network has them, of one
    position: inputs [planes · cells + globals]."""
    w = {name: np.asarray(part, np.float64) for name, part in weights.items()}
    on_board = shape.planes * shape.cells
    planes = np.asarray(inputs[:on_board], np.float64).reshape(shape.planes, shape.rows, shape.columns)
    x = convolve(planes.transpose(1, 2, 0), w["in_planes"].transpose(1, 0, 2))
    x = relu(x + inputs[on_board:] @ w["in_globals"] + w["in_bias"])
    for block in range(shape.blocks):
        y = relu(convolve(x, w["conv"][block, 0]) + w["conv_bias"][block, 0])
        x = relu(x + convolve(y, w["conv"][block, 1]) + w["conv_bias"][block, 1] + pool(y) @ w["pool"][block])
    pooled = pool(x)
    hidden = relu(x @ w["policy_hidden"] + pooled @ w["policy_pool"] + w["policy_hidden_bias"])
    units = relu(pooled @ w["value_hidden"] + w["value_hidden_bias"])
    value = float(units @ w["value_out"] + w["value_out_bias"][0])
    owned = (x @ w["owner_out"] + w["owner_out_bias"]).ravel() if shape.owners else None
    if not shape.action_cells:
        logits = np.einsum("ck,cka->a", hidden.reshape(shape.cells, -1), w["policy_out"])
        return logits + w["policy_out_bias"], value, owned
    of_cells = hidden.reshape(shape.cells, -1)
    logits = [
        w["policy_extra"][way] @ pooled if cell == NOWHERE else of_cells[cell] @ w["policy_out"][way]
        for cell, way in zip(shape.action_cells, shape.action_ways, strict=True)
    ]
    return np.array(logits) + w["policy_out_bias"], value, owned


def convolve(x: Floats, kernel: Floats) -> Floats:
    """x [rows][columns][in], kernel [9][in][out]; taps outside the board contribute nothing."""
    rows, columns, _ = x.shape
    out = np.zeros((rows, columns, kernel.shape[2]))
    for row, column in np.ndindex(rows, columns):
        for tap, (down, right) in enumerate(np.ndindex(3, 3)):
            r, c = row + down - 1, column + right - 1
            if 0 <= r < rows and 0 <= c < columns:
                out[row, column] += x[r, c] @ kernel[tap]
    return out


def pool(x: Floats) -> Floats:
    return np.concatenate([x.mean((0, 1)), x.max((0, 1))])


def relu(x: Floats) -> Floats:
    return np.maximum(x, 0)
