"""`zermelo new`: a folder to start a game of one's own from."""

from __future__ import annotations

import keyword
import sys
from importlib.resources import files
from pathlib import Path
from string import Template

import click

from zermelo.cli._answer import Answer, answers, writing
from zermelo.errors import InputError

FILES = {"game": "{name}.py", "bot": "bot.py", "test": "test_{name}.py", "readme": "README.md"}
"""What is made of each template."""
TAKEN = {"bot", "test", "zermelo", "numpy", "numba", "scipy", "pytest"} | sys.stdlib_module_names
"""Names that would hide a module from whatever runs in the folder."""


@click.command()
@click.argument("name")
@answers
def command(name: str) -> Answer:
    """Start a game of your own: rules, a bot and tests in the folder NAME.

    The rules are complete: `zermelo check` passes, and everything else works with them before you change a line.
    """
    folder = Path(name)
    module = check_name(folder.name)
    title = "".join(part[:1].upper() + part[1:] for part in module.split("_") if part)
    if folder.exists():
        raise InputError(f"{name} is there already: choose another name")
    made = []
    with writing(name):
        folder.mkdir(parents=True)
        for template, pattern in FILES.items():
            text = (files("zermelo.cli") / "_starter" / f"{template}.txt").read_text(encoding="utf-8")
            path = folder / pattern.format(name=module)
            path.write_text(Template(text).substitute(name=module, title=title), encoding="utf-8")
            made.append(path)
    game = f"{module}.py:{title}"
    lines = [*map(str, made), "", f"next: cd {name} && zermelo check {game} && zermelo play {game}"]
    data = {"folder": name, "game": game, "files": list(map(str, made))}
    return Answer(data, lambda: "\n".join(lines))


def check_name(name: str) -> str:
    """`name` as the name of a module."""
    module = name.replace("-", "_")
    if module in TAKEN or module.lower() in TAKEN or keyword.iskeyword(module):
        raise InputError(
            f"{name!r} is the name of something else in Python: choose another, as in `zermelo new my_game`"
        )
    if not module.isidentifier() or not module.isascii() or not module[0].isalpha():
        raise InputError(
            f"{name!r} cannot be the name of a game: take letters, digits and _, as in `zermelo new my_game`"
        )
    return module
