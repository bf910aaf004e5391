"""Public games in the native core: what both see as streets and boards, what each holds as vectors over hands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from zermelo.engine.core import _core
from zermelo.engine.regret import Array, Rule, Run, Stop, _bytes, _checked
from zermelo.errors import InputError

DEAL_NODE = -1
FIXED_NODE = -2
SHOWDOWN_NODE = -3


class Streets(NamedTuple):
    """Forests of public choices; see `native/regret/ranges/public.hpp`."""

    nodes: list[int]
    """Per street: the number of nodes."""
    roots: list[int]
    """Per street: the number of roots among them."""
    kind: list[int]
    """Per node: the player who chooses, or one of the kinds above."""
    first: list[int]
    """Per node: its first child, counted in its street."""
    width: list[int]
    """Per node: the number of children."""
    payoffs: list[tuple[float, float, float]]
    """Per node: what it is worth to player 0, if it is an end."""


class Boards(NamedTuple):
    """Which public cards are dealt, and what each player can hold with them."""

    parent: list[int]
    street: list[int]
    probability: list[float]
    order: tuple[list[Array], list[Array]]
    """Per player and board: the hands by their places in the range, the weakest first."""
    level: tuple[list[Array], list[Array]]
    """Per player and board: the strength of each hand; equal numbers tie, also between the players."""


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
        """`held` has two cards per hand, −1 for none; `total` is the sum of both players' payoffs."""
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
        """The number of probabilities in each player's strategy."""

    def judge(self, strategy: Array) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Returns every player's value, and what each would get with a best response to the other."""
        found = _checked(self.handle.judge, _bytes(strategy))
        return tuple(found.values), tuple(found.best)

    def best_response(self, strategy: Array, p: int) -> Array:
        """`strategy` with the choices of `p` replaced by a best response to the other's."""
        return np.frombuffer(_checked(self.handle.best_response, _bytes(strategy), p))

    def passes(self, rule: Rule, total: float, single: bool) -> Run:
        """Whole passes over all ranges, in double or single precision."""
        return RangeRun(_core.regret_ranges(self.handle, *rule, single), total)


class RangeRun(Run):
    """A run over ranges; exploitability follows from the best responses alone, as the sum of payoffs is constant."""

    def __init__(self, handle: _core.RangeRun, total: float):
        super().__init__(handle)
        self.total = total

    def gap(self, _threads: int = 1) -> float:
        return max(float(sum(self.handle.best(_threads)) - self.total) / 2, 0.0)


class Beyond(NamedTuple):
    """What lies beyond a deal: see `native/regret/ranges/lookahead.hpp`."""

    tensors: Sequence[Array]
    """Of a dense network, a matrix and a bias for each layer; empty for showdowns alone."""
    buckets: int
    scales: Array
    """Per deal: what the numbers of the network are multiplied with; 0 if nothing is bet there."""
    features: Array
    """Per deal: a row of public inputs."""


class Evaluation(NamedTuple):
    """What both get by their averages, if one answers best; hands in the order of the first board."""

    worths: Array
    """Per node of the street, per hand: the counterfactual value for the one who answers best."""
    deals: Array
    """Per board, per deal, per hand: the same after the deal."""
    reaches: Array
    """Per node, per hand of the other: how likely it goes there."""


class Lookahead:
    """Solves the street of a game to the next deal, beyond which there are showdowns, and a network."""

    def __init__(
        self,
        game: PublicGame,
        rule: Rule,
        beyond: Beyond | None = None,
        gated: int = -1,
        stops: Array | None = None,
    ):
        """Player `gated` may stop at the start and take what `stops` has for its hand."""
        own = beyond or Beyond((), 0, (), ())
        try:
            self.handle = _core.look_ahead(
                *(game.handle, *rule[:4], [_floats(each) for each in own.tensors], own.buckets),
                *(_floats(own.scales), _floats(own.features), gated),
                _floats(() if stops is None else stops),
            )
        except ValueError as error:
            raise InputError(f"this cannot be looked ahead in: {error}") from None

    def run(self, iterations: int, stop: Stop = None) -> None:
        """Iterations of regret minimisation; `Stopped` once `stop` says so."""
        self.handle.run(iterations, stop)

    @property
    def iterations(self) -> int:
        return self.handle.iterations

    def strategy(self) -> Array:
        """Of player 0, then of player 1: for each choice and action one probability per hand."""
        return np.frombuffer(self.handle.strategy())

    def evaluate(self, p: int, sizes: tuple[int, int], nodes: int, deals: int) -> Evaluation:
        """What p gets by its best answer; `sizes` are the numbers of hands."""
        worths, after, reaches = (np.frombuffer(own, np.float32) for own in _checked(self.handle.evaluate, p))
        return Evaluation(
            worths.reshape(nodes, sizes[p]),
            after.reshape(-1, max(deals, 1), sizes[p]),
            reaches.reshape(nodes, sizes[1 - p]),
        )


def _floats(numbers: ArrayLike) -> bytes:
    data: bytes = np.ascontiguousarray(numbers, dtype="=f4").tobytes()
    return data


def _ints(numbers: ArrayLike) -> bytes:
    data: bytes = np.ascontiguousarray(numbers, dtype="=i4").tobytes()
    return data
