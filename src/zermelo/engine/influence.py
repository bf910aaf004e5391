"""What a sum network likes: by how much each of its inputs moves the value of one position.

    gain of an input that is off = value with it on − value as it is
    gain of an input that is on  = value as it is − value without it

where everything else stays, the stage of the game included. A number of which exactly one input is on (one per value,
or per range) changes as a whole: what is on is compared with the mean of the others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.core import _core
from zermelo.engine.equipped import NativeGame
from zermelo.engine.network import Field, Network
from zermelo.engine.rules import layout
from zermelo.errors import InputError, MethodError
from zermelo.game.contract import CHANCE, Game, S

ONE = 255
"""1 in an accumulator."""
MOST_INPUTS = 1 << 16
"""A network of more inputs takes too long to take apart."""
PATH = re.compile(r"(?:\w+\.)?(.*?)(\[[\d, ]+\])?")

Floats = NDArray[np.float64]
Inputs = NDArray[np.bool_]
"""Which inputs are on."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input, for people: it is on if `part` of the field, at `index`, is so."""

    number: int
    group: str
    """Inputs of one group belong together: the bits of a board, or one value in all cells of an array."""
    index: str
    """Where in its group it stands: the number of a bit, or of a cell; empty if it stands alone."""

    @property
    def name(self) -> str:
        return f"{self.group} [{self.index}]" if self.index else self.group


@dataclass(frozen=True, slots=True)
class Influence:
    """An input, whether it is on in the position, and what it adds to the value for player 0."""

    input: Input
    on: bool
    gain: float


class NetworkInputs:
    """The inputs of a network by name, and which of them are on."""

    def __init__(self, game: Game[S, int], network: Network):
        self.game, self.network = game, network
        self.own = not network.shape.fields
        if self.own and not game.can("inputs"):
            raise MethodError(f"the inputs of {game.name} are known to its native rules alone")
        if network.shape.inputs > MOST_INPUTS:
            raise MethodError(f"the network has {network.shape.inputs:,} inputs: more than can be shown")
        self.layout = None if isinstance(game, NativeGame) else layout.infer(game.initial())
        self.all = self._list()

    def _list(self) -> list[Input]:
        if self.own:
            return [Input(number, f"input {number}", "") for number in range(self.network.shape.inputs)]
        return [each for field in self.network.shape.fields for each in name_inputs(field)]

    def active(self, state: Any, player: int = 0) -> Inputs:
        """Which inputs are on in `state`, as `player` sees it where inputs are by player."""
        on = np.zeros(self.network.shape.inputs, bool)
        if self.own:
            on[list(self.game.inputs(state, player))] = True
            return on
        data = bytes(state) if self.layout is None else layout.pack(self.layout, state)
        for field in self.network.shape.fields:
            on[active_of(field, data)] = True
        return on


def active_of(field: Field, state: bytes) -> list[int]:
    """The inputs of `field` that are on, by the description in `native/networks/inputs.hpp`."""
    code = {"signed": "i", "unsigned": "u", "floating": "f"}[field.number] + str(field.size)
    number = np.frombuffer(state, code, 1, field.offset)[0]
    if field.encoding == "bits":
        return [field.first + i for i in bits_of(field.mask & int(number))]
    if field.encoding == "values":
        return [field.first + min(max(int(number), field.low), field.high) - field.low]
    return [field.first + sum(float(number) >= edge for edge in field.edges)]


def bits_of(number: int) -> list[int]:
    return [i for i in range(number.bit_length()) if number >> i & 1]


def inputs_of(field: Field) -> list[int]:
    """The numbers of the inputs that `field` can switch on."""
    if field.encoding == "bits":
        return [field.first + i for i in bits_of(field.mask)]
    count = field.high - field.low + 1 if field.encoding == "values" else len(field.edges) + 1
    return list(range(field.first, field.first + count))


def name_inputs(field: Field) -> list[Input]:
    """The inputs of `field`: `mine [12]` for a bit, `board = 2 [1, 3]` for a value in a cell of an array."""
    match = PATH.fullmatch(field.path)
    assert match is not None
    name, cell = match[1] or field.path, (match[2] or "")[1:-1]
    numbers = inputs_of(field)
    if field.encoding == "bits":
        place = f"{cell}: " if cell else ""
        return [Input(number, name, f"{place}{number - field.first}") for number in numbers]
    if field.encoding == "values":
        return [Input(number, f"{name} = {field.low + i}", cell) for i, number in enumerate(numbers)]
    edges = [f"{edge:g}" for edge in field.edges]
    named = [
        f"below {edges[0]}",
        *(f"{a} to {b}" for a, b in pairwise(edges)),
        f"{edges[-1]} or more",
    ]
    return [Input(number, f"{name} {each}", cell) for number, each in zip(numbers, named, strict=True)]


