"""Games played by other processes of this machine, each on cores of its own.

A worker tells through shared memory whose turn it is. So when it dies or hangs, whoever was thinking is known, and
loses the game; the worker is replaced, and the tournament goes on. With a worker ends all that it has started, and
with the crew end all workers, even if the crew is killed.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import secrets
import signal
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Pipe, wait
from typing import Any, NamedTuple

from zermelo.arena.crew.worker import BEAT, MARK, START, end_marked
from zermelo.arena.fixture import Job, Outcome, points_without
from zermelo.arena.host import NOBODY, versions
from zermelo.errors import ContractError, ZermeloError
from zermelo.games import load
from zermelo.play import Record
from zermelo.play.live import resignation

PATROL = 0.25
"""Seconds between two looks at the workers."""
SETTLE = 0.01
"""Seconds after which a beat has surely been written."""
FAREWELL = 1.0
"""Seconds in which a process whose connection has broken ends and tells how."""
STUCK = 300.0
"""Seconds without a player's turn after which a worker is taken to hang in the rules."""
TRIES = 3
"""How often a game is begun whose worker fails while nobody thinks, or is ended by somebody else."""
FROM_OUTSIDE = {-signal.SIGTERM, -signal.SIGKILL, -signal.SIGHUP, -signal.SIGINT, -signal.SIGQUIT}
"""How a process ends that is ended: by whoever shuts the machine down, or by the system when memory is short."""


class Beat(NamedTuple):
    """What a worker tells of itself."""

    seat: int
    """Who is thinking, or `NOBODY`."""
    since: float
    """When its turn began, by the machine's monotonic clock."""
    allowed: float
    """Seconds that it may take."""

    def is_overdue(self) -> bool:
        return time.monotonic() - self.since > (STUCK if self.seat == NOBODY else self.allowed)


class Processes:
    """A crew of `size` processes."""

    def __init__(self, size: int, cores: int = 1):
        self.size = size
        self.cores = cores
        self.waiting: deque[Job] = deque()
        self.tries: dict[int, int] = {}
        self.workers: list[Worker] = []
        self.failure: ZermeloError | None = None
        """Why no more can be played; told when all that came in before has been given back."""

    def submit(self, job: Job) -> None:
        self.waiting.append(job)
        self._hand_out()

    def collect(self) -> Sequence[Outcome]:
        if self.failure is not None:
            raise self.failure
        self._hand_out()
        busy = [worker for worker in self.workers if worker.job is not None]
        if not busy:
            return []
        ready = set(wait([worker.connection for worker in busy], PATROL))
        found: list[Outcome | None] = []
        for worker in busy:
            try:
                found.append(self._listen(worker) if worker.connection in ready else self._patrol(worker))
            except ZermeloError as error:
                self.failure = error
        outcomes = [outcome for outcome in found if outcome is not None]
        if not outcomes and self.failure is not None:
            raise self.failure
        return outcomes

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
                try:
                    idle = Worker(self._place(), self.cores)
                except OSError as error:
                    raise ZermeloError(f"no process can be started: {error}; play fewer games at once") from error
                self.workers.append(idle)
            job = self.waiting.popleft()
            if not idle.begin(job):  # it died while it had nothing to do
                self.workers.remove(idle)
                idle.end()
                self._try_again(job)

    def _place(self) -> int:
        """The lowest number that no worker has."""
        taken = {worker.place for worker in self.workers}
        return next(place for place in range(self.size) if place not in taken)

    def _listen(self, worker: Worker) -> Outcome | None:
        """What the worker says, or, if it has died, what that means for its game."""
        try:
            answer = worker.connection.recv()
        except (EOFError, OSError):
            return self._replace(worker, "crash", f"was to move when the process {worker.last_words()}")
        except Exception as error:  # whatever pickle meets
            raise ContractError(f"the actions of a game are lost on the way from another process: {error}") from error
        if worker.job is not None:
            self.tries.pop(worker.job.number, None)
        worker.job = None
        if isinstance(answer, ZermeloError):
            raise answer
        outcome: Outcome = answer
        return outcome

    def _patrol(self, worker: Worker) -> Outcome | None:
        if worker.process.poll() is not None:  # though something that it has started keeps the connection open
            return self._replace(worker, "crash", f"was to move when the process {worker.last_words()}")
        beat = worker.beat()
        if not beat.is_overdue():
            return None
        time.sleep(SETTLE)  # it may have been read while it was written
        if worker.beat() != beat:
            return None
        return self._replace(worker, "hang", f"did not move within {beat.allowed:g} s")

    def _replace(self, worker: Worker, kind: str, detail: str) -> Outcome | None:
        """Ends a worker that has failed. Whoever was thinking loses its game; if nobody was, it is begun again."""
        job, seat, killed = worker.job, worker.beat().seat, worker.process.poll() in FROM_OUTSIDE
        self.workers.remove(worker)
        worker.end()
        assert job is not None
        if 0 <= seat < len(job.players) and (not killed or self.tries.get(job.number, 0) + 1 >= TRIES):
            return lost(job, seat, kind, detail)
        self._try_again(job)
        return None

    def _try_again(self, job: Job) -> None:
        self.tries[job.number] = self.tries.get(job.number, 0) + 1
        if self.tries[job.number] >= TRIES:
            which = f"the process of game {job.number} ({' - '.join(job.players)})"
            raise ZermeloError(
                f"{which} has died, or hung, {TRIES} times while no player was to move: "
                f"does a rule of {job.game} end the process, or never end?"
            )
        self.waiting.appendleft(job)


