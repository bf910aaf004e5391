"""An outside program under supervision: lines in, lines out, and no failure of it affects the caller.

It may crash, hang, write without end, never read, close its output, leave children behind or ignore every request to
end: each wait has a deadline, each failure is a `PlayerError` whose `kind` says what happened, and `close` ends the
whole process group. Its standard error is drained all the while; the end of it is quoted when the program dies.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
import weakref
from collections import deque
from collections.abc import Sequence
from typing import IO

from zermelo.errors import PlayerError
from zermelo.search.trace.words import clean

CHUNK_BYTES = 1 << 16
LONGEST_LINE_BYTES = 1 << 16
"""Bytes of a line that are kept; the rest of it is thrown away."""
FLOOD_LINES = 100_000
"""Lines that may be written in answer to one question."""
FLOOD_BYTES = 1 << 26
STDERR_TAIL_BYTES = 2000
"""Bytes of standard error that are remembered."""
EXIT_TIMEOUT_SECONDS = 0.5
"""Seconds that a program has to end by itself, and again after SIGTERM."""


class Program:
    """A running process that is written to and read from line by line, by one thread."""

    def __init__(self, command: Sequence[str], name: str = ""):
        self.name = name or command[0]
        try:
            self.process = subprocess.Popen(
                list(command),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise PlayerError(f"{self.name} cannot be started: {reason}; check the command", "crash") from error
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.stdin, self.stdout, self.stderr = self.process.stdin, self.process.stdout, self.process.stderr
        self.lines: deque[str] = deque()
        """Lines that have been read but not returned yet."""
        self.heard = 0
        """Lines read since the last question."""
        self.heard_bytes = 0
        self._unfinished = b""
        self._skipping = False
        self._errors = b""
        self._selector = selectors.DefaultSelector()
        for stream in (self.stdin, self.stdout, self.stderr):
            os.set_blocking(stream.fileno(), False)
        self._selector.register(self.stdout, selectors.EVENT_READ)
        self._selector.register(self.stderr, selectors.EVENT_READ)
        # It must not refer to the program itself, or that would never be collected.
        self._finalizer = weakref.finalize(self, end_group, self.process, self._selector)

    # Lines.

    def send(self, line: str, deadline: float) -> None:
        """Writes `line`; reads meanwhile, since a program whose output is full may stop reading."""
        self._require_life()
        data = memoryview(f"{line}\n".encode("utf-8", errors="replace"))
        self.heard = self.heard_bytes = 0
        self._selector.register(self.stdin, selectors.EVENT_WRITE)
        broken = False
        try:
            while data:
                if self._wait(deadline, "does not read what it is sent"):
                    with contextlib.suppress(BlockingIOError):
                        data = data[os.write(self.stdin.fileno(), data) :]
        except OSError:
            broken = True
        finally:
            self._selector.unregister(self.stdin)
        if broken:
            raise self.death()

    def read_line(self, deadline: float) -> str:
        """The next line; `PlayerError` of kind `hang`, `crash` or `garbage` if none comes before `deadline`."""
        self._require_life()
        while not self.lines:
            if self.stdout.fileno() not in self._registered():
                raise self.death()
            self._wait(deadline, "does not answer")
        return self.lines.popleft()

    def _require_life(self) -> None:
        if not self._finalizer.alive:
            raise PlayerError(f"{self.name} has been closed", "crash")

    def _registered(self) -> set[int]:
        return {key.fd for key in self._selector.get_map().values()}

    def _wait(self, deadline: float, fault: str) -> bool:
        """Waits for any stream and reads what there is; whether the program can be written to."""
        left = deadline - time.monotonic()
        ready = self._listen(max(left, 0.0))
        if not ready and left <= 0:
            raise PlayerError(f"{self.name} {fault}{self._quote()}", "hang")
        if self.heard > FLOOD_LINES or self.heard_bytes > FLOOD_BYTES:
            raise PlayerError(f"{self.name} has written {self.heard_bytes:,} bytes and no answer", "garbage")
        return self.stdin in ready

    def _listen(self, seconds: float) -> list[object]:
        """The streams that are ready within `seconds`, after what they hold has been taken in."""
        ready: list[object] = [key.fileobj for key, _ in self._selector.select(seconds)]
        if self.stdout in ready:
            self._hear()
        if self.stderr in ready:
            self._hear_error()
        return ready

    def _hear(self) -> None:
        data = self._read(self.stdout)
        self.heard_bytes += len(data)
        *whole, rest = (self._unfinished + data).split(b"\n")
        for line in whole:
            if not self._skipping:
                self.lines.append(line[:LONGEST_LINE_BYTES].decode("utf-8", errors="replace").strip())
                self.heard += 1
            self._skipping = False
        self._unfinished = rest
        if len(rest) > LONGEST_LINE_BYTES:  # an endless line is no message
            self._unfinished, self._skipping = b"", True

    def _hear_error(self) -> None:
        self._errors = (self._errors + self._read(self.stderr))[-STDERR_TAIL_BYTES:]

    def _read(self, stream: IO[bytes]) -> bytes:
        """What `stream` holds now; the end of it is noted."""
        try:
            data = os.read(stream.fileno(), CHUNK_BYTES)
        except BlockingIOError:
            return b""
        except OSError:
            data = b""
        if not data:
            self._selector.unregister(stream)
        return data

    # The end.

    @property
    def is_running(self) -> bool:
        return self._finalizer.alive and not has_ended(self.process)

    def death(self) -> PlayerError:
        """Why the program can no longer be used."""
        self._drain()
        for _ in range(200):  # its pipes close a moment before it can be waited for
            if has_ended(self.process):
                break
            time.sleep(0.005)
        code = self.end()
        if code is None:
            how = "has closed its output"
        elif code < 0:
            how = f"was killed by {signal.Signals(-code).name if -code in list(signal.Signals) else -code}"
        else:
            how = f"ended with code {code}"
        return PlayerError(f"{self.name} {how}{self._quote()}", "crash")

    def _drain(self) -> None:
        """Takes in what is left on standard error."""
        for _ in range(STDERR_TAIL_BYTES):  # a child of the program's may go on writing
            if self.stderr.fileno() not in self._registered() or not self._selector.select(0.0):
                return
            self._hear_error()

    def _quote(self) -> str:
        words = [clean(line) for line in self._errors.decode("utf-8", errors="replace").splitlines() if line.strip()]
        return f"; its last words: {words[-1][:200]}" if words else ""

    def close(self, farewell: str = "") -> None:
        """Ends it: politely, then by SIGTERM, then by SIGKILL for its whole group. May be called twice."""
        if not self._finalizer.alive:
            return
        if farewell:
            with contextlib.suppress(PlayerError):
                self.send(farewell, time.monotonic() + EXIT_TIMEOUT_SECONDS)
                self._wait_for_end()
        if not has_ended(self.process):
            signal_group(self.process, signal.SIGTERM)
            self._wait_for_end()
        self.end()

    def end(self) -> int | None:
        """Ends it at once, with all it has started; returns its exit code if it had already ended."""
        ended = has_ended(self.process)
        if self._finalizer.alive:
            self._finalizer()
        return self.process.returncode if ended else None

    def _wait_for_end(self) -> None:
        """Waits until the process has ended, or EXIT_TIMEOUT_SECONDS; reads meanwhile, so it cannot block."""
        deadline = time.monotonic() + EXIT_TIMEOUT_SECONDS
        while not has_ended(self.process) and time.monotonic() < deadline:
            self._listen(0.01)
            self.lines.clear()
            if not self._selector.get_map():
                time.sleep(0.01)


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether `process` has ended; it is not reaped, so that its number, and its group's, stay its own."""
    if process.returncode is not None:
        return True
    if not hasattr(os, "waitid"):  # macOS before Python 3.13
        return process.poll() is not None
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:
        return True


def signal_group(process: subprocess.Popen[bytes], number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)


def end_group(process: subprocess.Popen[bytes], selector: selectors.BaseSelector) -> None:
    """Kills `process` and all it has started, reaps it and closes its streams."""
    if process.returncode is None:
        signal_group(process, signal.SIGKILL)
        process.wait()
    selector.close()
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
