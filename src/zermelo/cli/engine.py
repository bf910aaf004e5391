"""`zermelo engine`: any game as an engine for programs that speak UCI or GTP."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator

import click

from zermelo.cli._options import game_argument
from zermelo.search.trace.words import printable


@contextlib.contextmanager
def own_output() -> Iterator[Callable[[str], None]]:
    """Standard output for the protocol alone: whatever a game's rules print goes to standard error.

    When the reader is gone, the next line ends the process silently.
    """
    stream = sys.stdout

    def say(line: str) -> None:
        try:
            stream.write(f"{printable(line)}\n")
            stream.flush()
        except BrokenPipeError:
            os._exit(0)

    with contextlib.redirect_stdout(sys.stderr):
        yield say


@click.command()
@game_argument
@click.option(
    "--protocol", type=click.Choice(["uci", "gtp"]), help="What to speak; GTP for Go, and UCI for all other games."
)
@click.option("--threads", metavar="N", type=click.IntRange(1, 1024), default=1, help="Threads to search on.")
@click.option(
    "--seconds", metavar="S", type=click.FloatRange(0.001, 1e6), default=5.0, help="GTP: for a move without a clock."
)
@click.option("--option", "options", multiple=True, metavar="NAME=VALUE", help="UCI: as in Hash=256; repeatable.")
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
def command(game: str, protocol: str | None, threads: int, seconds: float, options: tuple[str, ...]) -> None:
    """Serve GAME as an engine on standard input and output.

    Positions and moves are in the game's own notation. Beside the commands of UCI, `d` shows the board; `list_commands`
    tells those of GTP.
    """
    from zermelo.arena.calibrate.weakened import find_weakened
    from zermelo.errors import OptionError
    from zermelo.games import load
    from zermelo.protocols.gtp import GtpServer
    from zermelo.protocols.session import Session
    from zermelo.protocols.settings import SessionSettings
    from zermelo.protocols.uci import UciServer

    found = load(game)
    with own_output() as say:
        if (protocol or found.protocol) == "gtp":
            if options:
                raise OptionError("--option sets an option of UCI: add --protocol uci, or leave it out")
            GtpServer(found, say, settings=SessionSettings(threads=threads), seconds=seconds).serve(sys.stdin.buffer)
            return
        session = Session(found, find_weakened(found))
        session.settings.threads = threads
        server = UciServer(session, say)
        for option in options:
            name, equals, value = option.partition("=")
            if not (equals and name.strip()):
                raise OptionError(f"write --option NAME=VALUE, as in --option Hash=256, not {option!r}")
            server.set_option(["name", *name.split(), "value", *value.split()])
        server.serve(sys.stdin.buffer)
