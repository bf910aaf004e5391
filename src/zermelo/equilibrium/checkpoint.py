"""A run of regret minimisation on disk: a line that says what it is, a line of JSON, the numbers, and a digest of all.

The file is replaced whole, so a process killed at any time leaves the last one. Nothing is believed before the digest
is checked, and a file of another game or method is refused.
"""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from zermelo.engine.whole_file import DIGEST, write_whole
from zermelo.equilibrium.extensive import ExtensiveForm
from zermelo.errors import InputError

MAGIC = b"zermelo regrets 1\n"


def identify(form: ExtensiveForm) -> str:
    """What tells the tree from others."""
    digest = hashlib.sha256(f"{form.players} {sys.byteorder}".encode())
    for column in form.arrays:
        digest.update(column.tobytes())
    return digest.hexdigest()


def write(path: str | Path, facts: dict[str, Any], state: bytes) -> None:
    """Keeps a run, all of it or nothing."""
    write_whole(path, [MAGIC, json.dumps(facts).encode() + b"\n", state])


def read(path: str | Path, expected: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """The facts and the state in a file; each of the `expected` facts must be as given."""
    with Path(path).open("rb") as file:
        data = file.read(len(MAGIC))
        data += file.read() if data == MAGIC else b""  # another file may be of any size
    body, digest = data[:-DIGEST], data[-DIGEST:]
    if not body.startswith(MAGIC) or hashlib.sha256(body).digest() != digest:
        raise InputError(f"{path} is not a checkpoint, or is damaged: delete it, or name another file")
    header, _, state = body[len(MAGIC) :].partition(b"\n")
    try:
        facts = json.loads(header)
        wrong = [name for name, value in expected.items() if facts.get(name) != value]
    except (ValueError, AttributeError, RecursionError):
        raise InputError(f"{path} is not a checkpoint, or is damaged: delete it, or name another file") from None
    if wrong:
        raise InputError(f"{path} is a checkpoint of another {wrong[0]}: name another file")
    return facts, state
