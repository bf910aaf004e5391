"""Worlds sampled on a thread of their own, so that a search can end while a game's `sample` is still running.

A search waits for worlds a moment at a time and checks in between whether to end. A `sample` that is still running then
is interrupted: Python code ends at its next line. A `sample` that waits inside a foreign function is left on its daemon
thread.
"""

from __future__ import annotations

import contextvars
import ctypes
import queue
import threading
from collections.abc import Callable
from typing import Generic, TypeVar

World = TypeVar("World")

ANSWER_WAIT_SECONDS = 0.02
"""How long a search waits for worlds before it checks its limits."""
JOIN_SECONDS = 0.05
"""How long the end of a search waits for the thread to end."""


class SamplingThread(Generic[World]):
    """Calls `sample` on its thread each time that `ask` wants more; as a context manager, it ends the thread."""

    def __init__(self, sample: Callable[[], list[World]]):
        self._sample = sample
        self._context = contextvars.copy_context()
        self._wanted: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._found: queue.SimpleQueue[list[World] | BaseException] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._busy = False

    def ask(self) -> list[World]:
        """Returns the result of `sample`; an empty list if that is not ready yet, and the next call goes on waiting."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._work, name="zermelo-sampling", daemon=True)
            self._thread.start()
        if not self._busy:
            self._busy = True
            self._wanted.put(True)
        try:
            found = self._found.get(timeout=ANSWER_WAIT_SECONDS)
        except queue.Empty:
            return []
        self._busy = False
        if isinstance(found, BaseException):
            raise found
        return found

    def __enter__(self) -> SamplingThread[World]:
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread is None:
            return
        self._wanted.put(False)
        if self._busy and self._thread.ident is not None:
            # The one way to interrupt Python code on another thread; `threading` treats this exception as an end.
            ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(self._thread.ident), ctypes.py_object(SystemExit))
        self._thread.join(JOIN_SECONDS)

    def _work(self) -> None:
        while self._wanted.get():
            try:
                found: list[World] | BaseException = self._context.run(self._sample)
            except BaseException as error:  # it is raised where the search was called
                found = error
            self._found.put(found)
