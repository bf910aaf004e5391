"""What an input is worth to a network is what the network itself says with and without it."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from tests.engine.test_network import random_network

import zermelo as z
from zermelo.engine.influence import NetworkInputs, influences, policy
from zermelo.engine.network import Field, Network, with_network
from zermelo.errors import InputError, MethodError
from zermelo.games import load

NEAR = 2e-4
"""The core rounds outputs to integers, and its logistic function is made of straight lines."""


class Cells(z.Game):
    """A row of cells with three values each: an array in the state, and numbers of a wide range."""

    class State(NamedTuple):
        cells: Any
        left: int
        turn: int

    def initial(self) -> State:
        return self.State(np.zeros(5, np.int64), 5, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Any:
        for i in range(5):
            if s.cells[i] == 0:
                yield i

    def result(self, s: State, a: int) -> State:
        cells = s.cells.copy()
        cells[a] = 1 + s.turn
        return self.State(cells, s.left - 1, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> float:
        return 1.0 if (s.cells[2] == 1) == (p == 0) else -1.0


class Looking(Cells):
    """The same with inputs as each player sees them."""

    input_count = 10

    def inputs(self, s: Cells.State, p: int) -> list[int]:
        found = []
        for i in range(5):
            if s.cells[i] != 0:
                found.append(i + (0 if s.cells[i] == p + 1 else 5))
        return found


def middle_game(game: z.AnyGame, plies: int, seed: int = 1) -> Any:
    chance = np.random.default_rng(seed)
    state = game.initial()
    for _ in range(plies):
        actions = list(game.actions(state))
        state = game.result(state, actions[chance.integers(len(actions))])
    return state


@pytest.mark.parametrize("width", [0, 32])
@pytest.mark.parametrize("plies", [6, 7])
def test_a_pawn_is_worth_what_the_network_says_without_it(width: int, plies: int) -> None:
    game = load("breakthrough:columns=5,rows=6")
    network = without_stages(random_network(game, width))
    evaluated = with_network(game, network)
    state = middle_game(game, plies)
    checked = 0
    for each in influences(NetworkInputs(game, network), state):
        if each.input.group != "mine":
            continue
        other = state._replace(mine=state.mine ^ (1 << int(each.input.index)))
        with_it, without = (state, other) if each.on else (other, state)
        assert each.gain == pytest.approx(evaluated.evaluate(with_it, 0) - evaluated.evaluate(without, 0), abs=NEAR)
        checked += 1
    assert checked == 30


def without_stages(network: Network) -> Network:
    """The same network with the weights of its first stage in all of them, so that switching an input changes none."""
    shape, weights = network.shape, dict(network.weights)
    for name in ("head", "direct", "offset"):
        first = weights[name].reshape(shape.stages, -1)[:1]
        weights[name] = np.repeat(first, shape.stages, 0).ravel()
    return Network(network.game, shape, weights)


def test_a_value_in_a_cell_is_compared_with_what_is_there() -> None:
    game = Cells()
    network = without_stages(random_network(game, 32))
    evaluated = with_network(game, network)
    state = middle_game(game, 2)
    now = evaluated.evaluate(state, 0)
    found = {each.input.name: each for each in influences(NetworkInputs(game, network), state)}
    for cell in range(5):
        others = []
        for value in range(3):
            cells = state.cells.copy()
            cells[cell] = value
            gain = evaluated.evaluate(state._replace(cells=cells), 0) - now
            each = found[f"cells = {value} [{cell}]"]
            assert each.on == (state.cells[cell] == value)
            if not each.on:
                assert each.gain == pytest.approx(gain, abs=NEAR)
                others.append(gain)
        assert found[f"cells = {state.cells[cell]} [{cell}]"].gain == pytest.approx(-sum(others) / 2, abs=NEAR)


def test_inputs_of_a_players_own_are_those_of_the_mover() -> None:
    game = Looking()
    network = random_network(game, 32)
    inputs = NetworkInputs(game, network)
    state = middle_game(game, 3)
    found = influences(inputs, state)
    assert {each.input.number for each in found if each.on} == set(game.inputs(state, game.player(state)))
    assert [each.input.name for each in found[:2]] == ["input 0", "input 1"]


@pytest.mark.parametrize(
    ("field", "names"),
    [
        (Field("State.mine", 0, 8, "unsigned", "bits", 64, mask=0b101), ["mine [0]", "mine [2]"]),
        (Field("State.turn", 0, 8, "signed", "values", 3, low=0, high=1), ["turn = 0", "turn = 1"]),
        (Field("State.cells[1, 2]", 0, 8, "signed", "values", 0, low=7, high=7), ["cells = 7 [1, 2]"]),
        (
            Field("State.sum", 0, 8, "floating", "ranges", 0, edges=(0.5, 2.0)),
            ["sum below 0.5", "sum 0.5 to 2", "sum 2 or more"],
        ),
    ],
)
def test_inputs_have_the_names_of_their_fields(field: Field, names: list[str]) -> None:
    from zermelo.engine.influence import inputs_of, name_inputs

    found = name_inputs(field)
    assert [each.name for each in found] == names
    assert [each.number for each in found] == inputs_of(field)


def test_a_network_that_does_not_fit_itself_is_refused() -> None:
    game = load("breakthrough:columns=4,rows=5")
    network = random_network(game, 32)
    cut = Network(network.game, network.shape, {**network.weights, "rows": network.weights["rows"][:-1]})
    with pytest.raises(InputError, match="cannot be used"):
        influences(NetworkInputs(game, cut), game.initial())


def test_inputs_that_only_native_rules_know_are_refused() -> None:
    game = load("backgammon")
    network = Network({}, random_network(Looking(), 32).shape, {})
    with pytest.raises(MethodError, match="native rules alone"):
        NetworkInputs(game, network)


def test_a_network_without_a_policy_has_none() -> None:
    game = load("breakthrough:columns=4,rows=5")
    assert policy(with_network(game, random_network(game, 32)), game.initial()) == []


def test_a_policy_names_each_action_with_its_probability() -> None:
    class Judged(Cells):
        """Likes the last action."""

        def judge(self, states: Any) -> tuple[list[list[float]], list[list[float]]]:
            return [[0.1, 0.1, 0.1, 0.1, 0.6] for _ in states], [[0.0, 0.0] for _ in states]

    game = Judged()
    assert policy(game, game.initial()) == [(0, 0.1), (1, 0.1), (2, 0.1), (3, 0.1), (4, 0.6)]
