"""What a command answers: data for programs, or text for people; and its progress and warnings on standard error."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from zermelo.errors import InputError
from zermelo.search.trace.words import CONTROLS, printable

PROGRESS_AFTER_SECONDS = 1.0
"""Seconds before the bar appears."""


def say(text: str, *, err: bool = False, newline: bool = True) -> None:
    """Prints `text`, which may hold what strangers wrote, with nothing in it that a terminal would obey."""
    click.echo(printable(text), nl=newline, err=err)


@dataclass(frozen=True, slots=True)
class Answer:
    """A command's result in both forms."""

    data: Mapping[str, object]
    text: Callable[[], str]
    """Called only if people are to read it."""
    code: int = 0


def answers(function: Callable[..., Answer]) -> Callable[..., None]:
    """A command that prints the `Answer` of `function`, with the options `--json` and `--debug`.

    With `--json` whatever a game's rules print goes to standard error: programs read one object and nothing else.
    """

    @click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output, nothing else.")
    @click.option("--debug", is_flag=True, expose_value=False, help="Show the traceback of an error.")
    @click.pass_context
    @functools.wraps(function)
    def run(context: click.Context, /, as_json: bool, **arguments: Any) -> None:
        with contextlib.redirect_stdout(sys.stderr) if as_json else contextlib.nullcontext():
            answer = function(**arguments)
        if as_json:
            written = json.dumps(plain(answer.data), ensure_ascii=False, allow_nan=False)
            said = CONTROLS.sub(lambda each: f"\\u{ord(each[0]):04x}", written)
        else:
            said = answer.text()
        with writing("standard output"):
            say(said)
        context.exit(answer.code)

    return run


@contextlib.contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """An error of the system while a file is written, as one line that names the file."""
    try:
        yield
    except BrokenPipeError:  # the reader has what it wanted
        raise
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def wants_json() -> bool:
    """Whether the command under way answers in JSON."""
    return bool(click.get_current_context().params.get("as_json"))


def plain(value: Any) -> object:
    """`value` in what JSON can hold: infinities as texts, tuples as lists, NumPy's numbers as Python's."""
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, dict):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each) for each in value]
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


class Progress:
    """The text of the bar; a command may change it at any time."""

    def __init__(self, text: str, seconds: float | None):
        self.text = text
        self.seconds = seconds
        self.over = threading.Event()

    def show(self) -> None:
        """Draws the bar until it is over; runs in a thread of its own, so that nothing waits for it."""
        started = time.monotonic()
        if self.over.wait(PROGRESS_AFTER_SECONDS):
            return
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(20), TimeElapsedColumn())
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(printable(self.text), total=self.seconds)
            while not self.over.wait(0.1):
                bar.update(task, description=printable(self.text), completed=time.monotonic() - started)


@contextlib.contextmanager
def progress(text: str, seconds: float | None = None) -> Iterator[Progress]:
    """Shows `text`, with a bar over `seconds` if it is known how long it takes; never to a file or beside JSON."""
    shown = Progress(text, seconds)
    if wants_json() or not sys.stderr.isatty():
        yield shown
        return
    thread = threading.Thread(target=shown.show, daemon=True)
    thread.start()
    try:
        yield shown
    finally:
        shown.over.set()
        thread.join()


@contextlib.contextmanager
def warnings_said() -> Iterator[None]:
    """Reports in one line on standard error, and only once, that a game could not be compiled."""
    from zermelo.engine import InterpretedWarning

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InterpretedWarning)
        yield
    for text in dict.fromkeys(str(each.message) for each in caught if issubclass(each.category, InterpretedWarning)):
        say(f"zermelo: {' '.join(text.split())}", err=True)
