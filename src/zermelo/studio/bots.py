"""The bots that the command line has named: files with a class that plays, and folders of such files.

A folder is looked through whenever somebody asks, so that a bot that is handed in late is there at once. Nothing is
imported here: a bot runs in a process of its own, and its file is read as text to find its class.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from zermelo.arena.players import kinds
from zermelo.errors import InputError

FILE = re.compile(r"(?:python:)?(.+?\.py)((?::.*)?)", re.DOTALL)
MAX_BOTS = 200
NO_BOTS = re.compile(r"(_|test_|conftest\.)")
"""How files of a folder begin that hold no bot."""


class NamedBot(NamedTuple):
    """A bot: what a page calls it, and the text that names it as a player."""

    name: str
    text: str


def check_bots(named: Sequence[str]) -> None:
    """An error unless every text names a file that exists, with its class perhaps, or a folder of them."""
    for text in named:
        file = FILE.fullmatch(text)
        if is_folder(text):
            if not any(_files(Path(text))):
                raise InputError(
                    f"there are no bots in {text}: put files there like bot.py, with a class that has choose"
                )
        elif file is None or not Path(file[1]).is_file():
            raise InputError(f"there is no bot {text}: give a file as in bot.py:Bot, or a folder of them")


def find_bots(named: Sequence[str]) -> list[NamedBot]:
    """The bots that `named` stand for by now, each with a name of its own."""
    texts = [text for each in named for text in _texts(each)][:MAX_BOTS]
    taken = set(kinds())
    found = []
    for text in texts:
        file = FILE.fullmatch(text)
        stem = Path(file[1]).stem if file else text
        names = (stem, *(f"{stem} ({n})" for n in range(2, len(texts) + 3)))
        name = next(each for each in names if each not in taken)
        taken.add(name)
        found.append(NamedBot(name, text))
    return found


def is_folder(text: str) -> bool:
    return text != "" and Path(text).is_dir()


def _files(folder: Path) -> Iterator[Path]:
    return (each for each in sorted(folder.glob("*.py")) if not NO_BOTS.match(each.name))


def _texts(named: str) -> list[str]:
    """The players that one text of the command line stands for."""
    if is_folder(named):
        return [_text(each, "") for each in _files(Path(named))]
    file = FILE.fullmatch(named)
    return [] if file is None else [_text(Path(file[1]), file[2])]


def _text(path: Path, rest: str) -> str:
    """The player in a file; its class is found if the text does not name one."""
    rest = rest or f":{find_class(path)}"
    return f"python:{path}{rest}".rstrip(":")


def find_class(path: Path) -> str:
    """The class in a file that plays: the only one that chooses, or one called Bot; empty if that does not tell."""
    try:
        tree = ast.parse(path.read_bytes())
    except (OSError, SyntaxError, ValueError, RecursionError):
        return ""  # whoever plays it will hear why
    playing = [
        each.name
        for each in tree.body
        if isinstance(each, ast.ClassDef)
        and any(isinstance(part, ast.FunctionDef) and part.name in ("choose", "think") for part in each.body)
    ]
    return playing[0] if len(playing) == 1 else "Bot" if "Bot" in playing else ""
