"""A book on disk: a line with the format's name, a line of JSON, the moves in columns, and a digest over all of it.

The columns, each compressed with the others, have an entry for each move, in the order of the positions' keys:

    key      64 bits of the position (`position_key`)
    number   of the action, in the order in which the game lists the actions of the position
    weight   how often it is played where nothing was searched
    games    in which it was played
    score    the mean result of these for the player to move; NaN if none is known
    value    what searches say, for the player to move; NaN if nothing was searched

Nothing in the file is trusted before the digest is checked.
"""

from __future__ import annotations

import json
import os
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from zermelo.book.book import Book, BookMove, check_game
from zermelo.book.keys import position_key
from zermelo.engine.identity import identify, why_another
from zermelo.engine.whole_file import DIGEST, is_whole, write_whole
from zermelo.errors import InputError
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S

MAGIC = b"zermelo book 1\n"
SUFFIX = ".book"
COLUMNS = {"key": "<u8", "number": "<u4", "weight": "<u4", "games": "<u4", "score": "<f4", "value": "<f4"}
ROW = np.dtype(list(COLUMNS.items()))
MAX_HEADER_BYTES = 1 << 20
MAX_MOVES = 1 << 25
COMPRESSION_LEVEL = 9


@dataclass(frozen=True, slots=True)
class Contents:
    """What the file of a book holds."""

    game: Mapping[str, Any]
    """Which game it was made for, as `engine.identity` says."""
    start: int
    """The key of the initial position."""
    margin: float
    record: Mapping[str, Any]
    """How it was made."""
    rows: NDArray[Any]
    """A row for each move."""


def contents_of(game: AnyGame, rows: NDArray[Any], margin: float, record: Mapping[str, Any]) -> Contents:
    """A book of `game` as its file has it."""
    return Contents(identify(game), position_key(game, game.initial()), margin, record, rows)


def write_contents(path: str | os.PathLike[str], contents: Contents) -> None:
    """Writes the file completely or not at all."""
    if len(contents.rows) > MAX_MOVES:
        raise InputError(f"a book has at most {MAX_MOVES:,} moves: say fewer --plies, or a greater --least")
    write_whole(path, _encode(contents))


def _encode(contents: Contents) -> Iterator[bytes]:
    rows = contents.rows[np.argsort(contents.rows["key"], kind="stable")]
    header = {
        "game": contents.game,
        "start": f"{contents.start:016x}",
        "margin": contents.margin,
        "moves": len(rows),
        "record": contents.record,
    }
    yield MAGIC + json.dumps(header).encode() + b"\n"
    yield zlib.compress(b"".join(rows[name].tobytes() for name in COLUMNS), COMPRESSION_LEVEL)


def is_book(path: str | os.PathLike[str]) -> bool:
    """Whether the file begins like a book."""
    try:
        with Path(path).open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def read_contents(path: str | os.PathLike[str]) -> Contents:
    """What the file holds; an `InputError` if it is not a whole book."""
    if not is_book(path):
        raise InputError(f"{path} is not a book; `zermelo book GAME --out FILE` makes one")
    damaged = InputError(f"{path} is damaged: make the book again, or fetch the file again")
    try:
        with Path(path).open("rb") as file:
            if not is_whole(file):
                raise damaged
            end = file.seek(0, os.SEEK_END) - DIGEST
            file.seek(len(MAGIC))
            header = json.loads(file.readline(MAX_HEADER_BYTES))
            data = file.read(end - file.tell())
        rows = _decode(data, int(header["moves"]))
        start, margin = int(header["start"], 16), float(header["margin"])
        return Contents(dict(header["game"]), start, margin, dict(header["record"]), rows)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None
    except (KeyError, TypeError, ValueError, RecursionError, zlib.error, MemoryError):
        raise damaged from None


def _decode(data: bytes, moves: int) -> NDArray[Any]:
    if not 0 <= moves <= MAX_MOVES:
        raise ValueError("no book is so large")
    unpacker = zlib.decompressobj()
    raw = unpacker.decompress(data, moves * ROW.itemsize + 1)
    if len(raw) != moves * ROW.itemsize or not unpacker.eof:
        raise ValueError("the moves do not fill the file")
    rows, at = np.zeros(moves, ROW), 0
    for name, kind in COLUMNS.items():
        rows[name] = np.frombuffer(raw, kind, moves, at)
        at += rows[name].nbytes
    if np.any(rows["key"][1:] < rows["key"][:-1]):
        raise ValueError("the positions are not in order")
    return rows


class StoredBook(Book[S, A]):
    """A book in the format of this package."""

    def __init__(self, game: Game[S, A], contents: Contents, where: str):
        """Refuses a book of another game."""
        check_game(game)
        why = why_another(contents.game, game)
        if not why and contents.start != position_key(game, game.initial()):
            why = "its first position is another one, by other rules or by another version of zermelo"
        if why:
            raise InputError(f"{where} is a book of another game: {why}")
        super().__init__(game, where, contents.margin, contents.record)
        self.rows = contents.rows
        self.keys = np.ascontiguousarray(contents.rows["key"])

    def __len__(self) -> int:
        """The number of positions."""
        return len(np.unique(self.keys))

    def found(self, s: S) -> list[BookMove[A]]:
        key = np.uint64(position_key(self.game, s))
        first, last = (int(np.searchsorted(self.keys, key, side)) for side in ("left", "right"))
        if first == last or self.game.is_terminal(s):
            return []
        legal = list(self.game.actions(s))
        known = (row for row in self.rows[first:last].tolist() if row[1] < len(legal))
        return [
            BookMove(legal[number], weight, games, _known(score), _known(value))
            for _, number, weight, games, score, value in known
        ]


def _known(value: float) -> float | None:
    return None if value != value else value
