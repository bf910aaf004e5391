"""The books of the package: small, varied, reproducible, and played by those who ask for one."""

from __future__ import annotations

from pathlib import Path

import pytest

import zermelo.games
from zermelo import Limits, Searcher
from zermelo.book import StoredBook, book_of, given_book, positions
from zermelo.games import load

GAMES = ("chess", "xiangqi", "checkers", "othello")
MOST_BYTES = 200_000
FIRST_PLIES = 4


@pytest.fixture(params=GAMES)
def book(request: pytest.FixtureRequest) -> StoredBook:
    found = book_of(load(request.param))
    assert isinstance(found, StoredBook)
    return found


def test_no_other_game_ships_a_book():
    folder = Path(zermelo.games.__file__).parent
    assert {path.parent.name for path in folder.glob("*/*.book")} == set(GAMES)


def test_a_book_of_the_package_is_small_and_says_how_it_was_made(book: StoredBook):
    assert book.is_shipped
    assert given_book(book.game) is None
    assert Path(book.where).stat().st_size < MOST_BYTES
    assert {"made_by", "searched", "plies", "width", "nodes"} <= set(book.record)
    assert book.record["searched"] > 100


def test_a_book_of_the_package_is_left_out_where_it_does_not_fit():
    assert book_of(load("chess:book=no")) is None
    assert book_of(load("chess:start=0")) is None
    assert book_of(load("othello:size=6")) is None


def test_first_moves_vary(book: StoredBook):
    game = book.game
    lines = {()}
    states = {(): game.initial()}
    for _ in range(FIRST_PLIES):
        longer = set()
        for line in lines:
            for move, share in book.shares(states[line]):
                if share > 0:
                    longer.add((*line, move.action))
                    states[(*line, move.action)] = game.result(states[line], move.action)
        lines = longer
    assert len(lines) >= 4


def test_every_position_is_reached_by_legal_moves(book: StoredBook):
    found = list(positions(book))
    assert len(found) == len(book)
    for state, ply, moves in found:
        assert ply < book.record["plies"]
        assert {move.action for move in moves} <= set(book.game.actions(state))


def test_a_search_calls_no_move_a_blunder(book: StoredBook):
    """Of a sample of the positions, by what the engine says of the move that is played least, and of its own: a blunder
    costs a piece, or 15 in a hundred points, and searches of few nodes differ by some margins."""
    searcher = Searcher(book.game)
    low, high = book.game.bounds
    known = [(state, moves) for state, ply, moves in positions(book) if ply < 8]
    for state, _ in known[:: max(len(known) // 5, 1)]:
        played = [move.action for move, share in book.shares(state) if share > 0]
        best = searcher.search(state, Limits(nodes=20_000))
        worst = searcher.search(state, Limits(nodes=20_000), only=played[-1:])
        assert best.value - worst.value < min(10 * book.margin, 0.15 * (high - low))
