"""`zermelo engine`: any game as an engine for programs that speak UCI."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator

import click

from zermelo.cli._options import game_argument


@contextlib.contextmanager
def own_output() -> Iterator[Callable[[str], None]]:
    """Standard output for the protocol alone: whatever a game's rules print goes to standard error.

    When nobody reads any more the next line ends the process in silence, as there is nothing left to do.
    """
    stream = sys.stdout

    def say(line: str) -> None:
        try:
            stream.write(f"{line}\n")
            stream.flush()
        except BrokenPipeError:
            os._exit(0)

    with contextlib.redirect_stdout(sys.stderr):
        yield say


@click.command()
@game_argument
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
def command(game: str) -> None:
    """Serve GAME as a UCI engine on standard input and output.

    Positions and moves are in the game's own notation. Beside the commands of UCI, `d` shows the board.
    """
    from zermelo.arena.calibrate.weakened import find_weakened
    from zermelo.games import load
    from zermelo.protocols.session import Session
    from zermelo.protocols.uci import UciServer

    with own_output() as say:
        found = load(game)
        UciServer(Session(found, find_weakened(found)), say).serve(sys.stdin.buffer)
