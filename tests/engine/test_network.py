"""Sum networks: the value is that of NumPy, however it was accumulated; what does not fit is refused."""

from __future__ import annotations

import copy
import json
import pickle
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

import zermelo as z
from zermelo.engine.compiled import compile_game
from zermelo.engine.identity import identify
from zermelo.engine.network import WEIGHTS, Network, Shape, with_network, without_network
from zermelo.engine.tensors import read_tensors, write_tensors
from zermelo.errors import InputError
from zermelo.games import load
from zermelo.learn.inputs import derive_shape, sample_states

UNIT = 255 * 64
DERIVED = ("connect4", "breakthrough:columns=5,rows=5", "checkers", "hex:size=5", "pig:goal=30", "race", "morris")
"""Games whose inputs come from their states."""
OWN = ("chess", "xiangqi")
"""Games of the core, with inputs of their own."""
GAMES = (*DERIVED, *OWN, "kalah")


def random_network(game: z.AnyGame, width: int, seed: int = 0) -> Network:
    """A network with weights as large as training makes them."""
    compiled = compile_game(game)
    shape = derive_shape(compiled, sample_states(compiled, 2_000, seed), width)
    chance = np.random.default_rng(seed)
    views = 1 if shape.fields or not width else 2
    heads = shape.stages * shape.movers
    sizes = {
        "rows": (shape.movers * shape.inputs * width, 60),
        "bias": (shape.movers * width, 200),
        "head": (heads * views * width, 128),
        "direct": (0 if width else heads * shape.inputs, 2_000),
        "offset": (heads, 5_000),
    }
    weights = {name: chance.integers(-most, most, size).astype(WEIGHTS[name]) for name, (size, most) in sizes.items()}
    return Network(identify(game), shape, weights)


def active(shape: Shape, state: bytes) -> NDArray[np.int64]:
    """The inputs that are on, by the description in `native/networks/inputs.hpp`."""
    found: list[int] = []
    for field in shape.fields:
        code = {"signed": "i", "unsigned": "u", "floating": "f"}[field.number] + str(field.size)
        number = np.frombuffer(state, code, 1, field.offset)[0]
        if field.encoding == "bits":
            found += [field.first + i for i in range(64) if field.mask >> i & int(number) >> i & 1]
        elif field.encoding == "values":
            found.append(field.first + min(max(int(number), field.low), field.high) - field.low)
        else:
            found.append(field.first + sum(float(number) >= edge for edge in field.edges))
    return np.array(found, np.int64)


def twin(network: Network, state: bytes, mover: int) -> int:
    """The output in NumPy, for networks whose inputs are those of the position."""
    shape = network.shape
    on = active(shape, state)
    rows = 0 if shape.movers == 1 else shape.movers - 1 if mover < 0 else mover
    stage = int(np.searchsorted(np.array(shape.stage_edges), len(on), "right"))
    head = stage * shape.movers + rows
    weights: dict[str, Any] = {name: np.asarray(part, np.int64) for name, part in network.weights.items()}
    offset = int(weights["offset"][head])
    if shape.width == 0:
        return offset + int(weights["direct"].reshape(-1, shape.inputs)[head, on].sum())
    table = weights["rows"].reshape(shape.movers, shape.inputs, shape.width)
    units = weights["bias"].reshape(shape.movers, -1)[rows] + table[rows, on].sum(0)
    clipped = units.clip(0, 255)
    total = int((weights["head"].reshape(-1, shape.width)[head] * clipped * clipped).sum())
    return int(total / 255) + offset  # towards 0, as in C


@pytest.mark.parametrize("width", [0, 32, 96])
@pytest.mark.parametrize("name", DERIVED)
def test_the_value_of_a_network_is_that_of_numpy(name: str, width: int) -> None:
    game = load(name)
    network = random_network(game, width)
    evaluated = with_network(game, network)
    compiled = compile_game(evaluated)
    native = network.native(compiled)
    low, high = game.bounds
    for row in sample_states(compiled, 400, seed=3):
        state = row.tobytes()
        mover = compiled.handle.info(state).mover
        output = twin(network, state, mover)
        assert native.output(compiled.handle, state) == output
        value = low + (high - low) / (1 + np.exp(-np.clip(output / UNIT, -12, 12)))
        for p in (0, 1):
            expected = value if p == max(mover, 0) else 2 * game.neutral - value
            assert compiled.handle.evaluate(state, p) == pytest.approx(expected, abs=1e-4 * (high - low))
            assert evaluated.evaluate(compiled.unpack(state), p) == compiled.handle.evaluate(state, p)


