"""A book comes back from its file as it was, or is refused in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.book.conftest import make_book
from zermelo.book import Book, StoredBook, book_of, positions, read_book, read_contents
from zermelo.book.file import MAGIC, write_contents
from zermelo.errors import InputError
from zermelo.game import AnyGame
from zermelo.games import load


@pytest.fixture
def path(whole: Book, tmp_path: Path) -> Path:
    copy = tmp_path / "hexapawn.book"
    copy.write_bytes(Path(whole.where).read_bytes())
    return copy


def test_what_is_written_is_read(whole: Book, hexapawn: AnyGame, path: Path):
    found = read_book(path, hexapawn)
    assert list(positions(found)) == list(positions(whole))
    assert found.record["made_by"].startswith("zermelo")
    write_contents(path, read_contents(path))
    assert path.read_bytes() == Path(whole.where).read_bytes()


@given(at=st.integers(0, 10**6), byte=st.integers(1, 255))
@settings(max_examples=50)
def test_a_changed_byte_is_noticed(whole: Book, hexapawn: AnyGame, tmp_path_factory, at: int, byte: int):
    data = bytearray(Path(whole.where).read_bytes())
    data[at % len(data)] ^= byte
    damaged = tmp_path_factory.mktemp("damaged") / "a.book"
    damaged.write_bytes(data)
    with pytest.raises(InputError, match=r"is damaged: make the book again|is not a book"):
        read_book(damaged, hexapawn)


@pytest.mark.parametrize("left", [0, 5, len(MAGIC), 60, -1])
def test_a_file_that_was_cut_off_is_refused(hexapawn: AnyGame, path: Path, left: int):
    path.write_bytes(path.read_bytes()[:left])
    with pytest.raises(InputError, match=r"is damaged|is not a book"):
        read_book(path, hexapawn)


def test_a_book_of_another_game_or_of_other_options_is_refused(path: Path):
    with pytest.raises(InputError, match="its game was Hexapawn, not ConnectFour"):
        read_book(path, load("connect4"))
    with pytest.raises(InputError, match="its options were"):
        read_book(path, load("hexapawn:columns=4"))


def test_a_book_whose_first_position_is_another_one_is_refused(hexapawn: AnyGame, path: Path):
    contents = read_contents(path)
    write_contents(path, type(contents)(contents.game, 1, contents.margin, contents.record, contents.rows))
    with pytest.raises(InputError, match="its first position is another one"):
        read_book(path, hexapawn)


def test_numbers_that_are_no_actions_are_left_out(hexapawn: AnyGame, path: Path):
    contents = read_contents(path)
    rows = contents.rows.copy()
    rows["number"] = np.uint32(1 << 31)
    write_contents(path, type(contents)(contents.game, contents.start, contents.margin, contents.record, rows))
    assert read_book(path, hexapawn).moves(hexapawn.initial()) == []


def test_files_that_are_no_books_are_refused(hexapawn: AnyGame, tmp_path: Path):
    for name in ("nothing.book", "."):
        with pytest.raises(InputError, match="cannot be read"):
            read_book(tmp_path / name, hexapawn)
    (tmp_path / "text.book").write_text("e2e4")
    with pytest.raises(InputError, match="is not a book; `zermelo book GAME --out FILE` makes one"):
        read_book(tmp_path / "text.book", hexapawn)


def test_a_game_loads_the_book_that_its_option_names(path: Path):
    assert isinstance(book_of(load(f"hexapawn:book={path}")), StoredBook)
    assert book_of(load("hexapawn:book=no")) is None
    with pytest.raises(InputError, match="is a book of another game"):
        load(f"connect4:book={path}")


GAME = '''
from zermelo.games.hexapawn import Hexapawn

class Mine(Hexapawn):
    """Hexapawn in a file."""
'''


def test_a_book_beside_the_rules_is_found_unless_it_is_for_other_options(tmp_path: Path):
    rules = tmp_path / "mine.py"
    rules.write_text(GAME)
    make_book(load(f"{rules}"), tmp_path / "mine.book", plies=2)
    assert book_of(load(f"{rules}")) is not None
    assert book_of(load(f"{rules}:book=no")) is None
    assert book_of(load(f"{rules}:Mine:columns=4")) is None
    (tmp_path / "mine.book").write_bytes(b"damaged")
    with pytest.raises(InputError, match="is not a book"):
        load(f"{rules}")
