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
        (["tictactoe", "--networks", "hidden=8"], "say --minutes 30, too"),
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


def test_a_network_is_learned_from_rules_alone(zermelo, tmp_path):
    rules = tmp_path / "small.py"
    rules.write_text(
        "from zermelo.games.breakthrough import Breakthrough\n\n\n"
        "class Small(Breakthrough):\n    def __init__(self):\n        super().__init__(4, 5)\n"
    )
    settings = "width=32,nodes=30,opening_plies=4,move_seconds=0.001,batch=512"
    found = zermelo.json("train", f"{rules}:Small", "--minutes", "0.1", "--threads", "1", "--networks", settings)
    assert found["games"] > 0
    assert (tmp_path / "small.training" / "curve.svg").exists()
    assert (found["out"] is not None) == (tmp_path / "small.safetensors").exists()
    done = zermelo("train", f"{rules}:Small", "--minutes", "0.1", "--threads", "1")
    assert done.exit_code == 2
    assert "has had its" in done.output


def test_a_network_beside_the_rules_is_used(zermelo, tmp_path):
    from zermelo.engine.compiled import NetworkGame
    from zermelo.games import load
    from zermelo.learn.learning import Learning

    rules = tmp_path / "small.py"
    rules.write_text(
        "from zermelo.games.breakthrough import Breakthrough\n\n\n"
        "class Small(Breakthrough):\n    def __init__(self, rows: int = 5):\n        super().__init__(4, rows)\n"
    )
    text = f"{rules}:Small"
    network = Learning(load(text), 32, 512, 1, 0).network({})
    network.write(tmp_path / "small.safetensors")
    state = load(text).initial()
    found, by_hand = (load(each).evaluate(state, 0) for each in (text, f"{text}:network=no"))
    assert found != by_hand
    assert load(f"{text}:network={tmp_path / 'small.safetensors'}").evaluate(state, 0) == found
    assert not isinstance(load(f"{text}:rows=6"), NetworkGame)  # it was learned with other options
    done = zermelo("analyse", f"connect4:network={tmp_path / 'small.safetensors'}")
    assert done.exit_code == 2
    assert "was learned for another game" in done.output
