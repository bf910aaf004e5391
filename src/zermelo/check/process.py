"""A process that may hang, die or chatter, and never takes its parent with it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from typing import IO

KEPT = 4_000
"""Bytes kept of what the process prints; the rest is read and dropped, so that it never waits for a reader."""
TICK = 0.02
"""Seconds between two looks at the process."""


@dataclass(slots=True)
class Outcome:
    """How a process ended and what it printed."""

    returncode: int
    timed_out: bool
    output: str
    lines: int


class _Reader(threading.Thread):
    """Reads what a process prints, to the end."""

    def __init__(self, stream: IO[bytes], echo: bool):
        super().__init__(daemon=True)
        self.stream = stream
        self.echo = echo
        self.kept = b""
        self.lines = 0

    def run(self) -> None:
        while chunk := os.read(self.stream.fileno(), 1 << 16):
            self.kept += chunk[: KEPT - len(self.kept)]
            self.lines += chunk.count(b"\n")
            if self.echo:
                sys.stderr.write(chunk.decode(errors="replace"))


def run_process(command: list[str], seconds: float, echo: bool = False) -> Outcome:
    """Runs `command` for at most `seconds`, without input.

    What it prints goes to standard error if `echo` is set. The processes that it starts end with it.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    assert process.stdout is not None
    reader = _Reader(process.stdout, echo)
    reader.start()
    deadline = time.monotonic() + seconds
    timed_out = False
    try:
        while not _has_ended(process) and not timed_out:
            time.sleep(TICK)
            timed_out = time.monotonic() > deadline
    finally:
        _end(process)
        # Whoever still holds the other end of the pipe has been ended too; the wait is for the last bytes.
        reader.join(1.0)
        if not reader.is_alive():
            process.stdout.close()
    return Outcome(process.returncode, timed_out, reader.kept.decode(errors="replace"), reader.lines)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process has ended. Where the system allows it is not taken leave of yet, so that its number
    still stands for it, and for its session, when that is ended."""
    if hasattr(os, "waitid"):
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    return process.poll() is not None


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends the process, if it runs, and what it started."""
    if sys.platform != "win32" and process.returncode is None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
    process.wait()


def limit_memory(gibibytes: float) -> None:
    """Lets this process's own data grow to so much; beyond, Python raises MemoryError."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int(gibibytes * 2**30)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    # macOS knows the limit and may refuse to set it: then the machine's memory is the limit, as without.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
