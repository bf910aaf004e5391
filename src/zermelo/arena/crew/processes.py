"""Games played by other processes of this machine, each on cores of its own.

A worker tells through shared memory whose turn it is. So when it dies or hangs, whoever was thinking is known, and
loses the game; the worker is replaced, and the tournament goes on.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Connection, Pipe, wait
from typing import Any, NamedTuple

from zermelo.arena.fixture import Job, Outcome, points_without
from zermelo.arena.host import NOBODY, Host, versions
from zermelo.arena.play import Record
from zermelo.errors import ContractError, ZermeloError

START = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); import zermelo.arena.crew.processes as p; p.serve()"
BEAT = struct.Struct("idd")
PATROL = 0.25
"""Seconds between two looks at the workers."""
SETTLE = 0.01
"""Seconds after which a beat has surely been written."""
TRIES = 3
"""How often a game is begun whose worker dies while nobody thinks."""


class Beat(NamedTuple):
    """What a worker tells of itself."""

    seat: int
    """Who is thinking, or `NOBODY`."""
    since: float
    """When its turn began, by the machine's monotonic clock."""
    allowed: float
    """Seconds that it may take."""

    def is_overdue(self) -> bool:
        return self.seat != NOBODY and time.monotonic() - self.since > self.allowed


class Processes:
    """A crew of `size` processes."""

    def __init__(self, size: int, cores: int = 1):
        self.size = size
        self.cores = cores
        self.waiting: deque[Job] = deque()
        self.tries: dict[int, int] = {}
        self.workers: list[Worker] = []

    def submit(self, job: Job) -> None:
        self.waiting.append(job)
        self._hand_out()

    def collect(self) -> Sequence[Outcome]:
        self._hand_out()
        busy = [worker for worker in self.workers if worker.job is not None]
        if not busy:
            return []
        ready = wait([worker.connection for worker in busy], PATROL)
        found = [self._listen(worker) for worker in busy if worker.connection in ready]
        found += [self._patrol(worker) for worker in busy if worker.connection not in ready]
        self._hand_out()
        return [outcome for outcome in found if outcome is not None]

    def close(self) -> None:
        self.waiting.clear()
        for worker in self.workers:
            worker.end()
        self.workers.clear()

    def _hand_out(self) -> None:
        while self.waiting:
            idle = next((worker for worker in self.workers if worker.job is None), None)
            if idle is None:
                if len(self.workers) >= self.size:
                    return
                idle = Worker(self._place(), self.cores)
                self.workers.append(idle)
            job = self.waiting.popleft()
            if not idle.begin(job):  # it died while it had nothing to do
                self.workers.remove(idle)
                idle.end()
                self.waiting.appendleft(job)

    def _place(self) -> int:
        """The lowest number that no worker has."""
        taken = {worker.place for worker in self.workers}
        return next(place for place in range(self.size) if place not in taken)

    def _listen(self, worker: Worker) -> Outcome | None:
        """What the worker says, or, if it has died, what that means for its game."""
        try:
            answer = worker.connection.recv()
        except (EOFError, OSError):
            return self._replace(worker, "crash", "the process ended while it was to move")
        worker.job = None
        if isinstance(answer, ZermeloError):
            raise answer
        outcome: Outcome = answer
        return outcome

    def _patrol(self, worker: Worker) -> Outcome | None:
        beat = worker.beat()
        if not beat.is_overdue():
            return None
        time.sleep(SETTLE)  # it may have been read while it was written
        if worker.beat() != beat:
            return None
        return self._replace(worker, "hang", f"did not move within {beat.allowed:g} s")

    def _replace(self, worker: Worker, kind: str, detail: str) -> Outcome | None:
        """Ends a worker that has failed. Whoever was thinking loses its game; if nobody was, it is begun again."""
        job, seat = worker.job, worker.beat().seat
        self.workers.remove(worker)
        worker.end()
        assert job is not None
        if 0 <= seat < len(job.players):
            return lost(job, seat, kind, detail)
        self.tries[job.number] = self.tries.get(job.number, 0) + 1
        if self.tries[job.number] >= TRIES:
            raise ZermeloError(
                f"the process that plays game {job.number} ({' - '.join(job.players)}) has died {TRIES} times while no "
                f"player was to move: does a rule of {job.game} end the process?"
            )
        self.waiting.appendleft(job)
        return None