class Lines(z.Game["Lines.State", int]):
    """A game with inputs and stages of its own: the cells that a player sees as its own and as the other's."""

    input_count = 18
    stage_count = 2

    class State(NamedTuple):
        first: int
        second: int
        turn: int

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> list[int]:
        return [i for i in range(9) if not (s.first | s.second) >> i & 1]

    def result(self, s: State, a: int) -> State:
        if s.turn == 0:
            return self.State(s.first | 1 << a, s.second, 1)
        return self.State(s.first, s.second | 1 << a, 0)

    def is_terminal(self, s: State) -> bool:
        return self.has_line(s.first) or self.has_line(s.second) or s.first | s.second == 511

    def utility(self, s: State, p: int) -> float:
        first = 1.0 if self.has_line(s.first) else -1.0 if self.has_line(s.second) else 0.0
        return first if p == 0 else -first

    def has_line(self, cells: int) -> bool:
        for line in (7, 56, 448, 73, 146, 292, 273, 84):  # noqa: SIM110 (compiled rules have no `any`)
            if cells & line == line:
                return True
        return False

    def inputs(self, s: State, p: int) -> list[int]:
        mine, theirs = (s.first, s.second) if p == 0 else (s.second, s.first)
        return [i for i in range(18) if (mine | theirs << 9) >> i & 1]

    def stage(self, s: State) -> int:
        return (s.first | s.second) >> 4 & 1


def test_inputs_of_a_games_own_are_seen_by_both_players() -> None:
    game = Lines()
    network = random_network(game, 32)
    assert network.shape == Shape((), 18, 24, 32, 1, 10, 2)
    compiled = compile_game(with_network(game, network))
    native = network.native(compiled)
    weights: dict[str, Any] = {name: np.asarray(part, np.int64) for name, part in network.weights.items()}
    table = weights["rows"].reshape(18, 32)
    for row in sample_states(compiled, 300):
        state = compiled.unpack(row.tobytes())
        views = [table[game.inputs(state, p)].sum(0) + weights["bias"] for p in (state.turn, 1 - state.turn)]
        clipped = np.concatenate(views).clip(0, 255)
        total = int((weights["head"].reshape(2, 64)[game.stage(state)] * clipped * clipped).sum())
        expected = int(total / 255) + int(weights["offset"][game.stage(state)])
        assert native.output(compiled.handle, row.tobytes()) == expected


@pytest.mark.parametrize("size", [4, 6, 8])
def test_patterns_are_added_up_as_often_as_they_lie_on_the_board(size: int) -> None:
    game = load(f"othello:size={size},network=no")
    network = random_network(game, 0)
    compiled = compile_game(with_network(game, network))
    native = network.native(compiled)
    direct = np.asarray(network.weights["direct"], np.int64).reshape(game.stage_count, -1)
    repeated = 0
    for row in sample_states(compiled, 300, seed=4):
        state = compiled.unpack(row.tobytes())
        on, stage = list(game.inputs(state, state.turn)), game.stage(state)
        expected = direct[stage, on].sum() + network.weights["offset"][stage]
        assert native.output(compiled.handle, row.tobytes()) == expected
        repeated += len(set(on)) < len(on)
    assert repeated > 100


def test_networks_with_units_read_the_state_where_inputs_are_patterns() -> None:
    compiled = compile_game(load("othello:network=no"))
    states = sample_states(compiled, 1_000)
    assert derive_shape(compiled, states, 32).fields
    assert not derive_shape(compiled, states, 0).fields


