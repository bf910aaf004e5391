"""Whatever ends a training, it ends with one clear line, keeps the last good network, and goes on where it can."""

from __future__ import annotations

import dataclasses
import errno
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from zermelo.engine.network import Network, with_network
from zermelo.engine.tensors import write_tensors
from zermelo.errors import InputError, MethodError
from zermelo.games import load
from zermelo.learn.learning import Learning, SumLearning
from zermelo.learn.records import RecordedGames
from zermelo.train import Training, TrainingSettings, run
from zermelo.train.folder import TrainingFolder

GAME = "breakthrough:columns=4,rows=5"
SHORT = TrainingSettings(minutes=0.06, width=32, nodes=20, opening_plies=4, move_seconds=0.001, batch=512)


class Keeps:
    """A test that every network passes."""

    def decision(self, counts: list[int]) -> bool:
        return sum(counts) >= 2

    def llr(self, counts: list[int]) -> float:
        return 1.0


@pytest.fixture
def keeping(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "rule_of", lambda _: Keeps())


def make(out: Path, minutes: float = SHORT.minutes) -> Training:
    return Training(GAME, out, dataclasses.replace(SHORT, minutes=minutes), lambda _: None)


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A training that has kept a network; tests copy its folder."""
    out = tmp_path_factory.mktemp("trained") / "net.safetensors"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "rule_of", lambda _: Keeps())
        training = make(out)
        assert training.run().network == out
    training.state.seconds = 0.0  # however slow the machine, time is left
    training.folder.save(training.state)
    return out


@pytest.fixture
def net(trained: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    shutil.copytree(trained.parent, tmp_path, dirs_exist_ok=True)
    return tmp_path / trained.name


def is_good(path: Path) -> bool:
    """Whether the file is a network that plays."""
    game = load(GAME)
    return bool(np.isfinite(with_network(game, Network.read(path)).evaluate(game.initial(), 0)))


def one_line(call: Callable[[], Any], kind: type[Exception], why: str) -> None:
    with pytest.raises(kind, match=why) as caught:
        call()
    assert "\n" not in str(caught.value)


KILLED = """
import os, signal
from zermelo.train import Training, TrainingSettings, run
from tests.train.test_robustness import GAME, SHORT, Keeps
run.rule_of = lambda _: Keeps()
def told(moment):
    if moment.phase == {phase!r} and moment.generation >= {generation}:
        os.kill(os.getpid(), signal.SIGKILL)
Training(GAME, {out!r}, SHORT, told).run()
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are killed otherwise here")
@pytest.mark.parametrize("phase", ["playing", "learning", "testing", "matching"])
def test_a_training_killed_in_any_phase_goes_on(phase: str, tmp_path: Path, keeping: None) -> None:
    out = tmp_path / "net.safetensors"
    root = Path(__file__).parents[2]
    code = KILLED.format(phase=phase, generation=1, out=str(out))
    killed = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, check=False)
    assert killed.returncode == -signal.SIGKILL, killed.stderr.decode()
    assert not out.exists() or is_good(out)
    training = make(out, 10 * SHORT.minutes)
    training.settings = SHORT
    training.state.seconds = 0.0
    assert training.run().network == out
    assert is_good(out)
    for each in training.state.generations:
        numbers = [game.number for game in RecordedGames(training.folder.games(each.number), load(GAME))]
        assert numbers == list(range(each.games))


def test_a_network_that_is_gone_comes_back(net: Path) -> None:
    net.unlink()
    make(net, 1.0)
    assert is_good(net)


def test_a_folder_in_which_another_process_trains_is_left_alone(net: Path) -> None:
    state = net.with_suffix(".training") / "state.json"
    before = state.read_bytes()
    training = make(net, 1.0)
    with training.folder.held():
        one_line(training.run, InputError, "another process is training in .*another --out")
    assert state.read_bytes() == before


# Disks.