class Worker:
    """A process that plays, as its crew sees it."""

    def __init__(self, place: int, cores: int):
        self.place = place
        self.job: Job | None = None
        with tempfile.TemporaryFile() as shared:
            shared.truncate(mmap.PAGESIZE)
            self.memory = mmap.mmap(shared.fileno(), mmap.PAGESIZE)
            BEAT.pack_into(self.memory, 0, NOBODY, 0.0, 0.0)
            self.connection, far = Pipe()
            facts = [far.fileno(), shared.fileno(), _cores(place, cores)]
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, json.dumps(sys.path), json.dumps(facts)],
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno() if _has_file(sys.stderr) else subprocess.DEVNULL,
                pass_fds=(far.fileno(), shared.fileno()),
                start_new_session=True,
            )
            far.close()

    def begin(self, job: Job) -> bool:
        """Hands `job` over; false if the process is no longer there."""
        BEAT.pack_into(self.memory, 0, NOBODY, 0.0, 0.0)
        try:
            self.connection.send(job)
        except OSError:
            return False
        self.job = job
        return True

    def beat(self) -> Beat:
        return Beat(*BEAT.unpack_from(self.memory, 0))

    def end(self) -> None:
        """Ends the process and all that it has started."""
        self.connection.close()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.memory.close()


def _cores(place: int, cores: int) -> list[int]:
    """The cores of worker `place`; none in particular where the machine has too few, or does not tell."""
    if not hasattr(os, "sched_getaffinity"):
        return []
    available = sorted(os.sched_getaffinity(0))
    mine = available[place * cores : (place + 1) * cores]
    return mine if len(mine) == cores else []


def _has_file(stream: Any) -> bool:
    try:
        stream.fileno()
    except (AttributeError, OSError, ValueError):
        return False
    return True


def lost(job: Job, seat: int, kind: str, detail: str) -> Outcome:
    """The outcome of a game that the player at `seat` has lost with its process."""
    record = Record(
        game=job.game,
        players=job.players,
        start=job.opening.start or "",
        actions=(),
        moves=(),
        utilities=None,
        reason=kind,
        culprit=seat,
        detail=f"{job.players[seat]} {detail}",
    )
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Outcome(job.number, record, points_without(len(job.players), seat), now, 0.0, versions())


# The other end.


def serve() -> None:
    """Plays what comes through the connection until it is closed; what `START` runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the crew's to handle
    connection_at, memory_at, cores = json.loads(sys.argv[2])
    if cores:
        os.sched_setaffinity(0, cores)
    threading.Thread(target=_leave_with_parent, args=(os.getppid(),), daemon=True).start()
    memory = mmap.mmap(memory_at, mmap.PAGESIZE)

    def beat(seat: int, seconds: float) -> None:
        BEAT.pack_into(memory, 0, seat, time.monotonic(), seconds)

    connection = Connection(connection_at)
    host = Host(beat)
    while True:
        try:
            job = connection.recv()
        except (EOFError, OSError):
            break
        answer: Outcome | ZermeloError
        try:
            answer = host.play(job)
        except ZermeloError as error:
            answer = ZermeloError(str(error))
        except Exception as error:  # in the rules: players are guarded
            answer = ContractError(f"a rule of {job.game} raised {type(error).__name__}: {error}; run `zermelo check`")
        connection.send(answer)
    host.close()


def _leave_with_parent(parent: int) -> None:
    """Ends this process, and what it has started, when the one that started it is gone, whatever is being played."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os.killpg(0, signal.SIGKILL)
