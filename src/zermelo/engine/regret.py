"""Trees of games as flat arrays, and regret minimisation over them, in the native core.

Nodes are numbered so that parents come before children and the children of one are neighbours. A strategy has one
probability for each action of each information set, in their order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from zermelo.engine.compiled import CompiledGame
from zermelo.engine.core import _core
from zermelo.errors import InputError, MethodError
from zermelo.game.contract import S
from zermelo.game.validation import unlike_actions

P = ParamSpec("P")
T = TypeVar("T")

CHANCE_NODE = -1
END_NODE = -2

Array: TypeAlias = Any
"""A NumPy array."""
Stop: TypeAlias = Callable[[], bool] | None


class Arrays(NamedTuple):
    """A tree: what each node, each end and each information set is."""

    infoset: Array
    """Per node: its information set, `CHANCE_NODE` or `END_NODE`."""
    first: Array
    """Per node: its first child; the number of the end at an end."""
    count: Array
    """Per node: the number of children."""
    chance: Array
    """Per node: the probability of this outcome if chance moves before; 1 otherwise."""
    payoffs: Array
    """Per end: one payoff per player."""
    owner: Array
    """Per information set: the player who chooses."""
    width: Array
    """Per information set: the number of actions."""


TYPES = Arrays("=i4", "=i4", "=i4", "=f8", "=f8", "=i4", "=i4")


class TooLargeError(Exception):
    """The tree has more nodes than allowed."""


def flatten(game: CompiledGame[S], state: S, most: int, stop: Stop = None) -> tuple[Arrays, list[bytes]]:
    """The tree below `state`, through the game's compiled rules, and the bytes of a state of each information set.

    `stop` is asked now and then; once it says so, it ends with `Stopped`.
    """
    try:
        found = game.guard(_core.flatten, game.handle, game.pack(state), most, stop)
    except _core.TreeTooLarge:
        raise TooLargeError from None
    except _core.UnlikeActions as error:
        player, data = error.args
        raise unlike_actions(game.game, player, game.unpack(data)) from None
    arrays = Arrays(
        *(np.frombuffer(getattr(found, name), dtype=kind) for name, kind in zip(Arrays._fields, TYPES, strict=True))
    )
    size, examples = game.layout.end, found.examples
    return arrays, [examples[i : i + size] for i in range(0, len(examples), size)]


class Side(NamedTuple):
    """One player's part of the sequence form; sequence 0 is the empty one."""

    after: Array
    """Per information set, in preorder of the player's own forest: the sequence before it."""
    first: Array
    """Per information set: its first sequence; one more entry, the number of sequences."""
    start: Array
    """Per sequence: its first term; one more entry."""
    others: Array
    """Per term: the other players' sequences."""
    payoff: Array
    """Per term: what it is worth to this player, chance included."""
    places: Array
    """Per sequence: its place in a strategy. In the merged form, per sequence of the whole form: its class."""


class Form:
    """The sequence form of a tree."""

    def __init__(self, players: int, arrays: Arrays):
        packed = [np.ascontiguousarray(a, dtype=t).tobytes() for a, t in zip(arrays, TYPES, strict=True)]
        self.players = players
        try:
            self.handle = _core.Form(players, *packed)
        except RuntimeError as error:
            number = int(str(error))
            raise MethodError(
                f"player {int(arrays.owner[number])} forgets its own choices at information set {number + 1}: "
                f"this method needs perfect recall"
            ) from None
        except ValueError as error:
            raise InputError(f"this is not a tree of a game: {error}") from None

    def side(self, p: int, merged: bool = False) -> Side:
        """Returns the part of player `p`; `merged` joins equivalent information sets."""
        kinds = ("=i4", "=i4", "=i8", "=i4", "=f8", "=i4" if merged else "=i8")
        found = self.handle.side(p, merged)
        side = Side(
            *(np.frombuffer(getattr(found, name), dtype=kind) for name, kind in zip(Side._fields, kinds, strict=True))
        )
        return side._replace(others=side.others.reshape(len(side.payoff), self.players - 1))

    def judge(self, strategy: Array) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """Returns every player's value, and what each would get with a best response to the others."""
        found = _checked(self.handle.judge, _bytes(strategy))
        return tuple(found.values), tuple(found.best)

    def best_response(self, strategy: Array, p: int) -> Array:
        """`strategy` with the choices of `p` replaced by a best response to the others."""
        return np.frombuffer(_checked(self.handle.best_response, _bytes(strategy), p))


class Rule(NamedTuple):
    """How regrets are added up and averages weighted; see `native/regret/minimiser.hpp`."""

    alpha: float
    beta: float
    gamma: float
    floor: bool
    predictive: bool


class Run:
    """A run of regret minimisation: it can be continued, queried and saved at any time."""

    def __init__(self, handle: Any):
        self.handle = handle

    @property
    def iterations(self) -> int:
        return int(self.handle.iterations)

    def run(self, iterations: int, threads: int = 1, stop: Stop = None) -> bool:
        """Runs `iterations` more iterations; returns false if `stop` ended the run earlier, after a whole iteration."""
        try:
            self.handle.run(iterations, threads, stop)
        except _core.Stopped:
            return False
        return True

    def judge(self) -> tuple[tuple[float, ...], tuple[float, ...]]:
        """`Form.judge` for the average strategy."""
        found = self.handle.judge()
        return tuple(found.values), tuple(found.best)

    def gap(self, _threads: int = 1) -> float:
        """The exploitability of the average strategy, computed by so many threads if that is worth it."""
        values, best = self.judge()
        return max((math.fsum(best) - math.fsum(values)) / len(values), 0.0)

    def strategy(self) -> Array:
        """The average strategy."""
        return np.frombuffer(self.handle.strategy())

    def save(self) -> bytes:
        data: bytes = self.handle.save()
        return data

    def restore(self, data: bytes) -> None:
        """Restores what `save` returned; `InputError` if that is from another game or method."""
        _checked(self.handle.restore, data)


def passes(form: Form, rule: Rule, single: bool = False, merged: bool = True) -> Run:
    """Whole passes over the sequence form, in double or single precision."""
    return Run(_core.regret_passes(form.handle, *rule, single, merged))


def samples(form: Form, outcome: bool, exploration: float, seed: int) -> Run:
    """Sampled games: external or outcome sampling."""
    return Run(_checked(_core.regret_samples, form.handle, outcome, exploration, seed % (1 << 64)))


def _bytes(strategy: ArrayLike) -> bytes:
    data: bytes = np.ascontiguousarray(strategy, dtype="=f8").tobytes()
    return data


def _checked(function: Callable[P, T], *arguments: P.args, **named: P.kwargs) -> T:
    try:
        return function(*arguments, **named)
    except ValueError as error:
        raise InputError(str(error)) from None
