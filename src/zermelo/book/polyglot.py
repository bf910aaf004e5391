"""Books in Polyglot's format, for games that can say the keys of their positions and write their moves for it.

The file is a list of entries of 16 bytes, each number with its highest byte first, in the order of the keys: the key of
a position, a move, its weight, and a number that is not used here.
"""

from __future__ import annotations

import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from zermelo.book.book import Book, BookMove
from zermelo.engine.whole_file import replace_file
from zermelo.errors import InputError, OptionError
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S

SUFFIX = ".bin"
ENTRY = np.dtype([("key", ">u8"), ("move", ">u2"), ("weight", ">u2"), ("learn", ">u4")])
MAX_WEIGHT = (1 << 16) - 1
PART_ENTRIES = 1 << 20


class PolyglotBook(Book[S, A]):
    """A book that another program has made."""

    def __init__(self, game: Game[S, A], path: str | os.PathLike[str]):
        check_format(game)
        super().__init__(game, str(path), record={"made_by": "another program"})
        self.entries = read_entries(path)

    def __len__(self) -> int:
        """The number of positions."""
        return sum(int(np.count_nonzero(part[1:] != part[:-1])) for part in _keys(self.entries)) + 1

    def found(self, s: S) -> list[BookMove[A]]:
        if self.game.is_terminal(s):
            return []
        key, every = self.game.polyglot_key(s), range(len(self.entries))
        first, last = (side(every, key, key=self._key) for side in (bisect_left, bisect_right))
        legal = {self.game.polyglot_move(s, a): a for a in self.game.actions(s)}
        weights: dict[A, int] = {}
        for _, move, weight, _ in self.entries[first:last].tolist():
            if move in legal:
                weights[legal[move]] = weights.get(legal[move], 0) + weight
        return [BookMove(a, weight) for a, weight in weights.items()]

    def _key(self, place: int) -> int:
        return int(self.entries[place]["key"])

    def ways_on(self, s: S) -> Iterable[A]:
        """All of them: such books leave out moves that are never to be played, and may have the answers to these."""
        return [] if self.game.is_terminal(s) else self.game.actions(s)


def check_format(game: AnyGame) -> None:
    """Refuses games that have no place in the format."""
    if not game.can("polyglot_key"):
        raise OptionError(f"Polyglot's books are for chess, not for {game.name}: use a book of `zermelo book`")


def read_entries(path: str | os.PathLike[str]) -> NDArray[np.void]:
    """The entries of the file, which is mapped into memory."""
    try:
        size = Path(path).stat().st_size
        if not size or size % ENTRY.itemsize:
            raise InputError(f"{path} is not a Polyglot book: entries have {ENTRY.itemsize} bytes, and it has {size}")
        entries = np.memmap(path, ENTRY, mode="r")
        if any(bool(np.any(part[1:] < part[:-1])) for part in _keys(entries)):
            raise InputError(f"{path} is not a Polyglot book: its keys are not in order")
        return entries
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from None


def _keys(entries: NDArray[np.void]) -> Iterator[NDArray[np.uint64]]:
    """The keys in parts that fit into memory, each of which begins with the last one of the part before."""
    for first in range(0, len(entries), PART_ENTRIES):
        yield entries["key"][max(first - 1, 0) : first + PART_ENTRIES].astype(np.uint64)


def write_polyglot(
    path: str | os.PathLike[str], game: Game[S, A], positions: Iterable[tuple[S, list[tuple[BookMove[A], float]]]]
) -> int:
    """Writes positions with their moves and how likely each is played; returns the number of entries.

    The weights of a position add up to what the format can hold, or are those that the moves have if nothing was
    searched; moves that are never played are left out.
    """
    check_format(game)
    entries = [
        (game.polyglot_key(s), game.polyglot_move(s, move.action), weight, 0)
        for s, moves in positions
        for move, share in moves
        if (weight := _weight(move, share)) > 0
    ]
    rows = np.array(entries, ENTRY)
    replace_file(path, [rows[np.lexsort((-rows["weight"].astype(np.int64), rows["key"]))].tobytes()])
    return len(rows)


def _weight(move: BookMove[A], share: float) -> int:
    return round(share * MAX_WEIGHT) if move.value is not None else min(move.weight, MAX_WEIGHT)
