"""Networks in the core against NumPy, on 10,000 positions and on whole games.

    integers   the output of a quantised network is NumPy's, exactly
    floats     the outputs of the trainer are NumPy's to 1e-4; so are the chances of dense networks
    rounding   an integer output differs from the trainer's by no more than rounding its weights allows
    a search   values of accumulators that are updated are those from scratch, over whole games

Networks that ship with the package are found by a scan.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.games.backgammon.test_networks import boards_of_games, in_contact

import zermelo.games
from zermelo.engine.compiled import TERMINAL, CompiledGame, compile_game
from zermelo.engine.core import _core
from zermelo.engine.identity import identify
from zermelo.engine.network import FORMAT, WEIGHTS, Network, Shape, with_network, without_network
from zermelo.engine.tensors import read_tensors
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.games.backgammon.networks import NAMES, Networks, inputs_of
from zermelo.learn.inputs import Columns, derive_shape, sample_states

POSITIONS = 10_000
ONE, HEAD_ONE = 255, 64
UNIT = ONE * HEAD_ONE
TOLERANCE = 1e-4
LEARNED = ("connect4", "checkers", "morris", "pig:goal=30")
"""Games whose networks are learned here for a moment."""

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


def shipped(kind: str) -> list[Path]:
    """The files of networks in the package: sum networks, or dense ones, which name no format."""
    files = sorted(Path(zermelo.games.__file__).parent.rglob("*.safetensors"))
    wanted = FORMAT if kind == "sum" else None
    notes = {file: read_tensors(file)[1] for file in files}
    values_of_hands = {file for file in files if "zermelo" in notes[file]}  # of ranges, which have tests of their own
    return [file for file in files if file not in values_of_hands and notes[file].get("format") == wanted]


def game_of(network: Network) -> AnyGame:
    """The game that a network of the package was learned for: its record has the command that made it."""
    return without_network(load(network.record["command"].split()[2]))


class Seen(NamedTuple):
    """What a network sees of many positions."""

    on: NDArray[np.bool_]
    """[position, input]"""
    rows: Ints
    heads: Ints


def see(compiled: CompiledGame[Any], shape: Shape, states: Columns) -> Seen:
    """By the description in `native/networks/inputs.hpp`."""
    on = np.zeros((len(states), shape.inputs), bool)
    every = np.arange(len(states))
    for field in shape.fields:
        code = {"signed": "i", "unsigned": "u", "floating": "f"}[field.number] + str(field.size)
        number = np.ascontiguousarray(states[:, field.offset : field.offset + field.size]).view(code)[:, 0]
        if field.encoding == "bits":
            for i in range(64):
                if field.mask >> i & 1:
                    on[:, field.first + i] = number.astype(np.uint64) >> np.uint64(i) & np.uint64(1)
        elif field.encoding == "values":
            on[every, field.first + number.clip(field.low, field.high).astype(np.int64) - field.low] = True
        else:
            on[every, field.first + np.searchsorted(np.array(field.edges), number, "right")] = True
    movers = np.array([compiled.handle.info(row.tobytes()).mover for row in states])
    rows = np.zeros(len(states), np.int64) if shape.movers == 1 else np.where(movers < 0, shape.movers - 1, movers)
    stages = np.searchsorted(np.array(shape.stage_edges), on.sum(1), "right")
    return Seen(on, rows, stages * shape.movers + rows)


def units_of(shape: Shape, seen: Seen, rows: NDArray[Any], bias: NDArray[Any]) -> NDArray[Any]:
    """The accumulators: [position, unit]."""
    units = np.zeros((len(seen.on), shape.width), rows.dtype)
    for mover in range(shape.movers):
        of = seen.rows == mover
        units[of] = seen.on[of].astype(rows.dtype) @ rows.reshape(shape.movers, shape.inputs, shape.width)[mover]
    return units + bias.reshape(shape.movers, shape.width)[seen.rows]


def direct_sums(shape: Shape, seen: Seen, direct: NDArray[Any]) -> NDArray[Any]:
    """The outputs of a network without units."""
    table = direct.reshape(-1, shape.inputs)
    return np.array([table[head, on].sum() for head, on in zip(seen.heads, seen.on, strict=True)])


def integer_outputs(network: Network, seen: Seen) -> Ints:
    shape = network.shape
    weights: dict[str, Ints] = {name: np.asarray(part, np.int64) for name, part in network.weights.items()}
    offset = weights["offset"][seen.heads]
    if shape.width == 0:
        return offset + direct_sums(shape, seen, weights["direct"])
    clipped = units_of(shape, seen, weights["rows"], weights["bias"]).clip(0, ONE)
    totals = (weights["head"].reshape(-1, shape.width)[seen.heads] * clipped * clipped).sum(1)
    return np.trunc(totals / ONE).astype(np.int64) + offset  # towards 0, as in C


def outputs_in_core(network: Network, compiled: CompiledGame[Any], states: Columns) -> Ints:
    native = network.native(compiled)
    return np.array([native.output(compiled.handle, row.tobytes()) for row in states])


def trainer_parts(shape: Shape, weights: NDArray[np.float32]) -> dict[str, Floats]:
    """The parts of the trainer's vector, with the rows that all movers share added to those of each."""
    heads, rows = shape.stages * shape.movers, shape.inputs * shape.width
    direct = 0 if shape.width else heads * shape.inputs
    sizes = [shape.movers * rows, shape.movers * shape.width, heads * shape.width, direct, heads]
    *parts, shared = np.split(weights.astype(np.float64), np.cumsum(sizes))
    found = dict(zip(WEIGHTS, parts, strict=True))
    if len(shared):
        found["rows"] = (found["rows"].reshape(shape.movers, -1) + shared).ravel()
    return found


