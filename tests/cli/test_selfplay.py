"""`zermelo selfplay` makes data of games, and can be killed."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

PLAIN = ("selfplay", "tictactoe", "random", "--format", "jsonl")


def games_in(folder: Path) -> Counter[int]:
    """How many first positions of each game there are in the files."""
    lines = [line for path in folder.glob("positions-*.jsonl") for line in path.read_text().splitlines()]
    rows = [json.loads(line) for line in lines]
    return Counter(row["game"] for row in rows if row["ply"] == 0)


def test_it_says_what_there_is(zermelo, tmp_path):
    done = zermelo(*PLAIN, "--games", "3", "--save", str(tmp_path / "data"))
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("3 games in ")
    assert "positions-000000.jsonl" in done.stdout


def test_the_answer_is_data_too(zermelo, tmp_path):
    folder = tmp_path / "data"
    said = zermelo.json(*PLAIN, "--games", "4", "--shard", "2", "--openings", "none", "--save", str(folder))
    assert (said["games"], said["files"]) == (4, ["positions-000000.jsonl", "positions-000001.jsonl"])
    assert games_in(folder) == Counter(range(4))
    again = zermelo.json("selfplay", "--resume", str(folder))
    assert (again["games"], again["positions"], again["files"]) == (4, 0, said["files"])


def test_after_a_kill_every_game_is_there_once(zermelo, tmp_path):
    folder = tmp_path / "data"
    arguments = ["--games", "2000", "--shard", "20", "--openings", "none", "--save", str(folder)]
    process = subprocess.Popen(
        [sys.executable, "-m", "zermelo", *PLAIN, *arguments], stdout=subprocess.DEVNULL, start_new_session=True
    )
    try:
        while not any(folder.glob("positions-*.jsonl")) and process.poll() is None:
            time.sleep(0.01)
    finally:
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
    assert all(count == 1 for count in games_in(folder).values())
    with sqlite3.connect(folder / "games.db") as connection:
        [stored] = connection.execute("SELECT count(*) FROM game").fetchone()
        settings = json.loads(connection.execute("SELECT settings FROM tournament").fetchone()[0])
        settings["selfplay"]["games"] = wanted = stored // 20 * 20 + 40  # fewer, as the rest takes its time
        connection.execute("UPDATE tournament SET settings = ?", [json.dumps(settings)])
    connection.close()
    assert 0 < stored < 2000
    said = zermelo.json("selfplay", "--resume", str(folder))
    assert said["games"] == wanted
    assert games_in(folder) == Counter(range(wanted))


@pytest.mark.parametrize(
    "arguments",
    [
        ["selfplay"],
        ["selfplay", "tictactoe", "random"],
        ["selfplay", "tictactoe", "--save", "data"],
        ["selfplay", "no-game", "random", "--save", "data"],
        [*PLAIN, "--save", "data", "--games", "0"],
        [*PLAIN, "--save", "data", "--games", "many"],
        [*PLAIN, "--save", "data", "--concurrency", "0"],
        [*PLAIN, "--save", "data", "--on", "the moon"],
        [*PLAIN, "--save", "data", "--on", "ray://nowhere"],
        [*PLAIN, "--save", "data", "--openings", "plies=many"],
        [*PLAIN, "--save", "data", "--clock", "soon"],
        [*PLAIN, "--save", "data", "--opponent", "nobody"],
        [*PLAIN, "--save", "data", "--format", "csv"],
        ["selfplay", "--resume", "nothing-here"],
        [*PLAIN, "--resume", "data"],
        ["selfplay", "--resume", "data", "--games", "7"],
        [*PLAIN, "--save", "file/data"],
    ],
    ids=" ".join,
)
def test_bad_input_is_one_line_and_leaves_no_folder(zermelo, tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    Path("file").touch()
    zermelo.fails(*arguments)
    assert not Path("data").exists()
