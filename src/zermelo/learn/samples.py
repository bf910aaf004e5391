"""The positions of self-play, read from the files that `zermelo selfplay` writes: a folder of them, or one."""

from __future__ import annotations

import importlib
import json
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from zermelo.errors import ContractError, InputError, MethodError, OptionError
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S

if TYPE_CHECKING:
    from scipy.sparse import csr_array

    Features: TypeAlias = csr_array[Any, tuple[int, int]]

Floats: TypeAlias = NDArray[np.float64]

COLUMNS = ("game", "mover", "position", "action", "value", "result")
SUFFIXES = (".parquet", ".arrow", ".jsonl")
BATCH_ROWS = 4096


@dataclass(frozen=True, slots=True)
class SelfplayRow:
    """A position in which a player chose an action."""

    game: int
    mover: int
    position: str
    action: int | None
    value: float | None
    """What its search expected, for the mover."""
    result: float | None
    """How the game ended for the mover; `None` if unknown."""
    where: str
    """The file, and the row in it."""


def find_files(paths: list[str]) -> list[Path]:
    """The files of positions that `paths` name, folders opened, in order."""
    found: list[Path] = []
    for path in map(Path, paths):
        if path.is_dir():
            inside = sorted(file for file in path.glob("positions-*") if file.suffix in SUFFIXES)
            if not inside:
                raise InputError(f"{path} holds no positions; `zermelo selfplay GAME PLAYER --save {path}` makes some")
            found += inside
        elif not path.is_file():
            raise InputError(f"there are no positions in {path}: there is no such file or folder")
        elif path.suffix not in SUFFIXES:
            raise InputError(f"{path} is no file of positions; their names end with {', '.join(SUFFIXES)}")
        else:
            found.append(path)
    return found


def read_rows(path: Path) -> Iterator[SelfplayRow]:
    """The rows of a file; refuses what does not look like one."""
    for number, record in enumerate(_lines(path) if path.suffix == ".jsonl" else _table(path), start=1):
        where = f"{path}, row {number}"
        missing = [name for name in COLUMNS if not isinstance(record, dict) or name not in record]
        if missing:
            raise InputError(f"{where}: it has no {missing[0]!r}; `zermelo selfplay` writes files that have")
        row = SelfplayRow(**{name: record[name] for name in COLUMNS}, where=where)
        for name, kinds in (("game", int), ("mover", int), ("position", str)):
            if not isinstance(getattr(row, name), kinds):
                raise InputError(f"{where}: its {name} cannot be {getattr(row, name)!r}")
        for name in ("value", "result", "action"):
            if not isinstance(getattr(row, name), (int, float, type(None))):
                raise InputError(f"{where}: its {name} must be a number, not {getattr(row, name)!r}")
        yield row


def read_facts(path: Path) -> dict[str, str]:
    """The metadata of a file: who played, from which openings; empty for JSON lines."""
    if path.suffix == ".jsonl":
        return {}
    held = _open(path).schema.metadata or {}
    return {key.decode("utf-8", "replace"): value.decode("utf-8", "replace") for key, value in held.items()}


def _lines(path: Path) -> Iterator[Any]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise InputError(f"{path}, row {number}: it is not JSON") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path} cannot be read: {error}") from error


def _table(path: Path) -> Iterator[Any]:
    table = _open(path)
    wanted = [name for name in COLUMNS if name in table.column_names]
    for batch in table.select(wanted).to_batches(BATCH_ROWS):
        yield from batch.to_pylist()


def _open(path: Path) -> Any:
    try:
        arrow = importlib.import_module("pyarrow")
        reader = importlib.import_module("pyarrow.parquet" if path.suffix == ".parquet" else "pyarrow.feather")
    except ImportError as error:
        raise OptionError(f"{path} needs pyarrow: `pip install 'zermelo[data]'`, or self-play as jsonl") from error
    try:
        return reader.read_table(str(path))
    except (OSError, arrow.ArrowException) as error:
        raise InputError(f"{path} cannot be read as a table: {error}") from error


