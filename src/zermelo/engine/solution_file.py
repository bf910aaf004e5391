"""A solution on disk: a line that says what it is, a line of JSON, blocks of positions, and a digest over all of it.

Each block is compressed. It holds the bytes of its states that differ at all, one place of all states after the other,
which compresses far better than one state after the other; then who moves and which payoff it comes to, in one number;
then the plies to the end, plus one, or 0 for a draw. Nothing is unpickled, and nothing is believed before the digest is
checked, whatever the sizes in the file say.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from zermelo.engine.whole_file import DIGEST, write_whole
from zermelo.errors import InputError

MAGIC = b"zermelo solution 1\n"
LONGEST_HEADER = 1 << 26
PREFIX = struct.Struct("<QQBB")
"""Before a block: its positions, its compressed bytes, and the bytes of each number in its two columns of numbers."""
LEVEL = 6
MOVERS = 3
NO_DISTANCE = (1 << 32) - 1


class Block(NamedTuple):
    """Positions in columns, as the core has them."""

    states: bytes
    """Packed, one state after the other."""
    ranks: bytes
    """32 bits each: the mover (2 for none) in the upper two, the rank of the payoff in the others."""
    distances: bytes
    """32 bits each; all ones for a draw."""


@dataclass(frozen=True, slots=True)
class Contents:
    """All that is in the file of a solution."""

    game: str
    """The game's name, for people."""
    identity: str
    """What tells the game from others."""
    root: bytes
    """The state from which it was solved; bytes that are in no block are as here."""
    places: list[int]
    """Which bytes of a state the blocks hold."""
    payoffs: list[tuple[float, float]]
    """What the players get, in the order of what the first gets."""
    draw: int
    """The rank of the draw in `payoffs`."""
    positions: int
    blocks: Iterable[Block]


def write(path: str | Path, contents: Contents) -> None:
    """Writes the file, all of it or nothing."""
    write_whole(path, _encode(contents))


def _encode(contents: Contents) -> Iterator[bytes]:
    header = {
        "game": contents.game,
        "identity": contents.identity,
        "byteorder": sys.byteorder,
        "root": contents.root.hex(),
        "places": contents.places,
        "payoffs": [[value.hex() for value in pair] for pair in contents.payoffs],
        "draw": contents.draw,
        "positions": contents.positions,
    }
    yield MAGIC + json.dumps(header).encode() + b"\n"
    for block in contents.blocks:
        if block.ranks:
            yield _encode_block(block, len(contents.places))


def _encode_block(block: Block, width: int) -> bytes:
    import numpy

    ranks = numpy.frombuffer(block.ranks, numpy.uint32)
    distances = numpy.frombuffer(block.distances, numpy.uint32)
    states = numpy.frombuffer(block.states, numpy.uint8).reshape(len(ranks), width)
    codes = (ranks & ((1 << 30) - 1)).astype(numpy.uint64) * MOVERS + (ranks >> 30)
    plies = numpy.where(distances == NO_DISTANCE, 0, distances.astype(numpy.uint64) + 1)
    columns = [states.T.tobytes()]
    sizes = []
    for numbers in (codes, plies):
        sizes.append(next(size for size in (1, 2, 4, 8) if int(numbers.max()) < 1 << 8 * size))
        columns.append(numbers.astype(f"<u{sizes[-1]}").tobytes())
    data = zlib.compress(b"".join(columns), LEVEL)
    return PREFIX.pack(len(ranks), len(data), *sizes) + data


def read(path: str | Path) -> Contents:
    """What the file holds; an `InputError` if it is no solution, or not a whole one. Blocks are read when asked for."""
    try:
        with Path(path).open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise InputError(f"{path} is not a solution of this version of zermelo: solve the game with --save")
            _check_digest(file, path)
            file.seek(len(MAGIC))
            header = json.loads(file.readline(LONGEST_HEADER))
            begin = file.tell()
        if header["byteorder"] != sys.byteorder:
            raise InputError(f"{path} was written on a machine with another order of bytes: solve the game here")
        contents = Contents(
            game=str(header["game"]),
            identity=str(header["identity"]),
            root=bytes.fromhex(header["root"]),
            places=[int(place) for place in header["places"]],
            payoffs=[(float.fromhex(first), float.fromhex(second)) for first, second in header["payoffs"]],
            draw=int(header["draw"]),
            positions=int(header["positions"]),
            blocks=_blocks(path, begin, len(header["places"])),
        )
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise error if isinstance(error, InputError) else damaged(path) from error
    return contents


def damaged(path: str | Path) -> InputError:
    return InputError(f"{path} is damaged: solve the game again, or fetch the file again")


def _check_digest(file: BinaryIO, path: str | Path) -> None:
    left = file.seek(0, os.SEEK_END) - DIGEST
    file.seek(0)
    digest = hashlib.sha256()
    while left > 0:
        part = file.read(min(left, 1 << 20))
        if not part:
            break
        digest.update(part)
        left -= len(part)
    if file.read(DIGEST) != digest.digest():
        raise damaged(path)


def _blocks(path: str | Path, begin: int, width: int) -> Iterator[Block]:
    with Path(path).open("rb") as file:
        end = file.seek(0, os.SEEK_END) - DIGEST
        file.seek(begin)
        while file.tell() < end:
            prefix = file.read(PREFIX.size)
            if len(prefix) != PREFIX.size:
                raise damaged(path)
            count, size, *sizes = PREFIX.unpack(prefix)
            if size > end - file.tell() or any(number not in (1, 2, 4, 8) for number in sizes):
                raise damaged(path)
            yield _decode_block(file.read(size), count, width, sizes, path)


def _decode_block(data: bytes, count: int, width: int, sizes: list[int], path: str | Path) -> Block:
    import numpy

    expected = count * (width + sum(sizes))
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(data, expected + 1)
    except (zlib.error, OverflowError, MemoryError):
        raise damaged(path) from None
    if len(raw) != expected or not unpacker.eof:
        raise damaged(path)
    states = numpy.frombuffer(raw, numpy.uint8, count * width).reshape(width, count).T
    numbers: list[Any] = []
    at = count * width
    for size in sizes:
        numbers.append(numpy.frombuffer(raw, f"<u{size}", count, at).astype(numpy.uint64))
        at += count * size
    codes, plies = numbers
    if count and (int(codes.max()) // MOVERS >= 1 << 30 or int(plies.max()) >= 1 << 32):
        raise damaged(path)
    ranks = (codes % MOVERS << 30) | codes // MOVERS
    distances = numpy.where(plies == 0, NO_DISTANCE, plies - 1)
    return Block(states.tobytes(), ranks.astype(numpy.uint32).tobytes(), distances.astype(numpy.uint32).tobytes())
