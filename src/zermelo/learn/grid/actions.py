"""Where on a board actions act, and how: a policy has the same weights for all actions that act alike.

What an action does is seen in positions of random games: the cells that hold something else afterwards than such cells
usually do. Placing a stone acts on one cell, a step on two, a jump on two that lie farther apart. Actions whose cells
lie to each other in the same way act alike, wherever on the board. How actions are numbered makes no difference, nor
does it whether a state is written as the mover sees it: then stones of one kind usually become those of the other.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.compiled import CompiledGame
from zermelo.engine.grid import NOWHERE
from zermelo.engine.network import Field
from zermelo.learn.inputs import Columns

STEPPED_STATES = 500
"""Positions whose actions are played."""
MOST_PLAYED = 16
"""Actions of a position that are played."""
OFTEN = 0.8
"""An action acts on a cell if that differs so often."""
MOST_BEYOND = 0.1
"""Of the actions that were played, so many may act on no cell."""
MOST_WAYS = 1024

Contents = NDArray[np.uint64]
"""[states][cells]: numbers that are equal where cells hold the same."""


def place_actions(
    compiled: CompiledGame[Any],
    states: Columns,
    actions: Sequence[int],
    board: tuple[int, int],
    places: Sequence[int],
    fields: Sequence[Field],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The cell on which each of `actions` acts and the way in which it does; nothing if they are not those of cells."""
    cells = board[0] * board[1]
    if cells == 1:
        return (), ()
    before, after, played = _play(compiled, states)
    if not played:
        return (), ()
    reader = _read_fields(fields) if fields else _read_own(compiled)
    old, new = (_contents(reader(rows), len(rows), cells, places) for rows in (before, after))
    numbers = np.arange(cells).reshape(board)
    turns = [numbers.ravel(), numbers[::-1].ravel(), numbers[::-1, ::-1].ravel()]
    turn, changed = min(((turn, _changes(old[:, turn], new)) for turn in turns), key=lambda found: found[1].sum())
    changes: dict[int, Any] = defaultdict(lambda: np.zeros(cells))
    seen = Counter(played)
    for action, row in zip(played, changed, strict=True):
        changes[action] += row
    acting = {
        action: tuple(sorted(int(turn[cell]) for cell in np.flatnonzero(changes[action] >= OFTEN * seen[action])))
        if seen[action]
        else ()
        for action in actions
    }
    beyond = sum(count for action, count in seen.items() if not acting.get(action))
    if beyond > MOST_BEYOND * seen.total():
        return (), ()
    return _ways(acting, board[1])


def _play(compiled: CompiledGame[Any], states: Columns) -> tuple[Columns, Columns, list[int]]:
    """Positions, what they become, and the actions in between."""
    handle, chance = compiled.handle, np.random.default_rng(0)
    before: list[Any] = []
    after: list[Any] = []
    played: list[int] = []
    for row in states[:: max(1, len(states) // STEPPED_STATES)]:
        state = row.tobytes()
        if handle.info(state).mover < 0:
            continue
        for action in chance.permutation(handle.actions(state))[:MOST_PLAYED].tolist():
            before.append(row)
            after.append(np.frombuffer(handle.step(state, action).state, np.uint8))
            played.append(action)
    return np.array(before), np.array(after), played


Marked = Iterable[tuple[int, NDArray[np.bool_] | NDArray[np.int64]]]
"""Inputs, each with the states in which it is on: their numbers, or a truth value for each."""


def _contents(inputs: Marked, states: int, cells: int, places: Sequence[int]) -> Contents:
    """What the cells hold: the planes that are on there, as one number."""
    chance = np.random.default_rng(1)
    found = np.zeros((states, cells), np.uint64)
    marks: dict[int, np.uint64] = defaultdict(lambda: chance.integers(1, 1 << 63, dtype=np.uint64))
    for i, on in inputs:
        if places[i] != NOWHERE:
            found[on, places[i] % cells] ^= marks[places[i] // cells]
    return found


def _read_fields(fields: Sequence[Field]) -> Callable[[Columns], Marked]:
    return lambda states: ((i, on) for field in fields for i, on in _inputs_on(field, states).items())


def _read_own(compiled: CompiledGame[Any]) -> Callable[[Columns], Marked]:
    """The game's own inputs, as one player sees them."""

    def read(states: Columns) -> Marked:
        found: dict[int, list[int]] = defaultdict(list)
        for number, row in enumerate(states):
            for i in compiled.handle.inputs(row.tobytes(), 0):
                found[i].append(number)
        return ((i, np.array(numbers)) for i, numbers in sorted(found.items()))

    return read


def _inputs_on(field: Field, states: Columns) -> dict[int, NDArray[np.bool_]]:
    """For each input of a number, in which states it is on."""
    code = {"signed": "i", "unsigned": "u", "floating": "f"}[field.number] + str(field.size)
    numbers = np.ascontiguousarray(states[:, field.offset : field.offset + field.size]).view(code)[:, 0]
    if field.encoding == "bits":
        bits = [bit for bit in range(field.mask.bit_length()) if field.mask >> bit & 1]
        return {field.first + bit: (numbers >> numbers.dtype.type(bit) & numbers.dtype.type(1)) != 0 for bit in bits}
    if field.encoding == "values":
        values = np.clip(numbers, field.low, field.high)
        return {field.first + i: values == field.low + i for i in range(field.high - field.low + 1)}
    ranges = np.searchsorted(field.edges, numbers, side="right")
    return {field.first + i: ranges == i for i in range(len(field.edges) + 1)}


def _changes(old: Contents, new: Contents) -> NDArray[np.bool_]:
    """Which cells hold something else afterwards than cells with what they held before usually do."""
    (_, before), (kinds, after) = (np.unique(each, return_inverse=True) for each in (old, new))
    pairs = np.bincount(before.ravel() * len(kinds) + after.ravel(), minlength=(before.max() + 1) * len(kinds))
    usual = pairs.reshape(-1, len(kinds)).argmax(axis=1)
    found: NDArray[np.bool_] = (usual[before.ravel()] != after.ravel()).reshape(old.shape)
    return found


def _ways(acting: Mapping[int, tuple[int, ...]], columns: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The first cell of each action, and a number for how its cells lie to each other.

    Several actions on the same cells, as a step from one to the other and back, are told apart by their order."""
    alike: dict[tuple[int, ...], list[int]] = defaultdict(list)
    for action, cells in acting.items():
        alike[cells].append(action)
    ways: dict[Any, int] = {}
    found, beyond = {}, 0
    for cells, actions in alike.items():
        for order, action in enumerate(sorted(actions)):
            if not cells:
                found[action] = NOWHERE, beyond
                beyond += 1
                continue
            first = divmod(cells[0], columns)
            lie = tuple((cell // columns - first[0], cell % columns - first[1]) for cell in cells)
            found[action] = cells[0], ways.setdefault((lie, order), len(ways))
    if max(len(ways), beyond) > MOST_WAYS or 2 * len(ways) > len(acting):
        return (), ()
    return tuple(found[action][0] for action in acting), tuple(found[action][1] for action in acting)
