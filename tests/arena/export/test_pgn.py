"""PGN: other programs read it, and nothing that a name or a move holds can break it."""

from __future__ import annotations

import dataclasses
import io
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.arena.export.exported import export_games

from zermelo.arena.export import ExportGame, export, writers
from zermelo.arena.export._game import LINE_COLUMNS, one_line, wrap
from zermelo.arena.openings.files import read_movetext


@given(st.lists(export_games() | export_games(players=3, chance=True), max_size=3))
def test_pgn_is_read_back_whatever_names_and_moves_hold(exported):
    text = "".join(export("pgn", exported))
    found = list(read_movetext(text))
    assert [moves for _, _, moves in found] == [tuple(map(one_line, game.moves)) for game in exported]
    for game, (_, tags, _) in zip(exported, found, strict=True):
        assert tags["White"] in map(one_line, game.players)
        assert tags["Event"] == (one_line(game.event) or "?")
        assert tags.get("FEN") == (None if game.start is None else one_line(game.start))
    text.encode()


@given(export_games())
def test_movetext_stays_below_80_columns_but_for_long_words(game):
    movetext = writers()["pgn"].write(game).partition("\n\n")[2]
    assert all(len(line) < 80 or " " not in line for line in movetext.splitlines())


@given(st.lists(st.text("ab", min_size=1, max_size=90), max_size=30))
def test_wrapping_keeps_all_words_and_fills_lines(words):
    lines = wrap(words).splitlines()
    assert " ".join(lines).split() == words
    for line, following in pairwise(lines):
        assert len(f"{line} {following.split()[0]}") > LINE_COLUMNS


@pytest.mark.parametrize(
    ("seats", "utilities", "result"),
    [
        ((), (1.0, -1.0), "1-0"),
        ((), (-1.0, 1.0), "0-1"),
        ((), (0.0, 0.0), "1/2-1/2"),
        ((), None, "*"),
        (("black", "white"), (1.0, -1.0), "0-1"),
        (("w", "b"), (1.0, -1.0), "1-0"),
    ],
)
def test_a_result_is_told_from_the_side_of_white(seats, utilities, result):
    game = ExportGame("Some", ("first", "second"), ("a",), (0,), utilities, seats=seats)
    (_, tags, _), *_ = read_movetext(writers()["pgn"].write(game))
    assert tags["Result"] == result
    assert writers()["pgn"].write(game).rstrip().endswith(f" {result}")


@pytest.mark.parametrize(
    ("reason", "utilities", "said"),
    [
        ("", (1.0, -1.0), "normal"),
        ("resignation", (1.0, -1.0), "normal"),
        ("length", None, "unterminated"),
        ("length", (0.0, 0.0), "adjudication"),
        ("left", None, "abandoned"),
        ("time", (1.0, -1.0), "time forfeit"),
        ("illegal move", (1.0, -1.0), "rules infraction"),
        ("crash", (1.0, -1.0), "emergency"),
    ],
)
def test_the_termination_is_one_of_the_words_of_pgn(reason, utilities, said):
    game = ExportGame("Some", ("a", "b"), (), (), utilities, reason=reason)
    assert f'[Termination "{said}"]' in writers()["pgn"].write(game)


def test_moves_are_numbered_by_turns_of_the_first_player_and_thoughts_stand_behind_them():
    game = ExportGame(
        game="Race",
        players=("a", "b"),
        moves=("1-1", "6/0", "2-3", "5/0", "4-4", "8/0"),
        movers=(-1, 0, -1, 1, -1, 0),
        utilities=(1.0, -1.0),
        values=(None, 0.31, None, -0.5, None, None),
        depths=(None, 8, None, None, None, None),
        seconds=(None, 0.123, None, 0.5, None, None),
        chance=True,
    )
    movetext = writers()["pgn"].write(game).partition("\n\n")[2]
    assert movetext == '1. "1-1" 6/0 {+0.310/8 0.12s} 1... 2-3 5/0 {-0.500 0.50s} 2. 4-4 8/0 1-0\n\n'


def test_more_than_two_players_have_tags_of_their_own():
    game = ExportGame("Three", ("a", "b", "c"), ("x",), (0,), (0.5, 0.5, 0.0))
    _, tags, _ = next(read_movetext(writers()["pgn"].write(game)))
    assert [tags[f"Player{p}"] for p in (1, 2, 3)] == ["a", "b", "c"]
    assert (tags["Result"], tags["Utilities"]) == ("*", "0.5 0.5 0")


def test_python_chess_reads_a_game_of_chess():
    pgn = pytest.importorskip("chess.pgn")
    game = ExportGame(
        game="Chess",
        players=("Alice", "Bob"),
        moves=("f3", "e5", "g4", "Qh4#"),
        movers=(0, 1, 0, 1),
        utilities=(-1.0, 1.0),
        seats=("white", "black"),
        book=1,
        values=(None, 0.2, -0.1, 1.0),
        depths=(None, 3, 3, 3),
        seconds=(None, 0.1, 0.1, 0.1),
        started="2026-11-15T20:17:00+00:00",
    )
    read = pgn.read_game(io.StringIO(writers()["pgn"].write(game)))
    assert read.errors == []
    assert read.headers["Date"] == "2026.11.15"
    assert "Variant" not in read.headers
    assert [node.san() for node in read.mainline()] == list(game.moves)
    assert [node.comment for node in read.mainline()] == ["book", "+0.200/3 0.10s", "-0.100/3 0.10s", "+1.000/3 0.10s"]
    later = dataclasses.replace(game, start="4k3/8/8/8/8/8/4P3/4K3 b - - 0 1", moves=("Kd7", "e4"), movers=(1, 0))
    read = pgn.read_game(
        io.StringIO(writers()["pgn"].write(dataclasses.replace(later, values=None, depths=None, seconds=None)))
    )
    assert read.errors == []
    assert read.board().fen().startswith("4k3/8/8/8/8/8/4P3/4K3 b")
    assert len(list(read.mainline())) == 2


@given(st.lists(export_games(), min_size=1, max_size=3))
def test_python_chess_finds_the_same_games_and_tags(exported):
    pgn = pytest.importorskip("chess.pgn")
    handle = io.StringIO("".join(export("pgn", exported)))
    for game in exported:
        headers = pgn.read_headers(handle)
        names = [headers["White"], headers["Black"]]
        written = [one_line(name).replace("\\", "\\\\").replace('"', '\\"') for name in game.players]
        assert sorted(names) == sorted(written)  # it keeps the backslashes of a string
    assert pgn.read_headers(handle) is None
