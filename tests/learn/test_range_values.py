"""Values of hands by a network: what it learns from, that it is zero-sum, and files of it."""

from __future__ import annotations

import numpy as np
import pytest

import zermelo as z
from zermelo.engine.tensors import write_tensors
from zermelo.equilibrium import PublicTree, Resolving, resolved
from zermelo.equilibrium.subgame import Range
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.learn.dense import DenseLearner, DenseNetwork
from zermelo.learn.range_values import RangeNetwork, learn_values, random_range, sizes
from zermelo.learn.situations import RangeSettings

QUICK = RangeSettings(situations=300, generations=2, iterations=40, width=16, passes=20, batch=32, seed=3)


@pytest.fixture(scope="module")
def leduc():
    return PublicTree(z.load("leduc"))


@pytest.fixture(scope="module")
def small():
    return PublicTree(z.load("leduc:ranks=2"))


@pytest.fixture(scope="module")
def learned(small):
    return learn_values(small, QUICK)


def test_public_states_that_differ_in_suits_or_in_who_bet_are_of_one_kind(leduc):
    kinds = RangeNetwork.kinds_of(leduc)
    assert len(kinds.of) == 5 * 6  # five ways to end the first round, and six cards
    assert len(kinds.kinds) == 3 * 3  # three pots, and three ranks
    assert kinds.hands == 5
    assert all(kind.meets.sum() == pytest.approx(1) for kind in kinds.kinds)


def test_what_both_players_get_adds_up_to_the_sum_of_the_game(leduc):
    kinds = RangeNetwork.kinds_of(leduc)
    random = np.random.default_rng(1)
    network = DenseNetwork([random.standard_normal(shape).astype(np.float32) for shape in [(19, 10), (10,)]])
    states = list(kinds.of)
    both = []
    for state in states:
        hands = [np.unique(leduc.hands[p][leduc.states[state]]) for p in (0, 1)]
        both.append(tuple(Range(own, random_range(random, len(own))) for own in hands))
    assert sizes(kinds) == (19, 10)
    for ranges, found in zip(both, RangeNetwork(kinds, network)(leduc, states, both), strict=True):
        got = [float(ranges[p].numbers @ found[p].numbers) for p in (0, 1)]
        assert sum(got) == pytest.approx(0, abs=1e-7)
        assert abs(got[0]) > 1e-5


def test_the_same_settings_give_the_same_network_and_other_seeds_another(small, learned):
    again = learn_values(small, QUICK)
    other = learn_values(small, RangeSettings(**{**learned.record(QUICK)["settings"], "seed": 4}))
    pairs = list(zip(learned.network.network.tensors, again.network.network.tensors, strict=True))
    assert all((one == two).all() for one, two in pairs)
    assert (learned.network.network.tensors[0] != other.network.network.tensors[0]).any()
    assert (learned.situations, learned.stopped) == (300, False)


def test_a_player_with_learned_values_is_exploited_less_than_one_without(small, learned):
    blank = RangeNetwork(learned.network.kinds, DenseNetwork.start(learned.network.network.sizes, 0))
    less, more = (
        resolved(small, Resolving(100, rounds=1, values=values)).exploitability for values in (learned.network, blank)
    )
    assert less < 0.7 * more


def test_a_network_that_is_stopped_learns_from_what_is_there(small):
    cut = learn_values(small, QUICK, stop=lambda: True)
    assert (cut.situations, cut.stopped) == (1, True)


def test_a_file_is_read_back_and_refused_by_other_games(small, leduc, learned, tmp_path):
    path = tmp_path / "values.safetensors"
    learned.network.write(path, learned.record(QUICK))
    found = RangeNetwork.read(small, path)
    assert all(
        (one == two).all() for one, two in zip(found.network.tensors, learned.network.network.tensors, strict=True)
    )
    with pytest.raises(InputError, match="another game than Leduc"):
        RangeNetwork.read(leduc, path)
    write_tensors(path, {"layer0.weight": np.zeros((2, 2), np.float32)}, {})
    with pytest.raises(InputError, match="holds no values for ranges"):
        RangeNetwork.read(small, path)
    with pytest.raises(InputError, match="cannot be read"):
        RangeNetwork.read(small, tmp_path / "none")


@pytest.mark.parametrize(
    "tensors",
    [
        {"layer0.weight": np.zeros((2, 3), np.float32), "layer0.bias": np.zeros(2, np.float32)},
        {"layer0.weight": np.full((2, 2), np.nan, np.float32), "layer0.bias": np.zeros(2, np.float32)},
        {"layer0.weight": np.zeros((2, 2), np.int32), "layer0.bias": np.zeros(2, np.float32)},
        {"layer1.weight": np.zeros((2, 2), np.float32), "layer1.bias": np.zeros(2, np.float32)},
        {},
    ],
)
def test_tensors_that_are_no_network_are_refused(tensors):
    with pytest.raises(InputError, match="train it again"):
        DenseNetwork.of_named(tensors, "a file")


def test_games_and_settings_that_do_not_fit_are_refused(small):
    with pytest.raises(MethodError, match="deals nothing after the start"):
        learn_values(PublicTree(z.load("kuhn:players=2")), QUICK)
    with pytest.raises(OptionError, match="situations must be"):
        learn_values(small, RangeSettings(situations=0))
    with pytest.raises(MethodError, match="say rounds=1"):
        resolved(small, Resolving(2, depth=1, values=RangeNetwork(RangeNetwork.kinds_of(small), DenseNetwork([]))))


def test_the_descent_follows_the_slope_of_the_loss():
    random = np.random.default_rng(5)
    network = DenseNetwork.start([3, 4, 2], 1)
    network.tensors[2][:] = random.standard_normal((4, 2))
    rows, targets = (random.standard_normal((6, n)).astype(np.float32) for n in (3, 2))
    weights = np.ones((6, 2), np.float32)

    def loss(tensors):
        error = np.abs(DenseNetwork(tensors)(rows) - targets)
        return np.where(error < 0.1, 0.5 * error**2, 0.1 * (error - 0.05)).mean()

    before = [tensor.copy() for tensor in network.tensors]
    DenseLearner(network).step(rows, targets, weights, 1e-3)
    for i, (old, new) in enumerate(zip(before, network.tensors, strict=True)):
        for place in np.ndindex(old.shape):
            moved = [tensor.copy() for tensor in before]
            moved[i][place] += 0.02
            up = loss(moved)
            moved[i][place] -= 0.04
            slope = (up - loss(moved)) / 0.04
            if abs(slope) > 1e-3:
                assert np.sign(new[place] - old[place]) == -np.sign(slope)  # the first step of Adam is its sign
