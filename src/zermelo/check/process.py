"""The kit in a process of its own, which may hang, die or print without end, and never takes its parent with it.

A process that ends without a report leaves a `CrashReport`: the rule that was running, and where.
"""

from __future__ import annotations

import faulthandler
import json
import math
import mmap
import os
import re
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from zermelo.check.report import Problem, culprit, is_rules
from zermelo.check.rules import Watch
from zermelo.game.text import write_fields

KEPT_OUTPUT_BYTES = 4_000
"""Bytes kept of what the process prints; the rest is read and dropped, so that it never waits for a reader."""
POLL_SECONDS = 0.02
"""Seconds between two polls of the process."""


@dataclass(slots=True)
class ProcessOutcome:
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
            self.kept += chunk[: KEPT_OUTPUT_BYTES - len(self.kept)]
            self.lines += chunk.count(b"\n")
            if self.echo:
                sys.stderr.write(chunk.decode(errors="replace"))


def run_process(command: list[str], seconds: float, echo: bool = False) -> ProcessOutcome:
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
            time.sleep(POLL_SECONDS)
            timed_out = time.monotonic() > deadline
    finally:
        _end(process)
        # Every process that held the other end of the pipe has been ended, too; the wait is for the last bytes.
        reader.join(1.0)
        if not reader.is_alive():
            process.stdout.close()
    return ProcessOutcome(process.returncode, timed_out, reader.kept.decode(errors="replace"), reader.lines)


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether the process has ended. Where the system allows, it is not reaped yet, so that its id remains valid
    for ending its session."""
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
    """Limits the data of this process to `gibibytes`; beyond, Python raises MemoryError."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = int(gibibytes * 2**30)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    # macOS may refuse to set the limit: then the machine's memory is the limit.
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))


QUESTION_BYTES = 1 << 16
"""Bytes for the last question; longer states are cut."""
LONGEST_TEXT_CHARS = 2_000
PLAYING = "playing at random"
CALLS_PER_POSITION = 4
"""Rules asked where a position is played through unchecked."""


class CrashReport(Watch):
    """Writes down each question before it is asked, and ends the process if there is no answer in time."""

    def __init__(self, folder: Path, patience: float):
        self.patience = patience
        self._armed = -math.inf
        self._state: object = None
        self._text = ""
        # Unbuffered, and kept open: the fault handler writes to it without the interpreter's help.
        self._trace = (folder / "trace").open("wb", buffering=0)
        self._problems = (folder / "problems").open("w", encoding="utf-8")
        faulthandler.enable(self._trace)
        with (folder / "asked").open("w+b") as file:
            file.truncate(QUESTION_BYTES)
            self._asked = mmap.mmap(file.fileno(), QUESTION_BYTES)

    def asks(self, rule: str, s: object, a: object) -> None:
        now = time.perf_counter()
        # Arming starts a thread, so it is done ten times in the time of patience, not at every question.
        if now - self._armed > self.patience / 10:
            self.allow(self.patience * 1.1)
        if s is not self._state:
            self._state = s
            self._text = "" if s is None else _plain_text(s)
        self._write(rule, self._text, "" if a is None else repr(a)[:LONGEST_TEXT_CHARS])

    def plays(self) -> None:
        self.begins(PLAYING, self.patience * (CALLS_PER_POSITION + 0.1))

    def found(self, problem: Problem) -> None:
        print(json.dumps(asdict(problem)), file=self._problems, flush=True)

    def begins(self, stage: str, seconds: float) -> None:
        """A stage other than asking a rule begins, and may last `seconds`."""
        self._write(stage, "", "")
        self.allow(seconds)
        # The next question has its own, shorter time from the start.
        self._armed = -math.inf

    def allow(self, seconds: float) -> None:
        """The process ends in `seconds` unless this is called again."""
        self._armed = time.perf_counter()
        faulthandler.dump_traceback_later(seconds, exit=True, file=self._trace)

    def _write(self, rule: str, state: str, action: str) -> None:
        words = json.dumps([rule, state, action]).encode()
        self._asked[: len(words) + 1] = words + b"\0"


def _plain_text(s: object) -> str:
    """The state as text without the game's own methods, which may be the ones that fail."""
    try:
        text = write_fields(s)
    except Exception:
        text = f"(a {type(s).__name__} without a text)"
    return text[:LONGEST_TEXT_CHARS]


@dataclass(frozen=True, slots=True)
class Crash:
    """How a process ended that did not come to its report."""

    rule: str
    """What was asked last, or the stage."""
    state: str
    action: str
    place: str
    """`file:line` in the rules, if the fault handler saw one."""
    timed_out: bool
    returncode: int

    def problem(self, patience: float) -> Problem:
        """The breach that ended the process."""
        return Problem(self.rule, self.message(patience), self.state, self.action)

    def message(self, patience: float) -> str:
        """What happened, and what to do."""
        at = f" at {self.place}" if self.place else ""
        if self.timed_out:
            return (
                f"does not return within {patience:g} s{at}; look there for a loop without an end, or raise --patience"
            )
        if self.returncode < 0:
            name = _signal_name(-self.returncode)
            why = " (most likely for lack of memory)" if name == "SIGKILL" else ""
            return f"ends the process by {name}{why}{at}; look there for native code, or for what fills the memory"
        return f"ends the process with exit code {self.returncode}; a rule must return or raise, not exit"


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def read_crash(folder: Path, returncode: int, timed_out: bool) -> Crash:
    """What the folder shows about a process that ended with `returncode`, or was ended by its parent."""
    rule, state, action = "import", "", ""
    asked = folder / "asked"
    if asked.exists():
        words = asked.read_bytes().partition(b"\0")[0]
        if words:
            rule, state, action = json.loads(words)
    trace = (folder / "trace").read_text(errors="replace") if (folder / "trace").exists() else ""
    frames = re.findall(r'^  File "(.+)", line (\d+) in (.+)$', trace, re.MULTILINE)
    place = culprit((file, int(line)) for file, line, _ in frames)
    if rule == PLAYING:
        rule = next((function for file, _, function in frames if is_rules(file)), rule)
    return Crash(rule, state, action, place, timed_out or trace.startswith("Timeout"), returncode)


def read_problems(folder: Path) -> list[Problem]:
    """The problems that were found before the process ended."""
    path = folder / "problems"
    if not path.exists():
        return []
    return [Problem(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.endswith("}")]
