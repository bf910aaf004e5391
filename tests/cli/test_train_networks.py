from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from zermelo.cli import main
from zermelo.games.backgammon.training import TrainingProgress


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["backgammon", "--networks", "hiddn=8"], "has no option 'hiddn'"),
        (["backgammon", "--networks", "games=8"], "--games N"),
        (["backgammon", "--networks", "hidden=-8"], "hidden must be a whole number from 0 to 1,024"),
        (["backgammon", "--data", "somewhere"], "leave out --data"),
        (["tictactoe", "--networks", "hidden=8"], "has no networks"),
    ],
)
def test_what_a_training_cannot_use_is_one_line(tmp_path, arguments, why):
    done = CliRunner().invoke(main, ["train", *arguments, "--out", str(tmp_path / "x")])
    assert done.exit_code == 2
    assert why in done.output
    assert done.output.count("\n") == 1


def test_networks_that_are_there_are_not_lost_before_anything_is_played(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "backgammon.safetensors").write_text("precious")
    done = CliRunner().invoke(main, ["train", "backgammon"])
    assert done.exit_code == 2
    assert "backgammon.safetensors is there already" in done.output
    assert done.output.count("\n") == 1
    assert (tmp_path / "backgammon.safetensors").read_text() == "precious"


def test_networks_go_to_a_file_named_after_the_game(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def write(out: str, *_: object) -> TrainingProgress:
        Path(out).write_text("networks")
        return TrainingProgress(7, 1.0, 1.0, {}, 100)

    monkeypatch.setattr("zermelo.games.backgammon.training.train", write)
    done = CliRunner().invoke(main, ["train", "backgammon"])
    assert done.exit_code == 0, done.output
    assert "7 games in 1 s; the networks are in backgammon.safetensors" in done.output
    assert (tmp_path / "backgammon.safetensors").read_text() == "networks"
