"""How strong hands of poker are, by the core, many at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from zermelo.engine.core import _core
from zermelo.errors import InputError

CLASSES = (
    *("high card", "pair", "two pairs", "three of a kind", "straight"),
    *("flush", "full house", "four of a kind", "straight flush"),
)
CLASS_UNIT = 16**5
"""A strength divided by this is the place of its class in `CLASSES`."""


def evaluate(hands: Any) -> Any:
    """The strength of each row of 5 to 7 cards, as an array: the stronger has the greater number."""
    rows = np.ascontiguousarray(hands, dtype=np.uint8)
    try:
        return np.frombuffer(_core.hand_strengths(rows.tobytes(), rows.shape[1]), dtype="=i4")
    except ValueError as error:
        raise InputError(str(error)) from None


def strengths(hands: Sequence[tuple[int, ...]], board: tuple[int, ...]) -> list[int]:
    """The strength of each hand with a board of five; −1 where a hand has a card of the board."""
    own: Any = np.array(hands, dtype=np.uint8).reshape(len(hands), -1)
    free = ~np.isin(own, board).any(axis=1)
    found: Any = np.full(len(hands), -1, dtype=np.int64)
    shown = np.tile(np.array(board, dtype=np.uint8), (int(free.sum()), 1))
    found[free] = evaluate(np.concatenate([own[free], shown], axis=1))
    numbers: list[int] = found.tolist()
    return numbers
