"""From played games to files of positions: one row for each action that a player chose.

The columns of a game are the same in all its files. Where its states are flat, as compiled ones are, each number of a
state has a column, and each array one of lists, in C order; the text of the position is there for every game.

    parquet    compressed, by column; what data frames and trainers read
    arrow      the same table as it lies in memory, to be mapped (Feather)
    jsonl      one JSON record per line; needs nothing installed

A file is written under another name, flushed to disk and then renamed, so that it is there whole or not at all.
"""

from __future__ import annotations

import importlib
import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from zermelo.arena.openings import Opening
from zermelo.arena.scheduled import GameOutcome, ScheduledGame
from zermelo.engine.rules.layout import Array, Layout, Scalar, infer, leaves, pack
from zermelo.engine.whole_file import ordinary_file
from zermelo.errors import ContractError, InputError, OptionError, ZermeloError
from zermelo.game import CHANCE, Game
from zermelo.game.contract import A, S
from zermelo.learn.records import RecordedGame, RecordedGames

PLAIN = {
    "game": "int64",
    "seed": "int64",
    "ply": "int32",
    "player": "text",
    "mover": "int32",
    "position": "text",
    "action": "int64",
    "move": "text",
    "value": "float64",
    "depth": "int32",
    "nodes": "int64",
    "seconds": "float64",
    "result": "float64",
    "reason": "text",
}
"""The columns that every game has, and what they hold."""
KINDS = {"int": "int64", "word": "uint64", "float": "float64", "bool": "bool"}


@dataclass(frozen=True, slots=True)
class Column:
    """A column: a number, a text or a list of numbers of one length in each row."""

    name: str
    kind: str
    length: int | None = None


class PositionRows:
    """Makes rows of the games of one kind."""

    def __init__(self, game: Game):
        self.game = game
        self.layout = _flat(game.initial())
        self.leaves = [] if self.layout is None else [(_name(leaf), leaf) for leaf in leaves(self.layout)]
        self.columns = [Column(name, kind) for name, kind in PLAIN.items()]
        self.columns += [_column(name, leaf) for name, leaf in self.leaves]

    def of(self, scheduled: ScheduledGame, outcome: GameOutcome, opening: Opening) -> Iterator[dict[str, object]]:
        """The rows of one game; its opening has none, as nobody chose it."""
        game, record = self.game, outcome.record
        state, history = opening.reach(game) if record.actions else (None, [])
        for i, stored in enumerate(record.actions):
            mover, action = game.player(state), _find(game, state, stored)
            if mover != CHANCE:
                yield {
                    "game": scheduled.number,
                    "seed": scheduled.seed,
                    "ply": len(history) + i,
                    "player": record.players[mover],
                    "mover": mover,
                    "position": game.write(state),
                    "action": action if _is_number(action) else None,
                    "move": record.moves[i],
                    "value": _finite(record.values[i]),
                    "depth": record.depths[i],
                    "nodes": record.nodes[i],
                    "seconds": record.seconds[i],
                    "result": None if record.utilities is None else _finite(record.utilities[mover]),
                    "reason": record.reason,
                    **self._fields(state),
                }
            state = game.result(state, action)

    def of_record(self, record: RecordedGame[Any], player: str) -> Iterator[dict[str, object]]:
        """The rows of a recorded game; its random opening has none, as nobody chose it."""
        game, state = self.game, record.start
        for ply, (action, mover, score) in enumerate(zip(record.actions, record.movers, record.scores, strict=True)):
            if score is not None:
                yield {
                    **dict.fromkeys(PLAIN),
                    "game": record.number,
                    "ply": ply,
                    "player": player,
                    "mover": mover,
                    "position": game.write(state),
                    "action": action,
                    "move": game.show_action(state, action),
                    "value": score,
                    "result": record.utilities[mover],
                    "reason": "" if record.ending == "rules" else record.ending,
                    **self._fields(state),
                }
            state = game.result(state, action)

    def _fields(self, state: object) -> dict[str, object]:
        if self.layout is None:
            return {}
        data = pack(self.layout, state)
        return {name: _plain(leaf.unpack(data)) for name, leaf in self.leaves}


