"""Sum networks: an evaluation that was learned, in one file, for the game that it was learned for.

    network = Network.read("mygame.safetensors")
    game = with_network(MyGame(), network)          the same rules; every search evaluates by the network

The core computes the value (`native/networks/sum.hpp`). The file holds the weights as integers, and a record: the game
and its options, what the inputs are, and how the network was made.
"""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, cast

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.attributes import PLAIN
from zermelo.engine.compiled import CompiledGame, NativeGame, NetworkGame, native_rules
from zermelo.engine.core import _core
from zermelo.engine.rules import layout
from zermelo.engine.tensors import Tensors, read_tensors, write_tensors
from zermelo.errors import InputError
from zermelo.game.contract import AnyGame, Game, S

FORMAT = "zermelo sum network 1"
WEIGHTS = {"rows": np.int16, "bias": np.int16, "head": np.int16, "direct": np.int32, "offset": np.int32}
"""The tensors of a network, and their numbers."""


@dataclass(frozen=True, slots=True)
class Field:
    """A number in a state, and the inputs that it switches on, from `first` on; see `native/networks/inputs.hpp`."""

    path: str
    """The field of the state, for people."""
    offset: int
    size: int
    number: str
    """`signed`, `unsigned` or `floating`."""
    encoding: str
    """`bits`, `values` or `ranges`."""
    first: int
    mask: int = 0
    low: int = 0
    high: int = 0
    edges: tuple[float, ...] = ()

    def native(self) -> _core.InputField:
        return _core.InputField(
            offset=self.offset,
            size=self.size,
            number=getattr(_core.InputNumber, self.number),
            encoding=getattr(_core.InputEncoding, self.encoding),
            first=self.first,
            mask=self.mask,
            low=self.low,
            high=self.high,
            edges=list(self.edges),
        )


@dataclass(frozen=True, slots=True)
class Shape:
    """What goes into a network, and its size."""

    fields: tuple[Field, ...]
    """Empty for a game with `inputs` of its own."""
    inputs: int
    state_size: int
    width: int
    """Units of the accumulator; 0 for a weighted sum of the inputs."""
    movers: int
    """Sets of weights: one for each player to move, and for chance."""
    most_active: int
    """The greatest number of inputs that are on at once."""
    stages: int = 1
    stage_edges: tuple[int, ...] = ()
    """The stages by the number of inputs that are on; empty if `stage(s)` says them."""

    def native(self) -> _core.SumShape:
        return _core.SumShape(
            fields=[each.native() for each in self.fields],
            inputs=self.inputs,
            state_size=self.state_size,
            width=self.width,
            movers=self.movers,
            stages=self.stages,
            stage_edges=list(self.stage_edges),
        )

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps(dataclasses.asdict(self)))  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Shape:
        fields = tuple(Field(**{**each, "edges": tuple(each["edges"])}) for each in data["fields"])
        return cls(**{**data, "fields": fields, "stage_edges": tuple(data["stage_edges"])})


