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
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from zermelo.arena.fixture import Fixture, Outcome
from zermelo.arena.openings import Opening
from zermelo.arena.play import Record
from zermelo.errors import InputError

try:
    import fcntl
except ImportError:  # Windows has no such lock
    fcntl = None  # type: ignore[assignment]

APPLICATION = 0x5A65726D
"""What SQLite files of ours are marked with: `Zerm`."""
VERSION = 1

SCHEMA = """
CREATE TABLE tournament (settings TEXT NOT NULL);
CREATE TABLE opening (number INTEGER PRIMARY KEY, start TEXT, moves TEXT NOT NULL);
CREATE TABLE game (
    number INTEGER PRIMARY KEY, round INTEGER NOT NULL, meeting INTEGER NOT NULL, encounter INTEGER NOT NULL,
    seats TEXT NOT NULL, opening INTEGER NOT NULL, seed INTEGER NOT NULL, players TEXT NOT NULL, points TEXT NOT NULL,
    utilities TEXT, reason TEXT NOT NULL, culprit INTEGER, detail TEXT NOT NULL, start TEXT NOT NULL,
    actions TEXT NOT NULL, moves TEXT NOT NULL, seconds TEXT NOT NULL, evaluations TEXT NOT NULL, depths TEXT NOT NULL,
    nodes TEXT NOT NULL, started TEXT NOT NULL, duration REAL NOT NULL, versions TEXT NOT NULL
);
"""
PLAIN = ["number", "round", "meeting", "encounter", "opening", "seed", "reason", "culprit", "detail", "start"]
PLAIN += ["started", "duration"]
JSON = ["seats", "players", "points", "utilities", "actions", "moves", "seconds", "evaluations", "depths", "nodes"]
JSON += ["versions"]
COLUMNS = PLAIN + JSON