def _flat(state: object) -> Layout | None:
    """The layout of a game's states; none where they hold anything but numbers."""
    try:
        return infer(state)
    except ZermeloError:
        return None


def _column(name: str, leaf: Scalar | Array) -> Column:
    if isinstance(leaf, Scalar):
        return Column(name, KINDS[leaf.kind])
    kinds = {"i": "int64", "u": "uint64", "f": "float64", "b": "bool"}
    return Column(name, kinds[leaf.dtype[1]], math.prod(leaf.shape))


def _name(leaf: Scalar | Array) -> str:
    """`state.mine` for the field `mine`, `state.piles[2]` for the third number of the tuple `piles`."""
    dot, bracket = leaf.path.find("."), leaf.path.find("[")
    at = min((place for place in (dot, bracket) if place >= 0), default=len(leaf.path))
    return f"state{leaf.path[at:]}"


def _plain(value: Any) -> Any:
    return value.ravel().tolist() if hasattr(value, "ravel") else value


def _finite(value: float | None) -> float | None:
    """`value` as a number that every format can hold."""
    return None if value is None or not math.isfinite(value) else float(value)


def _is_number(action: object) -> bool:
    return isinstance(action, int) and -(1 << 63) <= action < 1 << 63


def _find(game: Game[S, A], state: S, stored: object) -> Any:
    """The action that was stored as `stored`: a number or a text as it is, anything else as Python writes it."""
    if isinstance(stored, int):
        return stored
    for action in game.actions(state):
        if action == stored or repr(action) == stored:
            return action
    raise ContractError(f"{game.name} has no action {stored} in {game.write(state)}: have its rules changed since?")


FORMATS = ("parquet", "arrow", "jsonl")
PART_SUFFIX = ".part"
"""The suffix of files that are being written."""


def check_format(name: str) -> None:
    """Refuses a format that is unknown, or cannot be written here."""
    if name not in FORMATS:
        raise OptionError(f"positions cannot be written as {name!r}; there are {', '.join(FORMATS)}")
    if name != "jsonl":
        _arrow("pyarrow", name)


def shard_name(number: int, format_name: str) -> str:
    return f"positions-{number:06d}.{format_name}"


def write_shard(path: Path, columns: Sequence[Column], rows: Iterable[dict[str, object]], facts: dict[str, str]) -> int:
    """Writes `rows` to the file `path`, in the format that its name ends with; returns their number.

    `facts` say where the rows come from: Parquet and Arrow files have them in the metadata of their schema.
    """
    writer: Callable[..., int] = _write_lines if path.suffix == ".jsonl" else _write_table
    try:
        target = ordinary_file(path)
        part = target.with_name(path.name + PART_SUFFIX)
        count = writer(part, path.suffix[1:], columns, rows, facts)
        _flush(part)
        os.replace(part, target)
        _flush(target.parent)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}; make room and go on with --resume") from error
    return count


def export_records(records: RecordedGames[Any], path: Path, player: str = "self-play") -> int:
    """Writes the searched positions of recorded games to `path`, in the format that its name ends with."""
    check_format(path.suffix[1:])
    rows = PositionRows(records.compiled.game)
    facts = {"game": records.name, "player": player}
    return write_shard(path, rows.columns, (row for game in records for row in rows.of_record(game, player)), facts)


def _write_lines(part: Path, _: str, __: object, rows: Iterable[dict[str, object]], ___: object) -> int:
    count = 0
    with part.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
            count += 1
    return count


def _write_table(
    part: Path, name: str, columns: Sequence[Column], rows: Iterable[dict[str, object]], facts: dict[str, str]
) -> int:
    arrow = _arrow("pyarrow", name)
    schema = arrow.schema([(column.name, _type(arrow, column)) for column in columns], metadata=facts)
    values: dict[str, list[object]] = {column.name: [] for column in columns}
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
    """Syncs the file, or the names in the folder, to disk."""
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except PermissionError:  # Windows cannot open folders
        return
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
