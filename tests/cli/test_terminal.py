"""What strangers wrote is printed as text: no name in a file or of a program gives orders to the terminal."""

from __future__ import annotations

import ast
import contextlib
import json
import re
import sqlite3
from pathlib import Path
from typing import Any

import click
import pytest

import zermelo.cli
from zermelo.search.trace.words import printable

ORDERS = "\x1b]0;x\x07\x9b2J\x1b[8m\u202eboo"
"""Sets the title, clears the screen, hides what follows, and turns it round."""
WRITTEN_OUT = r"\x1b]0;x\x07\x9b2J\x1b[8m\u202eboo"
TREE = json.dumps({"max": {"left": {"name": ORDERS, "min": {ORDERS: 3, "b": 12}}, ORDERS: {"min": [2, 4]}}})
TRACE = ["trace", TREE, "--algorithm", "minimax"]


def obeyed(said: str) -> str:
    """What a terminal would obey in `said`, but for the ends of lines."""
    return "".join(re.findall(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", said))


@pytest.mark.parametrize(
    "arguments",
    [
        ["play", TREE, "--players", "random,random", "--seed", "1"],
        ["analyse", TREE],
        ["solve", TREE],
        TRACE,
        ["perft", TREE, "--depth", "2"],
        ["play", "hex:" + ORDERS],
        ["--debug", "play", ORDERS],
        ["analyse", "[1, 2]", "--moves", ORDERS],
    ],
)
def test_names_of_strangers_reach_the_terminal_as_text(zermelo: Any, arguments: list[str]) -> None:
    done = zermelo(*arguments)
    assert done.exit_code in (0, 2)
    assert not obeyed(done.stdout + done.stderr)


def test_a_person_sees_the_names_written_out(zermelo: Any) -> None:
    done = zermelo("play", TREE, typed="moves\nhint\nboard\nleft\n")
    assert WRITTEN_OUT in done.stdout
    assert not obeyed(done.stdout + done.stderr)


def test_an_engine_says_the_names_of_a_tree_as_text(zermelo: Any) -> None:
    for protocol, typed in {"uci": "uci\nposition startpos\nd\ngo depth 2\nquit\n", "gtp": "name\nshowboard\n"}.items():
        done = zermelo("engine", TREE, "--protocol", protocol, typed=typed)
        assert not obeyed(done.stdout + done.stderr)


@pytest.mark.parametrize("kind", ["pgn", "sgf", "jsonl"])
def test_the_games_of_a_file_are_printed_as_text(zermelo: Any, tmp_path: Path, kind: str) -> None:
    path = tmp_path / "cup.db"
    options = ("--games", "2", "--concurrency", "1", "--openings", "none", "--save", str(path))
    assert zermelo("arena", "tictactoe", "random", "random:seed=1", *options).exit_code == 0
    with contextlib.closing(sqlite3.connect(path)) as connection, connection:
        (names,) = connection.execute("SELECT players FROM game LIMIT 1").fetchone()
        connection.execute("UPDATE game SET players = ?", (json.dumps([ORDERS, *json.loads(names)[1:]]),))
    done = zermelo("arena", "export", str(path), "--as", kind)
    assert done.exit_code == 0, done.output
    assert "boo" in done.stdout
    assert not obeyed(done.stdout)


def test_our_own_styles_pass_and_no_others() -> None:
    ours = click.style("bold", bold=True) + click.style("red", fg="red")
    assert printable(ours) == ours
    assert printable("\x1b[30;40m\x1b[8m") == r"\x1b[30;40m\x1b[8m"


def test_every_command_prints_through_the_one_function() -> None:
    """`say` alone writes to the terminal; a protocol's stream is escaped where it is opened, in `engine`."""
    for path in Path(zermelo.cli.__file__).parent.glob("*.py"):
        called = {
            ast.unparse(each.func) for each in ast.walk(ast.parse(path.read_text())) if isinstance(each, ast.Call)
        }
        loud = {"print", "click.echo", "click.secho", "sys.stdout.write", "sys.stderr.write", "stream.write"}
        assert called & loud <= {"_answer.py": {"click.echo"}, "engine.py": {"stream.write"}}.get(path.name, set())
