"""The file of a tournament is data: looking at it runs nothing, and going on runs only what was said to be trusted."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from zermelo.arena import store
from zermelo.arena.plan import Plan
from zermelo.arena.selfplay import SelfPlay, SelfPlaySettings
from zermelo.arena.store import Store
from zermelo.arena.tournament import Tournament
from zermelo.errors import InputError, OptionError
from zermelo.games import runs_code

RULES = """
from pathlib import Path
import zermelo
Path(__file__).with_name("ran").write_text("code of a stranger")
class Nim(zermelo.Game):
    def initial(self): return (7, 0)
    def player(self, s): return s[1]
    def actions(self, s): return [a for a in (1, 2, 3) if a <= s[0]]
    def result(self, s, a): return (s[0] - a, 1 - s[1])
    def is_terminal(self, s): return s[0] == 0
    def utility(self, s, p): return 1.0 if p != s[1] else -1.0
"""
PLAYERS = ("random", "random:seed=1")


@pytest.fixture
def stranger(tmp_path: Path, zermelo: Any) -> tuple[Path, Path]:
    """A tournament in a game of somebody's own, unfinished, and the trace that the game's code leaves."""
    rules = tmp_path / "nim.py"
    rules.write_text(RULES)
    path, trace = tmp_path / "cup.db", tmp_path / "ran"
    options = ("--games", "4", "--concurrency", "1", "--openings", "none", "--save", str(path))
    done = zermelo("arena", f"{rules}:Nim", *PLAYERS, *options)
    assert done.exit_code == 0, done.output
    with sqlite3.connect(path) as connection:
        connection.execute("DELETE FROM game WHERE number > 1")
    connection.close()
    rules.write_text(RULES + "\n")  # another version, which has not been imported
    trace.unlink()
    return path, trace


def test_showing_a_file_runs_no_code(stranger: tuple[Path, Path], zermelo: Any) -> None:
    path, trace = stranger
    shown = zermelo("arena", "show", str(path))
    assert shown.exit_code == 0
    assert f"zermelo arena --resume {path} --trust" in shown.stdout
    assert zermelo.json("arena", "show", str(path))["games"] == 2
    assert not trace.exists()


def test_a_file_without_the_number_of_seats_is_shown_too(stranger: tuple[Path, Path], zermelo: Any) -> None:
    path, trace = stranger
    with sqlite3.connect(path) as connection:
        (kept,) = connection.execute("SELECT settings FROM tournament").fetchone()
        old = {name: value for name, value in json.loads(kept).items() if name != "seats"}
        connection.execute("UPDATE tournament SET settings = ?", [json.dumps(old)])
    connection.close()
    assert zermelo.json("arena", "show", str(path))["games"] == 2
    assert not trace.exists()


@pytest.mark.parametrize("command", [("--resume",), ("export",)])
def test_going_on_and_exporting_need_trust_and_say_what_would_run(
    stranger: tuple[Path, Path], zermelo: Any, command: tuple[str, ...]
) -> None:
    path, trace = stranger
    said = zermelo.fails("arena", *command, str(path))
    assert "nim.py:Nim" in said
    assert "--trust" in said
    assert not trace.exists()
    trusted = zermelo("arena", *command, str(path), "--trust")
    assert trusted.exit_code == 0, trusted.output
    assert trace.exists()


def test_going_on_with_players_that_are_programs_needs_trust(tmp_path: Path) -> None:
    path = tmp_path / "cup.db"
    players = ("random", "python:bot.py:Bot", "uci:./engine --fast")
    plan = Plan("tictactoe", players, openings="none")
    settings = {"game": plan.game, "entrants": players, "sprt": None, "terms": {}, "seats": 2}
    Store.create(path, settings, []).close()
    with pytest.raises(OptionError, match=r"python:bot\.py:Bot, uci:\./engine --fast") as caught:
        Tournament.resume(path)
    assert "tictactoe" not in str(caught.value)
    with Tournament.resume(path, writes=False) as tournament:
        assert tournament.foreign_code == ["python:bot.py:Bot", "uci:./engine --fast"]


def test_self_play_goes_on_with_code_only_if_it_is_trusted(tmp_path: Path) -> None:
    rules = tmp_path / "nim.py"
    rules.write_text(RULES)
    settings = SelfPlaySettings(f"{rules}:Nim", "random", games=2, openings="none", format="jsonl")
    SelfPlay.begin(settings, tmp_path / "data").store.close()
    with pytest.raises(OptionError, match=r"nim\.py:Nim"):
        SelfPlay.resume(tmp_path / "data")
    SelfPlay.resume(tmp_path / "data", trust=True).store.close()


@pytest.mark.parametrize(
    ("text", "runs"),
    [
        ("connect4", False),
        ("connect4:columns=8", False),
        ("[[3,12,8],[2,4,6]]", False),
        ("game.efg", False),
        ("nim.py", True),
        ("a/nim.py:Nim:stones=15", True),
        ("lib/nim.so:nim", True),
    ],
)
def test_which_games_are_code_from_outside(text: str, runs: bool) -> None:
    assert runs_code(text) is runs


def test_a_locked_file_is_not_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "LOCK_TIMEOUT_SECONDS", 0.05)
    with Tournament.begin(Plan("tictactoe", PLAYERS, games=2, openings="none"), tmp_path / "cup.db") as tournament:
        other = sqlite3.connect(tmp_path / "cup.db", isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(InputError, match="locked") as caught:
            tournament.store.add([])
        other.close()
    assert "another program holds the file" in str(caught.value)
    assert "make room" not in str(caught.value)
