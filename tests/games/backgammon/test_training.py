from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.games.backgammon.runs import HAS_TORCH, learn_twice, needs_torch, train, training_of
from tests.games.backgammon.test_networks import boards_of_games, in_contact

from zermelo.engine.tensors import read_tensors
from zermelo.errors import InputError, MethodError, OptionError
from zermelo.games.backgammon.networks import CHANCES, DEFAULT, INPUTS, Networks, equities, inputs_of
from zermelo.games.backgammon.train_contact import _doubled_parts, _linear_parts
from zermelo.games.backgammon.training import TrainingSettings
from zermelo.learn.learner import import_torch

SMALL = TrainingSettings(games=150, hidden=8, inner=8, window=20_000, batch=256, threads=1, device="cpu")


@pytest.mark.skipif(HAS_TORCH, reason="PyTorch is installed")
def test_without_pytorch_one_is_told_how_to_get_it(tmp_path):
    with pytest.raises(MethodError, match=r"zermelo\[train\]"):
        train(tmp_path / "x", SMALL)


@pytest.mark.parametrize(
    "wrong",
    [
        {"hidden": -1},
        {"hidden": 4096},
        {"minutes": 0},
        {"window": 10},
        {"trace": 2.0},
        {"lookahead": -0.1},
        {"games": -1},
        {"network": "both"},
        {"network": "race", "sides": 0},
        {"network": "race", "race_hidden": 0},
    ],
)
def test_settings_that_make_no_sense_are_refused(tmp_path, wrong):
    with pytest.raises(OptionError):
        train(tmp_path / "x", TrainingSettings(**wrong))


def test_a_linear_network_comes_back_from_its_other_shape():
    chance = np.random.default_rng(1)
    parts = [chance.normal(size=(INPUTS, CHANCES)).astype(np.float32), chance.normal(size=CHANCES).astype(np.float32)]
    for part, again in zip(parts, _linear_parts(_doubled_parts(parts)), strict=True):
        np.testing.assert_allclose(part, again)


@needs_torch
def test_a_run_can_be_repeated_and_says_how_it_was_made(tmp_path):
    report, (*others, run) = learn_twice(tmp_path, SMALL, left_alone="race")
    assert {other["network"] for other in others} == {"race"}  # the runs that made the network that was taken over
    assert (run["games_played"], run["hidden"], run["seed"]) == (report.games, 8, 0)
    assert report.share == 1


@needs_torch
def test_learning_goes_on_from_a_file(tmp_path):
    train(tmp_path / "one", SMALL)
    train(
        tmp_path / "two",
        TrainingSettings(**(SMALL.__dict__ | {"games": 60, "seed": 2, "lookahead": 0.5})),
        start=tmp_path / "one",
    )
    _, notes = read_tensors(tmp_path / "two")
    assert [run["seed"] for run in json.loads(notes["runs"])][-2:] == [0, 2]
    with pytest.raises(InputError):
        train(tmp_path / "three", SMALL, start=tmp_path / "nowhere")


@needs_torch
def test_a_linear_network_learns_that_chequers_off_are_good(tmp_path):
    settings = TrainingSettings(**(SMALL.__dict__ | {"games": 300, "hidden": 0, "rate": 0.01}))
    train(tmp_path / "x", settings)
    sides = [6, 3] + [0] * 18 + [1] + [0] * 4, [0] * 5 + [8, 6] + [0] * 17 + [1]
    boards = np.array([[*sides[0], *sides[1]], [*sides[1], *sides[0]]], np.uint8)
    ahead, behind = equities(Networks.read(tmp_path / "x").chances(boards))
    assert ahead > behind


@needs_torch
def test_the_core_says_what_the_learner_says(tmp_path):
    training = train(tmp_path / "one", SMALL)
    boards = boards_of_games(13_000, 7)
    boards = boards[in_contact(boards)][:10_000]
    learner = training.learning.learner
    learner.weights = learner.mean
    said = learner.run(import_torch().from_numpy(inputs_of(boards))).numpy()
    win = Networks.read(tmp_path / "one").chances(boards)[:, 0]
    np.testing.assert_allclose(win, 1 / (1 + np.exp(-said[:, 0].astype(np.float64))), atol=1e-4)


@needs_torch
def test_a_learner_goes_on_where_it_was(tmp_path):
    training = train(tmp_path / "one", SMALL)
    again = training_of(tmp_path / "one", TrainingSettings(**(SMALL.__dict__ | {"games": 300})))
    old, new = training.learning.learner, again.learning.learner
    assert new.steps == old.steps > 0
    for name, parts in old._kept().items():
        for part, other in zip(parts, new._kept()[name], strict=True):
            np.testing.assert_array_equal(part.detach().numpy(), other.detach().numpy(), err_msg=name)
    assert again.learning.games == training.learning.games
    again.learning.step()
    assert np.isfinite(again.learning.loss)
    again.learning.close()


@needs_torch
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise here")
@pytest.mark.parametrize("number", ["SIGINT", "SIGKILL"])
def test_a_training_that_was_ended_goes_on(tmp_path, number):
    out = tmp_path / "one"
    code = (
        "import os, signal\n"
        "from pathlib import Path\n"
        "from tests.games.backgammon.runs import training_of\n"
        "from tests.games.backgammon.test_training import SMALL\n"
        "def told(moment):\n"
        f"    if moment.games: os.kill(os.getpid(), signal.{number})\n"
        f"training_of(Path({str(out)!r}), SMALL, told=told).run()\n"
    )
    root = Path(__file__).parents[3]
    ended = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=False)
    assert ended.returncode != 0, ended.stderr.decode()
    Networks.read(out)  # the networks so far
    again = training_of(out, SMALL)
    assert 0 < again.learning.games < SMALL.games
    assert again.run().games >= SMALL.games


@needs_torch
def test_a_learner_of_another_network_is_refused(tmp_path):
    train(tmp_path / "one", SMALL)
    path = tmp_path / "one.training" / "learner.safetensors"
    whole = path.read_bytes()
    more = TrainingSettings(**(SMALL.__dict__ | {"games": 300}))
    for data in (b"", whole[:500], whole[:-8], Path(DEFAULT).read_bytes(), whole.replace(b"contact", b"contacd")):
        path.write_bytes(data)
        with pytest.raises(InputError, match="to begin anew"):
            training_of(tmp_path / "one", more)
