"""Public games in the native core: what both see as streets and boards, what each holds as vectors over hands."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from zermelo.engine.core import _core
from zermelo.engine.regret import Array, Rule, Run, _bytes, _checked
from zermelo.errors import InputError

DEAL_NODE = -1
FIXED_NODE = -2
SHOWDOWN_NODE = -3


class Streets(NamedTuple):
    """Forests of public choices; see `native/regret/ranges/public.hpp`."""

    nodes: list[int]
    """Of each street: how many nodes."""
    roots: list[int]
    """Of each street: how many of them are roots."""
    kind: list[int]
    """Of each node: the player who chooses, or one of the kinds above."""
    first: list[int]
    """Of each node: its first child, counted in its street."""
    width: list[int]
    """Of each node: how many children it has."""
    payoffs: list[tuple[float, float, float]]
    """Of each node: what it is worth to player 0, if it is an end."""


class Boards(NamedTuple):
    """Which public cards are dealt, and who can hold what beside them."""

    parent: list[int]
    street: list[int]
    probability: list[float]
    order: tuple[list[Array], list[Array]]
    """Of each player, of each board: the hands by their places in the range, the weakest first."""
    level: tuple[list[Array], list[Array]]
    """The same: how strong each is; equal numbers tie, with the other player's as well."""


class PublicGame:
    """A game of ranges in the core: it judges strategies, and starts runs."""

    def __init__(
        self,
        cards: int,
        total: float,
        held: tuple[Array, Array],
        weights: tuple[Array, Array],
        streets: Streets,
        boards: Boards,
    ):
        """`held` has two cards a hand, −1 for none; `total` is the sum of both players' payoffs."""
        kinds = ("=i4", "=i4", "=i4", "=i4", "=i4", "=f8")
        flat = [np.array(column, dtype=kind).tobytes() for column, kind in zip(streets, kinds, strict=True)]
        fields = ("=i4", "=i4", "=f8")
        heads = [np.array(column, dtype=kind).tobytes() for column, kind in zip(boards[:3], fields, strict=True)]
        sizes = [_ints([len(order) for order in own]) for own in boards.order]
        try:
            self.handle = _core.PublicGame(
                *(cards, total, [_ints(own) for own in held], [_bytes(own) for own in weights], flat, heads, sizes),
                *([_ints(np.concatenate(own)) for own in rows] for rows in (boards.order, boards.level)),
            )
        except ValueError as error:
            raise InputError(f"this is not a public game: {error}") from None
        self.room: tuple[int, ...] = tuple(self.handle.room)
        """How many numbers each player's strategy has."""

    def judge(self, strategy: Array) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """What every player gets, and what each would get by the best answer to the other."""
        found = _checked(self.handle.judge, _bytes(strategy))
        return tuple(found.values), tuple(found.best)

    def best_response(self, strategy: Array, p: int) -> Array:
        """`strategy` with the choices of `p` replaced by a best answer to the other's."""
        return np.frombuffer(_checked(self.handle.best_response, _bytes(strategy), p))

    def passes(self, rule: Rule, total: float, single: bool) -> Run:
        """Whole passes over all ranges, in double or single precision."""
        return RangeRun(_core.regret_ranges(self.handle, *rule, single), total)


class RangeRun(Run):
    """A run over ranges; exploitability is computed from the best answers alone, as the sum of payoffs is constant."""

    def __init__(self, handle: _core.RangeRun, total: float):
        super().__init__(handle)
        self.total = total

    def gap(self) -> float:
        return max(float(sum(self.handle.best()) - self.total) / 2, 0.0)


def _ints(numbers: ArrayLike) -> bytes:
    data: bytes = np.ascontiguousarray(numbers, dtype="=i4").tobytes()
    return data