class Store:
    """The file of a tournament, or one in memory."""

    def __init__(self, connection: sqlite3.Connection, path: Path | None = None, lock: Any = None):
        self.connection = connection
        self.path = path
        self._lock = lock

    @classmethod
    def create(cls, path: str | Path | None, settings: dict[str, Any], openings: Sequence[Opening]) -> Store:
        """A new file; refuses one that exists. Without a path the store lives in memory."""
        if path is not None and Path(path).exists():
            raise InputError(f"{path} exists already: go on with it by --resume {path}, or take another name")
        store = cls._open(path, writes=True)
        with store._transaction() as connection:
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {VERSION}")
            for statement in SCHEMA.split(";"):
                connection.execute(statement)
            connection.execute("INSERT INTO tournament VALUES (?)", [json.dumps(settings)])
            rows = ((i, each.start, json.dumps(each.moves)) for i, each in enumerate(openings))
            connection.executemany("INSERT INTO opening VALUES (?, ?, ?)", rows)
        return store

    @classmethod
    def open(cls, path: str | Path, writes: bool = False) -> Store:
        """The store in a file; refuses files that hold something else."""
        if not Path(path).is_file():
            raise InputError(f"there is no file {path}; `zermelo arena GAME PLAYERS --save {path}` makes it")
        store = cls._open(path, writes)
        try:
            store._check(path)
        except sqlite3.DatabaseError as error:
            store.close()
            raise InputError(f"{path} cannot be read as a tournament: {error}") from error
        except InputError:
            store.close()
            raise
        return store

    def _check(self, path: str | Path) -> None:
        def ask(question: str) -> Any:
            return self.connection.execute(question).fetchone()[0]

        if not ask("SELECT count(*) FROM sqlite_master"):
            raise InputError(f"{path} is empty: the tournament was ended before it began; delete the file")
        if ask("PRAGMA application_id") != APPLICATION:
            raise InputError(f"{path} does not hold a tournament; name a file written by `zermelo arena --save`")
        version = ask("PRAGMA user_version")
        if version != VERSION:
            raise InputError(f"{path} was written by another version of zermelo (format {version}, not {VERSION})")

    @classmethod
    def _open(cls, path: str | Path | None, writes: bool) -> Store:
        if path is None:
            return cls(sqlite3.connect(":memory:", isolation_level=None))
        lock = None
        try:
            connection = sqlite3.connect(path, isolation_level=None, timeout=30)
            if writes:
                lock = _lock(Path(path))
                connection.execute("PRAGMA journal_mode = WAL")
                connection.execute("PRAGMA synchronous = FULL")
        except (sqlite3.Error, OSError) as error:
            raise InputError(f"{path} cannot be opened: {error}") from error
        return cls(connection, Path(path), lock)

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Everything inside, or nothing."""
        self.connection.execute("BEGIN IMMEDIATE")
        try:
            yield self.connection
        except BaseException:
            self.connection.execute("ROLLBACK")
            raise
        self.connection.execute("COMMIT")

    @property
    def settings(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.connection.execute("SELECT settings FROM tournament").fetchone()[0])
        return found

    def openings(self) -> list[Opening]:
        rows = self.connection.execute("SELECT start, moves FROM opening ORDER BY number")
        return [Opening(start, tuple(json.loads(moves))) for start, moves in rows]

    def add(self, games: Iterable[tuple[Fixture, Outcome]]) -> None:
        """Stores games that have ended, all of them or none."""
        marks = ", ".join("?" * len(COLUMNS))
        rows = [_row(fixture, outcome) for fixture, outcome in games]
        try:
            with self._transaction() as connection:
                connection.executemany(f"INSERT INTO game ({', '.join(COLUMNS)}) VALUES ({marks})", rows)
        except sqlite3.Error as error:
            raise InputError(f"{self.path} cannot be written: {error}; make room and go on with --resume") from error

    def games(self) -> Iterator[tuple[Fixture, Outcome]]:
        """Every game that has ended, in the order of the schedule."""
        for row in self.connection.execute(f"SELECT {', '.join(COLUMNS)} FROM game ORDER BY number"):
            yield _game(dict(zip(COLUMNS, row, strict=True)), self.settings["game"])

    def close(self) -> None:
        self.connection.close()
        if self._lock is not None:
            os.close(self._lock)


def _lock(path: Path) -> int | None:
    """Keeps others from writing to the file as long as this process lives, however it ends."""
    if fcntl is None:
        return None
    descriptor = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise InputError(f"{path} is being written by another tournament: wait for it, or end it") from None
    return descriptor


def _row(fixture: Fixture, outcome: Outcome) -> list[Any]:
    record = outcome.record
    facts = {
        **fixture._asdict(),
        "players": record.players,
        "points": outcome.points,
        "utilities": record.utilities,
        "reason": record.reason,
        "culprit": record.culprit,
        "detail": record.detail,
        "start": record.start,
        "actions": [action if isinstance(action, (int, str)) else repr(action) for action in record.actions],
        "moves": record.moves,
        "seconds": [None if each is None else round(each, 6) for each in record.seconds],
        "evaluations": record.values,
        "depths": record.depths,
        "nodes": record.nodes,
        "started": outcome.started,
        "duration": outcome.duration,
        "versions": outcome.versions,
    }
    return [facts[name] if name in PLAIN else json.dumps(facts[name]) for name in COLUMNS]


def _game(row: dict[str, Any], game: str) -> tuple[Fixture, Outcome]:
    facts = {name: value if name in PLAIN else json.loads(value) for name, value in row.items()}
    facts |= {name: tuple(value) for name, value in facts.items() if isinstance(value, list)}
    fixture = Fixture(*(facts[name] for name in Fixture._fields))
    record = Record(
        game=game,
        values=facts["evaluations"],
        **{name: facts[name] for name in ("players", "start", "actions", "moves", "utilities", "reason", "culprit")},
        **{name: facts[name] for name in ("detail", "seconds", "depths", "nodes")},
    )
    rest = (facts[name] for name in ("points", "started", "duration", "versions"))
    return fixture, Outcome(fixture.number, record, *rest)
