"""From an exception to one line on standard error and an exit code; from a warning to a line."""

from __future__ import annotations

import sys
import traceback
import warnings

import click

from zermelo.errors import UnsolvedError, ZermeloError

NO, BAD_INPUT, INTERRUPTED = 1, 2, 130
LONGEST = 700
"""Characters of a message; a longer one loses its middle, for the advice stands at its end."""


def report(error: BaseException, debug: bool) -> int:
    """Says what went wrong, in one line; gives the exit code."""
    if isinstance(error, (click.Abort, KeyboardInterrupt)):
        return INTERRUPTED
    if isinstance(error, SystemExit) and not _place(error):  # click's way to leave when nobody reads any more
        return NO
    if debug:
        traceback.print_exception(error, file=sys.stderr)
    line = " ".join(_describe(error).split())
    if len(line) > LONGEST:
        line = f"{line[: LONGEST // 2]} … {line[-LONGEST // 2 :]}"
    click.echo(f"zermelo: {line}", err=True)
    return NO if isinstance(error, UnsolvedError) else BAD_INPUT


def say_warnings_once() -> None:
    """Has warnings said in one line on standard error, whichever thread they come from, and none of them twice."""
    said: set[str] = set()

    def show(message: Warning | str, *_: object, **__: object) -> None:
        line = f"zermelo: {' '.join(str(message).split())}"
        if line not in said:
            said.add(line)
            click.echo(line, err=True)

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
