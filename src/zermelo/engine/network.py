"""Networks that were learned, each in one file, for the game that it was learned for.

    network = read_network("mygame.safetensors")
    game = with_network(MyGame(), network)          the same rules; every search evaluates by the network

A sum network, here, evaluates positions for alpha-beta (`native/networks/sum.hpp`); a grid network, in `grid.py`, has
a policy as well, for Monte Carlo tree search. The file holds the weights, and a record: the game and its options, what
the inputs are, and how the network was made.
"""

from __future__ import annotations

import copy
import dataclasses
import json
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.compiled import CompiledGame, native_rules
from zermelo.engine.core import _core
from zermelo.engine.equipped import NetworkGame, equip
from zermelo.engine.identity import identify, why_another
from zermelo.engine.tensors import Tensors, read_tensors, write_tensors
from zermelo.errors import InputError
from zermelo.game.contract import AnyGame, Game, S

FORMAT = "zermelo sum network 1"
WEIGHTS = {"rows": np.int16, "bias": np.int16, "head": np.int16, "direct": np.int32, "offset": np.int32}
"""The tensors of a network, and their numbers."""
GUIDES: Mapping[str, Mapping[str, Any]] = {
    "playouts": {"mix": 0.5, "judged_from": 8, "c": 0.7},
    "rave": {"mix": 0.5, "judged_from": 4, "c": 0.7, "rave": 300.0},
}
"""How a network can guide simulations with playouts: settings of Monte Carlo tree search."""


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


def read_fields(data: Iterable[Mapping[str, Any]]) -> tuple[Field, ...]:
    """The fields that were written as JSON."""
    return tuple(Field(**{**each, "edges": tuple(each["edges"])}) for each in data)


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
    slope: float = 0.0
    """Of the logistic function that makes a chance of a value; 0: values are chances."""

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

    def sizes(self) -> dict[str, int]:
        """How many weights of each name there are."""
        heads, views = self.stages * self.movers, 1 if self.fields else 2
        return {
            "rows": self.movers * self.inputs * self.width,
            "bias": self.movers * self.width,
            "head": heads * views * self.width,
            "direct": 0 if self.width else heads * self.inputs,
            "offset": heads,
        }

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps(dataclasses.asdict(self)))  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Shape:
        return cls(**{**data, "fields": read_fields(data["fields"]), "stage_edges": tuple(data["stage_edges"])})


class NetworkShape(Protocol):
    """What goes into a network, and its size."""

    def to_json(self) -> dict[str, Any]: ...


Sh = TypeVar("Sh", bound=NetworkShape)
N = TypeVar("N", bound="AnyNetwork")


