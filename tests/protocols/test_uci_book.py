"""An engine plays from its book where a move is asked for, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.protocols.peer import Peer

from zermelo.book import BookBuilder, BookSettings, PlayedGame, book_of
from zermelo.games import load

MOVE = "a1"
"""A move that no search of tic-tac-toe prefers to the middle before it has seen the end."""


@pytest.fixture
def book(tmp_path: Path) -> str:
    game = load("tictactoe")
    builder: BookBuilder[Any, Any] = BookBuilder(game, BookSettings(plies=1))
    builder.add_games([PlayedGame(game.initial(), (game.read_action(game.initial(), MOVE),), None)])
    builder.write(tmp_path / "my book.book")
    return str(tmp_path / "my book.book")


@pytest.fixture
def peer(book: str) -> Iterator[Peer]:
    made = Peer(load(f"tictactoe:book={book}"))
    yield made
    made.server.session.stop()


def test_a_move_of_the_book_is_played_at_once(peer: Peer):
    assert peer.tell("go nodes 100")[-1] == f"bestmove {MOVE}"
    assert peer.server.session._searcher is None
    assert "bestmove" in peer.tell("position startpos moves b2", "go nodes 100")[-1]
    assert peer.server.session._searcher is not None


@pytest.mark.parametrize(
    "asked",
    [
        ("setoption name OwnBook value false", "go nodes 100"),
        ("setoption name UCI_AnalyseMode value true", "go nodes 100"),
        ("go nodes 100 searchmoves b2 c1",),
        ("go mate 2",),
    ],
)
def test_where_a_search_is_asked_for_the_book_is_left_alone(peer: Peer, asked: tuple[str, ...]):
    said = peer.tell(*asked)
    assert any(line.startswith("info") and "depth" in line for line in said)


def test_a_book_is_opened_and_closed_by_an_option(book: str):
    peer = Peer(load("tictactoe"))
    peer.tell(f"setoption name BookFile value {book}")
    assert peer.tell("go nodes 100") == [f"bestmove {MOVE}"]
    assert "is not a book" in peer.tell(f"setoption name BookFile value {__file__}")[0]
    assert peer.tell("go nodes 100") == [f"bestmove {MOVE}"]
    peer.tell("setoption name BookFile value <empty>")
    assert len(peer.tell("go nodes 100")) > 1
    assert "must be a whole number from 0 to 1000" in peer.tell("setoption name Book Variety value -1")[0]


def test_the_book_of_the_package_is_played_once_a_peer_asks_for_it(book: str):
    game = load(f"tictactoe:book={book}")
    shipped = book_of(game)
    assert shipped is not None
    shipped.is_shipped = True
    peer = Peer(game)
    assert "option name OwnBook type check default false" in peer.tell("uci")
    assert len(peer.tell("go nodes 100")) > 1
    peer.tell("setoption name OwnBook value true")
    assert peer.tell("go nodes 100") == [f"bestmove {MOVE}"]


def test_games_that_cannot_have_a_book_have_no_such_options():
    assert not any("Book" in line for line in Peer(load("backgammon")).tell("uci"))
