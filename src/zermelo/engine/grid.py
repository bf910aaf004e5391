"""Grid networks: a probability for each action and a value, for Monte Carlo tree search.

The core computes them (`native/networks/grid.hpp`). Weights are floats of 32 bits, so that the last bits of a value may
differ from machine to machine.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.compiled import CompiledGame
from zermelo.engine.core import _core
from zermelo.engine.network import Field, Guided, Judged, StoredNetwork, give_methods, read_fields
from zermelo.engine.tensors import Tensors
from zermelo.game.contract import Game, S

TENSORS = (
    *("in_planes", "in_globals", "in_bias", "conv", "conv_bias", "pool"),
    *("policy_hidden", "policy_hidden_bias", "policy_pool", "policy_out", "policy_out_bias", "policy_extra"),
    *("value_hidden", "value_hidden_bias", "value_out", "value_out_bias"),
    *("owner_out", "owner_out_bias"),
)
LISTS = ("places", "actions", "action_cells", "action_ways")
"""The fields of a shape that are lists."""
NOWHERE = _core.GridShape.NOWHERE
"""The place of an input that is not used."""


@dataclass(frozen=True, slots=True)
class GridShape:
    """What goes into a network, and its size."""

    fields: tuple[Field, ...]
    """Empty for a game with `inputs` of its own."""
    inputs: int
    state_size: int
    places: tuple[int, ...]
    """Of each input: plane · cells + cell, planes · cells + its global number, or `NOWHERE`."""
    rows: int
    columns: int
    planes: int
    globals: int
    """Inputs that belong to no cell; the last is on if player 1 moves."""
    channels: int
    blocks: int
    actions: tuple[int, ...]
    """Those that have a logit, ascending."""
    action_cells: tuple[int, ...] = ()
    """The cell on which each of them acts, `NOWHERE` for one beyond the board, as a pass; empty if they have none."""
    action_ways: tuple[int, ...] = ()
    """How each of them acts on its cell, from 0 on: all that act alike share their weights. Those beyond the board are
    numbered by themselves."""
    policy_planes: int = 4
    """Units of a cell's policy where actions have no cells."""
    owners: bool = False
    """Whether the network says who will have each cell in the end."""

    @property
    def cells(self) -> int:
        return self.rows * self.columns

    def ways(self, beyond: bool = False) -> int:
        """In how many ways actions act on cells; or how many there are beyond the board."""
        pairs = zip(self.action_cells, self.action_ways, strict=True)
        return max((way + 1 for cell, way in pairs if (cell == NOWHERE) == beyond), default=0)

    def native(self) -> _core.GridShape:
        given = {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}
        lists = {name: list(given[name]) for name in LISTS}
        return _core.GridShape(**{**given, **lists, "fields": [each.native() for each in self.fields]})

    def to_json(self) -> dict[str, Any]:
        return json.loads(json.dumps(dataclasses.asdict(self)))  # type: ignore[no-any-return]

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> GridShape:
        lists = {name: tuple(data[name]) for name in LISTS}
        return cls(**{**data, **lists, "fields": read_fields(data["fields"])})


def split_weights(shape: GridShape, weights: NDArray[np.float32]) -> dict[str, NDArray[np.float32]]:
    """The tensors of which the array `weights` is made."""
    sizes = shape.native().tensors
    ends = np.cumsum([sizes[name] for name in TENSORS])
    return dict(zip(TENSORS, np.split(weights, ends[:-1]), strict=True))


class Owning(Judged[S]):
    """The methods of a game whose network says who will have each cell in the end, too."""

    def ownership(self, s: S) -> list[float]:
        """For each cell how surely it will be player 0's (1) or the other's (−1)."""
        compiled = self.compiled
        shares: list[float] = self.native_network.owners(compiled.handle, compiled.pack(s))
        return shares


class OwningGuide(Owning[S], Guided[S]):
    """The same where the network guides simulations with playouts."""


class GridNetwork(StoredNetwork[GridShape]):
    """A grid network."""

    format = "zermelo grid network 2"
    shapes = GridShape
    numbers = dict.fromkeys(TENSORS, np.float32)

    def _to_core(self, compiled: CompiledGame[Any]) -> _core.GridNetwork:
        return _core.GridNetwork(compiled.handle, self.shape.native(), self.tensors())

    def stored(self) -> Tensors:
        """Weights of 16 bits, if they are numbers of 16 bits, as those that training makes are."""
        tensors = self.tensors()
        narrow = {name: part.astype(np.float16) for name, part in tensors.items()}
        return narrow if all((narrow[name] == part).all() for name, part in tensors.items()) else tensors

    @classmethod
    def restored(cls, shape: GridShape, tensors: Tensors) -> Tensors:
        nobody = {} if shape.owners else dict.fromkeys(("owner_out", "owner_out_bias"), np.zeros(0, np.float32))
        wide = {name: part.astype(np.float32) if part.dtype == np.float16 else part for name, part in tensors.items()}
        return {**nobody, **wide}

    def attach(self, game: Game[S, int]) -> Game[S, int]:
        if self.shape.owners:
            return give_methods(game, self, OwningGuide if self.guide else Owning)
        return give_methods(game, self, Guided if self.guide else Judged)
