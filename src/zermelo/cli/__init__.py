"""The command line: `zermelo COMMAND …`, one file per command, found by a scan of this folder.

A command's file exports `command`. It is imported only when it is asked for, and it imports what is heavy only
inside its functions: `zermelo --help` reads every command's first line and must stay quick.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
import sys
import traceback
import warnings
from collections.abc import Sequence
from typing import Any

import click

from zermelo.cli._answer import say
from zermelo.errors import UnsolvedError, ZermeloError
from zermelo.version import own_version

NO, BAD_INPUT, INTERRUPTED = 1, 2, 130
LONGEST_MESSAGE_CHARS = 700
"""Characters of a message; a longer one loses its middle, since the advice is at its end."""


class CommandFolder(click.Group):
    """A group whose commands are the files of this folder, and whose errors are one line each."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.list_commands(ctx):
            return None
        found: click.Command = importlib.import_module(f"{__name__}.{cmd_name}").command
        return found

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known = self.list_commands(ctx)
        if args[0] not in known and not args[0].startswith("-"):
            near = difflib.get_close_matches(args[0], known, 1, 0.5)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(known)}"
            raise click.UsageError(f"no command is called {args[0]!r}; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def main(self, args: Sequence[str] | None = None, *_: Any, **extra: Any) -> Any:
        """Runs a command and ends the process: 0 for success, 1 for a `no`, 2 for bad input, 130 for Ctrl-C."""
        arguments = list(sys.argv[1:] if args is None else args)
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):  # a terminal without Unicode gets escapes, not an error
                stream.reconfigure(errors="backslashreplace")
        extra |= {"prog_name": "zermelo", "standalone_mode": False}
        try:
            with warnings.catch_warnings():
                say_warnings_once()
                code = super().main(arguments, **extra)
        except (Exception, SystemExit, KeyboardInterrupt) as error:
            code = report(error, debug="--debug" in arguments)
        sys.exit(code if isinstance(code, int) else 0)


def show_version(context: click.Context, _: click.Parameter, asked: bool) -> None:
    """Prints the version and exits."""
    if not asked or context.resilient_parsing:
        return
    say(f"zermelo {own_version()}")
    context.exit()


@click.group(cls=CommandFolder, invoke_without_command=True, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=show_version, help="Show the version."
)
@click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
@click.pass_context
def main(context: click.Context) -> None:
    """Games against an adversary: solve them, search them, watch the search.

    GAME is a built-in game with options (connect4:columns=8,rows=7), a class in a file of yours (my_game.py:Nim), or
    a tree written down ([[3,12,8],[2,4,6],[14,5,2]]). `zermelo games` lists the built-in ones.
    """
    if context.invoked_subcommand is None:
        say(context.get_help())


def report(error: BaseException, debug: bool) -> int:
    """Prints the error in one line; returns the exit code."""
    if isinstance(error, (click.Abort, KeyboardInterrupt)):
        return INTERRUPTED
    if isinstance(error, SystemExit) and not _place(error):  # click's way to exit when the reader of the pipe is gone
        return NO
    if debug:
        say("".join(traceback.format_exception(error)), err=True)
    line = " ".join(_describe(error).split())
    if len(line) > LONGEST_MESSAGE_CHARS:
        line = f"{line[: LONGEST_MESSAGE_CHARS // 2]} … {line[-LONGEST_MESSAGE_CHARS // 2 :]}"
    say(f"zermelo: {line}", err=True)
    return NO if isinstance(error, UnsolvedError) else BAD_INPUT


def say_warnings_once() -> None:
    """Prints each warning once, in one line on standard error, whichever thread it comes from."""
    said: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        line = f"zermelo: {' '.join(str(message).split())}"
        if line not in said:
            said.add(line)
            say(line, err=True)

    warnings.showwarning = show


def _place(error: BaseException) -> str:
    """`file:line` of the rule that raised `error`; empty if no rule did."""
    # The conformance kit knows whose line is to blame; imported late, as only a failure needs it.
    from zermelo.check.report import of_error

    return of_error(error)


def _describe(error: BaseException) -> str:
    if isinstance(error, ZermeloError):
        return str(error)
    if isinstance(error, click.ClickException):
        message = error.format_message().rstrip(".")
        context = getattr(error, "ctx", None)
        return f"{message}; see `{context.command_path} --help`" if context else message
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    place = _place(error)
    if place:
        return f"the rules raised {what}, at {place}; --debug shows the traceback"
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename or 'a file'}: {error.strerror}"
    return (
        f"the search failed with {what}: `zermelo check` says whether the game keeps the contract; "
        f"if it does, this is a fault of Zermelo's own, so please report it with what --debug shows"
    )
