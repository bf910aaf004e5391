"""Players and games that break, and what is left of their processes."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

HERE = Path(__file__).parent
RULES = f"{HERE / 'rules.py'}:Stones"
MARK = "ZERMELO_TEST"
"""The variable of the environment by which processes of a test are found."""


def engine(fault: str = "") -> str:
    return f"uci:{sys.executable} {HERE / 'engine.py'} {fault}".strip()


def bot(name: str) -> str:
    return f"python:{HERE / 'bots.py'}:{name}"


def survivors(mark: str) -> dict[int, str]:
    """The processes, apart from this one, whose environment has the mark, and their command lines."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            try:
                if f"{MARK}={mark}".encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found[int(folder.name)] = (folder / "cmdline").read_text(errors="replace").replace("\0", " ")
            except OSError:
                continue
    return found


def wait_for_the_end(mark: str, seconds: float = 20.0) -> dict[int, str]:
    """What is left of the marked processes when they have had so much time to end; none, as soon as there is none."""
    deadline = time.monotonic() + seconds
    while (left := survivors(mark)) and time.monotonic() < deadline:
        time.sleep(0.05)
    return left
