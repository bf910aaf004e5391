"""Worlds imagined on a thread of their own, so that a search can end while a game's `sample` does not.

A search waits for worlds a moment at a time and looks in between whether to end. A `sample` that is still at it then is
told to stop: Python code does so at its next line. What waits inside a foreign function for ever is left behind, on a
thread that no exit of the program waits for.
"""

from __future__ import annotations

import contextvars
import ctypes
import queue
import threading
from collections.abc import Callable
from typing import Any

WAIT = 0.02
"""Seconds for which a search waits before it looks up."""
FAREWELL = 0.05
"""Seconds for which the end of a search waits for the thread's own."""


class Imagination:
    """Calls `imagine` on its thread each time that `ask` wants more; as a context, it ends with it."""

    def __init__(self, imagine: Callable[[], list[Any]]):
        self._imagine = imagine
        self._context = contextvars.copy_context()
        self._wanted: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._found: queue.SimpleQueue[list[Any] | BaseException] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._busy = False

    def ask(self) -> list[Any]:
        """What `imagine` gives; nothing if that takes longer than a moment, and the next call waits on."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="zermelo-imagination", daemon=True)
            self._thread.start()
        if not self._busy:
            self._busy = True
            self._wanted.put(True)
        try:
            found = self._found.get(timeout=WAIT)
        except queue.Empty:
            return []
        self._busy = False
        if isinstance(found, BaseException):
            raise found
        return found

    def __enter__(self) -> Imagination:
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is None:
            return
        self._wanted.put(False)
        if self._busy and self._thread.ident is not None:
            # The one way to interrupt Python code on another thread; `threading` takes this exception for an end.
            wish = ctypes.py_object(SystemExit)
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), wish)
        self._thread.join(FAREWELL)

    def _work(self) -> None:
        while self._wanted.get():
            try:
                found: list[Any] | BaseException = self._context.run(self._imagine)
            except BaseException as error:  # it is the search's: it goes to where the search was called
                found = error
            self._found.put(found)