@dataclass(frozen=True)
class StoredNetwork(Generic[Sh]):
    """A network of any kind, and the record of its making."""

    game: Mapping[str, Any]
    """Which game it was learned for, as `engine.identity` says."""
    shape: Sh
    weights: Mapping[str, NDArray[Any]]
    record: Mapping[str, Any] = field(default_factory=dict)
    where: str = "the network"
    """Its file, for errors."""

    format: ClassVar[str]
    shapes: ClassVar[type[Any]]
    """The class of its shape."""
    numbers: ClassVar[Mapping[str, Any]]
    """Its tensors, and their numbers."""

    @classmethod
    def read(cls: type[N], path: str | os.PathLike[str]) -> N:
        """The network in the file `path`; refuses whatever else it holds."""
        return cls.take(path, *read_tensors(path))

    @classmethod
    def take(cls: type[N], path: str | os.PathLike[str], tensors: Tensors, notes: Mapping[str, str]) -> N:
        """The network of what the file `path` holds."""
        try:
            if notes["format"] != cls.format:
                raise ValueError(f"its format is {notes['format']!r}, and this zermelo reads {cls.format!r}")
            shape = cls.shapes.from_json(json.loads(notes["shape"]))
            tensors = cls.restored(shape, tensors)
            weights = {name: tensors[name].ravel() for name in cls.numbers}
            for name, kind in cls.numbers.items():
                if weights[name].dtype != kind:
                    raise ValueError(f"its {name} are numbers of another kind")
            cls.check_sizes(shape, weights)
            made = cls(json.loads(notes["game"]), shape, weights, json.loads(notes["record"]), str(path))
            if made.guide not in ("", *GUIDES):
                raise ValueError(f"it guides simulations by {made.guide!r}, which this zermelo does not know")
            return made
        except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
            raise InputError(f"{path} is not a network: {error}; `zermelo train` makes one") from None

    @classmethod
    def check_sizes(cls, shape: Any, weights: Mapping[str, NDArray[Any]]) -> None:
        """Refuses weights that do not fit the shape, as far as that can be seen without the game."""

    def write(self, path: str | os.PathLike[str]) -> None:
        """Writes the file atomically: an existing file stays until the new one is complete."""
        notes = {
            "format": self.format,
            "game": json.dumps(self.game),
            "shape": json.dumps(self.shape.to_json()),
            "record": json.dumps(self.record, ensure_ascii=False),
        }
        write_tensors(path, self.stored(), notes)

    def tensors(self) -> Tensors:
        """Its weights, as its file has them."""
        return {name: np.asarray(self.weights[name], kind) for name, kind in self.numbers.items()}

    def stored(self) -> Tensors:
        """The same as its file has them."""
        return self.tensors()

    @classmethod
    def restored(cls, shape: Any, tensors: Tensors) -> Tensors:  # noqa: ARG003
        """What `stored` made smaller, as it was."""
        return tensors

    @property
    def chance(self) -> float:
        """By what its output is multiplied, where it learned results that say more, to give the odds to win."""
        chance = self.record.get("chance", 1.0)
        if not (isinstance(chance, (int, float)) and 0 < chance < math.inf):
            raise ValueError(f"its outputs cannot be chances by a factor of {chance!r}")
        return float(chance)

    @property
    def guide(self) -> str:
        """How it guides simulations with playouts, one of `GUIDES`; empty if positions are judged by it alone."""
        return str(self.record.get("guide", ""))

    def guiding(self: N, guide: str) -> N:
        """The same network, used so."""
        return dataclasses.replace(self, record={**self.record, "guide": guide})

    def attach(self, game: Game[S, int]) -> Game[S, int]:
        """`game`, which it was learned for, with the methods that the network gives it."""
        raise NotImplementedError

    def native(self, compiled: CompiledGame[Any]) -> Any:
        """The network in the core; an `InputError` if it does not fit the game or its own shape."""
        try:
            return self._to_core(compiled)
        except TypeError:  # what the core says of it names all its arguments
            raise InputError(f"{self.where} cannot be used: a number of its shape is of another kind") from None
        except (ValueError, AttributeError, OverflowError) as error:
            raise InputError(f"{self.where} cannot be used: {error}") from None

    def _to_core(self, compiled: CompiledGame[Any]) -> Any:
        raise NotImplementedError

    def why_not(self, game: AnyGame) -> str:
        """Why the network was not learned for `game`; empty if it was."""
        return "" if self.was_learned_as(game) else why_another(self.game, game, game.networks_ignore)

    def was_learned_as(self, game: AnyGame) -> bool:
        """Whether it was learned for the game that networks of `game` learn, which is another one."""
        lesson = learned_as(game)
        return lesson is not game and not why_another(self.game, lesson, lesson.networks_ignore)


AnyNetwork: TypeAlias = StoredNetwork[Any]


class Network(StoredNetwork[Shape]):
    """A sum network."""

    format = FORMAT
    shapes = Shape
    numbers = WEIGHTS

    @classmethod
    def check_sizes(cls, shape: Shape, weights: Mapping[str, NDArray[Any]]) -> None:
        for name, size in shape.sizes().items():
            if weights[name].size != size:
                raise ValueError(f"its {name} do not fit its shape")

    def _to_core(self, compiled: CompiledGame[Any]) -> _core.SumNetwork:
        shape, game = self.shape, compiled.game
        own = game.input_count if game.can("inputs") else 0
        if not shape.fields and shape.inputs != own:
            raise ValueError(f"it has {shape.inputs} inputs, and the game {own}")
        weights = _core.SumWeights(**self.tensors())
        chance = self.chance if self.was_learned_as(without_network(game)) else 1.0
        return _core.SumNetwork(compiled.handle, shape.native(), weights, shape.slope, chance)

    def stored(self) -> Tensors:
        """Weights of 16 bits, if they fit, and only those of inputs that have any, if these are few of all."""
        tensors = self.tensors()
        direct = tensors["direct"].reshape(-1, self.shape.inputs)
        used = np.flatnonzero(direct.any(0)).astype(np.int32)
        if not direct.size:
            return tensors
        if (len(direct) + 2) * len(used) < direct.size:
            tensors["used"] = used
            direct = direct[:, used]
        narrow = direct.astype(np.int16)
        tensors["direct"] = narrow if (narrow == direct).all() else direct
        return tensors

    @classmethod
    def restored(cls, shape: Shape, tensors: Tensors) -> Tensors:
        given = tensors["direct"]
        direct = given.astype(np.int32) if given.dtype == np.int16 else given
        if "used" in tensors:
            used = tensors["used"]
            if not (used.dtype == np.int32 and used.size and used.min() >= 0 and used.max() < shape.inputs):
                raise ValueError("it has weights of inputs that it does not have")
            if used.ndim != 1 or direct.ndim != 2 or direct.shape[1] != len(used):
                raise ValueError("its direct do not fit its inputs")
            whole = np.zeros((len(direct), shape.inputs), np.int32)
            whole[:, used] = direct
            direct = whole
        return {**tensors, "direct": direct}

    def attach(self, game: Game[S, int]) -> Game[S, int]:
        return give_methods(game, self, Guided if self.guide else Evaluated)


