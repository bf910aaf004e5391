"""Numba's settings: kept code is used only under those it was compiled with, and none makes compiled rules unsafe."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

GAME = """
from typing import NamedTuple
import numpy
import zermelo

class Indexing(zermelo.Game):
    players = 1
    utility_sum = None
    bounds = (-10.0, 10.0)

    class State(NamedTuple):
        n: int

    def __init__(self):
        self.table = numpy.arange(20)

    def initial(self): return self.State(0)
    def player(self, s): return 0
    def actions(self, s): yield 1
    def result(self, s, a): return self.State(s.n + a)
    def is_terminal(self, s): return s.n > 3
    def utility(self, s, p): return float(self.table[s.n])
"""
COUNT = """
from zermelo.engine import compile_game
from game import Indexing
compiled = compile_game(Indexing())
print(compiled.code.source, compiled.perft(Indexing().initial(), 6).positions)
"""
BEYOND = """
from zermelo.engine import compile_game
from game import Indexing
compile_game(Indexing()).info(Indexing.State(25))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "game.py").write_text(GAME, encoding="utf-8")
    return tmp_path


def run(folder: Path, code: str, **settings: str) -> subprocess.CompletedProcess[str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("NUMBA_")}
    environment = {**own, "ZERMELO_CACHE": str(folder / "code"), "PYTHONPATH": str(folder), **settings}
    return subprocess.run([sys.executable, "-c", code], env=environment, cwd=folder, capture_output=True, text=True)


@pytest.mark.parametrize(
    ("name", "value"), [("NUMBA_CPU_NAME", "generic"), ("NUMBA_CPU_FEATURES", "+sse2"), ("NUMBA_OPT", "1")]
)
def test_code_compiled_under_other_settings_is_not_used(folder: Path, name: str, value: str) -> None:
    assert run(folder, COUNT).stdout.split() == ["compiled", "5"]
    assert run(folder, COUNT, **{name: value}).stdout.split() == ["compiled", "5"]
    assert run(folder, COUNT, **{name: value}).stdout.split() == ["kept", "5"]
    assert run(folder, COUNT).stdout.split() == ["kept", "5"]


def test_a_setting_that_a_program_or_a_file_changes_counts_as_well(folder: Path) -> None:
    assert run(folder, COUNT).stdout.split() == ["compiled", "5"]
    assert run(folder, "import numba; numba.config.CPU_NAME = 'generic'" + COUNT).stdout.split() == ["compiled", "5"]
    (folder / ".numba_config.yaml").write_text("cpu_name: generic\n", encoding="utf-8")
    assert run(folder, COUNT).stdout.split() == ["compiled", "5"]


def test_an_index_beyond_the_end_is_an_error_whatever_numba_is_told(folder: Path) -> None:
    assert "IndexError" in run(folder, BEYOND, NUMBA_BOUNDSCHECK="0").stderr.splitlines()[-1]


def test_without_compilation_the_reason_is_the_setting(folder: Path) -> None:
    error = run(folder, COUNT, NUMBA_DISABLE_JIT="1").stderr.splitlines()[-1]
    assert "CompileError" in error
    assert "unset it" in error