def test_weights_of_inputs_that_are_never_on_take_no_room(tmp_path: Any) -> None:
    network = random_network(load("othello:network=no"), 0)
    direct = network.weights["direct"].reshape(network.shape.stages, -1).copy()
    direct[:, np.random.default_rng(0).random(direct.shape[1]) < 0.9] = 0
    sparse = replace(network, weights={**network.weights, "direct": direct.ravel()})
    wide = replace(network, weights={**network.weights, "direct": direct.ravel() * 1000})
    sizes = []
    for each in (network, sparse, wide):
        path = tmp_path / "net.safetensors"
        each.write(path)
        again = Network.read(path)
        assert all((again.weights[name] == each.weights[name]).all() for name in WEIGHTS)
        sizes.append(path.stat().st_size)
    assert 2 * direct.size < sizes[0] < 2.1 * direct.size
    assert sizes[1] < sizes[0] / 6
    assert sizes[1] < sizes[2] < 2 * sizes[1]
    tensors, notes = read_tensors(path)
    for used in (tensors["used"] + network.shape.inputs, tensors["used"][:-1], tensors["used"].astype(np.int16)):
        write_tensors(path, {**tensors, "used": used}, notes)
        with pytest.raises(InputError, match="is not a network"):
            Network.read(path)


def test_a_network_that_learned_points_tells_chances_to_win() -> None:
    points, wins = load("othello:size=6,discs=yes"), load("othello:size=6")
    network = replace(random_network(points, 0), record={"chance": 3.0})
    by_points, by_wins = with_network(points, network), with_network(wins, network)
    compiled = compile_game(by_wins)
    for row in sample_states(compiled, 200, seed=5):
        state = compiled.unpack(row.tobytes())
        output = network.native(compiled).output(compiled.handle, row.tobytes()) / UNIT
        assert by_points.evaluate(state, state.turn) == pytest.approx(72 / (1 + np.exp(-output)) - 36, abs=0.01)
        assert by_wins.evaluate(state, state.turn) == pytest.approx(2 / (1 + np.exp(-3 * output)) - 1, abs=0.001)
    for other in ("othello:size=8", "othello:size=8,discs=yes"):
        with pytest.raises(InputError, match="was learned for another game"):
            with_network(load(f"{other},network=no"), network)
    with pytest.raises(InputError, match="by a factor of -1"):
        compile_game(with_network(wins, replace(network, record={"chance": -1})))


@pytest.mark.parametrize("name", OWN)
def test_a_network_with_a_slope_speaks_in_points(name: str) -> None:
    """As what exchanges gain does, so that a search can add up the two."""
    game = load(f"{name}:network=no")
    network = random_network(game, 32)
    shape = replace(network.shape, slope=40.0)
    compiled = compile_game(with_network(game, replace(network, shape=shape)))
    native = network.native(compiled)
    for row in sample_states(compiled, 300, seed=2):
        state = row.tobytes()
        mover = compiled.handle.info(state).mover
        expected = np.clip(native.output(compiled.handle, state) / UNIT / 40, -0.9999, 0.9999)
        value = compiled.handle.evaluate(state, mover)
        assert value == pytest.approx(expected) or abs(value) < abs(expected) / 10  # a known draw
        assert compiled.handle.evaluate(state, 1 - mover) == -value


@pytest.mark.parametrize("name", OWN)
def test_a_network_with_other_inputs_than_the_game_is_refused(name: str) -> None:
    game = load(f"{name}:network=no")
    network = random_network(game, 32)
    rows = network.weights["rows"][: 64 * 32]
    cut = replace(network, shape=replace(network.shape, inputs=64), weights={**network.weights, "rows": rows})
    with pytest.raises(InputError, match=f"64 inputs, and the game {game.input_count}"):
        compile_game(with_network(game, cut))


@pytest.mark.parametrize("width", [0, 64])
@pytest.mark.parametrize("game", [load(name) for name in GAMES] + [Lines()], ids=lambda each: each.name)
def test_accumulated_values_are_those_from_scratch(game: z.AnyGame, width: int) -> None:
    network = random_network(game, width)
    compiled = compile_game(with_network(game, network))
    chance = np.random.default_rng(1)
    visited = []
    for _ in range(20):  # lines of play, with steps back as a search takes them
        line = [game.initial()]
        while not game.is_terminal(line[-1]) and len(line) < 200:
            if chance.random() < 0.3 and len(line) > 1:
                line.pop()
            actions = list(game.actions(line[-1]))
            visited.append((len(line) - 1, compiled.pack(line[-1])))
            line.append(game.result(line[-1], actions[chance.integers(len(actions))]))
    values = network.native(compiled).values_in_search(compiled.handle, visited)
    movers = [compiled.handle.info(state).mover for _, state in visited]
    scratch = [compiled.handle.evaluate(s, max(mover, 0)) for (_, s), mover in zip(visited, movers, strict=True)]
    assert values == scratch


