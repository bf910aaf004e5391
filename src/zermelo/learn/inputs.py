"""The inputs of a sum network from the layout of a game's states: nobody has to say what they are.

Which numbers occur is seen in positions of random games:

| numbers that | become |
|---|---|
| never change | nothing |
| are truth values, or lie within a small range | one input per value |
| are bit boards (`U64`) or other large whole numbers | one input per bit that changes |
| are large whole numbers with a sign, or have fractions | one input per range, of about as many positions each |

A whole number of medium size could be a bit board or a count: it gets inputs for both, and a count up to 127 one per
value. A game with `inputs` of its own
uses those.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.compiled import TERMINAL, CompiledGame
from zermelo.engine.network import Field, Shape
from zermelo.engine.rules import layout
from zermelo.errors import ContractError, MethodError

WORD_BITS = 64
MOST_VALUES = 40
"""A wider range of values is read by bits or by ranges."""
MOST_COUNT = 128
"""A count with a wider range is read by ranges."""
MOST_COUNT_BITS = 16
"""A whole number of which more bits change is a bit board, not a count."""
RANGES = 16
STAGES = 4
SAMPLED_POSITIONS = 20_000
MOST_PLIES = 2_000
"""Of a random game that is sampled."""
MOST_INPUTS = 1 << 20
OWN_SAMPLES = 2_000
"""Positions in which a game's own inputs are counted."""
OWN_RESERVE = 1.25
"""As many more of them may be on at once as were seen."""

Columns = NDArray[np.uint8]
"""The bytes of many states, a row each."""