class _Position:
    """The network at one position: its value after any change of the mover's inputs."""

    def __init__(self, inputs: NetworkInputs, state: Any):
        game, network = inputs.game, inputs.network
        shape = network.shape
        mover = game.player(state)
        own = max(mover, 0)
        self.on = inputs.active(state, own)
        rows = 0 if shape.movers == 1 else shape.movers - 1 if mover == CHANCE else mover
        head = self._stage(inputs, state) * shape.movers + rows
        weights = {name: np.asarray(part, np.float64) for name, part in network.weights.items()}
        self.offset = weights["offset"][head]
        self.width = shape.width
        self.sign, (self.low, self.high), self.neutral = 1 if own == 0 else -1, game.bounds, game.neutral
        if not shape.width:
            self.rows = weights["direct"].reshape(-1, shape.inputs)[head][:, None]
            self.units = self.rows[self.on].sum(0)
            return
        self.rows = weights["rows"].reshape(shape.movers, shape.inputs, shape.width)[rows]
        bias = weights["bias"].reshape(shape.movers, shape.width)[rows]
        heads = weights["head"].reshape(shape.stages * shape.movers, -1, shape.width)[head]
        self.units, self.head = bias + self.rows[self.on].sum(0), heads[0]
        if inputs.own:
            other = bias + self.rows[inputs.active(state, 1 - own)].sum(0)
            self.offset += float(heads[1] @ other.clip(0, ONE) ** 2) / ONE

    def _stage(self, inputs: NetworkInputs, state: Any) -> int:
        shape = inputs.network.shape
        if shape.stages == 1:
            return 0
        if not shape.stage_edges:
            return min(max(int(inputs.game.stage(state)), 0), shape.stages - 1)
        return int(np.searchsorted(np.array(shape.stage_edges), self.on.sum(), "right"))

    def values(self, changes: Floats) -> Floats:
        """The values for player 0 after `changes` of the units, a row each."""
        units = self.units + changes
        outputs = units[:, 0] if not self.width else units.clip(0, ONE) ** 2 @ self.head / ONE
        shares = 1 / (1 + np.exp(-((outputs + self.offset) / _core.SumNetwork.UNIT).clip(-12, 12)))
        values: Floats = self.low + (self.high - self.low) * shares
        return values if self.sign > 0 else 2 * self.neutral - values


def influences(inputs: NetworkInputs, state: Any) -> list[Influence]:
    """What each input adds to the value of `state` for player 0; an `InputError` if the network does not fit itself."""
    try:
        here = _Position(inputs, state)
        gains = _gains(inputs, here)
    except (ValueError, IndexError, TypeError, KeyError) as error:
        raise InputError(f"{inputs.network.where} cannot be used: {error}") from None
    return [Influence(each, bool(here.on[each.number]), float(gains[each.number])) for each in inputs.all]


def _gains(inputs: NetworkInputs, here: _Position) -> Floats:
    now = float(here.values(np.zeros((1, here.rows.shape[1])))[0])
    signs = np.where(here.on, -1.0, 1.0)
    gains = signs * (here.values(signs[:, None] * here.rows) - now)
    for field in inputs.network.shape.fields:
        if field.encoding == "bits":
            continue
        numbers = np.array(inputs_of(field))
        (present,) = numbers[here.on[numbers]]
        others = numbers[numbers != present]
        gains[others] = here.values(here.rows[others] - here.rows[present]) - now
        gains[present] = -gains[others].mean() if len(others) else 0.0
    return gains


def policy(game: Game[S, int], state: S) -> list[tuple[int, float]]:
    """The probability of each legal action in `state`, if `game` has a network with a policy; else nothing."""
    if not game.can("judge") or game.player(state) == CHANCE:
        return []
    priors, _ = game.judge([state])
    return list(zip(game.actions(state), np.asarray(priors[0], float).tolist(), strict=True))
