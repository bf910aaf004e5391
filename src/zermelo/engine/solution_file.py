"""A solution on disk: a line with the format's name, a line of JSON, blocks of positions, and a digest over all of it.

Each block is compressed. It holds the bytes in which its states differ, column by column, which compresses far better
than state by state; then two columns of numbers, which hold in a game

    without chance   who moves and the rank of the payoff; the plies to the end plus one, or 0 for a draw
    with chance      who moves; the bits of player 0's value as a double

Nothing is unpickled, and nothing in the file, sizes included, is trusted before the digest is checked.
"""

from __future__ import annotations

import json
import math
import os
import struct
import sys
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.whole_file import DIGEST, is_whole, write_whole
from zermelo.errors import InputError
from zermelo.game import CHANCE, AnyGame
from zermelo.search.retrograde import Outcome

MAGIC = b"zermelo solution 1\n"
MAX_HEADER_BYTES = 1 << 26
PREFIX = struct.Struct("<QQBB")
"""Before a block: its positions, its compressed bytes, and the bytes of each number in its two columns of numbers."""
COMPRESSION_LEVEL = 6
NOBODY = 2
"""The code of the mover where the game is over, in the core and in files."""
CHANCE_MOVES = 3
"""The code of the mover where chance moves."""
MOVERS = 3
"""Movers in games without chance: two players and nobody."""
NO_DISTANCE = (1 << 32) - 1
"""The distance of a draw in the core."""
MAX_RANK = 1 << 30


class Block(NamedTuple):
    """Positions in columns."""

    states: bytes
    """Packed, one state after the other."""
    codes: NDArray[np.uint64]
    numbers: NDArray[np.uint64]


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of the file of a solution."""

    game: str
    """The game's name, for people."""
    identity: str
    """What identifies the game (`solution_tables.identify`)."""
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
    error: float | None = None
    """How far a value may be from the true one in a game with chance; `None` in games without, which have payoffs."""


def write(path: str | Path, contents: Contents) -> None:
    """Writes the file completely or not at all."""
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
        **({} if contents.error is None else {"error": contents.error.hex()}),
    }
    yield MAGIC + json.dumps(header).encode() + b"\n"
    for block in contents.blocks:
        if len(block.codes):
            yield _encode_block(block, len(contents.places))


def _encode_block(block: Block, width: int) -> bytes:
    count = len(block.codes)
    columns = [np.frombuffer(block.states, np.uint8).reshape(count, width).T.tobytes()]
    sizes = []
    for numbers in (block.codes, block.numbers):
        sizes.append(next(size for size in (1, 2, 4, 8) if int(numbers.max()) < 1 << 8 * size))
        columns.append(numbers.astype(f"<u{sizes[-1]}").tobytes())
    data = zlib.compress(b"".join(columns), COMPRESSION_LEVEL)
    return PREFIX.pack(count, len(data), *sizes) + data


def read(path: str | Path) -> Contents:
    """Returns the contents of the file; an `InputError` if it is not a complete solution. Blocks are read lazily."""
    try:
        with Path(path).open("rb") as file:
            if file.read(len(MAGIC)) != MAGIC:
                raise InputError(f"{path} is not a solution of this version of zermelo: solve the game with --save")
            if not is_whole(file):
                raise damaged(path)
            file.seek(len(MAGIC))
            header = json.loads(file.readline(MAX_HEADER_BYTES))
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
            error=float.fromhex(header["error"]) if "error" in header else None,
        )
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}") from error
    except (KeyError, TypeError, ValueError) as error:
        raise error if isinstance(error, InputError) else damaged(path) from error
    return contents


def damaged(path: str | Path) -> InputError:
    return InputError(f"{path} is damaged: solve the game again, or fetch the file again")


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
    expected = count * (width + sum(sizes))
    unpacker = zlib.decompressobj()
    try:
        raw = unpacker.decompress(data, expected + 1)
    except (zlib.error, OverflowError, MemoryError):
        raise damaged(path) from None
    if len(raw) != expected or not unpacker.eof:
        raise damaged(path)
    states = np.frombuffer(raw, np.uint8, count * width).reshape(width, count).T.tobytes()
    at, (first, second) = count * width, sizes
    codes = np.frombuffer(raw, f"<u{first}", count, at).astype(np.uint64)
    numbers = np.frombuffer(raw, f"<u{second}", count, at + count * first).astype(np.uint64)
    return Block(states, codes, numbers)


