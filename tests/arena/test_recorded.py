"""Whole games from files of every kind, with their results."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from zermelo.arena.executors import make_executor
from zermelo.arena.recorded import read_games
from zermelo.arena.selfplay import SelfPlay, SelfPlaySettings
from zermelo.errors import InputError
from zermelo.games import load
from zermelo.learn.records import RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlayOptions
from zermelo.learn.selfplay import SelfPlay as NativeSelfPlay

PGN = """[Event "a"]
[Result "0-1"]

1. e4 {best by test} e5 (1... c5 2. Nf3) 2. Ke2? Qh4 0-1

[Event "b"]
[Result "1/2-1/2"]

1. d4 d5 1/2-1/2

[Event "c"]

1. f3 e5 2. g4 Qh4# *
"""


def games(path: Path, name: str, plies: int = 100) -> list[Any]:
    return list(read_games(path, load(name), plies))


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_games_of_pgn_have_the_results_of_their_tags_or_of_the_rules(tmp_path: Path):
    found = games(write(tmp_path / "a.pgn", PGN), "chess", plies=3)
    assert [each.utilities for each in found] == [(-1.0, 1.0), (0.0, 0.0), (-1.0, 1.0)]
    assert [len(each.actions) for each in found] == [3, 2, 4]


def test_white_is_whom_the_game_calls_white(tmp_path: Path):
    othello = load("othello")
    move = othello.show_action(othello.initial(), next(iter(othello.actions(othello.initial()))))
    text = f'[Result "1-0"]\n\n1. {move} 1-0\n'
    (found,) = games(write(tmp_path / "a.pgn", text), "othello", plies=1)
    white = [othello.player_name(p) for p in range(2)].index("white")
    assert found.utilities[white] == 1.0


def test_an_sgf_file_is_read_by_the_game_that_it_is_of(tmp_path: Path):
    (found,) = games(write(tmp_path / "a.sgf", "(;GM[1]SZ[5];B[cc];W[bb];B[];W[])"), "go:size=5,komi=0.5")
    assert len(found.actions) == 4
    assert found.utilities is not None


def test_what_the_arena_keeps_is_read(tmp_path: Path):
    settings = SelfPlaySettings("tictactoe", "random:seed=1", games=3, openings="none", format="jsonl")
    with SelfPlay.begin(settings, tmp_path / "data") as played, closing(make_executor("processes", 1, 1)) as executor:
        played.run(executor)
    found = games(tmp_path / "data", "tictactoe")
    assert len(found) == 3
    assert all(each.utilities for each in found)
    assert [each.actions for each in games(tmp_path / "data" / "games.db", "tictactoe")] == [e.actions for e in found]
    with pytest.raises(InputError, match="game 0: this is a game of TicTacToe, not of Nim: leave the file out"):
        games(tmp_path / "data", "nim")


def test_games_of_native_self_play_are_read(tmp_path: Path):
    game = load("connect4")
    with RecordWriter(tmp_path / "games.bin", game) as writer:
        for block in NativeSelfPlay(game, SelfPlayOptions(SearchPlayer(nodes=50), games=4)).blocks():
            writer.write(block)
    found = games(tmp_path / "games.bin", "connect4")
    assert len(found) == 4
    assert all(each.start == game.initial() and each.utilities for each in found)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1. e4 e5 2. Ke3 *", "line 1: move 3: .*Ke3"),
        ("1. e4 {never closed", "line 1: this comment or text is never closed"),
        ('{"zermelo_game": 1}', "is not a whole game"),
        ("(;GM[1]SZ[9];B[cc])", "another game than Chess"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(tmp_path: Path, text: str, says: str):
    with pytest.raises(InputError, match=says):
        games(write(tmp_path / "a.pgn", text), "chess")


def test_files_that_cannot_be_read_are_refused(tmp_path: Path):
    (tmp_path / "a").write_bytes(b"\xff\xfe\x00\x01")
    for name, says in (("none", "cannot be read"), ("a", "is no file of games"), (".", "cannot be read")):
        with pytest.raises(InputError, match=says):
            games(tmp_path / name, "chess")
