"""The trainer of sum networks: its gradient, its seed, and that the integers say what the floats said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from zermelo.engine.compiled import CompiledGame, compile_game
from zermelo.engine.core import _core
from zermelo.engine.identity import identify
from zermelo.engine.network import WEIGHTS, Network, Shape
from zermelo.games import load
from zermelo.learn.inputs import derive_shape, sample_states


def prepare(
    name: str, width: int, count: int = 3_000
) -> tuple[CompiledGame[Any], Shape, _core.SumShape, _core.Samples]:
    """Positions whose target is the share of inputs that are on: something that a network can learn."""
    compiled = compile_game(load(name))
    states = sample_states(compiled, count)
    shape = derive_shape(compiled, states, width)
    native = shape.native()
    samples = _core.Samples(native)
    targets = (np.unpackbits(states[:, :8], axis=1).sum(1) / 64).astype(np.float32)
    samples.add(compiled.handle, states.tobytes(), targets)
    return compiled, shape, native, samples


def trainer(shape: Shape, native: _core.SumShape, **options: Any) -> _core.SumTrainer:
    settings = {"batch": 256, "threads": 1, "decay": 0.0, "seed": 7, **options}
    return _core.SumTrainer(native, most_active=shape.most_active, **settings)


@pytest.mark.parametrize("width", [0, 32])
@pytest.mark.parametrize("name", ["connect4", "pig:goal=30"])
def test_a_trainer_learns_what_can_be_learned(name: str, width: int) -> None:
    _, shape, native, samples = prepare(name, width)
    made = trainer(shape, native)
    before = made.loss(samples)
    for _ in range(20):
        made.learn(samples, 20, 0.01)
    targets = samples.targets.astype(np.float64).clip(1e-9, 1 - 1e-9)
    least = -(targets * np.log(targets) + (1 - targets) * np.log(1 - targets)).mean()
    assert made.loss(samples) - least < 0.05 * (before - least)


def test_a_trainer_learns_patterns() -> None:
    _, shape, native, samples = prepare("othello:size=6,network=no", 0)
    assert shape.inputs > 100_000
    assert len(samples.inputs) < 50 * len(samples)
    made = trainer(shape, native)
    before = made.loss(samples)
    made.learn(samples, 200, 0.01)
    targets = samples.targets.astype(np.float64).clip(1e-9, 1 - 1e-9)
    least = -(targets * np.log(targets) + (1 - targets) * np.log(1 - targets)).mean()
    assert made.loss(samples) - least < 0.05 * (before - least)
    touched = np.zeros(shape.inputs, bool)
    touched[samples.inputs] = True
    direct = made.quantised().direct.reshape(shape.stages, -1)
    assert direct.any(0)[touched].mean() > 0.5
    assert not direct[:, ~touched].any()


@pytest.mark.parametrize("name", ["othello:size=6,network=no", "connect4"])
def test_a_step_of_a_sum_does_not_depend_on_the_number_of_threads(name: str) -> None:
    _, shape, native, samples = prepare(name, 0, 1_000)
    found = []
    for threads in (1, 3):
        made = trainer(shape, native, threads=threads)
        made.learn(samples, 5, 0.01)
        found.append(made.weights)
    assert (found[0] == found[1]).all()


def test_the_first_step_goes_down_the_gradient() -> None:
    """Adam's first step is the sign of the gradient: compared with differences of the loss, weight by weight."""
    _, shape, native, samples = prepare("connect4", 32, 200)
    made = trainer(shape, native, batch=1 << 16)
    start = made.weights.copy()
    made.learn(samples, 1, 1e-4)
    moved = made.weights - start
    checked = 0
    for place in np.random.default_rng(0).permutation(np.flatnonzero(np.abs(moved) > 9e-5))[:300]:
        losses = []
        for step in (1e-2, -1e-2):
            changed = start.copy()
            changed[place] += step
            made.weights = changed
            losses.append(made.loss(samples))
        slope = (losses[0] - losses[1]) / 2e-2
        if abs(slope) > 1e-5:  # a smaller one is lost among the samples that were drawn
            assert np.sign(slope) == -np.sign(moved[place])
            checked += 1
    assert checked > 50


def test_the_same_seed_makes_the_same_network() -> None:
    _, shape, native, samples = prepare("connect4", 32)
    made = [trainer(shape, native, seed=seed) for seed in (3, 3, 4)]
    for each in made:
        each.learn(samples, 30, 0.01)
    assert (made[0].weights == made[1].weights).all()
    assert (made[0].weights != made[2].weights).any()


@pytest.mark.parametrize("width", [0, 32, 64])
@pytest.mark.parametrize("name", ["connect4", "checkers", "pig:goal=30"])
def test_the_integers_say_what_the_floats_said(name: str, width: int) -> None:
    compiled, shape, native, samples = prepare(name, width, 10_000)
    made = trainer(shape, native)
    made.learn(samples, 100, 0.01)
    weights = made.quantised()
    network = Network(identify(compiled.game), shape, {each: getattr(weights, each) for each in WEIGHTS})
    outputs = made.outputs(samples)
    core = network.native(compiled)
    states = [row.tobytes() for row in sample_states(compiled, 10_000)]
    found = np.array([core.output(compiled.handle, state) for state in states]) / core.UNIT
    values, expected = 1 / (1 + np.exp(-found)), 1 / (1 + np.exp(-outputs.astype(np.float64)))
    assert np.abs(values - expected).max() < 0.03
    assert np.abs(values - expected).mean() < 0.005


def test_weights_can_be_kept_and_loaded() -> None:
    _, shape, native, samples = prepare("connect4", 32)
    made, again = trainer(shape, native), trainer(shape, native, seed=8)
    made.learn(samples, 10, 0.01)
    again.weights = made.weights
    assert again.loss(samples) == made.loss(samples)
    for wrong in (made.weights[1:], np.full_like(made.weights, np.nan)):
        with pytest.raises(ValueError, match="weight"):
            again.weights = wrong


@pytest.mark.parametrize("width", [0, 32])
@pytest.mark.parametrize("name", ["connect4", "chess", "pig:goal=30"])
def test_a_trainer_goes_on_from_a_network(name: str, width: int) -> None:
    _, shape, native, samples = prepare(name, width)
    made, again = trainer(shape, native), trainer(shape, native, seed=8)
    made.learn(samples, 30, 0.01)
    network = made.quantised()
    again.take(network)
    for each in WEIGHTS:
        assert (getattr(again.quantised(), each) == getattr(network, each)).all()
    assert again.loss(samples) == pytest.approx(made.loss(samples), abs=0.01)
    again.learn(samples, 1, 1e-5)
    assert again.loss(samples) == pytest.approx(made.loss(samples), abs=0.01)


def test_a_trainer_refuses_the_weights_of_another_network() -> None:
    _, shape, native, _ = prepare("connect4", 32, 100)
    _, wider, wide, _ = prepare("connect4", 64, 100)
    with pytest.raises(ValueError, match="another network"):
        trainer(shape, native).take(trainer(wider, wide).quantised())


@pytest.mark.parametrize("target", [-0.1, 1.1, np.nan])
def test_targets_outside_are_refused(target: float) -> None:
    compiled, _, native, _ = prepare("connect4", 32, 10)
    with pytest.raises(ValueError, match="outside"):
        _core.Samples(native).add(compiled.handle, compiled.handle.initial(), np.array([target], np.float32))
