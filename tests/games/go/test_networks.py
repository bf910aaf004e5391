"""Go and its networks: what they see, symmetries of the board, whose the points are in the end, and how they play."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from tests.games.go.boards import board

import zermelo as z
from zermelo.engine.compiled import compile_game
from zermelo.engine.native import Bytes
from zermelo.engine.network import network_of
from zermelo.errors import InputError
from zermelo.games.go import Go
from zermelo.games.go.board import beside, groups
from zermelo.learn.grid.learning import GridLearning


def random_positions(game: Go, count: int, seed: int = 0) -> list[Bytes]:
    chance, found = random.Random(seed), []
    while len(found) < count:
        state = game.initial()
        for _ in range(3 * game.size**2):
            if game.is_terminal(state):
                break
            found.append(state)
            state = game.result(state, chance.choice(list(game.actions(state))))
    return chance.sample(found, count)


def expected_inputs(game: Go, s: Bytes, p: int, last: int | None, before: int | None) -> set[int]:
    """Written out from what the docs say of them."""
    points, colours, found = game.size**2, game.colours(s), set()
    for side, mark in enumerate("XO" if p == 0 else "OX"):
        for group in groups(colours, game.size):
            if colours[min(group)] != mark:
                continue
            found |= {side * points + point for point in group}
            liberties = len(game.liberties(s, group))
            if liberties <= 3:
                found |= {(2 + 3 * side + liberties - 1) * points + point for point in group}
    ko = game.write(s).split()[2]
    for plane, point in ((8, None if ko == "-" else game.point_of(ko)), (9, last), (10, before)):
        if point is not None and point < points:
            found.add(plane * points + point)
    found |= {11 * points + point for point in range(points)}
    facts = 12 * points
    if game.passes(s):
        found.add(facts)
    komi = 2 * game.komi * (1 if p == 1 else -1)
    return found | {facts + 1 + i for i in range(41) if komi > i - 20}


DIAGONAL = "X . . . . . . . .\n. O . . . . . . ." + 7 * "\n. . . . . . . . ."


@pytest.mark.parametrize("options", [{"size": 5}, {"size": 9, "komi": 0.5}, {"size": 7, "komi": -3}, {"size": 13}])
def test_networks_see_stones_liberties_ko_moves_and_komi(options: dict[str, float]) -> None:
    game, chance = Go(**options), random.Random(1)  # type: ignore[arg-type]
    for game_number in range(2):
        state, played = game.initial(), [None, None]
        while not game.is_terminal(state) and len(played) < 1.5 * game.size**2:
            for p in (0, 1) if len(played) % 5 == game_number else ():
                seen = list(game.inputs(state, p))
                assert len(seen) == len(set(seen))
                assert max(seen) < game.input_count
                assert set(seen) == expected_inputs(game, state, p, played[-1], played[-2])
            action = chance.choice(list(game.actions(state)))
            state = game.result(state, action)
            played.append(action)


def test_the_board_has_eight_symmetries_and_every_game_under_them_is_the_same() -> None:
    game, chance = Go(size=9), random.Random(2)
    diagonal = game.read(board(DIAGONAL))
    images = {game.symmetric(diagonal, k) for k in range(8)}
    assert len(images) == 4  # the two stones lie on a diagonal
    for k in range(game.symmetry_count):
        state = image = game.initial()
        while not game.is_terminal(state):
            actions = list(game.actions(state))
            assert sorted(game.symmetric_action(a, k) for a in actions) == sorted(game.actions(image))
            action = chance.choice(actions)
            state, image = game.result(state, action), game.result(image, game.symmetric_action(action, k))
            assert game.symmetric(state, k) == image
        assert [game.utility(state, p) for p in (0, 1)] == [game.utility(image, p) for p in (0, 1)]
    assert Go(size=7).symmetry_count == 1


def test_the_owners_of_an_ended_game_are_what_is_counted() -> None:
    game = Go(size=5)
    for state in random_positions(game, 60):
        ended = game.result(game.result(state, 25), 25) if not game.passes(state) else game.result(state, 25)
        owners = list(game.owners(ended))
        assert len(owners) == 25
        assert owners.count(0) - owners.count(1) - game.komi == game.margin(ended)
        for point, owner in enumerate(owners):
            if owner == -1:
                colours = game.colours(ended)
                assert colours[point] == "."
                assert any(owners[near] == -1 or colours[near] != "." for near in beside(point, 5))


def test_a_network_learns_who_has_the_points() -> None:
    """After games on a board that black has conquered, all of it is black's."""
    game = Go(size=5, komi=0.5)
    learning = GridLearning(game, 16, 1, 32, 1, 0)
    shape = learning.shape
    assert shape.owners
    assert (shape.rows, shape.columns, shape.planes, shape.globals) == (5, 5, 12, 43)
    assert shape.ways() == 1  # a stone anywhere
    assert shape.ways(beyond=True) == 1  # the pass


def test_a_network_serves_every_komi_and_no_other_board() -> None:
    shipped = network_of(z.load("go:size=9"))
    assert shipped is not None
    assert network_of(z.load("go:size=9,komi=5.5,handicap=2,playouts=uniform")) is not None
    assert network_of(z.load("go:size=9,network=no")) is None
    assert network_of(z.load("go:size=9,scoring=territory")) is None
    assert network_of(z.load("go:size=13")) is None
    with pytest.raises(InputError, match="learned for another game"):
        z.load(f"go:size=13,network={Path(z.games.go.__file__).with_name('network-9.safetensors')}")  # type: ignore[attr-defined]


def test_the_shipped_network_plays_better_than_playouts_from_the_first_simulation_on() -> None:
    """It begins in the middle, saves what can be saved, and knows what is dead."""
    game = z.load("go:size=9")
    start = game.initial()
    first = z.mcts(game, start, simulations=50).action
    row, column = divmod(first, 9)
    assert 2 <= row <= 6
    assert 2 <= column <= 6
    even = z.mcts(game, start, simulations=100).value
    assert abs(even) < 0.4
    ahead = z.load("go:size=9,komi=-30").evaluate(z.load("go:size=9,komi=-30").initial(), 0)
    behind = z.load("go:size=9,komi=40").evaluate(z.load("go:size=9,komi=40").initial(), 0)
    assert ahead > even > behind


DEAD_STONE = """
    . . . . . . . . .
    . O . . . . . O .
    . . . . . . . . .
    O O O O O O O O O
    X X X X X X X X X
    . . . . . . . . .
    . . X . . . X . .
    . . . . O . . . .
    . . . . . . . . .
"""


def test_the_network_says_whose_the_points_will_be() -> None:
    game = z.load("go:size=9")
    state = game.read(board(DEAD_STONE))
    shares = np.array(game.ownership(state)).reshape(9, 9)
    assert (shares[:5] > 0.3).all()
    assert (shares[5:] < -0.3).all()
    assert game.dead(state) == {9 + 4}
    assert game.lead(state) == pytest.approx(45 - 36 - 7.5, abs=8)


def test_the_rules_count_territory_the_same_with_a_network_and_without() -> None:
    plain = Go(size=9, scoring="territory")
    compiled = compile_game(plain)
    for state in random_positions(plain, 20, seed=5):
        ended = plain.result(plain.result(state, 81), 81) if not plain.passes(state) else plain.result(state, 81)
        margin = plain.final_margin(ended)
        assert np.sign(margin) == compiled.info(ended)[1][0]
