"""`zermelo new`: what it makes works before a line is changed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest


@pytest.mark.parametrize("name", ["my-game", "Nim2"])
def test_what_is_made_passes_its_own_tests_and_the_check(zermelo, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    made = zermelo.json("new", name)
    assert sorted(path.name for path in (tmp_path / name).iterdir()) == sorted(
        path.split("/")[-1] for path in made["files"]
    )
    monkeypatch.chdir(tmp_path / name)
    run = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-W", "error"]
    done = subprocess.run(run, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert json.loads(zermelo("check", made["game"], "--games", "20", "--json").stdout)["ok"]


def test_the_commands_of_its_readme_work(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    zermelo("new", "stones")
    monkeypatch.chdir(tmp_path / "stones")
    text = (tmp_path / "stones" / "README.md").read_text(encoding="utf-8")
    commands = [line.split("#")[0].split()[1:] for line in text.splitlines() if line.startswith("zermelo ")]
    names = [command[0] for command in commands]
    assert names == ["check", "play", "play", "solve", "trace", "arena", "studio"]
    opened: list[Any] = []
    monkeypatch.setattr("zermelo.studio.serve", lambda games, **options: opened.append((games, options["bots"])))
    for command in commands:
        more = ["--games", "4"] if command[0] == "arena" else []
        assert zermelo(*command, *more, typed="quit\n" * 3).exit_code == 0, command
    assert opened == [(("stones.py:Stones",), ("bot.py:Bot",))]


@pytest.mark.parametrize("name", ["7up", "a b", "bot", "zermelo", "spä", "", "-", "random", "class", "Numpy"])
def test_a_name_that_is_none_is_refused(zermelo, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    done = zermelo("new", "--", name)
    assert done.exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine").mkdir()
    done = zermelo("new", "mine")
    assert done.exit_code == 2
    assert "choose another name" in done.output
    assert list((tmp_path / "mine").iterdir()) == []
