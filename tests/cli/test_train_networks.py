from __future__ import annotations

import json
import sys

import pytest
from click.testing import CliRunner
from tests.games.backgammon.runs import needs_torch

from zermelo.cli import main
from zermelo.engine.tensors import read_tensors
from zermelo.games import load


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (["backgammon", "--networks", "hiddn=8"], "has no option 'hiddn'"),
        (["backgammon", "--networks", "games=8"], "--games N"),
        (["backgammon", "--networks", "hidden=-8"], "hidden must be a whole number from 0 to 1,024"),
        (["backgammon", "--data", "somewhere"], "leave out --data"),
        (["tictactoe", "--networks", "hidden=8"], "say --minutes 30, too"),
        (["backgammon", "--on", "ray"], "leave out --on"),
        (["tictactoe", "--games", "9", "--on", "ray"], "say --minutes 30, too"),
        (["breakthrough", "--minutes", "1", "--concurrency", "2"], "say --on, too"),
        (["breakthrough", "--minutes", "1", "--on", "mars"], "say processes, ray or ray://HOST:PORT"),
        (["breakthrough", "--minutes", "1", "--on", "ray://mars"], "say ray, or ray://HOST:PORT"),
        (["breakthrough", "--minutes", "1", "--on", "ray", "--concurrency", "0"], "concurrency must be"),
        (["hex", "--minutes", "1", "--networks", "family=tree"], "family must be one of sum, grid"),
        (["hex", "--minutes", "1", "--networks", "family=grid,width=32"], "has no option 'width'"),
        (["hex", "--minutes", "1", "--networks", "channels=32"], "has no option 'channels'"),
        (["hex", "--minutes", "1", "--networks", "family=grid,channels=40"], "a multiple of 16"),
    ],
)
def test_what_a_training_cannot_use_is_one_line(tmp_path, arguments, why):
    done = CliRunner().invoke(main, ["train", *arguments, "--out", str(tmp_path / "x")])
    assert done.exit_code == 2
    assert why in done.output
    assert done.output.count("\n") == 1


def test_a_training_without_ray_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)
    arguments = ["breakthrough", "--minutes", "1", "--on", "ray", "--out", str(tmp_path / "x")]
    done = CliRunner().invoke(main, ["train", *arguments])
    assert done.exit_code == 2
    assert "pip install 'zermelo[cluster]'" in done.output
    assert done.output.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_networks_that_are_there_are_not_lost_before_anything_is_played(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "backgammon.safetensors").write_text("precious")
    done = CliRunner().invoke(main, ["train", "backgammon"])
    assert done.exit_code == 2
    assert "backgammon.safetensors is there already" in done.output
    assert done.output.count("\n") == 1
    assert (tmp_path / "backgammon.safetensors").read_text() == "precious"


@needs_torch
def test_networks_go_to_a_file_named_after_the_game_and_the_same_command_goes_on(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    given = ("--threads", "1", "--networks", "hidden=8,inner=8,window=20000,batch=256,device=cpu")
    found = zermelo.json("train", "backgammon", "--games", "64", *given)
    assert found["out"] == "backgammon.safetensors"
    assert found["games"] >= 64
    assert found["points"]["points"] < -0.5  # against the package's networks
    assert load("backgammon:weights=backgammon.safetensors").can("evaluate")
    assert "is over" in zermelo.fails("train", "backgammon", "--games", "64", *given)
    done = zermelo("train", "backgammon", "--games", "80", "--threads", "1")
    assert done.exit_code == 0, done.output
    assert "points a game over what you had" in done.stdout
    assert done.stdout.endswith("play against them: zermelo play backgammon:weights=backgammon.safetensors\n")
    runs = json.loads(read_tensors("backgammon.safetensors")[1]["runs"])
    assert runs[-1]["command"].startswith("zermelo train backgammon")
    assert {"zermelo", "games_played", "seed", "hidden"} <= set(runs[-1])


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
    from zermelo.engine.equipped import NetworkGame
    from zermelo.games import load
    from zermelo.learn.learning import SumLearning

    rules = tmp_path / "small.py"
    rules.write_text(
        "from zermelo.games.breakthrough import Breakthrough\n\n\n"
        "class Small(Breakthrough):\n    def __init__(self, rows: int = 5):\n        super().__init__(4, rows)\n"
    )
    text = f"{rules}:Small"
    network = SumLearning(load(text), 32, 512, 1, 0).network({})
    network.write(tmp_path / "small.safetensors")
    state = load(text).initial()
    found, by_hand = (load(each).evaluate(state, 0) for each in (text, f"{text}:network=no"))
    assert found != by_hand
    assert load(f"{text}:network={tmp_path / 'small.safetensors'}").evaluate(state, 0) == found
    assert not isinstance(load(f"{text}:rows=6"), NetworkGame)  # it was learned with other options
    done = zermelo("analyse", f"connect4:network={tmp_path / 'small.safetensors'}")
    assert done.exit_code == 2
    assert "was learned for another game" in done.output
