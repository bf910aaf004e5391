"""Every example runs, says what it should and exits with 0."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

SHORTER = {"alphazero.py": ("10",)}
"""The arguments of examples that take long otherwise."""
EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def output(name: str, *arguments: str, code: int = 0, folder: Path | None = None) -> str:
    run = subprocess.run(
        [sys.executable, "-W", "error", str(EXAMPLES / name), *arguments],
        cwd=folder or EXAMPLES,
        env=os.environ | {"COLUMNS": "80", "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert run.returncode == code, run.stdout + run.stderr
    return run.stdout


@pytest.mark.parametrize("name", sorted(path.name for path in EXAMPLES.glob("*.py")))
def test_every_example_runs(name: str, tmp_path: Path) -> None:
    assert output(name, *SHORTER.get(name, ()), folder=tmp_path).strip()


def test_the_network_of_the_alphazero_example_learns() -> None:
    before, *later = re.findall(r"([\d.]+)%", output("alphazero.py", "50"))
    assert float(later[-1]) > float(before) + 10


def test_the_horizon_example_shows_the_error_and_both_cures() -> None:
    text = output("horizon.py")
    assert "take    (it believes +1)" in text
    assert "rest    (it believes +0)" in text
    assert "delay   (it believes -1)" in text
    assert "accept  (it believes -5)" in text


def test_the_tour_draws_the_lectures_tree_and_does_not_wait_without_a_terminal(tmp_path: Path) -> None:
    text = output("tour.py", folder=tmp_path)
    assert "skips c2 (4), c3 (6)" in text
    assert "a draw with best play" in text
    drawn = tmp_path / "build" / "demo"
    assert (drawn / "trace.svg").read_text(encoding="utf-8").startswith("<svg")
    assert "<html" in (drawn / "trace.html").read_text(encoding="utf-8")


def test_the_autograder_passes_a_right_trace_and_finds_the_first_wrong_step(tmp_path: Path) -> None:
    text = output("autograder.py", folder=tmp_path)
    assert "right.jsonl: agrees with ours, step by step" in text
    assert "wrong.jsonl: parts ways" in text
