"""Object code on disk, so that a game is compiled once and not once a process.

One file a game, called by the game's fingerprint: a header line of JSON, then the blobs it lists, and a digest over
all of it. Nothing is unpickled. What is loaded is machine code, so the folder must belong to the user and be
writable by nobody else; a file that is damaged, of another version or not ours is ignored and written anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import stat
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

MAGIC = b"zermelo object code 2\n"


@dataclass(frozen=True, slots=True)
class ObjectCode:
    """One compiled C function, as it lies on disk."""

    symbol: str
    object: bytes
    bitcode: bytes
    needs: tuple[str, ...] = ()
    """The symbols that it expects to find in the process."""


def folder() -> Path | None:
    """The folder of kept code, made on first use; `None` if there is none that only the user can write to."""
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


@dataclass(frozen=True, slots=True)
class Entry:
    """The compiled functions of one game by slot, and the slots that could not be compiled with the reason."""

    code: dict[str, ObjectCode]
    refused: dict[str, str]


def load(fingerprint: str) -> Entry | None:
    """What is kept under `fingerprint`; `None` if there is nothing that can be trusted."""
    where = folder()
    if where is None:
        return None
    try:
        with (where / f"{fingerprint}.code").open("rb") as file:
            status = os.fstat(file.fileno())
            if hasattr(os, "getuid") and (status.st_uid != os.getuid() or status.st_mode & 0o022):
                return None
            return _decode(file.read(), fingerprint)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def save(fingerprint: str, entry: Entry) -> None:
    """Keeps `entry`; where that is not possible, the next process has to compile again."""
    where = folder()
    if where is None:
        return
    with contextlib.suppress(OSError):
        handle, name = tempfile.mkstemp(dir=where, suffix=".new")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_encode(entry, fingerprint))
            os.replace(name, where / f"{fingerprint}.code")
        except OSError:
            os.unlink(name)
            raise


def _encode(entry: Entry, fingerprint: str) -> bytes:
    slots = {slot: [c.symbol, len(c.object), len(c.bitcode), c.needs] for slot, c in entry.code.items()}
    facts = {"fingerprint": fingerprint, "slots": slots, "refused": entry.refused}
    body = MAGIC + json.dumps(facts).encode() + b"\n" + b"".join(c.object + c.bitcode for c in entry.code.values())
    return body + hashlib.sha256(body).digest()


def _decode(data: bytes, fingerprint: str) -> Entry | None:
    body, digest = data[:-32], data[-32:]
    if not body.startswith(MAGIC) or hashlib.sha256(body).digest() != digest:
        return None
    start = body.index(b"\n", len(MAGIC)) + 1
    header = json.loads(body[len(MAGIC) : start])
    if header["fingerprint"] != fingerprint:
        return None
    code = {}
    for slot, (symbol, object_size, bitcode_size, needs) in header["slots"].items():
        middle, end = start + object_size, start + object_size + bitcode_size
        code[slot] = ObjectCode(symbol, body[start:middle], body[middle:end], tuple(needs))
        start = end
    return Entry(code, header["refused"]) if start == len(body) else None
