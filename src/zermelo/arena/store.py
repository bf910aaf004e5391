"""A tournament on disk: one SQLite file, in which every game is stored as it ends.

The file holds what the tournament is (settings, openings) and the games that have ended, each under its number in the
schedule, once. All else is computed from these. A game is in the file whole or not at all, whenever the process is
killed; others may read the file while it grows.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from zermelo.arena.openings import Opening
from zermelo.arena.scheduled import GameOutcome, ScheduledGame
from zermelo.errors import InputError
from zermelo.play import Record

try:
    import fcntl
except ImportError:  # Windows has no such lock
    fcntl = None  # type: ignore[assignment]

APPLICATION = 0x5A65726D
"""The application id of our SQLite files: `Zerm`."""
VERSION = 1
LOCK_TIMEOUT_SECONDS = 30.0
"""How long to wait for another program that uses the file."""

SCHEMA = """
CREATE TABLE tournament (settings TEXT NOT NULL);
CREATE TABLE opening (number INTEGER PRIMARY KEY, start TEXT, moves TEXT NOT NULL);
CREATE TABLE game (
    number INTEGER PRIMARY KEY, round INTEGER NOT NULL, meeting INTEGER NOT NULL, encounter INTEGER NOT NULL,
    seats TEXT NOT NULL, opening INTEGER NOT NULL, seed INTEGER NOT NULL, game TEXT NOT NULL, players TEXT NOT NULL,
    points TEXT NOT NULL, utilities TEXT, reason TEXT NOT NULL, culprit INTEGER, detail TEXT NOT NULL,
    start TEXT NOT NULL, actions TEXT NOT NULL, moves TEXT NOT NULL, seconds TEXT NOT NULL, evaluations TEXT NOT NULL,
    depths TEXT NOT NULL, nodes TEXT NOT NULL, started TEXT NOT NULL, duration REAL NOT NULL, versions TEXT NOT NULL,
    payoffs TEXT
);
"""
PLAIN = ["number", "round", "meeting", "encounter", "opening", "seed", "reason", "culprit", "detail", "start"]
PLAIN += ["started", "duration", "game"]
JSON = ["seats", "players", "points", "utilities", "actions", "moves", "seconds", "evaluations", "depths", "nodes"]
JSON += ["versions", "payoffs"]
LATER = {"payoffs": "null"}
"""Columns that files from before them lack, and what stands there for them."""
COLUMNS = PLAIN + JSON

_written: set[tuple[int, int]] = set()
"""Device and number of the files that this process writes. SQLite loses its own locks on a file when the process closes
another descriptor of it, so a file that is being written here is refused before it is opened."""


LOCKED_REMEDY = "another program holds the file: end that program"


def is_locked(error: Exception) -> bool:
    """Whether SQLite could not get at the file because another program holds it."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


