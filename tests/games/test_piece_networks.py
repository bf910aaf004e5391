"""Chess and Chinese chess with a network: what it sees, and what it says of positions that are the same."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from zermelo.engine.identity import identify
from zermelo.engine.network import WEIGHTS, Network, network_of, with_network
from zermelo.game import AnyGame
from zermelo.games import load
from zermelo.games._load import with_option
from zermelo.learn.inputs import derive_shape, sample_states
from zermelo.train.family import family_of
from zermelo.train.settings import TrainingSettings

GAMES = ("chess", "chess:start=101", "xiangqi")


def random_positions(game: AnyGame, count: int, seed: int = 0) -> list[Any]:
    chance, found = Random(seed), []
    while len(found) < count:
        state = game.initial()
        for _ in range(chance.randrange(120)):
            if game.is_terminal(state):
                break
            state = game.result(state, chance.choice(game.actions(state)))
        if not game.is_terminal(state):
            found.append(state)
    return found


def with_random_network(game: AnyGame) -> AnyGame:
    compiled = game.native
    shape = derive_shape(compiled, sample_states(compiled, 500), 32)
    chance = np.random.default_rng(0)
    weights = {name: chance.integers(-100, 100, size).astype(WEIGHTS[name]) for name, size in shape.sizes().items()}
    return with_network(game, Network(identify(game), shape, weights))


def swap_colours(fen: str) -> str:
    """The same position with the other side to move: chess is upside down, Chinese chess turned."""
    board, turn, rights, square, *clocks = fen.split()
    rows = board.swapcase().split("/")
    if len(rows) == 10:
        rows = [row[::-1] for row in rows]
    if square != "-":
        square = square[0] + {"3": "6", "6": "3"}[square[1]]
    swapped = "".join(sorted(rights.swapcase()))
    return " ".join(["/".join(reversed(rows)), "b" if turn == "w" else "w", swapped, square, *clocks])


@pytest.mark.parametrize("name", GAMES)
def test_every_piece_is_one_input_of_either_player(name: str) -> None:
    game = load(with_option(name, "network", "no"))
    for state in random_positions(game, 60):
        pieces = sum(letter.isalpha() for letter in game.write(state).split()[0])
        for p in (0, 1):
            inputs = list(game.inputs(state, p))
            assert len(set(inputs)) == len(inputs) == pieces
            assert max(inputs) < game.input_count
        assert game.stage(state) == (pieces - 1) // 4


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_a_network_knows_no_colours(name: str) -> None:
    game = load(f"{name}:network=no")
    evaluated = with_random_network(game)
    for state in random_positions(game, 60):
        other = game.read(swap_colours(game.write(state)))
        mover = game.player(state)
        assert game.player(other) == 1 - mover
        assert game.inputs(other, 1 - mover) == game.inputs(state, mover)
        assert evaluated.evaluate(other, 1 - mover) == evaluated.evaluate(state, mover)


def test_a_king_on_either_wing_is_seen_on_the_same() -> None:
    game = load("chess:network=no")
    left, right = game.read("5k2/8/8/8/8/8/1P6/1K4R1 w - - 0 1"), game.read("2k5/8/8/8/8/8/6P1/1R4K1 w - - 0 1")
    assert game.inputs(left, 0) == game.inputs(right, 0)
    assert game.inputs(left, 1) == game.inputs(right, 1)


@pytest.mark.parametrize("fen", ["8/8/8/8/4k3/8/4P3/4K3 w - - 0 1", "8/8/4k3/8/8/8/8/1NN1K3 w - - 0 1"])
def test_a_network_leads_by_next_to_nothing_in_a_known_draw(fen: str) -> None:
    game = load("chess:network=no")
    evaluated = with_random_network(game)
    near = game.read(fen.replace("/8/8 w", "/8/P7 w").replace("4P3", "4PP2").replace("1NN1", "1NNN"))
    drawn = game.read(fen)
    assert abs(evaluated.evaluate(drawn, 0)) < 0.1
    assert abs(evaluated.evaluate(near, 0)) > abs(evaluated.evaluate(drawn, 0))


def test_a_side_of_chinese_chess_that_cannot_attack_leads_by_nothing() -> None:
    game = load("xiangqi:network=no")
    evaluated = with_random_network(game)
    state = game.read("3k5/9/9/9/9/9/9/9/4A4/4K4 w")
    assert evaluated.evaluate(state, 0) == 0


def test_the_mirror_of_chinese_chess_is_the_same_game() -> None:
    game = load("xiangqi:network=no")
    for state in random_positions(game, 40):
        image = game.symmetric(state, 1)
        assert game.symmetric(image, 1) == state
        assert game.read(game.write(image)) == image
        assert sorted(game.symmetric_action(a, 1) for a in game.actions(state)) == sorted(game.actions(image))


def test_a_network_is_played_without_by_an_option() -> None:
    assert network_of(load("chess:network=no")) is None
    evaluated = with_random_network(load("chess:network=no"))
    assert network_of(evaluated) is not None
    assert not evaluated.can("explain")


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_the_package_has_a_network_and_says_how_it_was_made(name: str) -> None:
    network = network_of(load(name))
    assert network is not None
    assert str(network.record["command"]).startswith(f"zermelo train {name} ")
    assert network.record["positions"] > 1_000_000


def test_weights_that_are_named_come_before_the_network(tmp_path: Path) -> None:
    by_hand = load("chess:network=no")
    file = tmp_path / "weights.json"
    file.write_bytes(Path(by_hand.weights).read_bytes())
    assert network_of(load(f"chess:weights={file}")) is None


def test_the_evaluation_made_by_hand_teaches_in_its_turns() -> None:
    chess, connect4 = load("chess:network=no"), load("connect4")
    half, never = (family_of(TrainingSettings(taught_share=share)) for share in (0.5, 0.0))
    assert [half.is_taught(chess, number) for number in range(5)] == [False, True, False, True, False]
    assert not any(never.is_taught(chess, number) for number in range(5))
    assert not half.is_taught(load("nim"), 1)
    assert half.is_taught(connect4, 1) == connect4.can("evaluate")