@dataclass(frozen=True)
class Network:
    """A sum network, and the record of its making."""

    game: Mapping[str, Any]
    """Which game it was learned for: `identify(game)`."""
    shape: Shape
    weights: Mapping[str, NDArray[Any]]
    record: Mapping[str, Any] = field(default_factory=dict)
    where: str = "the network"
    """Its file, for errors."""

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Network:
        """The network in the file `path`; refuses whatever else it holds."""
        tensors, notes = read_tensors(path)
        try:
            if notes["format"] != FORMAT:
                raise ValueError(f"its format is {notes['format']!r}, and this zermelo reads {FORMAT!r}")
            shape = Shape.from_json(json.loads(notes["shape"]))
            weights = {name: tensors[name].ravel() for name in WEIGHTS}
            for name, kind in WEIGHTS.items():
                if weights[name].dtype != kind:
                    raise ValueError(f"its {name} are numbers of another kind")
            return cls(json.loads(notes["game"]), shape, weights, json.loads(notes["record"]), str(path))
        except (KeyError, TypeError, ValueError, RecursionError) as error:
            raise InputError(f"{path} is not a network: {error}; `zermelo train` makes one") from None

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the file atomically: an existing file stays until the new one is complete."""
        tensors: Tensors = {name: np.asarray(self.weights[name], kind) for name, kind in WEIGHTS.items()}
        notes = {
            "format": FORMAT,
            "game": json.dumps(self.game),
            "shape": json.dumps(self.shape.to_json()),
            "record": json.dumps(self.record, ensure_ascii=False),
        }
        write_tensors(path, tensors, notes)

    def native(self, compiled: CompiledGame[Any]) -> _core.SumNetwork:
        """The network in the core; an `InputError` if it does not fit the game or its own shape."""
        try:
            weights = _core.SumWeights(**{name: np.asarray(self.weights[name], kind) for name, kind in WEIGHTS.items()})
            return _core.SumNetwork(compiled.handle, self.shape.native(), weights)
        except (ValueError, TypeError, AttributeError, OverflowError) as error:
            raise InputError(f"{self.where} cannot be used: {error}") from None

    def why_not(self, game: AnyGame) -> str:
        """Why the network was not learned for `game`; empty if it was."""
        wanted, own = self.game, identify(game)
        for name, what in (("game", "game"), ("options", "options"), ("states", "states")):
            if wanted.get(name) != own[name]:
                return f"its {what} were {wanted.get(name)}, not {own[name]}"
        return ""


def identify(game: AnyGame) -> dict[str, Any]:
    """What makes a network fit a game: its class, its options, and how states are written."""
    if isinstance(game, NativeGame):
        fields: Any = game.native.handle.state_size
    else:
        fields = layout.describe(layout.infer(game.initial()))
    options = {
        name: value
        for name, value in sorted(vars(game).items())
        if isinstance(value, PLAIN) and not name.startswith("_") and name not in ("weights", "network")
    }
    state = [fields, game.players, list(game.bounds)]
    name = type(game).__name__
    return {"game": name, "options": options, "states": hashlib.sha256(repr(state).encode()).hexdigest()[:16]}


class _Evaluated(NetworkGame[S]):
    """The methods of a game that a network evaluates; the class of the game itself stands behind it."""

    rules: Game[S, int]
    """The game without the network."""
    network: Network
    simulation: ClassVar[Mapping[str, Any]] = {}
    _compiled: CompiledGame[S] | None = None

    def evaluate(self, s: S, p: int) -> float:
        if self._compiled is None:
            self._compiled = self.compile()
        return float(self._compiled.ask("evaluate", s, p))

    def compile(self) -> CompiledGame[S]:
        compiled = copy.copy(native_rules(self.rules))
        compiled.game = self
        compiled.handle = _core.network_table(compiled.handle, self.network.native(compiled))
        return compiled

    def __reduce__(self) -> tuple[Any, ...]:
        return with_network, (self.rules, self.network)


def with_network(game: Game[S, int], network: Network) -> Game[S, int]:
    """`game`, evaluated by `network`; refuses a network of another game."""
    rules = without_network(game)
    if why := network.why_not(rules):
        raise InputError(f"{network.where} was learned for another game: {why}")
    kind = type(rules)
    evaluated = copy.copy(rules)
    # What explains the hand-made evaluation says nothing about the network's.
    body = {"__doc__": kind.__doc__, "__module__": kind.__module__, "explain": Game.explain}
    evaluated.__class__ = type(kind.__name__, (_Evaluated, kind), body)
    made = cast(_Evaluated[S], evaluated)
    made.rules, made.network = rules, network
    return made


def without_network(game: Game[S, int]) -> Game[S, int]:
    """`game` with its hand-made evaluation, if any."""
    return game.rules if isinstance(game, _Evaluated) else game