def float_outputs(shape: Shape, parts: dict[str, Floats], seen: Seen) -> tuple[Floats, Floats]:
    """The outputs, and how far rounding the weights may move each of them."""
    offset = parts["offset"][seen.heads]
    on = seen.on.sum(1)
    if shape.width == 0:
        return offset + direct_sums(shape, seen, parts["direct"]), (on + 1) / (2 * UNIT)
    clipped = units_of(shape, seen, parts["rows"], parts["bias"]).clip(0, 1)
    head = parts["head"].reshape(-1, shape.width)[seen.heads]
    moved = (on + 1)[:, None] / (2 * ONE)
    rounded_head = np.round(head * HEAD_ONE) / HEAD_ONE
    bound = (np.abs(rounded_head) * moved * np.minimum(2, 2 * clipped + moved) + clipped**2 / (2 * HEAD_ONE)).sum(1)
    return offset + (head * clipped**2).sum(1), bound + 2 / UNIT  # the offset, and the division by 255


@pytest.mark.parametrize("width", [0, 64])
@pytest.mark.parametrize("name", LEARNED)
def test_the_core_and_the_trainer_say_what_numpy_says(name: str, width: int) -> None:
    compiled = compile_game(load(name))
    states = sample_states(compiled, POSITIONS)
    shape = derive_shape(compiled, states, width)
    native = shape.native()
    samples = _core.Samples(native)
    samples.add(compiled.handle, states.tobytes(), (states.sum(1) % 97 / 97).astype(np.float32))
    trainer = _core.SumTrainer(native, most_active=shape.most_active, batch=512, threads=1, decay=0.0, seed=1)
    trainer.learn(samples, 100, 0.01)
    seen = see(compiled, shape, states)
    expected, bound = float_outputs(shape, trainer_parts(shape, trainer.weights), seen)
    np.testing.assert_allclose(trainer.outputs(samples), expected, atol=TOLERANCE)
    weights = trainer.quantised()
    network = Network(identify(compiled.game), shape, {each: getattr(weights, each) for each in WEIGHTS})
    outputs = outputs_in_core(network, compiled, states)
    np.testing.assert_array_equal(outputs, integer_outputs(network, seen))
    assert (np.abs(outputs / UNIT - expected) <= bound + TOLERANCE).all()


def check_whole_games(network: Network, game: AnyGame, count: int = 30) -> None:
    """Values of a search that updates its accumulators are those from scratch, at each position of whole games."""
    compiled = compile_game(with_network(game, network))
    handle, chance = compiled.handle, np.random.default_rng(1)
    native = network.native(compiled)
    for _ in range(count):
        state, visited, scratch = handle.initial(), [], []
        while (mover := handle.info(state).mover) != TERMINAL and len(visited) < 2_000:
            visited.append((len(visited), state))
            scratch.append(handle.evaluate(state, max(mover, 0)))
            actions = list(handle.actions(state)) if mover >= 0 else [a for a, _ in handle.chances(state)]
            state = handle.step(state, actions[chance.integers(len(actions))]).state
        assert native.values_in_search(handle, visited) == scratch


@pytest.mark.parametrize("name", LEARNED)
def test_updated_values_are_those_from_scratch_over_whole_games(name: str) -> None:
    from zermelo.learn.learning import SumLearning

    game = load(name)
    check_whole_games(SumLearning(game, 64, 512, 1, 0).network({}), game)


@pytest.mark.parametrize("path", shipped("sum"), ids=lambda path: path.parent.name)
def test_sum_networks_of_the_package_are_exact_and_updated_right(path: Path) -> None:
    network = Network.read(path)
    game = game_of(network)
    check_whole_games(network, game)
    compiled = compile_game(game)
    states = sample_states(compiled, POSITIONS)
    if network.shape.fields:
        expected = integer_outputs(network, see(compiled, network.shape, states))
        np.testing.assert_array_equal(outputs_in_core(network, compiled, states), expected)


@pytest.mark.parametrize("path", shipped("dense"), ids=lambda path: path.parent.name)
def test_dense_networks_of_the_package_say_what_numpy_says(path: Path) -> None:
    tensors, notes = read_tensors(path)
    assert notes["game"] == path.parent.name == "backgammon"
    assert json.loads(notes["runs"])
    boards = boards_of_games(POSITIONS + 3_000, 5)
    boards = boards[in_contact(boards)][:POSITIONS]
    assert len(boards) == POSITIONS
    a, a_bias, b, b_bias, c, c_bias = (tensors[name].astype(np.float64) for name in NAMES["contact"])
    inner = np.maximum(np.maximum(inputs_of(boards) @ a + a_bias, 0) @ b + b_bias, 0)
    win = 1 / (1 + np.exp(-(inner @ c + c_bias)))[:, 0]
    np.testing.assert_allclose(Networks.read(path).chances(boards)[:, 0], win, atol=TOLERANCE)
