"""What a command answers: data for programs, or words for people."""

from __future__ import annotations

import contextlib
import functools
import json
import math
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from zermelo.errors import InputError


@dataclass(frozen=True, slots=True)
class Answer:
    """A command's result in both forms."""

    data: dict[str, Any]
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
        click.echo(json.dumps(plain(answer.data), ensure_ascii=False, allow_nan=False) if as_json else answer.text())
        context.exit(answer.code)

    return run


@contextlib.contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """An error of the system while a file is written, as one line that names the file."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from error


def wants_json() -> bool:
    """Whether the command under way answers in JSON."""
    return bool(click.get_current_context().params.get("as_json"))


def plain(value: Any) -> Any:
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
