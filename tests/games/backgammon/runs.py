"""Runs of learning that tests compare."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zermelo.engine.tensors import read_tensors
from zermelo.game.contract import NetworkRun, Trainer
from zermelo.games.backgammon.networks import DEFAULT, NAMES
from zermelo.games.backgammon.training import TrainingSettings, begin
from zermelo.train import Moment, OwnTraining

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")


def training_of(
    out: Path, settings: TrainingSettings, start: Path | None = None, told: Callable[[Moment], None] = lambda _: None
) -> OwnTraining:
    return OwnTraining(Trainer(TrainingSettings, begin, "weights"), "backgammon", out, settings, start, told)


def train(out: Path, settings: TrainingSettings, start: Path | None = None) -> OwnTraining:
    """A training that has been run."""
    training = training_of(out, settings, start)
    training.run()
    return training


def learn_twice(folder: Path, settings: TrainingSettings, left_alone: str) -> tuple[NetworkRun, list[dict[str, Any]]]:
    """How the learning ended and all runs in the file; two runs must come out alike and leave one network alone."""
    trained = [train(folder / name, settings) for name in ("one", "two")]
    (one, notes), (two, _), (package, _) = map(read_tensors, (folder / "one", folder / "two", DEFAULT))
    assert all(np.array_equal(one[name], two[name]) for name in one)
    assert all(np.array_equal(one[name], package[name]) for name in NAMES[left_alone])
    return trained[-1].learning, json.loads(notes["runs"])
