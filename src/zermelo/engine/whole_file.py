"""Files that are written completely or not at all, even if the process is killed."""

from __future__ import annotations

import errno
import hashlib
import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO

DIGEST = 32
"""Bytes of the digest at the end of the file."""


def ordinary_file(path: str | os.PathLike[str]) -> Path:
    """The file that `path` names, through links, which are to stay; an `OSError` if it is a device or the like."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OSError(errno.EINVAL, "it is not an ordinary file", str(path))
    return target


def replace_file(path: str | os.PathLike[str], parts: Iterable[bytes]) -> None:
    """Writes the parts to a temporary file beside `path`, then moves it into place."""
    target = ordinary_file(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=target.name, suffix=".new")
    try:
        with os.fdopen(handle, "wb") as file:
            for part in parts:
                file.write(part)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise


def write_whole(path: str | os.PathLike[str], parts: Iterable[bytes]) -> None:
    """The same, with a digest of the parts at the end."""
    replace_file(path, _with_digest(parts))


def is_whole(file: BinaryIO) -> bool:
    """Whether `file` ends with the digest of all that is before it."""
    left = file.seek(0, os.SEEK_END) - DIGEST
    file.seek(0)
    digest = hashlib.sha256()
    while left > 0:
        part = file.read(min(left, 1 << 20))
        if not part:
            break
        digest.update(part)
        left -= len(part)
    return file.read(DIGEST) == digest.digest()


def _with_digest(parts: Iterable[bytes]) -> Iterator[bytes]:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part)
        yield part
    yield digest.digest()


def _umask() -> int:
    mask = os.umask(0o022)
    os.umask(mask)
    return mask
