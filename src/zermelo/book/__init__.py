"""Opening books: for positions, the moves to play there at once.

book       what a book is, and which of its moves is played
keys       what identifies a position
file       the format of this package
polyglot   that of other programs, for chess
tree       the positions of a book while it is made, and which to search next
build      makes a book from searches, games and other books

    book = read_book("chess.book", game)
    book.moves(game.initial())                  the moves it knows, the best first
    attach_book(game, book)                     players of `game` use it; `load("chess:book=FILE")` does the same
"""

from __future__ import annotations

import os

from zermelo.book.book import Book as Book
from zermelo.book.book import BookMove as BookMove
from zermelo.book.book import attach_book as attach_book
from zermelo.book.book import book_of as book_of
from zermelo.book.book import given_book as given_book
from zermelo.book.book import share_of as share_of
from zermelo.book.build import BookBuilder as BookBuilder
from zermelo.book.build import BookSettings as BookSettings
from zermelo.book.build import PlayedGame as PlayedGame
from zermelo.book.build import positions as positions
from zermelo.book.file import StoredBook as StoredBook
from zermelo.book.file import is_book as is_book
from zermelo.book.file import read_contents as read_contents
from zermelo.book.polyglot import PolyglotBook as PolyglotBook
from zermelo.book.polyglot import write_polyglot as write_polyglot
from zermelo.game.contract import A, Game, S


def read_book(path: str | os.PathLike[str], game: Game[S, A]) -> Book[S, A]:
    """The book in the file `path`, in either format; refuses one of another game, and one that is damaged."""
    if str(path).lower().endswith(".bin") and not is_book(path):
        return PolyglotBook(game, path)
    return StoredBook(game, read_contents(path), str(path))
