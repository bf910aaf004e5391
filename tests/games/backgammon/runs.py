"""Runs of learning that tests compare."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zermelo.engine.tensors import read_tensors
from zermelo.games.backgammon.networks import DEFAULT, NAMES
from zermelo.games.backgammon.training import TrainingSettings, train

HAS_TORCH = importlib.util.find_spec("torch") is not None
needs_torch = pytest.mark.skipif(not HAS_TORCH, reason="PyTorch is not installed")


def learn_twice(folder: Path, settings: TrainingSettings, left_alone: str) -> tuple[Any, list[dict[str, Any]]]:
    """The last report and all runs in the file, after two runs that must come out alike and leave one network alone."""
    reports: list[Any] = []
    for name in ("one", "two"):
        train(folder / name, settings, report=reports.append)
    (one, notes), (two, _), (package, _) = map(read_tensors, (folder / "one", folder / "two", DEFAULT))
    assert all(np.array_equal(one[name], two[name]) for name in one)
    assert all(np.array_equal(one[name], package[name]) for name in NAMES[left_alone])
    return reports[-1], json.loads(notes["runs"])
