"""Where ladders and records are kept: small files of JSON in the user's data folder, each written whole or not at all.

$ZERMELO_DATA if it is set, else the platform's usual place. A file is named after the game and what
distinguishes it from others: options, first position and, for a user's own game, its file. All data is checked when
read, and a damaged file is left as it is, so that its owner can look at it.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from zermelo.engine.whole_file import replace_file
from zermelo.errors import InputError
from zermelo.game import Game

LARGEST_FILE_BYTES = 1 << 22
"""The maximum size of a file that is read."""
RULES = ("initial", "player", "actions", "result", "is_terminal", "utility", "chances", "evaluate")


def data_folder() -> Path:
    """The folder of the user's data; it need not exist yet."""
    chosen = os.environ.get("ZERMELO_DATA")
    if chosen:
        return Path(chosen)
    try:
        home = Path.home()
    except RuntimeError:
        raise InputError("there is no home folder to keep ratings in; set ZERMELO_DATA to a folder") from None
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", home / "AppData" / "Local")) / "zermelo" / "Data"
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "zermelo"
    return Path(os.environ.get("XDG_DATA_HOME") or home / ".local" / "share") / "zermelo"


def place_of(kind: str, game: Game) -> Path:
    """The file that keeps the `ladders` or `records` of `game`."""
    name = re.sub(r"[^0-9a-z]+", "-", game.name.lower()).strip("-")[:40] or "game"
    return data_folder() / kind / f"{name}-{identity(game)[:16]}.json"


def identity(game: Game) -> str:
    """A hash that distinguishes `game` from others, in hexadecimal digits."""
    from zermelo.engine.solution_tables import identify

    module = type(game).__module__
    source = "" if module.startswith("zermelo.games.") else module
    return hashlib.sha256(f"{identify(game)} {source}".encode()).hexdigest()


def rules_of(game: Game) -> str:
    """A fingerprint of the rules under this version of Python; empty for rules that hold what has no fingerprint."""
    from zermelo.engine.rules.reach import Reach

    reach = Reach(game, [name for name in RULES if name not in Game.optional or game.can(name)])
    return f"{python_version()} {reach.fingerprint()}" if reach.cacheable else ""


def have_changed(rules: str, game: Game) -> bool:
    """Whether `game` surely has other rules than those whose fingerprint is `rules`."""
    return rules.startswith(f"{python_version()} ") and rules_of(game) not in ("", rules)


def python_version() -> str:
    """Fingerprints are of bytecode, which this version alone writes."""
    return ".".join(platform.python_version_tuple()[:2])


def read(path: Path, magic: str, remedy: str) -> dict[str, Any] | None:
    """What the file `path` holds; `None` if there is none. `remedy` says what to do with one that is damaged."""
    try:
        with path.open("rb") as file:
            data = file.read(LARGEST_FILE_BYTES + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; {remedy}") from error
    try:
        found = json.loads(data) if len(data) <= LARGEST_FILE_BYTES else None
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or found.get("format") != magic:
        raise damaged(path, magic, remedy)
    return found


def damaged(path: Path, magic: str, remedy: str) -> InputError:
    return InputError(f"{path} is damaged, or not a file of the kind `{magic}`; {remedy}")


def write(path: Path, data: Mapping[str, object]) -> None:
    """Writes the file `path`, all of it or nothing."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        replace_file(path, [(json.dumps(data, ensure_ascii=False, allow_nan=False, indent=1) + "\n").encode()])
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror}; set ZERMELO_DATA to another folder") from error
