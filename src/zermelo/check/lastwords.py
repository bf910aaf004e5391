"""What a process was doing when it died: written down by the one that runs the rules, read by the one that waits.

Whether a rule loops, breaks the interpreter or ends the process, the folder they share still says which rule was
asked, of which state, and, by Python's fault handler, at which line it was.
"""

from __future__ import annotations

import faulthandler
import json
import math
import mmap
import re
import signal
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from zermelo.check import where
from zermelo.check.report import Problem
from zermelo.check.rules import Watch
from zermelo.game.text import write_fields

ROOM = 1 << 16
"""Bytes for the last question; longer states are cut."""
LONGEST_TEXT = 2_000
PLAYING = "playing at random"
CALLS_A_POSITION = 4
"""Rules asked where a position is played through unchecked."""


class LastWords(Watch):
    """Writes down each question before it is asked, and ends the process if there is no answer in time."""

    def __init__(self, folder: Path, patience: float):
        self.patience = patience
        self._armed = -math.inf
        self._state: Any = None
        self._text = ""
        # Unbuffered, and kept open: the fault handler writes to it without the interpreter's help.
        self._trace = (folder / "trace").open("wb", buffering=0)
        self._problems = (folder / "problems").open("w", encoding="utf-8")
        faulthandler.enable(self._trace)
        with (folder / "asked").open("w+b") as file:
            file.truncate(ROOM)
            self._asked = mmap.mmap(file.fileno(), ROOM)

    def asks(self, rule: str, s: Any, a: Any) -> None:
        now = time.perf_counter()
        # Arming starts a thread, so it is done ten times in the time of patience, not at every question.
        if now - self._armed > self.patience / 10:
            self.allow(self.patience * 1.1)
        if s is not self._state:
            self._state = s
            self._text = "" if s is None else _plain_text(s)
        self._write(rule, self._text, "" if a is None else repr(a)[:LONGEST_TEXT])

    def plays(self) -> None:
        self.begins(PLAYING, self.patience * (CALLS_A_POSITION + 0.1))

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


def _plain_text(s: Any) -> str:
    """The state as text without the game's own methods, which may be the ones that fail."""
    try:
        text = write_fields(s)
    except Exception:
        text = f"(a {type(s).__name__} without a text)"
    return text[:LONGEST_TEXT]


@dataclass(frozen=True, slots=True)
class Death:
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


def read_death(folder: Path, returncode: int, timed_out: bool) -> Death:
    """What the folder tells of a process that ended with `returncode`, or was ended by its parent."""
    rule, state, action = "import", "", ""
    asked = folder / "asked"
    if asked.exists():
        words = asked.read_bytes().partition(b"\0")[0]
        if words:
            rule, state, action = json.loads(words)
    trace = (folder / "trace").read_text(errors="replace") if (folder / "trace").exists() else ""
    frames = re.findall(r'^  File "(.+)", line (\d+) in (.+)$', trace, re.MULTILINE)
    place = where.culprit((file, int(line)) for file, line, _ in frames)
    if rule == PLAYING:
        rule = next((function for file, _, function in frames if where.is_rules(file)), rule)
    return Death(rule, state, action, place, timed_out or trace.startswith("Timeout"), returncode)


def read_problems(folder: Path) -> list[Problem]:
    """The problems that were found before the process ended."""
    path = folder / "problems"
    if not path.exists():
        return []
    return [Problem(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines() if line.endswith("}")]
