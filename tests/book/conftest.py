"""What the tests of books share: a small game that is searched at once, with its book."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from zermelo.book import Book, BookBuilder, BookSettings, read_book
from zermelo.game import AnyGame
from zermelo.games import load


def make_book(game: AnyGame, path: Path, seconds: float = 60.0, **settings: Any) -> Book:
    """A book of all positions that the settings allow."""
    builder: BookBuilder[Any, Any] = BookBuilder(game, BookSettings(**settings))
    builder.search(seconds)
    builder.write(path)
    return read_book(path, game)


@pytest.fixture(scope="session")
def hexapawn() -> AnyGame:
    return load("hexapawn")


@pytest.fixture(scope="session")
def whole(hexapawn: AnyGame, tmp_path_factory: pytest.TempPathFactory) -> Book:
    """All of hexapawn, each position with all its moves."""
    return make_book(hexapawn, tmp_path_factory.mktemp("book") / "hexapawn.book", plies=20, width=20)
