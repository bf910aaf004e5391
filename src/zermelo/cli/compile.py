"""`zermelo compile`: the rules of a game as a shared library."""

from __future__ import annotations

from pathlib import Path

import click

from zermelo.cli._answer import Answer, answers, progress
from zermelo.cli._options import game_argument
from zermelo.games import load


@click.command()
@game_argument
@click.option("--out", required=True, type=click.Path(dir_okay=False), help="The library to write, as in nim.so.")
@answers
def command(game: str, out: str) -> Answer:
    """Compile the rules of GAME into a shared library.

    The library is a game of its own: FILE.so:NAME stands wherever GAME does, without the Python source, without Numba,
    and ready at once. It holds the rules, not names, pictures or notation. A C compiler links it.
    """
    from zermelo.engine.export import export

    made = load(game)
    with progress(f"compiling {made.name}"):
        symbol = export(made, Path(out))
    named = f"{out}:{symbol}"
    size = Path(out).stat().st_size
    text = f"{made.name} is compiled ({size:,} bytes); it is called {named}, as in `zermelo analyse {named}`"
    return Answer({"game": named, "bytes": size}, lambda: text)
