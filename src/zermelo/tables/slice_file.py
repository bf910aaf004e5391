"""A slice of endgame tables on disk: a line with the format's name, a line of JSON, the compressed slice, a digest.

The slice has one code for each number that it holds, which stands for a cell of the palette in the header: 0 for a
draw, else twice the plies to the end, plus 1 where the player to move wins. A number without a position to look up, as
an end of the game, has the code of the number before it, which compresses best. Where each half of the numbers follows
from the other one by a look one ply ahead, as those of the two players to move do, the file holds the one that takes
less. In a slice with steps the distance is a bound, in whole steps, and a position whose every action leaves the slice
has the code of the number before it, too. Behind the codes are the positions of a slice that the game does not number:
the bytes in which their states differ, column by column, in the order of their numbers. Nothing in a file but its
header is trusted before the digest is checked.
"""

from __future__ import annotations

import dataclasses
import json
import lzma
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.engine.whole_file import DIGEST, is_whole, write_whole
from zermelo.errors import InputError

MAGIC = b"zermelo tables 2\n"
SUFFIX = ".table"
MAX_HEADER_BYTES = 1 << 24
FILTERS = [{"id": lzma.FILTER_LZMA2, "preset": 6, "lc": 0, "lp": 0, "pb": 0}]
WHOLE = ("material", "numbers", "first", "held", "won", "drawn", "lost", "ended", "longest", "step")
"""The numbers of a header."""
NARROW = 256
"""The largest palette whose codes take one byte."""


@dataclass(frozen=True, slots=True)
class SliceFacts:
    """What the header of a slice says."""

    game: Mapping[str, Any]
    """Which game it is of: `zermelo.engine.identity.identify(game)`."""
    material: int
    name: str
    numbers: int
    """How many numbers the slice has."""
    first: int
    """The first number that the file holds."""
    held: int
    """How many it holds."""
    won: int
    """Positions that the player to move wins."""
    drawn: int
    lost: int
    ended: int
    """Positions in which the game is over."""
    longest: int
    """Plies of the longest win; with steps at most."""
    palette: tuple[int, ...]
    step: int = 1
    """Of the distances, in plies; 1 where they are exact."""
    root: str = ""
    """The bytes of a state, where the file lists the positions; those at no place are as here in all of them."""
    places: tuple[int, ...] = ()

    @property
    def positions(self) -> int:
        return self.won + self.drawn + self.lost + self.ended

    @property
    def listed(self) -> bool:
        """Whether the game does not number the positions: then these are all that is known of the slice."""
        return bool(self.root)

    @property
    def code_bytes(self) -> int:
        return 1 if len(self.palette) <= NARROW else 2


def pack_slice(
    facts: SliceFacts, codes: bytes, follows: tuple[bool, bool], rows: bytes = b""
) -> tuple[SliceFacts, bytes]:
    """What a file holds of the `codes` of all numbers, compressed, where `follows` says of each half whether it follows
    from the other one; the facts say which numbers these are. `rows` are the positions, where they are listed."""
    half, width = facts.numbers // 2, facts.code_bytes
    ranges = [(half * (1 - left_out), half) for left_out in (0, 1) if follows[left_out]] or [(0, facts.numbers)]
    behind = turned(rows, facts.numbers) if rows else b""
    packed = [
        (_compress(codes[first * width : (first + held) * width] + behind), (first, held)) for first, held in ranges
    ]
    data, (first, held) = min(packed, key=lambda each: len(each[0]))
    return dataclasses.replace(facts, first=first, held=held), data


def turned(table: bytes, rows: int) -> bytes:
    """A table of bytes, column by column in place of row by row."""
    return np.frombuffer(table, np.uint8).reshape(rows, -1).T.tobytes()


def _compress(codes: bytes) -> bytes:
    return lzma.compress(codes, lzma.FORMAT_RAW, filters=FILTERS)


def write_slice(path: Path, facts: SliceFacts, data: bytes) -> None:
    """Writes the file completely or not at all; `data` is what `pack_slice` gives."""
    header = {**dataclasses.asdict(facts), "byteorder": sys.byteorder}

    def parts() -> Iterator[bytes]:
        yield MAGIC + json.dumps(header, ensure_ascii=False).encode() + b"\n"
        yield data

    write_whole(path, parts())


def read_facts(path: Path) -> SliceFacts:
    """The header of the file; the digest is left to `check_whole`."""
    try:
        with path.open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise InputError(f"{path} is no slice of endgame tables of this version of zermelo: build it again")
            header = json.loads(file.readline(MAX_HEADER_BYTES))
        byteorder, palette, places = header.pop("byteorder"), header.pop("palette"), header.pop("places", ())
        facts = SliceFacts(**header, palette=tuple(map(int, palette)), places=tuple(map(int, places)))
        if any(type(getattr(facts, name)) is not int or getattr(facts, name) < 0 for name in WHOLE) or not palette:
            raise ValueError("a number of the header is no whole number")
        if len(bytes.fromhex(facts.root)) < len(facts.places) or facts.listed != bool(facts.places):
            raise ValueError("a list of positions has no place in its states")
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise error if isinstance(error, InputError) else damaged(path) from error
    if facts.name != path.name.removesuffix(SUFFIX):
        raise InputError(f"{path} is the slice {facts.name}: give the file its own name again, {facts.name}{SUFFIX}")
    if byteorder != sys.byteorder:
        raise InputError(f"{path} was written on a machine with another order of bytes: build the tables here")
    return facts


def check_whole(path: Path) -> None:
    """Refuses a file that is not as it was written."""
    try:
        with path.open("rb") as file:
            if not is_whole(file):
                raise damaged(path)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error


def read_slice(path: Path, facts: SliceFacts) -> tuple[bytes, bytes]:
    """The codes of the numbers that the file holds, and the positions that it lists, row by row; refuses a file that is
    not as it was written."""
    check_whole(path)
    try:
        with path.open("rb") as file:
            file.seek(len(MAGIC))
            file.readline(MAX_HEADER_BYTES)
            data = file.read()[:-DIGEST]
        unpacker = lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=FILTERS)
        codes = facts.held * facts.code_bytes
        expected = codes + facts.numbers * len(facts.places)
        found = unpacker.decompress(data, expected + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (lzma.LZMAError, MemoryError, OverflowError):
        raise damaged(path) from None
    if len(found) != expected:
        raise damaged(path)
    return found[:codes], turned(found[codes:], len(facts.places)) if facts.numbers and facts.listed else b""


def damaged(path: Path) -> InputError:
    return InputError(f"{path} is damaged: delete it and build the tables again, or fetch the file again")
