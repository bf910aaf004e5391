"""`zermelo arena` plays tournaments, shows them, goes on with them and writes their games."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
import xml.etree.ElementTree as ET

import pytest

PLAYERS = ("engine:nodes=200", "minimax:depth=1", "random")


@pytest.fixture(scope="module")
def cup(tmp_path_factory, zermelo):
    """A finished tournament in a file."""
    path = tmp_path_factory.mktemp("cup") / "cup.db"
    done = zermelo("arena", "tictactoe", *PLAYERS, "--games", "4", "--concurrency", "2", "--save", str(path), "--json")
    assert done.exit_code == 0, done.output
    return path, json.loads(done.stdout)


def test_the_table_has_ratings_errors_and_scores_of_every_two(cup):
    _, data = cup
    assert data["finished"]
    assert data["games"] == 12
    assert {each["player"] for each in data["ratings"]} == set(PLAYERS)
    assert all(each["low"] < each["elo"] < each["high"] for each in data["ratings"])
    assert {tuple(each["players"]) for each in data["pairs"]} == {
        ("engine:nodes=200", "minimax:depth=1"),
        ("engine:nodes=200", "random"),
        ("minimax:depth=1", "random"),
    }
    assert all(sum(each["points"]) == each["games"] == 4 for each in data["pairs"])


def test_a_file_shows_what_its_tournament_printed(cup, zermelo):
    path, data = cup
    assert zermelo.json("arena", "show", str(path)) == data
    shown = zermelo("arena", "show", str(path)).stdout
    assert all(name in shown for name in PLAYERS)


def test_going_on_with_what_is_finished_plays_nothing(cup, zermelo):
    path, data = cup
    assert zermelo.json("arena", "--resume", str(path)) == data


def test_crosstable_and_ratings_are_drawn(cup, zermelo, tmp_path):
    path, _ = cup
    done = zermelo("arena", "show", str(path), "--svg", str(tmp_path / "cup"))
    assert done.exit_code == 0
    for name in ("cup-crosstable.svg", "cup-ratings.svg"):
        root = ET.parse(tmp_path / name).getroot()
        assert root.tag.endswith("svg")
        assert "random" in (tmp_path / name).read_text(encoding="utf-8")


def test_games_are_exported(cup, zermelo, tmp_path):
    path, _ = cup
    games = zermelo("arena", "export", str(path)).stdout
    assert games.count("[Event ") == 12
    assert zermelo("arena", "export", str(path), "--to", str(tmp_path / "cup.jsonl")).exit_code == 0
    lines = (tmp_path / "cup.jsonl").read_text(encoding="utf-8").splitlines()
    assert sorted(json.loads(line)["fixture"] for line in lines) == sorted(str(n) for n in range(12))
    refused = zermelo("arena", "export", str(path), "--as", "pdn")
    assert (refused.exit_code, "pdn is for checkers" in refused.stderr) == (2, True)


def test_a_sequential_test_stops_by_itself(zermelo):
    data = zermelo.json(
        "arena", "tictactoe", "engine:nodes=300", "random", "--games", "2000", "--sprt", "0:300", "--concurrency", "1"
    )
    assert data["sprt"]["decision"] == "accept H1"
    assert data["finished"]
    assert data["games"] < 2000


def test_a_match_about_chips_tells_people_and_programs_the_mean_payoff(zermelo, tmp_path):
    path = str(tmp_path / "cup.db")
    done = zermelo("arena", "kuhn", "cfr", "random", "--games", "20", "--adjust", "solved", "--save", path, "--json")
    found = json.loads(done.stdout)
    assert (found["unit"], found["copies"], [each["groups"] for each in found["payoffs"]]) == ("chips", 0, [10, 10])
    shown = zermelo("arena", "show", path, "--svg", str(tmp_path / "cup")).stdout
    assert "chips a game (standard error" in shown
    assert "as paid" in shown
    assert "Payoffs, in chips a game" in (tmp_path / "cup-ratings.svg").read_text()
    assert zermelo("arena", "export", path).stdout.count("[Adjusted ") == 20


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ((), "say which game"),
        (("tictactoe", "random"), "two players or more"),
        (("nosuch", "random", "engine"), "no game is called"),
        (("tictactoe", "random", "nobody"), "no player is called"),
        (("tictactoe", "random", "random"), "entered twice"),
        (("tictactoe", "random", "human"), "a person cannot be entered"),
        (("tictactoe", "random", "engine", "--clock", "soon"), "no time control"),
        (("tictactoe", "random", "engine", "--sprt", "5"), "two numbers of Elo"),
        (("tictactoe", "random", "engine", "--sprt", "5:1"), "elo"),
        (("kuhn", "random", "cfr", "--sprt", "0:20"), "chips a game here, not Elo"),
        (("kuhn", "random", "cfr", "--sprt", "0.1:0"), "lies below the second"),
        (("kuhn", "random", "cfr", "--adjust", "luck"), "none, all-in, evaluate, solved"),
        (("kuhn", "random", "cfr", "--adjust", "evaluate"), "has no `evaluate`"),
        (("tictactoe", "random", "engine", "--adjust", "solved"), "leave out --adjust"),
        (("tictactoe", "random", "engine", "--resign", "x"), "no resign rule"),
        (("tictactoe", "random", "engine", "--games", "0"), "games must be"),
        (("tictactoe", "random", "alphabeta:depth=1,order=zz"), "no ordering rule"),
        (("tictactoe", "random", "pvs:depth=1,quiescence=yes"), "needs `is_noisy`"),
        (("tictactoe", "random", "engine:depth=0"), "depth must be a whole number, 1 or more"),
        (("tictactoe", "random", "minimax:depth=0"), "depth must be a whole number, 1 or more"),
        (("tictactoe", "random", "engine", "--format", "cup"), "no format of play"),
        (("tictactoe", "random", "engine", "--anchor", "random"), "PLAYER=ELO"),
        (("tictactoe", "random", "engine", "--anchor", "minimax=0"), "not entered"),
        (("tictactoe", "random", "engine", "--on", "mars"), "cannot be played on"),
        (("tictactoe", "random", "engine", "--concurrency", "0"), "concurrency"),
        (("tictactoe", "random", "engine", "--openings", "missing.txt"), "missing.txt"),
        (("kingmaker", "random", "maxn", "random:seed=1", "--resign", "0.9:3"), "leave out --resign"),
        (("show", "missing.db"), "there is no file missing.db"),
        (("--resume", "missing.db"), "there is no file missing.db"),
        (("export", "missing.db"), "there is no file missing.db"),
        (("--resume", "missing.db", "--games", "3"), "leave out --games"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(zermelo, arguments, why):
    done = zermelo("arena", *arguments)
    assert (done.exit_code, done.stderr.count("\n")) == (2, 1)
    assert why.lower() in done.stderr.lower()


def test_a_name_in_a_file_gives_no_orders_to_the_terminal(cup, zermelo, tmp_path):
    path = changed_settings(cup[0], tmp_path, lambda settings: settings["entrants"].__setitem__(0, "\x1b]0;x\x07\x9bJ"))
    for arguments in ((), ("--json",)):
        said = zermelo("arena", "show", str(path), *arguments).stdout
        assert not any(each < " " or "\x7f" <= each < "\xa0" for each in said.replace("\n", ""))
    assert "\\x1b]0;x\\x07\\x9bJ" in zermelo("arena", "show", str(path)).stdout


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("games", "x"),
        ("games", 1e308),
        ("entrants", [1, 2]),
        ("terms", 3),
        ("anchors", [1]),
        ("sprt", "ab"),
        ("seed", []),
    ],
)
def test_odd_settings_in_a_file_are_one_line(cup, zermelo, tmp_path, name, value):
    path = changed_settings(cup[0], tmp_path, lambda settings: settings.__setitem__(name, value))
    assert "the settings of this tournament are damaged" in zermelo.fails("arena", "show", str(path))


def changed_settings(path, folder, change):
    """A copy of a tournament's file with other settings."""
    copy = folder / "copy.db"
    shutil.copy(path, copy)
    with contextlib.closing(sqlite3.connect(copy)) as connection, connection:
        settings = json.loads(connection.execute("SELECT settings FROM tournament").fetchone()[0])
        change(settings)
        connection.execute("UPDATE tournament SET settings = ?", (json.dumps(settings),))
    return copy