Told = Callable[[int], None]
"""Called with the number of positions so far."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Positions: a row of features each, with what is known about it."""

    features: Features
    results: Floats
    values: Floats
    """What the search expected for player 0, in utilities; NaN where it is unknown."""
    games: NDArray[np.int64]
    """The game of each position, numbered from 0."""
    facts: dict[str, str]
    """The metadata of the first file."""

    def __len__(self) -> int:
        return len(self.results)

    @classmethod
    def read(
        cls,
        game: AnyGame,
        paths: list[str],
        *,
        quiet: bool = True,
        undecided: float = math.inf,
        told: Told = lambda _: None,
    ) -> Samples:
        """The samples in files of self-play.

        `quiet` leaves out positions that are not quiet; `undecided` leaves out those that the search valued at more
        than this utility above or below a draw: they say little, and long games have many of them.
        """
        check_fit(game)
        if not undecided > 0:
            raise OptionError(f"undecided must be a utility above 0, not {undecided:g}")
        files = find_files(paths)
        numbers: dict[tuple[str, int], int] = {}
        blocks: list[Features] = []
        columns: list[tuple[float, float, int]] = []
        rows = (row for file in files for row in read_rows(file))
        while batch := list(islice(rows, BATCH_ROWS)):
            states = []
            for row, state in _usable(game, batch, quiet, undecided):
                states.append(state)
                folder = row.where.rpartition(", row ")[0].rpartition("/")[0]
                number = numbers.setdefault((folder, row.game), len(numbers))
                columns.append((_share(game, row), _for_first(game, row), number))
            if states:
                blocks.append(features_of(game, states, blocks[0].shape[1] if blocks else None))
            told(len(columns))
        if not columns:
            raise InputError(
                f"there is nothing to learn from in {', '.join(paths)}: no quiet position of a known result"
            )
        results, values, games = (np.array(column) for column in zip(*columns, strict=True))
        return cls(_stack(blocks), results, values, games, read_facts(files[0]))


def check_fit(game: AnyGame) -> None:
    """Refuses a game without features, or without a single number for who is ahead."""
    if not game.can("features"):
        raise MethodError(f"{game.name} has no features to weigh: write `def features(self, s)` in the class")
    if not game.kind.scalar:
        raise MethodError(
            f"{game.name} is not for one or two players with a constant sum, so one number does not tell who is ahead"
        )
    low, high = game.bounds
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise MethodError(
            f"{game.name} has no finite `bounds`, so a result is no share of them: state them in the class"
        )


def features_of(game: Game[S, A], states: list[S], width: int | None) -> Features:
    """Features of `states` as a sparse block of `width` columns, if that is known."""
    from scipy.sparse import csr_array

    try:
        block = np.asarray(game.features_of(states), np.float64)
    except (TypeError, ValueError) as error:
        raise ContractError(
            f"`features` of {game.name} must give the same number of numbers always: {error}"
        ) from error
    if block.ndim != 2 or (width is not None and block.shape[1] != width) or not np.isfinite(block).all():
        raise ContractError(
            f"`features` of {game.name} must give finite numbers, always as many; `zermelo check` finds where"
        )
    return csr_array(block)


def _usable(
    game: Game[S, Any], rows: list[SelfplayRow], quiet: bool, undecided: float
) -> Iterator[tuple[SelfplayRow, S]]:
    checks, noise = quiet and game.can("is_check"), quiet and game.can("is_noisy")
    for row in rows:
        if row.result is None or (row.value is not None and abs(row.value - game.neutral) > undecided):
            continue
        if not 0 <= row.mover < game.players:
            raise InputError(f"{row.where}: player {row.mover} does not play {game.name}")
        try:
            state = game.read(row.position)
        except InputError as error:
            raise InputError(f"{row.where}: {error}") from error
        if checks and game.is_check(state):
            continue
        if noise and row.action is not None and game.is_noisy(state, row.action):
            continue
        yield row, state


def _for_first(game: AnyGame, row: SelfplayRow) -> float:
    """The search's value of a row for player 0."""
    return math.nan if row.value is None else _of_first(game, row.mover, row.value)


def _share(game: AnyGame, row: SelfplayRow) -> float:
    low, high = game.bounds
    assert row.result is not None
    share = (_of_first(game, row.mover, row.result) - low) / (high - low)
    if not 0 <= share <= 1:
        raise InputError(f"{row.where}: a result of {row.result} is not within the bounds of {game.name}")
    return share


def _of_first(game: AnyGame, mover: int, utility: float) -> float:
    if mover == 0:
        return utility
    assert game.utility_sum is not None
    return game.utility_sum - utility


def _stack(blocks: list[Features]) -> Features:
    from scipy.sparse import vstack

    return vstack(blocks, format="csr")
