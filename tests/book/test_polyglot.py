"""Books in Polyglot's format: the keys that its documentation gives, and python-chess as the other reader."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import chess.polyglot
import pytest

from zermelo.book import BookBuilder, BookSettings, PlayedGame, positions, read_book, write_polyglot
from zermelo.book.polyglot import PolyglotBook
from zermelo.errors import InputError, OptionError
from zermelo.games import load
from zermelo.games.chess.polyglot import numbers
from zermelo.play.notation import play_moves

GAME = load("chess")
KEYS = {
    "": 0x463B96181691FC9C,
    "e2e4": 0x823C9B50FD114196,
    "e2e4 d7d5": 0x0756B94461C50FB0,
    "e2e4 d7d5 e4e5": 0x662FAFB965DB29D4,
    "e2e4 d7d5 e4e5 f7f5": 0x22A48B5A8E47FF78,
    "e2e4 d7d5 e4e5 f7f5 e1e2": 0x652A607CA3F242C1,
    "e2e4 d7d5 e4e5 f7f5 e1e2 e8f7": 0x00FDD303C946BDD9,
    "a2a4 b7b5 h2h4 b5b4 c2c4": 0x3C8123EA7B067637,
    "a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3": 0x5C3F9B829B279560,
}


def reach(moves: str):
    return play_moves(GAME, GAME.initial(), moves.split())[0]


@pytest.mark.parametrize("moves", KEYS)
def test_keys_are_those_of_the_documentation(moves: str):
    assert GAME.polyglot_key(reach(moves)) == KEYS[moves]


def test_the_numbers_are_those_that_others_have():
    assert numbers() == chess.polyglot.POLYGLOT_RANDOM_ARRAY


def test_keys_and_moves_are_those_of_python_chess_in_random_games():
    different = 0
    for seed in range(30):
        dice, state, board = random.Random(seed), GAME.initial(), chess.Board()
        while not GAME.is_terminal(state) and board.ply() < 120:
            different += GAME.polyglot_key(state) != chess.polyglot.zobrist_hash(board)
            action = dice.choice(GAME.actions(state))
            board.push_uci(GAME.write_action(state, action))
            state = GAME.result(state, action)
    # The key of the format looks for a pawn that could take en passant, were its king not in check then; ours does not.
    assert different <= 1


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A book with castling on both sides, en passant and a promotion."""
    lines = [
        "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 d7d6 c2c3 c8g4 d2d4 d8e7 d4c5 e8c8",
        "e2e4 a7a6 e4e5 d7d5 e5d6 b8c6 d6c7 c8d7 c7d8q a8d8",
        "e2e4 a7a6 e4e5 d7d5 e5d6 b8c6 d6c7 c8d7 c7d8n a8d8",
    ]
    builder = BookBuilder(GAME, BookSettings(plies=20))
    start = GAME.initial()
    for line in lines:
        state, actions = start, []
        for word in line.split():
            actions.append(GAME.read_action(state, word))
            state = GAME.result(state, actions[-1])
        builder.add_games([PlayedGame(start, actions, (1.0, -1.0))])
    path = tmp_path / "a.bin"
    assert write_polyglot(path, GAME, builder.shares()) == len(path.read_bytes()) // 16
    return path


def test_python_chess_reads_what_is_written(written: Path):
    with chess.polyglot.open_reader(written) as reader:
        board = chess.Board()
        assert [(entry.move.uci(), entry.weight) for entry in reader.find_all(board)] == [("e2e4", 6)]
        for word in ["e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5"]:
            board.push_uci(word)
        assert [entry.move.uci() for entry in reader.find_all(board)] == ["e1g1"]
        board = chess.Board()
        for word in ["e2e4", "a7a6", "e4e5", "d7d5"]:
            board.push_uci(word)
        assert [entry.move.uci() for entry in reader.find_all(board)] == ["e5d6"]
        for word in ["e5d6", "b8c6", "d6c7", "c8d7"]:
            board.push_uci(word)
        assert {entry.move.uci() for entry in reader.find_all(board)} == {"c7d8q", "c7d8n"}


def test_what_is_written_is_read_again(written: Path):
    book = read_book(written, GAME)
    assert isinstance(book, PolyglotBook)
    assert len(book) == len(list(positions(book)))
    (only,) = book.moves(GAME.initial())
    assert (GAME.write_action(GAME.initial(), only.action), only.weight) == ("e2e4", 6)
    castle = book.moves(reach("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"))[0].action
    assert GAME.show_action(reach("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"), castle) == "O-O"


def test_moves_that_always_lost_are_left_out(written: Path):
    assert read_book(written, GAME).moves(reach("e2e4")) == []


def test_an_entry_that_names_no_legal_move_is_passed_over(tmp_path: Path):
    path = tmp_path / "a.bin"
    path.write_bytes(KEYS[""].to_bytes(8, "big") + bytes([0, 0, 0, 5, 0, 0, 0, 0]))
    assert read_book(path, GAME).moves(GAME.initial()) == []


def test_files_that_are_no_polyglot_books_are_refused(tmp_path: Path):
    path = tmp_path / "a.bin"
    for data, says in ((b"", "has 0"), (b"x" * 17, "has 17"), (b"b" * 16 + b"a" * 16, "keys are not in order")):
        path.write_bytes(data)
        with pytest.raises(InputError, match=f"is not a Polyglot book.*{says}"):
            read_book(path, GAME)
    with pytest.raises(InputError, match="cannot be read"):
        read_book(tmp_path / "none.bin", GAME)
    path.write_bytes(bytes(16))
    with pytest.raises(OptionError, match="Polyglot's books are for chess, not for Othello"):
        read_book(path, load("othello"))
