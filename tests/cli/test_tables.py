"""`zermelo tables`: builds, lists and asks endgame tables."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time

import pytest
from tests.tables import takeaway


@pytest.fixture
def rows(tmp_path):
    path = tmp_path / "rows.py"
    shutil.copy(takeaway.__file__, path)
    return f"{path}:Takeaway"


def test_tables_are_built_beside_the_rules_and_listed(zermelo, rows, tmp_path):
    built = zermelo("tables", rows, "--pieces", "2")
    assert built.exit_code == 0, built.output
    assert "play with them" not in built.output
    assert sorted(path.name for path in (tmp_path / "rows.tables").iterdir()) == ["from-0.table", "from-8.table"]
    listed = zermelo("tables", rows, "--list")
    assert listed.output == built.output
    assert "2 slices, 16 positions" in listed.output
    found = zermelo.json("tables", rows, "--list")
    assert [(each["name"], each["won"], each["lost"], each["longest"]) for each in found["slices"]] == [
        ("from-0", 6, 1, 3),
        ("from-8", 6, 2, 7),
    ]


def test_a_position_is_looked_up(zermelo, rows):
    zermelo("tables", rows, "--pieces", "2")
    text = zermelo("tables", rows, "--probe", "(9,0)").output
    assert "won in 5" in text
    assert "1 won in 5, 2 lost in 4, 3 lost in 4" in text
    found = zermelo.json("tables", rows, "--probe", "(8,1)")
    assert (found["value"], found["distance"], found["exact"]) == (-1.0, 4, True)
    assert found["actions"]["1"] == {"value": -1.0, "distance": 4}


def test_tables_in_another_folder_are_named_to_play_with(zermelo, tmp_path):
    out = str(tmp_path / "two")
    built = zermelo("tables", "checkers", "--pieces", "2", "--only", "K-K", "--out", out, "--threads", "1")
    assert f"play with them: zermelo play checkers:tables={out}" in built.output
    assert "992  230    654   108      0" in built.output
    assert "1 slice, 992 positions" in zermelo("tables", f"checkers:tables={out}", "--list").output
    assert "45 slices" in zermelo("tables", "checkers", "--list").output


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["checkers"], "say one of --pieces N, --probe POSITION and --list"),
        (["checkers", "--pieces", "2", "--list"], "say one of --pieces N, --probe POSITION and --list"),
        (["tictactoe", "--list"], "has no endgame tables: build some with `zermelo tables`"),
        (["kuhn", "--pieces", "2"], "hides information"),
        (["chess", "--probe", "nonsense"], "is not a position"),
        (["chess", "--probe", "8/8/8/4k3/8/8/3PP3/4K3 w - - 0 1"], "is not in the 21 slices"),
        (["chess", "--pieces", "3", "--only", "KXK"], "no slice with up to 3 pieces is called 'KXK'"),
    ],
)
def test_what_makes_no_sense_is_refused(zermelo, arguments, says, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert says in zermelo.fails("tables", *arguments)


def test_ctrl_c_keeps_what_is_finished(tmp_path):
    command = [sys.executable, "-m", "zermelo", "tables", "checkers", "--pieces", "4", "--threads", "2", "--out"]
    with subprocess.Popen([*command, str(tmp_path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        while process.poll() is None and not list(tmp_path.glob("*.table")):
            time.sleep(0.01)
        os.kill(process.pid, signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode not in (0, 2)
    assert b"Traceback" not in said
    assert not list(tmp_path.glob("*.new"))