def derive_shape(compiled: CompiledGame[Any], states: Columns, width: int, *, patterns: bool | None = None) -> Shape:
    """The shape of a network for a game, as seen in the bytes of many `states`.

    Inputs that are `patterns` are those of a network of width 0, unless something else is said.
    """
    game = compiled.game
    patterns = width == 0 if patterns is None else patterns
    size = compiled.handle.state_size
    if game.can("inputs") and (patterns or not game.inputs_are_patterns):
        if game.input_count < 1:
            raise ContractError(f"{game.name} has `inputs`: say how many there are, as in `input_count = 768`")
        seen = max(len(compiled.handle.inputs(row.tobytes(), p)) for row in states[:OWN_SAMPLES] for p in (0, 1))
        return Shape((), game.input_count, size, width, 1, math.ceil(OWN_RESERVE * seen), game.stage_count)
    fields = tuple(_place(field for leaf in _leaves(compiled) for field in _encode(leaf, states)))
    if not fields:
        raise MethodError(f"{game.name} has nothing to learn from: its states never change")
    inputs = -(-max(field.native().end for field in fields) // WORD_BITS) * WORD_BITS
    if inputs > MOST_INPUTS:
        raise MethodError(f"{game.name} has states too large to learn from: write `inputs(self, s, p)` for it")
    movers = 1 if game.players == 1 else game.players + game.kind.chance
    most = sum(field.mask.bit_count() if field.encoding == "bits" else 1 for field in fields)
    shape = Shape(fields, inputs, size, width, movers, most)
    return replace(shape, **_stages(compiled, shape, states))


def _stages(compiled: CompiledGame[Any], shape: Shape, states: Columns) -> dict[str, Any]:
    """The stages of a game: its own, or ranges of the number of inputs that are on."""
    if compiled.game.can("stage"):
        return {"stages": compiled.game.stage_count}
    on = count_active(shape, states)
    edges = sorted({int(edge) for edge in np.quantile(on, np.arange(1, STAGES) / STAGES)} - {int(on.min())})
    return {"stages": 1 + len(edges), "stage_edges": tuple(edges)}


def count_active(shape: Shape, states: Columns) -> NDArray[np.int64]:
    """How many inputs are on in each state."""
    on = np.zeros(len(states), np.int64)
    for field in shape.fields:
        if field.encoding == "bits":
            on += np.bitwise_count(_numbers(field, states).astype(np.uint64) & np.uint64(field.mask)).astype(np.int64)
        else:
            on += 1
    return on


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One number of a state."""

    path: str
    offset: int
    size: int
    kind: str
    """`int`, `word`, `float` or `bool`."""


def _leaves(compiled: CompiledGame[Any]) -> Iterator[_Leaf]:
    if not hasattr(compiled, "layout"):
        raise MethodError(
            f"the states of {compiled.game.name} are bytes of which nothing is known: its table needs the slot `inputs`"
        )
    for leaf in layout.leaves(compiled.layout):
        if isinstance(leaf, layout.Scalar):
            yield _Leaf(leaf.path, leaf.offset, layout.WORD, leaf.kind)
            continue
        dtype = np.dtype(leaf.dtype)
        kind = {"i": "int", "u": "word" if dtype.itemsize == layout.WORD else "int", "f": "float", "b": "bool"}[
            dtype.kind
        ]
        for i, index in enumerate(np.ndindex(leaf.shape)):
            at = ", ".join(map(str, index))
            yield _Leaf(f"{leaf.path}[{at}]", leaf.offset + i * dtype.itemsize, dtype.itemsize, kind)


def _encode(leaf: _Leaf, states: Columns) -> list[Field]:
    """The fields of one number; their inputs are numbered later."""
    number = {"float": "floating", "word": "unsigned"}.get(leaf.kind, "signed")
    field = Field(leaf.path, leaf.offset, leaf.size, number, "values", 0)
    values = _numbers(field, states)
    low, high = values.min(), values.max()
    if low == high:
        return []
    if leaf.kind == "float":
        return [_ranges(field, values)]
    if int(high) - int(low) < MOST_VALUES:
        return [replace(field, low=int(low), high=int(high))]
    if low < 0:
        return [_ranges(field, values)]
    words = values.astype(np.uint64)
    mask = int(np.bitwise_or.reduce(words) & ~np.bitwise_and.reduce(words))
    bits = replace(field, encoding="bits", mask=mask)
    is_board = leaf.kind == "word" or mask.bit_count() > MOST_COUNT_BITS
    if is_board:
        return [bits]
    is_small = int(high) - int(low) < MOST_COUNT
    return [bits, replace(field, low=int(low), high=int(high)) if is_small else _ranges(field, values)]


def _numbers(field: Field, states: Columns) -> NDArray[Any]:
    """The number of each state."""
    code = {"signed": "i", "unsigned": "u", "floating": "f"}[field.number] + str(field.size)
    return np.ascontiguousarray(states[:, field.offset : field.offset + field.size]).view(code)[:, 0]


def _ranges(field: Field, values: NDArray[Any]) -> Field:
    edges = np.unique(np.quantile(values.astype(np.float64), np.arange(1, RANGES) / RANGES))
    return replace(field, encoding="ranges", edges=tuple(float(edge) for edge in edges))


def _place(fields: Iterator[Field]) -> Iterator[Field]:
    """Numbers the inputs: a set of bits starts at a multiple of 64."""
    end = 0
    for field in fields:
        first = -(-end // WORD_BITS) * WORD_BITS if field.encoding == "bits" else end
        placed = replace(field, first=first)
        end = placed.native().end
        yield placed


def sample_states(compiled: CompiledGame[Any], count: int = SAMPLED_POSITIONS, seed: int = 0) -> Columns:
    """The bytes of positions of random games, none of them the end of one."""
    game, start = compiled.handle, compiled.pack(compiled.game.initial())
    chance = np.random.default_rng(seed)
    states: list[bytes] = []
    while len(states) < count:
        state, before = start, len(states)
        for _ in range(MOST_PLIES):
            mover = game.info(state).mover
            if mover == TERMINAL or len(states) >= count:
                break
            states.append(state)
            actions = [(a, 1.0) for a in game.actions(state)] if mover >= 0 else game.chances(state)
            odds = np.array([share for _, share in actions])
            state = game.step(state, actions[chance.choice(len(actions), p=odds / odds.sum())][0]).state
        if len(states) == before:
            raise MethodError(f"{compiled.game.name} is over before it begins: there is nothing to learn")
    return np.frombuffer(b"".join(states), np.uint8).reshape(len(states), -1)
