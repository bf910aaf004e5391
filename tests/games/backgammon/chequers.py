"""Boards of backgammon, and networks that were never taught, for tests of both."""

from __future__ import annotations

import numpy as np

from zermelo.games.backgammon.networks import ENDS, NAMES, NETS


def random_tensors(seed, hidden=24, inner=8):
    chance = np.random.default_rng(seed)
    found = {}
    for net in NETS:
        inputs, numbers = ENDS[net]
        shapes = [(inputs, hidden), (hidden,), (hidden, inner), (inner,), (inner, numbers), (numbers,)]
        for name, shape in zip(NAMES[net], shapes, strict=True):
            found[name] = chance.normal(0, 0.3, shape).astype(np.float32)
    return found


def side(**points):
    """Chequers by point, as in p6=5."""
    row = [0] * 25
    for point, count in points.items():
        row[int(point[1:]) - 1] = count
    return row


def board(own, other):
    return np.array([own + other], np.uint8)
