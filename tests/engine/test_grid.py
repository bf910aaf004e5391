"""Grid networks: the core computes what NumPy does, and Monte Carlo tree search uses it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import zermelo as z
from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.engine.grid import NOWHERE, GridNetwork, GridShape
from zermelo.engine.identity import identify
from zermelo.engine.network import Field, Network, read_network, with_network
from zermelo.errors import InputError
from zermelo.game import AnyGame
from zermelo.games import load

RELU = np.maximum


def bit_planes(game: AnyGame, bits: int) -> tuple[tuple[Field, ...], int]:
    """Inputs for the first two numbers of a state, which are boards of bits."""
    return tuple(Field(f"board {i}", 8 * i, 8, "signed", "bits", 64 * i, mask=(1 << bits) - 1) for i in (0, 1)), 128


def random_grid(name: str, cells: tuple[int, int], cellwise: bool, seed: int = 1, blocks: int = 2) -> GridNetwork:
    """A network with random weights for a game whose state begins with two boards of bits."""
    game, (rows, columns) = load(name), cells
    fields, inputs = bit_planes(game, rows * columns)
    places = [
        plane * rows * columns + bit if bit < rows * columns else NOWHERE for plane in (0, 1) for bit in range(64)
    ]
    actions = list(range(rows * columns)) if cellwise else sorted({*game.actions(game.initial())})
    shape = GridShape(
        fields, inputs, compile_game(game).handle.state_size, tuple(places), rows, columns, 2, 1, 32, blocks,
        tuple(actions), *((tuple(actions), (0,) * len(actions)) if cellwise else ()),
    )  # fmt: skip
    rng = np.random.default_rng(seed)
    weights = {
        tensor: (rng.standard_normal(size) * 0.12).astype(np.float32) for tensor, size in shape.native().tensors.items()
    }
    return GridNetwork(identify(game), shape, weights)


def convolve(x: Any, kernel: Any) -> Any:
    """x [rows][columns][in], kernel [9][in][out]."""
    rows, columns, _ = x.shape
    padded = np.pad(x, ((1, 1), (1, 1), (0, 0)))
    return sum(padded[tap // 3 : tap // 3 + rows, tap % 3 : tap % 3 + columns] @ kernel[tap] for tap in range(9))


def pooled(x: Any) -> Any:
    return np.concatenate([x.mean((0, 1)), x.max((0, 1))])


def reference(network: GridNetwork, boards: tuple[int, int], mover: int) -> Any:
    """The logits of all known actions and the output of the value, in double precision."""
    shape, f = network.shape, network.shape.channels
    w = {name: np.asarray(tensor, np.float64) for name, tensor in network.weights.items()}
    bits = [[board >> cell & 1 for board in boards] for cell in range(shape.cells)]
    planes = np.array(bits, np.float64).reshape(shape.rows, shape.columns, 2)
    kernel = w["in_planes"].reshape(2, 9, f).transpose(1, 0, 2)
    x = RELU(convolve(planes, kernel) + w["in_bias"] + (w["in_globals"] if mover == 1 else 0), 0)
    for b in range(shape.blocks):
        conv, bias = w["conv"].reshape(-1, 2, 9, f, f)[b], w["conv_bias"].reshape(-1, 2, f)[b]
        y = RELU(convolve(x, conv[0]) + bias[0], 0)
        x = RELU(x + convolve(y, conv[1]) + bias[1] + pooled(y) @ w["pool"].reshape(-1, 2 * f, f)[b], 0)
    t = pooled(x)
    h = RELU(
        x @ w["policy_hidden"].reshape(f, -1) + t @ w["policy_pool"].reshape(2 * f, -1) + w["policy_hidden_bias"], 0
    )
    if shape.action_cells:
        logits = (h @ w["policy_out"]).ravel() + w["policy_out_bias"][: shape.cells]
    else:
        logits = h.ravel() @ w["policy_out"].reshape(h.size, -1) + w["policy_out_bias"]
    v = (
        w["value_out"] @ RELU(t @ w["value_hidden"].reshape(2 * f, -1) + w["value_hidden_bias"], 0)
        + w["value_out_bias"]
    )
    return np.append(logits, v)


def positions(game: AnyGame, count: int, seed: int = 0) -> list[Any]:
    rng = np.random.default_rng(seed)
    found: list[Any] = []
    while len(found) < count:
        s = game.initial()
        while not game.is_terminal(s):
            found.append(s)
            s = game.result(s, rng.choice(list(game.actions(s))))
    return found[:count]


@pytest.mark.parametrize(
    ("name", "cells", "cellwise"),
    [("hex:size=5", (5, 5), True), ("connect4", (7, 7), False), ("hex:size=7", (7, 7), True)],
)
def test_the_core_computes_what_numpy_does(name: str, cells: tuple[int, int], cellwise: bool) -> None:
    game, network = load(name), random_grid(name, cells, cellwise)
    compiled = compile_game(game)
    native = network.native(compiled)
    for s in positions(game, 60):
        found = native.outputs(compiled.handle, compiled.pack(s))
        assert np.allclose(found, reference(network, (s[0], s[1]), game.player(s)), rtol=1e-4, atol=1e-4)


def test_priors_are_the_softmax_over_the_legal_actions() -> None:
    game, network = load("hex:size=5"), random_grid("hex:size=5", (5, 5), True)
    judged = with_network(game, network)
    compiled = compile_game(game)
    for s in positions(game, 20):
        logits = np.array(network.native(compiled).outputs(compiled.handle, compiled.pack(s))[:-1])
        legal = np.exp(logits[list(game.actions(s))])
        (priors,), (values,) = judged.judge([s])
        assert np.allclose(priors, legal / legal.sum(), atol=1e-6)
        assert values[game.player(s)] == pytest.approx(judged.evaluate(s, game.player(s)))
        assert sum(values) == pytest.approx(0)


def test_monte_carlo_tree_search_asks_the_network_as_the_textbook_does() -> None:
    """Node for node: the textbook calls `judge`, the core its own policy."""
    judged = with_network(load("connect4"), random_grid("connect4", (7, 7), False))
    core = z.mcts(judged, simulations=200)
    book = z.mcts(judged, simulations=200, trace=True)
    assert "evaluator" in core.method
    assert core.action == book.action
    assert core.value == pytest.approx(book.value)
    assert core.nodes == book.nodes


def test_threads_share_one_tree_of_a_judged_game() -> None:
    judged = with_network(load("hex:size=5"), random_grid("hex:size=5", (5, 5), True))
    found = z.mcts(judged, simulations=500, threads=3)
    assert found.action in set(judged.actions(judged.initial()))


def test_a_game_with_a_policy_is_searched_by_simulations() -> None:
    judged = with_network(load("hex:size=5"), random_grid("hex:size=5", (5, 5), True))
    assert z.search(judged, nodes=50).method.startswith("mcts+puct")
    assert "uct" in z.mcts(judged, simulations=50, selection="uct").method


def test_a_file_gives_back_the_network(tmp_path: Path) -> None:
    game, network = load("hex:size=5"), random_grid("hex:size=5", (5, 5), True)
    network.write(tmp_path / "hex.safetensors")
    again = read_network(tmp_path / "hex.safetensors")
    assert isinstance(again, GridNetwork)
    s = game.initial()
    assert with_network(game, again).evaluate(s, 0) == with_network(game, network).evaluate(s, 0)
    assert load(f"hex:size=5,network={tmp_path / 'hex.safetensors'}").can("judge")
    with pytest.raises(InputError, match="another game"):
        with_network(load("hex:size=6"), again)
    with pytest.raises(InputError, match="format"):
        Network.read(tmp_path / "hex.safetensors")


def test_weights_that_do_not_fit_are_refused() -> None:
    network = random_grid("hex:size=5", (5, 5), True)
    game = load("hex:size=5")
    for name, wrong in (("conv", network.weights["conv"][:-1]), ("in_bias", np.full(32, np.nan, np.float32))):
        broken = GridNetwork(network.game, network.shape, {**network.weights, name: wrong})
        with pytest.raises(InputError, match="cannot be used"):
            compile_game(with_network(game, broken))


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"channels": 20}, "multiple of 16"),
        ({"rows": 0}, "rows and columns"),
        ({"blocks": 99}, "32 blocks"),
        ({"actions": (3, 1)}, "not in order"),
        ({"actions": (0, 70)}, "needs a cell"),
        ({"actions": (0,), "action_cells": (70,), "action_ways": (0,)}, "no cell on the board"),
        ({"actions": (0,), "action_cells": (1,), "action_ways": ()}, "a way to act"),
        ({"actions": (0,), "action_cells": (1,), "action_ways": (1 << 20,)}, "1024 ways"),
        ({"places": (9999,) * 128}, "no place"),
    ],
)
def test_impossible_shapes_are_refused(changed: dict[str, Any], why: str) -> None:
    shape = random_grid("hex:size=5", (5, 5), True).shape
    given = {each: getattr(shape, each) for each in GridShape.__dataclass_fields__}
    with pytest.raises(ValueError, match=why):
        GridShape(**{**given, **changed}).native()


def test_a_board_of_one_row_and_one_of_one_cell_use_the_taps_inside() -> None:
    game = load("hex:size=5")
    for rows, columns in ((1, 25), (25, 1), (1, 1)):
        fields, inputs = bit_planes(game, rows * columns)
        places = [p * rows * columns + b if b < rows * columns else NOWHERE for p in (0, 1) for b in range(64)]
        shape = GridShape(
            fields, inputs, compile_game(game).handle.state_size, tuple(places), rows, columns, 2, 1, 16, 1,
            tuple(range(25)), (), (), 2,
        )  # fmt: skip
        rng = np.random.default_rng(0)
        weights = {n: rng.standard_normal(k).astype(np.float32) * 0.2 for n, k in shape.native().tensors.items()}
        network = GridNetwork(identify(game), shape, weights)
        compiled = compile_game(game)
        for s in positions(game, 10):
            found = network.native(compiled).outputs(compiled.handle, compiled.pack(s))
            mask = (1 << rows * columns) - 1
            expected = reference(network, (s[0] & mask, s[1] & mask), game.player(s))
            assert np.allclose(found, expected, rtol=1e-4, atol=1e-4)


def test_tensors_are_those_of_the_core() -> None:
    from zermelo.engine.grid import TENSORS

    assert set(random_grid("hex:size=5", (5, 5), True).shape.native().tensors) == set(TENSORS)
    assert _core.GridShape.NOWHERE == NOWHERE
