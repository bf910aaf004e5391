"""The shape of a grid network from the rules: which inputs lie where on a board, and which actions have a prior.

The inputs are those of sum networks (`zermelo.learn.inputs`). Those of bit boards, and of arrays and tuples with a
number for each cell, lie on planes; all others concern the whole board. How many rows and columns the board has is
found in this order:

1. the game's own `board = (rows, columns)`;
2. the shape of its arrays with two dimensions;
3. numbers of the game object (`rows` and `columns`, `height` and `width`, `size`, `board_size`) that fit the number of
   cells;
4. a square;
5. one row.

Bits that are never used may separate the lines of a bit board, as those above the columns of Connect Four do.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.engine.compiled import CompiledGame
from zermelo.engine.grid import NOWHERE, GridShape
from zermelo.engine.network import Field
from zermelo.errors import ContractError, MethodError
from zermelo.learn.grid.actions import place_actions
from zermelo.learn.inputs import Columns, derive_shape

LEAST_CELLS = 4
"""Fewer numbers in a row are no board."""
MOST_LINES = 64
"""Rows, and columns, of a board."""
MOST_SPARE_BITS = 2
"""Between two lines of a bit board."""
SIZES = (("rows", "columns"), ("height", "width"), ("size", "size"), ("n", "n"))
"""Attributes that say how large a board is."""
POLICY_WEIGHTS = 1 << 18
"""The dense policy has as many planes as keep it below this size, …"""
POLICY_PLANES = (2, 16)
"""… at least and at most."""
MOST_ACTIONS = 4096
"""Rarer actions have no prior of their own."""
ASKED_STATES = 4000
"""Positions whose actions are looked at."""


Indexed = dict[tuple[int, ...], dict[int, int]]
"""The input of a value, by the index of a bit, or of a number in an array."""


@dataclass(frozen=True, slots=True)
class _Layer:
    """Inputs of one kind, with a plane for each of their values."""

    inputs: Indexed
    extent: tuple[int, ...]
    """One more than the greatest index; of a bit board, than its last bit."""
    is_bits: bool


def derive_grid(compiled: CompiledGame[Any], states: Columns, channels: int, blocks: int) -> GridShape:
    """The shape of a grid network for a game, as seen in the bytes of many `states`."""
    sums = derive_shape(compiled, states, 0, patterns=False)
    layers = list(_layers(sums.fields)) if sums.fields else []
    if not sums.fields:
        rows, columns, places, planes, others = _place_own(compiled.game, sums.inputs)
    else:
        rows, columns = _board(compiled.game, layers)
        places, planes, others = _place(layers, sums.fields, sums.inputs, rows, columns)
    actions = _actions(compiled, states)
    cells = rows * columns
    on_board = [place if place < planes * cells else NOWHERE for place in places]
    action_cells, action_ways = place_actions(compiled, states, actions, (rows, columns), on_board, sums.fields)
    fitting = POLICY_WEIGHTS // (cells * max(len(actions), 1))
    planes_of_policy = min(max(1 << fitting.bit_length() >> 1, POLICY_PLANES[0]), POLICY_PLANES[1])
    return GridShape(
        sums.fields,
        sums.inputs,
        sums.state_size,
        tuple(places),
        rows,
        columns,
        planes,
        others + 1,
        channels,
        blocks,
        actions,
        action_cells,
        action_ways,
        planes_of_policy,
        compiled.game.can("owners"),
    )


# Which inputs belong together.

_INDEXED = re.compile(r"(.*)\[([\d, ]+)\]")


def _layers(fields: tuple[Field, ...]) -> Iterator[_Layer]:
    """Bit boards one by one, and arrays of numbers as a whole."""
    arrays: dict[str, Indexed] = defaultdict(dict)
    for field in fields:
        if field.encoding == "bits":
            bits: Indexed = {(bit,): {0: field.first + bit} for bit in _bits(field.mask)}
            yield _Layer(bits, (field.mask.bit_length(),), True)
        elif found := _INDEXED.fullmatch(field.path):
            index = tuple(int(number) for number in found[2].split(","))
            arrays[f"{found[1]} {field.encoding}"][index] = _values(field)
    for inputs in arrays.values():
        dimensions = {len(index) for index in inputs}
        if len(dimensions) == 1:
            yield _Layer(inputs, tuple(max(index) + 1 for index in zip(*inputs, strict=True)), False)


def _values(field: Field) -> dict[int, int]:
    """The inputs of a number by its value, or by its range."""
    if field.encoding == "values":
        return {value: field.first + value - field.low for value in range(field.low, field.high + 1)}
    return {i: field.first + i for i in range(len(field.edges) + 1)}


def _bits(mask: int) -> list[int]:
    return [bit for bit in range(mask.bit_length()) if mask >> bit & 1]


# The board.


def _board(game: Any, layers: list[_Layer]) -> tuple[int, int]:
    """Rows and columns; 1 and 1 for a game without a board."""
    if (declared := _declared(game)) is not None:
        return declared
    flat = Counter[tuple[int, ...]]()
    for layer in layers:
        if math.prod(layer.extent) >= LEAST_CELLS:
            flat[layer.extent] += sum(len(values) for values in layer.inputs.values())
    for extent, _ in flat.most_common():
        if len(extent) == 2 and max(extent) <= MOST_LINES:
            return extent[0], extent[1]
    lines = [layer for layer in layers if len(layer.extent) == 1 and layer.extent[0] >= LEAST_CELLS]
    if not lines:
        return 1, 1
    cells = max(layer.extent[0] for layer in lines)
    for rows, columns in _sizes(game):
        if all(_lattice(layer, rows, columns) for layer in lines if 2 * layer.extent[0] > cells):
            return rows, columns
        if all(_lattice(layer, columns, rows) for layer in lines if 2 * layer.extent[0] > cells):
            return columns, rows
    side = math.isqrt(cells - 1) + 1
    is_square = side * side == cells or (side * side - cells < side and all(layer.is_bits for layer in lines))
    if is_square and side <= MOST_LINES:
        return side, side
    return (1, cells) if cells <= MOST_LINES else (1, 1)


def _declared(game: Any) -> tuple[int, int] | None:
    board = getattr(game, "board", None)
    if board is None:
        return None
    try:
        rows, columns = (int(number) for number in board)
    except (TypeError, ValueError):
        return None  # a rule or a table of the game's own by that name
    if not (1 <= rows <= MOST_LINES and 1 <= columns <= MOST_LINES):
        raise ContractError(f"{game.name} has a board of {rows} × {columns}: 1 to {MOST_LINES} of each are possible")
    return rows, columns


def _sizes(game: Any) -> Iterator[tuple[int, int]]:
    named = [[getattr(game, name, None) for name in names] for names in SIZES]
    for numbers in [*named, list(reversed(game.board_size or ()))]:
        if len(numbers) == 2 and all(isinstance(number, int) and 1 < number <= MOST_LINES for number in numbers):
            yield numbers[0], numbers[1]


def _lattice(layer: _Layer, rows: int, columns: int) -> dict[tuple[int, ...], int] | None:
    """The cell of each index on a board of this size; `None` if it does not fit.

    A layer fits if its indices are rows of `columns`, with spare bits between them or not, and reach the last row."""
    if len(layer.extent) == 2:
        if layer.extent[0] > rows or layer.extent[1] > columns:
            return None
        return {index: index[0] * columns + index[1] for index in layer.inputs}
    spares = range(MOST_SPARE_BITS + 1) if layer.is_bits else range(1)
    for spare in spares:
        stride = columns + spare
        cells = {index: (index[0] // stride, index[0] % stride) for index in layer.inputs}
        reaches = layer.extent[0] > (rows - 1) * stride if layer.is_bits else layer.extent[0] == rows * columns
        if reaches and all(row < rows and column < columns for row, column in cells.values()):
            return {index: row * columns + column for index, (row, column) in cells.items()}
    return None


def _place(
    layers: list[_Layer], fields: tuple[Field, ...], inputs: int, rows: int, columns: int
) -> tuple[list[int], int, int]:
    """The place of each input, the number of planes, and that of inputs for the whole board."""
    cells = rows * columns
    places = [NOWHERE] * inputs
    planes = 0
    for layer in layers:
        found = _lattice(layer, rows, columns) if cells > 1 else None
        if found is None:
            continue
        values = sorted({value for each in layer.inputs.values() for value in each})
        for index, each in layer.inputs.items():
            for value, place in each.items():
                places[place] = (planes + values.index(value)) * cells + found[index]
        planes += len(values)
    others = 0
    for field in fields:
        used = _bits(field.mask) if field.encoding == "bits" else range(field.native().end - field.first)
        for i in used:
            if places[field.first + i] == NOWHERE:
                places[field.first + i] = planes * cells + others
                others += 1
    return places, planes, others


def _place_own(game: Any, inputs: int) -> tuple[int, int, list[int], int, int]:
    """Inputs of the game's own: planes one after another if it has a board that they fit, else all for the whole; of a
    game that says how many planes there are, those left over."""
    declared = _declared(game)
    if declared is not None and game.input_planes:
        others = inputs - game.input_planes * declared[0] * declared[1]
        if others < 0:
            raise ContractError(f"{game.name} has `input_planes` for more inputs than its `input_count` = {inputs}")
        return *declared, list(range(inputs)), game.input_planes, others
    for rows, columns in [*filter(None, [declared]), *_sizes(game)]:
        if inputs % (rows * columns) == 0:
            return rows, columns, list(range(inputs)), inputs // (rows * columns), 0
    return 1, 1, list(range(inputs)), 0, inputs


# The actions.


def _actions(compiled: CompiledGame[Any], states: Columns) -> tuple[int, ...]:
    """The actions of these positions, the most frequent ones if there are too many."""
    seen = Counter[int]()
    for row in states[:: max(1, len(states) // ASKED_STATES)]:
        state = row.tobytes()
        if compiled.handle.info(state).mover >= 0:
            seen.update(compiled.handle.actions(state))
    if not seen:
        raise MethodError(f"{compiled.game.name} has no position in which a player moves")
    return tuple(sorted(action for action, _ in seen.most_common(MOST_ACTIONS)))
