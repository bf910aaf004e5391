"""A sign of life on standard error for whatever takes more than a second."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from zermelo.cli._answer import wants_json

PATIENCE = 1.0
"""Seconds before the bar appears."""


class Progress:
    """What the bar says; a command may change it at any moment."""

    def __init__(self, text: str, seconds: float | None):
        self.text = text
        self.seconds = seconds
        self.over = threading.Event()

    def show(self) -> None:
        """Draws the bar until it is over; runs in a thread of its own, so that nothing waits for it."""
        started = time.monotonic()
        if self.over.wait(PATIENCE):
            return
        from rich.console import Console
        from rich.progress import BarColumn, SpinnerColumn, TextColumn, TimeElapsedColumn
        from rich.progress import Progress as Bar

        columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), BarColumn(20), TimeElapsedColumn())
        with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
            task = bar.add_task(self.text, total=self.seconds)
            while not self.over.wait(0.1):
                bar.update(task, description=self.text, completed=time.monotonic() - started)


@contextmanager
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
