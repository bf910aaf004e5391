"""Recorded games: files of some three and a half bytes a move, read and replayed natively.

    writer = RecordWriter("games.bin", game)       creates the file, or goes on with it
    writer.write(block)                            a block of games, as `SelfPlay` makes them

    records = RecordedGames("games.bin", game)
    for each in records: …                         one game after another
    for part in records.positions(): …             their positions as columns of arrays

`native/selfplay/records.hpp` describes the format. A last block that was not written completely is left out, and cut
off when the file is written to again; any other damage is an error.
"""

from __future__ import annotations

import math
import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from zermelo.engine.compiled import CompiledGame, compile_game
from zermelo.engine.core import _core
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.game.contract import S

T = TypeVar("T")

MoveFlags = _core.MoveFlags
"""What is known about a recorded move: `scored`, `proved`, `quiet`, `explored`."""


@dataclass(frozen=True, slots=True)
class RecordedGame(Generic[S]):
    """One game; the lists have an item for each action, those of chance included."""

    number: int
    start: S
    actions: tuple[int, ...]
    movers: tuple[int, ...]
    scores: tuple[float | None, ...]
    """What a search expected of the position, for its mover; `None` for random actions."""
    flags: tuple[_core.MoveFlags, ...]
    visits: tuple[dict[int, float], ...]
    """The share of a search's simulations by action; empty where visits were not recorded."""
    utilities: tuple[float, ...]
    """The result, for each player."""
    ending: str
    """What ended the game: `rules`, `repetition`, `length` (a draw), or the `proof` of a search."""


@dataclass(frozen=True, slots=True)
class RecordedPositions:
    """Positions in which players moved, as columns."""

    states: NDArray[np.uint8]
    """A row of bytes for each, as the compiled game packs them."""
    movers: NDArray[np.int32]
    actions: NDArray[np.int64]
    scores: NDArray[np.float32]
    """For the movers; NaN where no search was."""
    flags: NDArray[np.uint8]
    """`MoveFlags`."""
    results: NDArray[np.float32]
    """The utilities of the movers at the end of the game."""
    plies: NDArray[np.uint32]
    """From the start of the record."""
    left: NDArray[np.uint32]
    """Plies to its end."""

    def __len__(self) -> int:
        return len(self.movers)


class RecordedGames(Generic[S]):
    """The games of a file."""

    def __init__(self, path: str | Path, game: Game[S]):
        self.path = Path(path)
        self.compiled = compile_game(game)
        try:
            data = np.memmap(self.path, np.uint8, mode="r") if self.path.stat().st_size else np.zeros(0, np.uint8)
        except OSError as error:
            raise InputError(f"{self.path} cannot be read: {error}") from error
        try:
            self._core = _core.GameRecords(self.compiled.handle, data)
        except _core.RecordError as error:
            raise InputError(f"{self.path}: {error}") from error
        self.name = self._core.name
        """The name of the game with its options, as it was given to the writer."""
        self.moves = self._core.moves
        self.note = self._core.note
        """About a last block that was left out; else empty."""
        self.end = self._core.end
        """Bytes of the file, without what was left out."""

    def __len__(self) -> int:
        """The number of games."""
        return self._core.games

    def __iter__(self) -> Iterator[RecordedGame[S]]:
        for block in range(self._core.blocks):
            for each in self._read(self._core.read_games, block):
                yield _game(self.compiled, each)

    def positions(self) -> Iterator[RecordedPositions]:
        """The positions, a block at a time."""
        for block in range(self._core.blocks):
            found = self._read(self._core.read_positions, block)
            yield RecordedPositions(
                np.frombuffer(found.states, np.uint8).reshape(-1, self.compiled.handle.state_size),
                np.frombuffer(found.movers, np.int32),
                np.frombuffer(found.actions, np.int64),
                np.frombuffer(found.scores, np.float32),
                np.frombuffer(found.flags, np.uint8),
                np.frombuffer(found.results, np.float32),
                np.frombuffer(found.plies, np.uint32),
                np.frombuffer(found.left, np.uint32),
            )

    @property
    def next_number(self) -> int:
        """One more than the number of the last game: games that were dropped leave gaps."""
        last = self._core.blocks - 1
        return 0 if last < 0 else self._read(self._core.read_games, last)[-1].number + 1

    @property
    def blocks(self) -> int:
        """The number of blocks, in each of which are some of the games."""
        return self._core.blocks

    def add_samples(
        self,
        block: int,
        samples: _core.Samples | _core.GridSamples,
        *,
        score_share: float,
        quiet_only: bool,
        score_slope: float = 0.0,
        seed: int = 0,
        quick_share: float = 1.0,
    ) -> None:
        """Adds what a network can learn from a block; see `native/selfplay/samples.hpp`."""
        add = partial(
            self._core.add_samples,
            samples=samples,
            score_share=score_share,
            quiet_only=quiet_only,
            score_slope=score_slope,
            symmetries=self.compiled.game.symmetry_count if self.compiled.game.can("symmetric") else 1,
            seed=seed,
            quick_share=quick_share,
        )
        self._read(add, block)

    def check(self) -> int:
        """Replays all games; returns the number of their moves."""
        return sum(self._read(self._core.replay, block) for block in range(self._core.blocks))

    def _read(self, read: Callable[[int], T], block: int) -> T:
        try:
            return self.compiled.guard(read, block)
        except _core.RecordError as error:
            raise InputError(f"{self.path}, block {block}: {error}") from error


