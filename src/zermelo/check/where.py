"""Which line of whose file is to blame: the innermost one that is neither Zermelo's machinery nor Python's."""

from __future__ import annotations

import os
import sysconfig
import traceback
from collections.abc import Iterable
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent
LIBRARIES = {Path(path).resolve() for name, path in sysconfig.get_paths().items() if name.endswith("lib")}


def is_rules(file: str) -> bool:
    """Whether `file` may hold the rules of a game."""
    if file.startswith("<"):
        return False
    path = Path(file).resolve()
    if path.is_relative_to(PACKAGE):
        return path.is_relative_to(PACKAGE / "games")
    return not any(path.is_relative_to(library) for library in LIBRARIES)


def culprit(frames: Iterable[tuple[str, int]]) -> str:
    """`file:line` of the first of `frames`, innermost first, that may be a rule's; empty if there is none."""
    for file, line in frames:
        if is_rules(file):
            return f"{shorten(file)}:{line}"
    return ""


def of_error(error: BaseException) -> str:
    """`file:line` of the rule in which `error` was raised."""
    stack = traceback.extract_tb(error.__traceback__)
    return culprit((frame.filename, frame.lineno or 0) for frame in reversed(stack))


def shorten(file: str) -> str:
    """The path as seen from the current folder, if that is below it."""
    relative = os.path.relpath(file) if Path(file).drive == Path.cwd().drive else file
    return file if relative.startswith("..") else relative
