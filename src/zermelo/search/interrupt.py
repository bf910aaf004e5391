"""Ctrl-C as a wish to hear the best so far, not as an error in the middle of a search."""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType


class Interrupt:
    """While entered, the first Ctrl-C only sets `asked`, for the search to see; a second one raises as usual.

    Signals reach the main thread alone, and a program with a handler of its own keeps it: elsewhere this does nothing.
    """

    def __init__(self) -> None:
        self.asked = False
        self._depth = 0
        self._installed = False

    def __enter__(self) -> Interrupt:
        self._depth += 1
        main = threading.current_thread() is threading.main_thread()
        if self._depth == 1 and main and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, self._note)
            self._installed = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0 and self._installed:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            self._installed = False

    def _note(self, number: int, frame: FrameType | None) -> None:
        if self.asked:
            signal.default_int_handler(number, frame)
        self.asked = True