def full(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def read_only(*_: object, **__: object) -> None:
    raise OSError(errno.EROFS, os.strerror(errno.EROFS))


@pytest.mark.parametrize("fails", [full, read_only])
@pytest.mark.parametrize(
    "writer",
    [
        "zermelo.train.folder.replace_file",
        "zermelo.engine.tensors.replace_file",
        "zermelo.learn.records.RecordWriter._put",
    ],
)
def test_a_disk_that_takes_no_more_ends_with_one_line(
    net: Path, monkeypatch: pytest.MonkeyPatch, writer: str, fails: Callable[..., None], keeping: None
) -> None:
    before = net.read_bytes()
    training = make(net, 0.2)
    monkeypatch.setattr(writer, fails)
    one_line(training.run, InputError, "(kept|written).*(No space left|Read-only)")
    assert net.read_bytes() == before
    monkeypatch.undo()
    assert is_good(training.folder.best)
    make(net, 1.0)  # goes on


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_is_read_only_ends_with_one_line(net: Path) -> None:
    folder = net.with_suffix(".training")
    folder.chmod(0o500)
    try:
        one_line(make(net, 0.2).run, InputError, "Permission denied")
    finally:
        folder.chmod(0o700)


# Numbers.


def test_a_loss_that_is_no_number_ends_with_one_line(net: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = net.read_bytes()
    training = make(net, 0.2)
    monkeypatch.setattr(Learning, "_descend", lambda self, *_: spoil(self))
    one_line(training.run, MethodError, "its loss is not a number")
    assert net.read_bytes() == before


def spoil(learning: Learning[Any]) -> None:
    """Makes the descent diverge: a rate that no weight survives."""
    learning._trainer.learn(learning._learned, 2, float("inf"))


def test_learning_begins_again_with_a_lower_rate_if_numbers_get_out_of_hand(
    net: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    learning = make(net, 0.2).learning
    games = RecordedGames(TrainingFolder(net.with_suffix(".training")).games(0), load(GAME))
    learning.read([(games, True)], 1 << 20, (0.3, 0.3))
    descend, tries = Learning._descend, []

    def once(self: Learning[Any], *given: Any) -> None:
        tries.append(given[1])
        if len(tries) == 1:
            spoil(self)
        else:
            descend(self, *given)

    monkeypatch.setattr(Learning, "_descend", once)
    assert np.isfinite(learning.learn(1.0, 0.004, 1.0))
    assert tries == [0.004, pytest.approx(0.0004)]
    assert np.isfinite(learning._trainer.weights).all()


# Files that are cut off, or another's.


def cut_games(net: Path, size: Callable[[int], int]) -> Path:
    """Cuts off the games of the last generation, which is not decided any more: they are played on."""
    folder = TrainingFolder(net.with_suffix(".training"))
    state = folder.load()
    assert state is not None
    state.generations[-1].kept = None
    folder.save(state)
    path = folder.games(len(state.generations) - 1)
    path.write_bytes(path.read_bytes()[: size(path.stat().st_size)])
    return path


@pytest.mark.parametrize("share", [0.0, 0.5, 0.9])
def test_games_that_are_cut_off_are_played_on(net: Path, share: float) -> None:
    path = cut_games(net, lambda size: int(share * size))
    training = make(net, 0.2)
    training.run()
    (games,) = [each.games for each in training.state.generations if training.folder.games(each.number) == path]
    assert [game.number for game in RecordedGames(path, load(GAME))] == list(range(games))
    assert is_good(net)


def test_games_without_a_header_are_one_line(net: Path) -> None:
    cut_games(net, lambda _: 10)
    one_line(make(net, 0.2).run, InputError, "games-")
    assert is_good(net)


@pytest.mark.parametrize("name", ["best.safetensors", "learner.safetensors", "state.json"])
@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_a_file_that_is_cut_off_is_one_line(net: Path, name: str, share: float) -> None:
    path = net.with_suffix(".training") / name
    path.write_bytes(path.read_bytes()[: int(share * path.stat().st_size)])
    one_line(lambda: make(net, 1.0), InputError, f"{name}.* to begin anew")
    assert is_good(net)


@pytest.mark.parametrize("name", ["best.safetensors", "learner.safetensors"])
def test_a_file_of_another_kind_is_one_line(net: Path, name: str) -> None:
    path = net.with_suffix(".training") / name
    other = SumLearning(load("connect4"), 32, 512, 1, 0)
    if name.startswith("best"):
        other.network({}).write(path)
    else:
        other.save(path)
    one_line(lambda: make(net, 1.0), InputError, f"{name}.* to begin anew")
    write_tensors(path, {"x": np.zeros(3, np.float32)}, {})
    one_line(lambda: make(net, 1.0), InputError, f"{name}.* to begin anew")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"seconds": ', '"seconds": NaN, "x": '),
        ('"generations": [', '"generations": [3, '),
        ('"counts": [', '"counts": [1, '),
        ('"width": 32', '"width": "wide"'),
        ('"seed": 0', '"seed": -1'),
    ],
)
def test_a_state_of_another_kind_is_one_line(net: Path, old: str, new: str) -> None:
    path = net.with_suffix(".training") / "state.json"
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    one_line(lambda: make(net, 1.0), InputError, "training")
