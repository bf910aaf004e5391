from __future__ import annotations

import json

import numpy as np
from tests.games.backgammon.runs import learn_twice, needs_torch, train

from zermelo.engine.tensors import read_tensors
from zermelo.games.backgammon.networks import MOST_ROLLS, Networks
from zermelo.games.backgammon.train_races import PIPS, draw_sides
from zermelo.games.backgammon.training import TrainingSettings

SMALL = TrainingSettings(network="race", sides=3000, race_hidden=16, race_inner=8, batch=256, threads=1, device="cpu")


def test_sides_that_are_drawn_are_outside_and_not_too_far():
    sides = draw_sides(np.random.default_rng(1), 1000, 80.0)
    assert len(sides) == 1000
    assert (sides.sum(1) <= 15).all()
    assert (sides[:, 6:].sum(1) >= 1).all()
    assert (sides[:, 23:] == 0).all()
    assert ((sides * PIPS).sum(1) <= 80).all()


def error(path):
    """How far the mean number of rolls is from that a roll later, on average."""
    sides = draw_sides(np.random.default_rng(2), 100, 60.0)
    networks = Networks.read(path)
    return float(np.abs((networks.needs(sides) - networks.needs(sides, 1)) @ np.arange(MOST_ROLLS)).mean())


@needs_torch
def test_races_are_learned_again_alike_and_contact_is_left_alone(tmp_path):
    report, runs = learn_twice(tmp_path, SMALL, left_alone="contact")
    assert [run.get("network", "contact") for run in runs][-1] == "race"
    assert runs[-1]["sides"] == 3000
    assert report.share == 1
    assert error(tmp_path / "one") < 0.5


@needs_torch
def test_races_are_learned_on_from_a_file(tmp_path):
    train(tmp_path / "one", SMALL)
    train(
        tmp_path / "two", TrainingSettings(**(SMALL.__dict__ | {"race_hidden": 64, "seed": 3})), start=tmp_path / "one"
    )
    tensors, notes = read_tensors(tmp_path / "two")
    assert tensors["race.hidden.bias"].size == 16
    assert [run["seed"] for run in json.loads(notes["runs"])][-2:] == [0, 3]
    assert error(tmp_path / "two") < error(tmp_path / "one")
