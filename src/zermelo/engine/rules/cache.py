"""Object code on disk, so that a game is compiled once and not once per process.

One file per game, named by a fingerprint: a header line of JSON, then the object code, and a digest over all of it.
Nothing is unpickled. What is loaded is machine code, so the folder must belong to the user and be writable by nobody
else; a file that is damaged, of another version or not ours is ignored and replaced. The folder keeps the
most recently used files.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

MAGIC = b"zermelo object code 3\n"
FOLDER_LIMIT_BYTES = 64 << 20
"""About a thousand games; the least recently used are removed first."""


@dataclass(frozen=True, slots=True)
class ObjectCode:
    """The compiled functions of one game, as an object file."""

    object: bytes
    symbols: dict[str, str]
    """The slots that it fills, each with the name of its function."""
    needs: tuple[str, ...] = ()
    """The symbols that it needs from the process."""
    refused: dict[str, str] = field(default_factory=dict)
    """The slots that could not be compiled, with the reason."""
    widened: tuple[str, ...] = ()
    """The fields of the state that hold integers, though they are booleans in the initial state."""


def folder() -> Path | None:
    """Returns the cache folder, created on first use; `None` if no folder is writable by the user alone."""
    path = _place()
    if path is None:
        return None
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError:
        return None
    if hasattr(os, "getuid"):
        ours = status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)
        return path if ours else None
    return path


def _place() -> Path | None:
    chosen = os.environ.get("ZERMELO_CACHE")
    if chosen is not None:
        return Path(chosen) if chosen else None
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "zermelo" / "Cache"
    if sys.platform == "darwin":
        return home / "Library" / "Caches" / "zermelo"
    return Path(os.environ.get("XDG_CACHE_HOME") or home / ".cache") / "zermelo"


def load(fingerprint: str) -> ObjectCode | None:
    """Returns the code stored under `fingerprint`; `None` if there is none that can be trusted."""
    where = folder()
    if where is None:
        return None
    path = where / f"{fingerprint}.code"
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
                return None
            found = _decode(file.read(), fingerprint)
        if found is not None:
            os.utime(path)  # used now
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return found


def save(fingerprint: str, code: ObjectCode) -> None:
    """Stores `code`; if that fails, the next process compiles again."""
    where = folder()
    if where is None:
        return
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(dir=where, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_encode(code, fingerprint))
            os.replace(name, where / f"{fingerprint}.code")
        except OSError:
            os.unlink(name)
            raise
        _make_room(where)


def _make_room(where: Path) -> None:
    """Removes the least recently used files until the rest is within the limit."""
    files = [(path, path.stat()) for path in where.glob("*.code")]
    total = sum(status.st_size for _, status in files)
    for path, status in sorted(files, key=lambda file: file[1].st_mtime_ns):
        if total <= FOLDER_LIMIT_BYTES:
            return
        path.unlink(missing_ok=True)
        total -= status.st_size


def _encode(code: ObjectCode, fingerprint: str) -> bytes:
    facts = {"fingerprint": fingerprint, "symbols": code.symbols, "needs": code.needs, "refused": code.refused}
    body = MAGIC + json.dumps(facts | {"widened": code.widened}).encode() + b"\n" + code.object
    return body + hashlib.sha256(body).digest()


def _decode(data: bytes, fingerprint: str) -> ObjectCode | None:
    body, digest = data[:-32], data[-32:]
    if not body.startswith(MAGIC) or hashlib.sha256(body).digest() != digest:
        return None
    start = body.index(b"\n", len(MAGIC)) + 1
    header = json.loads(body[len(MAGIC) : start])
    if header["fingerprint"] != fingerprint:
        return None
    return ObjectCode(
        body[start:], header["symbols"], tuple(header["needs"]), header["refused"], tuple(header["widened"])
    )
