"""Commands that run for as long as one says, and go on when they are given again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Protocol, TypeVar

from zermelo.cli._answer import progress, say, wants_json

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Runs(Protocol[T_co]):
    """A training, or a tuning."""

    def run(self) -> T_co: ...

    def summary(self) -> T_co: ...


class News(Protocol):
    """What it is doing."""

    @property
    def phase(self) -> str: ...

    def line(self) -> str: ...


M = TypeVar("M", bound=News)


def run_resumable(make: Callable[[Callable[[M], None]], Runs[T]], command: str, first: str) -> T:
    """Runs what `make` makes with its progress; Ctrl-C ends it, and the same command goes on with it."""
    with progress(first) as bar:
        shown: list[str] = []

        def told(moment: M) -> None:
            bar.text = moment.line()
            if moment.phase not in shown[-1:]:
                shown.append(moment.phase)
                report_line(moment.line())

        made = make(told)
        try:
            return made.run()
        except KeyboardInterrupt:
            report_line(f"stopped; the same `{command}` goes on")
            return made.summary()


def report_line(text: str) -> None:
    """A line for a log, where no progress bar is shown."""
    if not sys.stderr.isatty() and not wants_json():
        say(text, err=True)
