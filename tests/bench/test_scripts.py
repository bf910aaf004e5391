"""The scripts of bench/ run, small, and answer people and programs."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
WEIGHTS = BENCH.parent / "src" / "zermelo" / "games" / "backgammon" / "weights.safetensors"

SMALL = {
    "go_fuzz.py": ["--games", "2"],
    "go_match.py": ["--games", "2", "--seconds", "0.01", "--size", "5", "--level", "1"],
    "engine_vs_textbook.py": ["--count", "1", "--seconds", "0.02", "--nodes", "50"],
    "techniques.py": ["--count", "1", "--nodes", "200", "--only", "table"],
    "threads.py": ["--count", "3", "--seconds", "0.001", "--rounds", "1", "--table-mb", "1"],
    "peer_fuzz.py": ["--only", "3", "--kind", "file"],
    "hidden_cards.py": ["--games", "2", "--ranks", "1", "--only", "1"],
    "hidden_keeping.py": ["--simulations", "10", "--share", "0.01"],
    "hidden_mcts.py": ["--rounds", "1", "--share", "0.01"],
    "mcts.py": ["--rounds", "1", "--share", "0.001"],
    "equilibrium.py": ["--largest", "4", "--rounds", "1", "--python", "none"],
    "completeness.py": ["--games", "6", "--supports", "4", "--python", "none"],
    "regret.py": ["--target", "0.01", "--rounds", "1", "--python", "none"],
    "bridge.py": ["--deals", "1"],
    "bridge_play.py": ["--deals", "1", "--worlds", "3", "--defence", "rules"],
    "holdem.py": ["--only", "river", "--target", "20%", "--rounds", "1"],
    "solve.py": ["--only", "tictactoe", "--table-mb", "1"],
    "ballots.py": ["--depth", "1"],
    "endgame_tables.py": ["--game", "checkers", "--pieces", "2", "--samples", "20", "--nodes", "100"],
    "memory.py": ["--games", "3"],
    "startup.py": ["--game", "nim", "--rounds", "1"],
    "fuzz.py": ["--only", "1000000"],
    "chess_fuzz.py": ["--positions", "100"],
    "chess_perft.py": ["--plies", "4", "--rounds", "1"],
    "xiangqi_fuzz.py": ["--positions", "20"],
    "xiangqi_perft.py": ["--less", "4", "--rounds", "1"],
    "tactics.py": ["--count", "1", "--seconds", "0.01", "--players", "engine"],
    "lecture_figures.py": ["--count", "1", "--nodes", "300", "--games", "2"],
    "chance.py": ["--plays", "7", "--length", "2", "--stones", "7", "--rounds", "1"],
    "backgammon_match.py": ["--games", "4", "--opponent", str(WEIGHTS)],
    "backgammon_races.py": ["--positions", "20", "--python", "none"],
    "studio.py": ["--sessions", "2", "--rounds", "2", "--paints", "1"],
    "studio_fuzz.py": ["--pages", "2"],
    "long_trace.py": ["--depth", "3", "--width", "5", "--windows", "2"],
    "arena.py": ["--games", "2", "--rounds", "1", "--pairs", "1", "--nodes", "100"],
    "ladder.py": ["xiangqi", "--only", "nobody"],
    "learning.py": ["hexapawn:columns=4,rows=4", "--nodes", "20", "--pairs", "1"],
}


def run(name: str, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", "error", str(BENCH / name), *arguments],
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", SMALL)
def test_a_script_answers_programs(name: str) -> None:
    assert json.loads(run(name, *SMALL[name], "--json"))


def test_probes_save_most_where_there_are_many_actions() -> None:
    found = json.loads(run("chance.py", "--stones", "7", "--rounds", "1", "--json"))
    wide = found["pruning"]["12 plays × 6 rolls"]
    assert wide["star2, ordered"] < wide["star2"] < wide["star1"] < wide["none"]


def test_a_script_answers_people() -> None:
    text = run("solve.py", *SMALL["solve.py"])
    assert "| tictactoe |" in text
    assert "+0" in text


def test_peers_that_are_not_installed_are_skipped(tmp_path: Path) -> None:
    for script in ("peers.py", "tools.py"):
        (tmp_path / script).write_text((BENCH / script).read_text(encoding="utf-8"), encoding="utf-8")
    done = subprocess.run([sys.executable, str(tmp_path / "peers.py")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.startswith("skipped: the peers are not installed")) == (0, True), done.stderr
