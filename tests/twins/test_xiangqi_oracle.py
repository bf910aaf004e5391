"""Chinese chess against Fairy-Stockfish's rules; `bench/xiangqi_fuzz.py` does the same on any number of positions."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "xiangqi_fuzz.py"

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("pyffish") is None, reason="the oracle is not installed: pip install pyffish"
)


def test_moves_checks_ends_and_names_are_the_oracles_on_random_positions() -> None:
    done = subprocess.run(
        [sys.executable, str(SCRIPT), "--positions", "2000", "--seed", "7", "--json"],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = json.loads(done.stdout)["counts"]
    assert counts["positions"] == 2000
    assert min(counts[kind] for kind in ("played", "strewn", "in check", "lost", "named", "perpetual")) > 0