class Worker:
    """A process that plays, as its crew sees it."""

    def __init__(self, place: int, cores: int):
        self.place = place
        self.job: Job | None = None
        self.mark = secrets.token_hex(16)
        with tempfile.TemporaryFile() as shared:
            shared.truncate(mmap.PAGESIZE)
            self.memory = mmap.mmap(shared.fileno(), mmap.PAGESIZE)
            BEAT.pack_into(self.memory, 0, NOBODY, 0.0, 0.0)
            self.connection, far = Pipe()
            held, self.life = os.pipe()
            handed = (far.fileno(), shared.fileno(), held)
            self.process = subprocess.Popen(
                [sys.executable, "-c", START, json.dumps(sys.path), json.dumps([*handed, _cores(place, cores)])],
                stdin=subprocess.DEVNULL,
                stdout=sys.stderr.fileno() if _has_file(sys.stderr) else subprocess.DEVNULL,
                env={**os.environ, MARK: self.mark},
                pass_fds=handed,
                start_new_session=True,
            )
            far.close()
            os.close(held)

    def begin(self, job: Job) -> bool:
        """Hands `job` over; false if the process is no longer there."""
        BEAT.pack_into(self.memory, 0, NOBODY, time.monotonic(), 0.0)
        try:
            self.connection.send(job)
        except OSError:
            return False
        self.job = job
        return True

    def beat(self) -> Beat:
        return Beat(*BEAT.unpack_from(self.memory, 0))

    def last_words(self) -> str:
        """How the process has ended, if it has."""
        try:
            code = self.process.wait(FAREWELL)
        except subprocess.TimeoutExpired:
            return "closed its connection"
        names = {-each.value: each.name for each in signal.Signals}
        return f"was killed by {names.get(code, -code)}" if code < 0 else f"ended with code {code}"

    def end(self) -> None:
        """Ends the process and all that it has started."""
        self.connection.close()
        if self.process.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        end_marked(self.mark)
        os.close(self.life)
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
    game = load(job.game)
    start, _history = job.opening.reach(game)
    record = Record(
        game=game.name,
        players=job.players,
        start=game.write(start),
        actions=(),
        moves=(),
        utilities=resignation(game, seat),
        reason=kind,
        culprit=seat,
        detail=f"{job.players[seat]} {detail}",
    )
    now = datetime.now(UTC).isoformat(timespec="seconds")
    return Outcome(job.number, record, points_without(len(job.players), seat), now, 0.0, versions())
