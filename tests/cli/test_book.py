"""`zermelo book`: books made, gone on with, shown and written for other programs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import chess
import chess.polyglot
import pytest

GAMES = """1. e4 e5 2. Nf3 Nc6 3. Bb5 1-0

1. e4 e5 2. Nf3 Nf6 1/2-1/2

1. d4 d5 0-1
"""


@pytest.fixture
def book(zermelo, tmp_path):
    path = tmp_path / "tictactoe.book"
    zermelo.json("book", "tictactoe", "--minutes", "1", "--plies", "2", "--nodes", "2000", "--out", str(path))
    return str(path)


def test_a_book_is_made_and_shown(zermelo, book):
    shown = zermelo.json("book", "tictactoe", "--show", "--from", book)
    assert sum(row["played"] for row in shown["moves"]) == pytest.approx(1)
    assert all(row["line"][0] == row["move"] for row in shown["moves"])
    assert shown["record"]["plies"] == 2
    text = zermelo("book", "tictactoe", "--show", "--from", book).output
    assert "move  played  games  score  value  line" in text
    assert (
        "does not know this position" in zermelo("book", f"tictactoe:book={book}", "--show", "--moves", "b2 a1").output
    )


def test_a_book_goes_on_to_grow(zermelo, book):
    before = zermelo.json("book", "tictactoe", "--show", "--from", book)["record"]["searched"]
    found = zermelo.json("book", "tictactoe", "--minutes", "1", "--plies", "3", "--nodes", "2000", "--out", book)
    assert found["searched"] > before
    assert found["positions"] == found["searched"]


def test_games_are_counted(zermelo, tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text(GAMES)
    out = str(tmp_path / "a.book")
    found = zermelo.json("book", "chess", "--from", str(path), "--out", out)
    assert (found["games"], found["searched"], found["line"][:3]) == (3, 0, ["e4", "e5", "Nf3"])
    first, second = zermelo.json("book", "chess", "--show", "--from", out)["moves"]
    assert (first["move"], first["games"], second["move"], second["games"]) == ("e4", 2, "d4", 1)
    assert "is part of" in zermelo.fails("book", "chess", "--from", str(path), "--out", out)
    says = zermelo.fails("book", "chess", "--from", str(path), "--least", "9", "--out", str(tmp_path / "b.book"))
    assert "no position occurs in 9 of these games" in says
    assert not (tmp_path / "b.book").exists()


def test_books_go_to_other_programs_and_come_back(zermelo, tmp_path):
    pgn, polyglot, own = (tmp_path / name for name in ("games.pgn", "book.bin", "own.book"))
    pgn.write_text(GAMES)
    done = zermelo.json("book", "chess", "--from", str(pgn), "--least", "1", "--polyglot", str(polyglot))
    assert done["book"] is None
    assert done["entries"] == polyglot.stat().st_size // 16
    with chess.polyglot.open_reader(polyglot) as reader:
        assert [entry.move.uci() for entry in reader.find_all(chess.Board())] == ["e2e4", "d2d4"]
    assert zermelo.json("book", "chess", "--from", str(polyglot), "--out", str(own))["positions"] > 4
    moves = [zermelo.json("book", "chess", "--show", "--from", str(path))["moves"] for path in (polyglot, own)]
    assert moves[0] == moves[1]
    says = zermelo.fails("book", "othello", "--polyglot", str(polyglot))
    assert "Polyglot's books are for chess" in says


def test_the_book_of_the_package_is_shown_and_exported_unless_there_is_another_one(zermelo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    shipped = zermelo.json("book", "chess", "--show")
    assert shipped["record"]["searched"] > 0
    done = zermelo.json("book", "chess", "--polyglot", "mine.bin")
    assert done["entries"] * 16 == (tmp_path / "mine.bin").stat().st_size > 0
    with chess.polyglot.open_reader(tmp_path / "mine.bin") as reader:
        known = {entry.move.uci() for entry in reader.find_all(chess.Board())}
    assert 0 < len(known) <= len(shipped["moves"])
    (tmp_path / "games.pgn").write_text(GAMES)
    zermelo.json("book", "chess", "--from", "games.pgn")
    assert [row["move"] for row in zermelo.json("book", "chess", "--show")["moves"]] == ["e4", "d4"]


def test_players_play_from_the_book(zermelo, book):
    played = zermelo.json("play", f"tictactoe:book={book}", "--players", "engine,engine:book=no", "--seed", "1")
    assert (played["nodes"][0], played["nodes"][1] is None) == (None, False)
    played = zermelo.json("play", "tictactoe", "--players", f"alphabeta:book={book},random", "--seed", "1")
    assert played["nodes"][0] is None
    says = zermelo.fails("play", "tictactoe", "--players", "engine:book=yes,random", "--json")
    assert "TicTacToe has no book" in says


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["backgammon"], "has chance"),
        (["kuhn"], "hides information"),
        (["kingmaker"], "is not a game of two players"),
        (["tictactoe", "--moves", "b2"], "add --show"),
        (["tictactoe", "--show"], "has no book here"),
        (["tictactoe", "--show", "--from", "a", "--from", "b"], "shows one book"),
        (["tictactoe", "--plies", "0"], "plies must be"),
        (["tictactoe", "--from", "nowhere.pgn"], "cannot be read"),
        (["tictactoe", "--minutes", "0"], "there was no time"),
        (["tictactoe", "--minutes", "0.01", "--out", "nowhere/a.book"], "nowhere/a.book cannot be written"),
        (["tictactoe", "--minutes", "0.01", "--out", "."], "cannot be read"),
    ],
)
def test_what_cannot_be_done_is_refused(zermelo, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    assert says in zermelo.fails("book", *arguments)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is full")
def test_a_device_is_no_place_for_a_book(zermelo):
    assert "/dev/full" in zermelo.fails("book", "tictactoe", "--minutes", "0.01", "--out", "/dev/full")
    assert not os.path.isfile("/dev/full")


def test_a_file_of_something_else_is_not_written_over(zermelo, tmp_path):
    path = tmp_path / "precious.book"
    path.write_text("mine")
    assert "is not a book" in zermelo.fails("book", "tictactoe", "--minutes", "0.01", "--out", str(path))
    assert path.read_text() == "mine"


def test_after_ctrl_c_what_there_is_is_a_book(zermelo, tmp_path):
    path = tmp_path / "a.book"
    command = [
        sys.executable,
        "-m",
        "zermelo",
        "book",
        "connect4",
        "--minutes",
        "5",
        "--nodes",
        "200",
        "--out",
        str(path),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        while not path.exists() and process.poll() is None:
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        said, error = process.communicate(timeout=60)
    assert (process.returncode, error) == (0, "")
    assert "of them searched" in said
    assert zermelo.json("book", "connect4", "--show", "--from", str(path))["moves"]
