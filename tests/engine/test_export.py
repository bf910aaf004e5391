"""Compiled rules as a shared library are the game that they were compiled from."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from zermelo.cli import main
from zermelo.engine import compile_game
from zermelo.engine.export import package
from zermelo.games import load

pytestmark = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler here")


@pytest.mark.parametrize("name", ["tictactoe", "nim:heaps=3/4", "pig:goal=10"])
def test_a_library_is_the_same_game(tmp_path: Path, name: str) -> None:
    library = tmp_path / "game.so"
    done = CliRunner().invoke(main, ["compile", name, "--out", str(library)], prog_name="zermelo")
    assert done.exit_code == 0, done.output
    game, exported = load(name), load(f"{library}:{type(load(name)).__name__.lower()}")
    found, wanted = compile_game(exported), compile_game(game)
    assert found.perft(exported.initial(), 4)[:3] == wanted.perft(game.initial(), 4)[:3]
    assert (exported.players, exported.utility_sum, exported.bounds) == (game.players, game.utility_sum, game.bounds)


ABSENT = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
import pathlib
from zermelo.engine.rules import objects
objects.PACKAGED = pathlib.Path(sys.argv[1])
import zermelo as z
from zermelo.engine import compile_game
print(compile_game(z.load("tictactoe")).code.source, z.solve(z.load("tictactoe")).value)
"""


def test_the_games_of_the_package_need_no_numba(tmp_path: Path) -> None:
    game = load("tictactoe")
    assert package(tmp_path / "games.so", [game]) == [game]
    command = [sys.executable, "-W", "error", "-c", ABSENT, str(tmp_path / "games.so")]
    environment = os.environ | {"ZERMELO_CACHE": ""}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == ["packaged", "0.0"]


def test_a_network_is_no_part_of_packaged_rules(tmp_path):
    (taken,) = package(tmp_path / "games.so", [load("breakthrough")])
    assert taken.name == load("breakthrough").name