def count_block(block: bytes) -> tuple[int, int]:
    """The games of a block, and their moves."""
    _, _, games, moves = struct.unpack_from("<4I", block)
    return games, moves


def _game(compiled: CompiledGame[S], found: _core.GameRecord) -> RecordedGame[S]:
    return RecordedGame(
        number=found.number,
        start=compiled.unpack(found.start),
        actions=tuple(found.actions),
        movers=tuple(found.movers),
        scores=tuple(None if math.isnan(score) else score for score in found.scores),
        flags=tuple(MoveFlags(flags) for flags in found.flags),
        visits=tuple(dict(shares) for shares in found.visits),
        utilities=tuple(found.utilities),
        ending=found.ending,
    )


class RecordWriter:
    """Appends blocks to a file, which is created if there is none."""

    _file: IO[bytes]

    def __init__(self, path: str | Path, game: Game, name: str | None = None):
        """`name` is that of the game with its options; a file of games by another name is refused."""
        self.path = Path(path)
        self.name = game.name if name is None else name
        self.next_number = 0
        """For a game that goes on after those of the file, as it was opened."""
        try:
            if self.path.exists() and self.path.stat().st_size:
                self._continue(game)
            else:
                compiled = compile_game(game)
                header = _core.record_header(compiled.handle, self.name, compiled.pack(game.initial()))
                self._file = self.path.open("wb")
                try:
                    self._put(header)
                except OSError:
                    self._file.close()
                    raise
        except OSError as error:
            raise InputError(f"{self.path} cannot be written: {error}") from error

    def _continue(self, game: Game) -> None:
        known = RecordedGames(self.path, game)
        if known.name != self.name:
            raise InputError(f"{self.path} holds games of {known.name}, not of {self.name}: choose another file")
        end, self.next_number = known.end, known.next_number
        del known  # so that no map of the file is left
        self._file = self.path.open("r+b")
        self._file.truncate(end)
        self._file.seek(end)

    def write(self, block: bytes) -> None:
        """Adds a block, and flushes it to disk."""
        try:
            self._put(block)
        except OSError as error:
            raise InputError(f"{self.path} cannot be written: {error}; make room and go on") from error

    def _put(self, data: bytes) -> None:
        self._file.write(data)
        self._file.flush()
        os.fsync(self._file.fileno())

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> RecordWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
