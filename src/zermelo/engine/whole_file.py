"""Files that are written completely or not at all, even if the process is killed."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path

DIGEST = 32
"""Bytes of the digest at the end of the file."""


def write_whole(path: str | Path, parts: Iterable[bytes]) -> None:
    """Writes the parts and a digest over them to a temporary file beside `path`, then moves it into place."""
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            digest = hashlib.sha256()
            for part in parts:
                digest.update(part)
                file.write(part)
            file.write(digest.digest())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
