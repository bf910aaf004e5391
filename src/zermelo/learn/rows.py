"""The positions of self-play, read from the files that `zermelo selfplay` writes: a folder of them, or one."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.errors import InputError, OptionError

COLUMNS = ("game", "mover", "position", "action", "value", "result")
SUFFIXES = (".parquet", ".arrow", ".jsonl")
BATCH = 4096


@dataclass(frozen=True, slots=True)
class Row:
    """A position in which a player chose an action."""

    game: int
    mover: int
    position: str
    action: int | None
    value: float | None
    """What its search expected, for the mover."""
    result: float | None
    """How the game ended for the mover; `None` if nobody knows."""
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


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file; refuses what does not look like one."""
    for number, record in enumerate(_lines(path) if path.suffix == ".jsonl" else _table(path), start=1):
        where = f"{path}, row {number}"
        missing = [name for name in COLUMNS if not isinstance(record, dict) or name not in record]
        if missing:
            raise InputError(f"{where}: it has no {missing[0]!r}; `zermelo selfplay` writes files that have")
        row = Row(**{name: record[name] for name in COLUMNS}, where=where)
        for name, kinds in (("game", int), ("mover", int), ("position", str)):
            if not isinstance(getattr(row, name), kinds):
                raise InputError(f"{where}: its {name} cannot be {getattr(row, name)!r}")
        for name in ("value", "result", "action"):
            if not isinstance(getattr(row, name), (int, float, type(None))):
                raise InputError(f"{where}: its {name} must be a number, not {getattr(row, name)!r}")
        yield row


def read_facts(path: Path) -> dict[str, str]:
    """What a file says of its making: who played, from which openings; nothing in JSON lines."""
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
    for batch in table.select(wanted).to_batches(BATCH):
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