class Store:
    """The file of a tournament, or one in memory."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None = None):
        self.connection = connection
        self.path = path
        self._lock: StoreLock | None = None

    @classmethod
    def create(cls, path: str | Path | None, settings: Mapping[str, object], openings: Sequence[Opening]) -> Store:
        """A new file; refuses one that exists. Without a path the store lives in memory."""
        if path is not None and os.path.exists(path):
            raise InputError(f"{path} exists already: go on with it by --resume {path}, or take another name")
        store = cls._open(path)
        try:
            store._prepare_to_write()
            with store._transaction() as connection:
                connection.execute(f"PRAGMA application_id = {APPLICATION}")
                for statement in SCHEMA.split(";"):
                    connection.execute(statement)
                connection.execute("INSERT INTO tournament VALUES (?)", [json.dumps(settings)])
                rows = ((i, each.start, json.dumps(each.moves)) for i, each in enumerate(openings))
                connection.executemany("INSERT INTO opening VALUES (?, ?, ?)", rows)
        except (sqlite3.Error, OSError) as error:
            store.close()
            remedy = LOCKED_REMEDY if is_locked(error) else "name a file in a folder with room"
            raise InputError(f"{path} cannot be written: {error}; {remedy}") from error
        except InputError:
            store.close()
            raise
        return store

    @classmethod
    def open(cls, path: str | Path, writes: bool = False) -> Store:
        """The store in a file; refuses files that hold something else."""
        if not os.path.isfile(path):
            raise InputError(f"there is no file {path}; `zermelo arena GAME PLAYERS --save {path}` makes it")
        store = cls._open(path)
        try:
            with store._reading():
                store._check(path)
            if writes:
                store._prepare_to_write()
        except (sqlite3.Error, OSError) as error:
            store.close()
            remedy = f"; {LOCKED_REMEDY}" if is_locked(error) else ""
            raise InputError(f"{path} cannot be written: {error}{remedy}") from error
        except InputError:
            store.close()
            raise
        return store

    def _check(self, path: str | Path) -> None:
        def ask(question: str) -> object:
            return self.connection.execute(question).fetchone()[0]

        if not ask("SELECT count(*) FROM sqlite_master"):
            raise InputError(f"{path} is empty: the tournament was ended before it began; delete the file")
        if ask("PRAGMA application_id") != APPLICATION:
            raise InputError(f"{path} does not hold a tournament; name a file written by `zermelo arena --save`")
        version = ask("PRAGMA user_version")
        if version != VERSION:
            raise InputError(f"{path} was written by another version of zermelo (format {version}, not {VERSION})")

    @classmethod
    def _open(cls, path: str | Path | None) -> Store:
        if path is None:
            return cls(sqlite3.connect(":memory:", isolation_level=None))
        path, options = Path(path), ""
        if os.path.exists(path) and not os.access(path.parent, os.W_OK) and not os.path.exists(f"{path}-wal"):
            options = "?immutable=1"  # there can be no journal beside the file, and no writer
        try:
            uri = path.absolute().as_uri() + options
            connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=LOCK_TIMEOUT_SECONDS)
        except (sqlite3.Error, OSError, ValueError) as error:
            raise InputError(f"{path} cannot be opened: {error}; check the name and the folder") from error
        return cls(connection, path)

    def _prepare_to_write(self) -> None:
        """Keeps other writers out, and lets readers in.

        What is committed survives the end of the process, not always that of the machine: then the last games may be
        missing, whole, and are played again.
        """
        if self.path is not None:
            self._lock = StoreLock(self.path)
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute("PRAGMA synchronous = NORMAL")
        with self._transaction() as connection:  # fails here, before any game is played, if the file cannot be written
            connection.execute(f"PRAGMA user_version = {VERSION}")
            present = self._columns()
            for name in LATER if present else ():
                if name not in present:
                    connection.execute(f"ALTER TABLE game ADD COLUMN {name} TEXT")

    def _columns(self) -> set[str]:
        """The columns of the games; none before the table is made."""
        return {row[1] for row in self.connection.execute("PRAGMA table_info(game)")}

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Commits everything inside, or nothing."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
            self.connection.execute("COMMIT")
        except BaseException:
            if self.connection.in_transaction:  # a full disk may have ended it already
                self.connection.execute("ROLLBACK")
            raise

    @contextlib.contextmanager
    def _reading(self) -> Iterator[None]:
        """Turns every error of reading the file into an `InputError`."""
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError) as error:
            if isinstance(error, InputError):
                raise
            if is_locked(error):
                raise InputError(f"{self.path} cannot be read: {error}; {LOCKED_REMEDY}") from error
            raise InputError(f"{self.path} cannot be read as a tournament: {error}; go back to a copy of it") from error

    @property
    def settings(self) -> dict[str, Any]:
        with self._reading():
            row = self.connection.execute("SELECT settings FROM tournament").fetchone()
            found: dict[str, Any] = json.loads(row[0])
        return found

    def openings(self) -> list[Opening]:
        with self._reading():
            rows = self.connection.execute("SELECT start, moves FROM opening ORDER BY number")
            return [Opening(start, tuple(json.loads(moves))) for start, moves in rows]

    def add(self, games: Iterable[tuple[ScheduledGame, GameOutcome]]) -> None:
        """Stores games that have ended, all of them or none."""
        marks = ", ".join("?" * len(COLUMNS))
        rows = [_row(scheduled, outcome) for scheduled, outcome in games]
        try:
            with self._transaction() as connection:
                connection.executemany(f"INSERT INTO game ({', '.join(COLUMNS)}) VALUES ({marks})", rows)
        except sqlite3.Error as error:
            where = self.path or "the tournament in memory"
            remedy = LOCKED_REMEDY if is_locked(error) else "make room"
            raise InputError(f"{where} cannot be written: {error}; {remedy} and go on with --resume {where}") from error

    def games(self) -> Iterator[tuple[ScheduledGame, GameOutcome]]:
        """Every game that has ended, in the order of the schedule."""
        with self._reading():
            present = self._columns()
            asked = (f"'{LATER[name]}'" if name in LATER and name not in present else name for name in COLUMNS)
            for row in self.connection.execute(f"SELECT {', '.join(asked)} FROM game ORDER BY number"):
                yield _game(dict(zip(COLUMNS, row, strict=True)))

    def close(self) -> None:
        self.connection.close()
        if self._lock is not None:
            self._lock.release()
        self._lock = None


class StoreLock:
    """Keeps others from writing to a file as long as this process lives, however it ends."""

    def __init__(self, path: Path):
        found = path.stat()
        self.file = found.st_dev, found.st_ino
        refusal = InputError(f"{path} is being written by another tournament: wait for it, or end it")
        if self.file in _written:
            raise refusal
        self.descriptor = None if fcntl is None else os.open(path, os.O_RDONLY)
        if self.descriptor is not None:
            try:
                fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(self.descriptor)
                raise refusal from None
        _written.add(self.file)

    def release(self) -> None:
        _written.discard(self.file)
        if self.descriptor is not None:
            os.close(self.descriptor)


def _row(scheduled: ScheduledGame, outcome: GameOutcome) -> list[object]:
    record = outcome.record
    facts = {
        **scheduled._asdict(),
        "game": record.game,
        "players": record.players,
        "points": outcome.points,
        "utilities": record.utilities,
        "reason": record.reason,
        "culprit": record.culprit,
        "detail": record.detail,
        "start": record.start,
        "actions": [_plain(action) for action in record.actions],
        "moves": record.moves,
        "seconds": record.seconds,
        "evaluations": record.values,
        "depths": record.depths,
        "nodes": record.nodes,
        "started": outcome.started,
        "duration": outcome.duration,
        "versions": outcome.versions,
        "payoffs": outcome.payoffs,
    }
    return [_text(facts[name]) if name in PLAIN else json.dumps(facts[name]) for name in COLUMNS]


def _plain(action: object) -> object:
    """`action` as JSON has it; what is not made of numbers, texts and tuples of them is kept as its `repr`."""
    if isinstance(action, tuple):
        return [_plain(part) for part in action]
    return action if action is None or isinstance(action, (int, float, str)) else repr(action)


def _frozen(value: object) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _text(value: object) -> object:
    """`value` without lone surrogates, which UTF-8 cannot encode."""
    return value.encode("utf-8", "replace").decode("utf-8") if isinstance(value, str) else value


def _game(row: Mapping[str, Any]) -> tuple[ScheduledGame, GameOutcome]:
    facts = {name: value if name in PLAIN else _frozen(json.loads(value or "null")) for name, value in row.items()}
    scheduled = ScheduledGame(*(facts[name] for name in ScheduledGame._fields))
    record = Record(
        values=facts["evaluations"],
        **{name: facts[name] for name in ("game", "players", "start", "actions", "moves", "utilities", "reason")},
        **{name: facts[name] for name in ("culprit", "detail", "seconds", "depths", "nodes")},
    )
    rest = (facts[name] for name in ("points", "started", "duration", "versions", "payoffs"))
    return scheduled, GameOutcome(scheduled.number, record, *rest)