@pytest.mark.parametrize("name", ["hex:size=4", "tictactoe:m=4,n=4,k=4", "connect4", "kalah"])
def test_a_search_tells_values_of_a_network_apart_and_ends_stay_exact(name: str) -> None:
    """The scale of a game is that of its own estimates, which may be a handful."""
    game = load(name)
    unit = compile_game(with_network(game, random_network(game, 32))).handle.unit
    times = unit / (game.scale or 1)
    assert times == 2 ** round(np.log2(times)) >= 1
    assert unit * max(map(abs, game.bounds)) > 1 << 16


def test_a_network_is_read_as_it_was_written(tmp_path: Any) -> None:
    game = load("connect4")
    network = random_network(game, 32)
    network.write(tmp_path / "net.safetensors")
    again = Network.read(tmp_path / "net.safetensors")
    assert (again.shape, again.game, again.record) == (network.shape, network.game, network.record)
    assert all((again.weights[name] == network.weights[name]).all() for name in WEIGHTS)
    state = game.initial()
    assert with_network(game, again).evaluate(state, 0) == with_network(game, network).evaluate(state, 0)


def test_a_game_with_a_network_keeps_its_rules_and_can_be_copied() -> None:
    game = load("connect4")
    evaluated = with_network(game, random_network(game, 32))
    for again in (evaluated, copy.copy(evaluated), pickle.loads(pickle.dumps(evaluated))):
        assert again.name == game.name
        assert again.can("evaluate")
        assert not again.can("explain")
        assert again.evaluate(game.initial(), 0) == evaluated.evaluate(game.initial(), 0)
        assert type(without_network(again)) is type(game)


@pytest.mark.parametrize("other", ["connect4:columns=6", "othello", "hex"])
def test_a_network_of_another_game_is_refused(other: str) -> None:
    with pytest.raises(InputError, match="was learned for another game"):
        with_network(load(other), random_network(load("connect4"), 32))


def test_files_that_are_no_networks_are_refused(tmp_path: Any) -> None:
    path = tmp_path / "net.safetensors"
    network = random_network(load("connect4"), 32)
    network.write(path)
    tensors, notes = read_tensors(path)
    changes: list[tuple[dict[str, Any], dict[str, str]]] = [
        ({}, {"format": "zermelo sum network 9"}),
        ({}, {"shape": "[]"}),
        ({}, {"shape": json.dumps({**network.shape.to_json(), "width": 33})}),
        ({}, {"shape": json.dumps({**network.shape.to_json(), "inputs": -1})}),
        ({}, {"shape": json.dumps({**network.shape.to_json(), "stages": 65})}),
        ({}, {"shape": json.dumps({**network.shape.to_json(), "slope": -1.0})}),
        ({"rows": tensors["rows"][:-1]}, {}),
        ({"head": np.full_like(tensors["head"], 300)}, {}),
        ({"offset": tensors["offset"].astype(np.float32)}, {}),
    ]
    for changed_tensors, changed_notes in changes:
        write_tensors(path, {**tensors, **changed_tensors}, {**notes, **changed_notes})
        with pytest.raises(InputError):
            compile_game(with_network(load("connect4"), Network.read(path)))
    path.write_bytes(b"no network")
    with pytest.raises(InputError, match="is not a safetensors file"):
        Network.read(path)


def test_corrections_are_of_networks_alone_and_are_forgotten() -> None:
    def nodes(name: str, **switches: bool) -> list[int]:
        engine = z.Engine(z.load(name), table_mb=1, **switches)
        counts = [engine.search(depth=6).nodes]
        engine.clear()
        return [*counts, engine.search(depth=6).nodes]

    without = nodes("breakthrough:network=no")
    assert nodes("breakthrough:network=no", correction_history=False) == without
    first, again = nodes("breakthrough")
    assert first == again
    assert nodes("breakthrough", correction_history=False) != [first, again]


def test_corrections_do_not_feed_on_themselves() -> None:
    game = z.load("xiangqi")
    for found in z.Engine(game).think(game.initial(), depth=9):
        assert abs(found.value) * game.scale < 150
