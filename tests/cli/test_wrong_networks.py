"""`network=FILE` with a file that is not a network of this game: one line, whatever the command."""

from __future__ import annotations

import json

import pytest

from zermelo.engine.network import Network
from zermelo.engine.tensors import read_tensors, write_tensors
from zermelo.games import load
from zermelo.learn.learning import SumLearning

COMMANDS = {
    "play": ("play", "GAME"),
    "analyse": ("analyse", "GAME", "--seconds", "0.1"),
    "arena": ("arena", "GAME", "random", "random", "--games", "2"),
    "engine": ("engine", "GAME"),
    "studio": ("studio", "GAME", "--no-open"),
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Files that do not fit connect4, each with a part of what is said about it."""
    folder = tmp_path_factory.mktemp("networks")
    own = folder / "connect4.safetensors"
    SumLearning(load("connect4"), 32, 512, 1, 0).network({}).write(own)
    SumLearning(load("othello:size=6"), 32, 512, 1, 0).network({}).write(folder / "game")
    SumLearning(load("connect4:columns=8"), 32, 512, 1, 0).network({}).write(folder / "options")
    tensors, notes = read_tensors(own)
    states = json.dumps({**json.loads(notes["game"]), "states": "of another layout"})
    write_tensors(folder / "layout", tensors, {**notes, "game": states})
    narrow = json.dumps({**json.loads(notes["shape"]), "width": 64})
    write_tensors(folder / "shape", tensors, {**notes, "shape": narrow})
    (folder / "cut").write_bytes(own.read_bytes()[:1000])
    (folder / "text").write_text("no network")
    return {
        str(folder / "game"): "was learned for another game",
        str(folder / "options"): "was learned for another game",
        str(folder / "layout"): "was learned for another game",
        str(folder / "shape"): "is not a network",
        str(folder / "cut"): "is not a safetensors file",
        str(folder / "text"): "is not a safetensors file",
        str(folder / "nowhere"): "cannot be read",
    }


@pytest.mark.parametrize("command", COMMANDS)
def test_a_network_that_does_not_fit_is_one_line(zermelo, files, command):
    for file, why in files.items():
        given = [each.replace("GAME", f"connect4:network={file}") for each in COMMANDS[command]]
        assert why in zermelo.fails(*given)


def test_networks_of_backgammon_are_no_sum_networks_and_the_other_way_round(zermelo, tmp_path):
    from zermelo.games.backgammon.networks import DEFAULT

    assert "is not a network" in zermelo.fails("analyse", f"connect4:network={DEFAULT}")
    own = tmp_path / "connect4.safetensors"
    SumLearning(load("connect4"), 32, 512, 1, 0).network({}).write(own)
    assert Network.read(own)
    assert "holds no networks for backgammon" in zermelo.fails("analyse", f"backgammon:weights={own}")
