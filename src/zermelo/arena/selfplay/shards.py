"""Files of rows: written under another name, flushed to the disk and then named, so that each is whole.

parquet    compressed, by column; what data frames and trainers read
arrow      the same table as it lies in memory, to be mapped (Feather)
jsonl      a JSON record a line, for which nothing has to be installed
"""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from zermelo.arena.selfplay.rows import Column
from zermelo.errors import ContractError, InputError, OptionError

FORMATS = ("parquet", "arrow", "jsonl")
PART = ".part"
"""How files end that are being written."""


def check_format(name: str) -> None:
    """Refuses a format that is unknown, or cannot be written here."""
    if name not in FORMATS:
        raise OptionError(f"positions cannot be written as {name!r}; there are {', '.join(FORMATS)}")
    if name != "jsonl":
        _arrow("pyarrow", name)


def shard_name(number: int, format_name: str) -> str:
    return f"positions-{number:06d}.{format_name}"


def write_shard(path: Path, columns: Sequence[Column], rows: Iterable[dict[str, Any]], facts: dict[str, str]) -> int:
    """Writes `rows` to the file `path`, in the format that its name ends with; says how many they were.

    `facts` tell where the rows come from: Parquet and Arrow files have them in the metadata of their schema.
    """
    part = path.with_name(path.name + PART)
    writer: Callable[..., int] = _write_lines if path.suffix == ".jsonl" else _write_table
    try:
        count = writer(part, path.suffix[1:], columns, rows, facts)
        _flush(part)
        os.replace(part, path)
        _flush(path.parent)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}; make room and go on with --resume") from error
    return count


def _write_lines(part: Path, _: str, __: object, rows: Iterable[dict[str, Any]], ___: object) -> int:
    count = 0
    with part.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def _write_table(
    part: Path, name: str, columns: Sequence[Column], rows: Iterable[dict[str, Any]], facts: dict[str, str]
) -> int:
    arrow = _arrow("pyarrow", name)
    schema = arrow.schema([(column.name, _type(arrow, column)) for column in columns], metadata=facts)
    values: dict[str, list[Any]] = {column.name: [] for column in columns}
    for row in rows:
        for column, held in values.items():
            held.append(row[column])
    try:
        table = arrow.table(values, schema=schema)
    except (arrow.ArrowException, OverflowError, TypeError, ValueError) as error:
        raise ContractError(
            f"a position does not fit the columns of its game ({error}); --format jsonl takes all"
        ) from error
    if name == "parquet":
        _arrow("pyarrow.parquet", name).write_table(table, part, compression="zstd")
    else:
        _arrow("pyarrow.feather", name).write_feather(table, str(part), compression="uncompressed")
    return int(table.num_rows)


def _type(arrow: Any, column: Column) -> Any:
    found = arrow.string() if column.kind == "text" else arrow.bool_() if column.kind == "bool" else None
    found = found or getattr(arrow, column.kind)()
    return found if column.length is None else arrow.list_(found, column.length)


def _arrow(module: str, name: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise OptionError(f"{name} files need pyarrow: `pip install 'zermelo[data]'`, or --format jsonl") from error


def _flush(path: Path) -> None:
    """Sees to it that the file, or the names in the folder, outlast a loss of power."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except PermissionError:  # Windows opens no folders
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
