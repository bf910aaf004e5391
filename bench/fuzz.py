"""Random rules, sound and hostile, under random limits: nothing may crash, hang, or prove what is not so.

    python bench/fuzz.py --seconds 60 --seed 1       exit 1, with the seed, at the first failure
    python bench/fuzz.py --only 1000042              one seed again
    python bench/fuzz.py --seconds 600 --all         goes on after a failure

Trials run in a child process, so that a crash is seen and named. `fuzz_games.py` has the games, `fuzz_worker.py` says
what is tried and what must hold.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tools import answer, arguments

WORKER = Path(__file__).resolve().with_name("fuzz_worker.py")
SEEDS = 1_000_000
"""Seeds of a run: `--seed 3` begins at 3,000,000."""
BATCH = 400
LINES = 20
PATIENCE = 120.0
"""Seconds without a new seed after which a child counts as hanging; compiling takes a few."""


class Failure(NamedTuple):
    """A seed that went wrong, and the last lines of its child."""

    seed: int
    how: str
    lines: list[str]


def batch(first: int, count: int, cache: str, deadline: float) -> tuple[int, Failure | None]:
    """Runs the seeds from `first` on until `deadline`; how many were begun, and what went wrong with the last."""
    with tempfile.TemporaryFile("w+", encoding="utf-8") as said:
        child = subprocess.Popen(
            [sys.executable, str(WORKER), str(first), str(count)],
            stdout=said,
            stderr=subprocess.STDOUT,
            env=os.environ | {"ZERMELO_CACHE": cache},
        )
        how = watch(child, said.fileno(), deadline)
        said.seek(0)
        lines = said.read().splitlines()
    seeds = [int(line.split()[1]) for line in lines if line.startswith("seed ")]
    if how is None:
        return len(seeds), None
    report = [line for line in lines if not line.startswith("seed ")]
    return len(seeds), Failure(seeds[-1] if seeds else first, how, report[-LINES:])


def watch(child: subprocess.Popen[bytes], said: int, deadline: float) -> str | None:
    """How `child` failed; nothing if it did not, or if time was up."""
    size, since = 0, time.monotonic()
    while child.poll() is None:
        time.sleep(0.05)
        now = time.monotonic()
        if os.fstat(said).st_size != size:
            size, since = os.fstat(said).st_size, now
        if now > deadline or now - since > PATIENCE:
            child.kill()
            child.wait()
            return None if now <= since + PATIENCE else f"hangs for more than {PATIENCE:g} s"
    if child.returncode == 0:
        return None
    return f"ends by {signal.Signals(-child.returncode).name}" if child.returncode < 0 else "goes wrong"


def run(first: int, seconds: float, every: bool) -> tuple[int, list[Failure]]:
    """Batches of seeds from `first` on for so long; stops at the first failure unless `every` is asked for."""
    failures: list[Failure] = []
    done = 0
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryDirectory() as cache:
        while time.monotonic() < deadline and (every or not failures):
            begun, failure = batch(first + done, BATCH, cache, deadline)
            done += max(begun, 1)
            failures += [failure] if failure else []
    return done, failures


def main() -> None:
    asked = arguments(
        __doc__,
        seconds=(60.0, "how long to go on"),
        seed=(1, "another number, other games"),
        only=(-1, "one seed of a run before"),
        all=(False, "go on after a failure"),
    )
    if asked.only >= 0:
        _, failure = batch(asked.only, 1, "", time.monotonic() + 600)
        done, failures = 1, [failure] if failure else []
    else:
        done, failures = run(asked.seed * SEEDS, asked.seconds, asked.all)
    text = [f"{done:,} trials, {len(failures)} failures"]
    for each in failures:
        text += ["", f"seed {each.seed} {each.how}; again with: python bench/fuzz.py --only {each.seed}", *each.lines]
    answer(asked, {"trials": done, "failures": [each._asdict() for each in failures]}, "\n".join(text), timed=False)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