def read_network(path: str | os.PathLike[str]) -> AnyNetwork:
    """The network in the file `path`, of whichever kind."""
    from zermelo.engine.grid import GridNetwork

    tensors, notes = read_tensors(path)
    kind = GridNetwork if notes.get("format") == GridNetwork.format else Network
    return kind.take(path, tensors, notes)


class Evaluated(NetworkGame[S]):
    """The methods of a game that a network evaluates; the class of the game itself stands behind it."""

    network: AnyNetwork
    simulation: ClassVar[Mapping[str, Any]] = {}
    _compiled: CompiledGame[S] | None = None
    native_network: Any = None
    """The network in the core, once the rules are compiled with it."""

    def evaluate(self, s: S, p: int) -> float:
        return float(self.compiled.ask("evaluate", s, p))

    @property
    def compiled(self) -> CompiledGame[S]:
        """The rules with the network, made at the first call."""
        if self._compiled is None:
            self._compiled = self.compile()
        return self._compiled

    def compile(self) -> CompiledGame[S]:
        compiled = copy.copy(native_rules(self.rules))
        compiled.game = self
        self.native_network = self.network.native(compiled)
        compiled.handle = _core.network_table(compiled.handle, self.native_network)
        return compiled

    def __reduce__(self) -> tuple[Any, ...]:
        return with_network, (self.rules, self.network)


class Judged(Evaluated[S]):
    """The methods of a game that a network judges, for Monte Carlo tree search."""

    def judge(self, states: Sequence[S]) -> tuple[list[list[float]], list[list[float]]]:
        compiled = self.compiled
        found = [compiled.handle.policy(compiled.pack(s)) for s in states]
        return [priors for priors, _ in found], [utilities for _, utilities in found]


class Guided(Judged[S]):
    """The same where the network guides simulations with playouts: it judges positions that are visited often."""

    @property
    def simulation(self) -> Mapping[str, Any]:  # type: ignore[override]
        return GUIDES[self.network.guide]


def with_network(game: Game[S, int], network: AnyNetwork) -> Game[S, int]:
    """`game` with `network`; refuses a network of another game."""
    rules = without_network(game)
    if why := network.why_not(rules):
        raise InputError(f"{network.where} was learned for another game: {why}")
    return network.attach(rules)


def give_methods(rules: Game[S, int], network: AnyNetwork, methods: type[Evaluated[S]]) -> Game[S, int]:
    """`rules` as a game of a class that has `methods`, too."""
    # What explains the hand-made evaluation says nothing about the network's.
    made = equip(rules, methods, explain=Game.explain)
    made.network = network
    return made


def learned_as(game: AnyGame) -> AnyGame:
    """The game that networks of `game` learn, with its network, if it has one; mostly `game` itself."""
    rules = without_network(game)
    if not rules.can("learned_as"):
        return game
    lesson, network = rules.learned_as(), network_of(game)
    if identify(lesson) == identify(rules):
        return game
    return lesson if network is None or network.why_not(lesson) else with_network(lesson, network)


def network_of(game: AnyGame) -> AnyNetwork | None:
    """The network that evaluates `game`, if one does."""
    return game.network if isinstance(game, Evaluated) else None


def without_network(game: Game[S, int]) -> Game[S, int]:
    """`game` with its hand-made evaluation, if any."""
    return game.rules if isinstance(game, Evaluated) else game