def test_a_file_that_exists_is_not_overwritten(cup, zermelo):
    path, _ = cup
    before = path.read_bytes()
    done = zermelo("arena", "tictactoe", "random", "engine:nodes=10", "--save", str(path))
    assert (done.exit_code, "exists already" in done.stderr) == (2, True)
    assert path.read_bytes() == before


BOT = """
class Bot:
    def choose(self, game, state, history):
        raise ValueError("no idea")
"""


def test_a_class_that_is_not_there_is_refused_before_the_first_game(zermelo, tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    said = zermelo.fails("arena", "tictactoe", f"python:{tmp_path}/bot.py:Nope", "random", "--games", "2")
    assert "say which class" in said
    assert "it has Bot" in said


def test_why_a_player_failed_is_said(zermelo, tmp_path):
    (tmp_path / "bot.py").write_text(BOT)
    done = zermelo(
        "arena", "tictactoe", f"python:{tmp_path}/bot.py:Bot", "random", "--games", "2", "--concurrency", "1"
    )
    assert "lost by failing: crash 2×" in done.stdout
    assert "raised ValueError: no idea, at" in done.stdout


def count_games(folder):
    """How many games the temporary file holds; none while it is being made."""
    for file in folder.glob("zermelo-arena-*/tournament.db"):
        try:
            with contextlib.closing(sqlite3.connect(file)) as connection:
                return connection.execute("SELECT count(*) FROM game").fetchone()[0]
        except sqlite3.OperationalError:
            return 0
    return 0


def test_an_interrupted_tournament_is_kept_and_named(tmp_path):
    command = [sys.executable, "-m", "zermelo", "arena", "tictactoe", "minimax:depth=5", "random", "--games", "2000"]
    with subprocess.Popen(
        [*command, "--concurrency", "1"],
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        while not count_games(tmp_path):
            assert process.poll() is None
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
    (file,) = tmp_path.glob("zermelo-arena-*/tournament.db")
    assert f"go on with: zermelo arena --resume {file}" in said
    assert count_games(tmp_path) > 0


def test_a_finished_tournament_leaves_no_temporary_file(zermelo, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert zermelo("arena", "tictactoe", "random", "random:seed=1", "--games", "2", "--concurrency", "1").exit_code == 0
    assert not list(tmp_path.glob("zermelo-arena-*"))