# What the columns of a block mean.

Columns: TypeAlias = tuple[NDArray[np.uint64], NDArray[np.uint64]]
"""The two columns of a block."""


def encode_ranks(ranks: bytes, distances: bytes) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """The columns of a file from those of the core: mover and rank in one number, and plies plus one."""
    packed, plies = (np.frombuffer(column, np.uint32).astype(np.uint64) for column in (ranks, distances))
    return (packed & (MAX_RANK - 1)) * MOVERS + (packed >> 30), np.where(plies == NO_DISTANCE, 0, plies + 1)


def decode_ranks(block: Block) -> tuple[NDArray[np.uint32], NDArray[np.uint32]]:
    """The columns of the core from those of a file; `ValueError` where a number is too large."""
    if len(block.codes) and (int(block.codes.max()) // MOVERS >= MAX_RANK or int(block.numbers.max()) > NO_DISTANCE):
        raise ValueError("a number of a block is too large")
    ranks = (block.codes % MOVERS << 30) | block.codes // MOVERS
    distances = np.where(block.numbers == 0, NO_DISTANCE, block.numbers - 1)
    return ranks.astype(np.uint32), distances.astype(np.uint32)


def valued_outcome(game: AnyGame, mover: int, value: float) -> Outcome:
    """Returns the outcome of a position in a game with chance, by player 0's value and the code of the mover."""
    values = (value,) if game.players == 1 else (value, 2 * game.neutral - value)
    who = {NOBODY: None, CHANCE_MOVES: CHANCE}.get(mover, mover)
    return Outcome(who, values, 0 if who is None else None)


def payoff_columns(game: AnyGame, outcomes: Sequence[Outcome]) -> tuple[tuple[list[tuple[float, float]], int], Columns]:
    """The payoffs and the rank of the draw among them, and the columns of a game without chance."""
    draw = (game.neutral, game.neutral if game.players == 2 else 0.0)
    pairs = [(o.values[0], o.values[1] if game.players == 2 else 0.0) for o in outcomes]
    payoffs = sorted({draw, *pairs})
    ranks = {pair: rank for rank, pair in enumerate(payoffs)}
    movers = [NOBODY if o.mover is None else o.mover for o in outcomes]
    codes = [ranks[pair] * MOVERS + mover for mover, pair in zip(movers, pairs, strict=True)]
    plies = [0 if o.distance is None else o.distance + 1 for o in outcomes]
    return (payoffs, ranks[draw]), (np.array(codes, np.uint64), np.array(plies, np.uint64))


def value_columns(_game: AnyGame, outcomes: Sequence[Outcome]) -> tuple[tuple[list[tuple[float, float]], int], Columns]:
    """No payoffs, and the columns of a game with chance."""
    movers = [{None: NOBODY, CHANCE: CHANCE_MOVES}.get(o.mover, o.mover) for o in outcomes]
    values = np.array([o.values[0] for o in outcomes], np.float64)
    return ([], 0), (np.array(movers, np.uint64), values.view(np.uint64))


def read_outcomes(game: AnyGame, contents: Contents, block: Block) -> Iterator[Outcome]:
    """The outcomes of the positions in `block`; `ValueError` or `IndexError` where it is damaged."""
    if contents.error is not None:
        for mover, value in zip(block.codes.tolist(), block.numbers.view(np.float64).tolist(), strict=True):
            if mover > CHANCE_MOVES or not math.isfinite(value):
                raise ValueError("no position of a game with chance")
            yield valued_outcome(game, mover, value)
        return
    ranks, distances = decode_ranks(block)
    for code, distance in zip(ranks.tolist(), distances.tolist(), strict=True):
        mover, rank = code >> 30, code & (MAX_RANK - 1)
        values = contents.payoffs[rank][: game.players]
        yield Outcome(None if mover == NOBODY else mover, values, None if distance == NO_DISTANCE else distance)
