"""Games played by other processes of this machine, each on cores of its own.

A worker says through shared memory whose turn it is. So when it dies or hangs, the player to move is known and
loses the game; the worker is replaced, and the tournament goes on.

Everything that a worker has started ends with it, and all workers end with their executor, even if that is killed.
Outside programs are in sessions of their own, out of reach of a signal to the worker's group. So a worker's environment
has a mark that everything it starts inherits and by which all of it is found. Where the system does not show the
environment of processes (there is no /proc), outside programs have to notice that their input is closed.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import secrets
import signal
import struct
import subprocess
import sys
import tempfile
import time
import warnings
from collections import deque
from collections.abc import Sequence
from datetime import UTC, datetime
from multiprocessing.connection import Connection, Pipe, wait
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.arena.executors import Job
from zermelo.arena.host import NOBODY, Host, versions
from zermelo.arena.scheduled import GameJob, GameOutcome, seat_points_without
from zermelo.errors import ContractError, ZermeloError
from zermelo.games import load
from zermelo.play import Record
from zermelo.play.live import resignation

START = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from zermelo.arena.executors.processes import serve; serve()"
)
BEAT = struct.Struct("idd")
"""What a worker reports: who is thinking, since when, and for how long at most."""
MARK_VARIABLE = "ZERMELO_WORKER"
"""The variable of the environment that holds the mark."""
PROC_FOLDER = Path("/proc")
MOST_KILL_ROUNDS = 500
"""How often marked processes are looked for until none is left: one that is being ended may have started another."""


def serve() -> None:
    """Plays what comes through the connection until it is closed; what `START` runs."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the executor's to handle
    warnings.simplefilter("ignore")  # and what there is to say of a game's rules, the executor's process says once
    connection_at, memory_at, life_at, cores = json.loads(sys.argv[2])
    set_guard(life_at, connection_at)
    if cores:
        with contextlib.suppress(OSError):  # they have been taken away meanwhile
            os.sched_setaffinity(0, cores)
    memory = mmap.mmap(memory_at, mmap.PAGESIZE)
    os.close(memory_at)

    def beat(seat: int, seconds: float) -> None:
        BEAT.pack_into(memory, 0, seat, time.monotonic(), seconds)

    connection, host = Connection(connection_at), Host(beat)
    with contextlib.suppress(EOFError, OSError):  # the executor is gone
        while True:
            job = connection.recv()
            try:
                answer = job.play(host)
            except ZermeloError as error:
                answer = type(error)(str(error))
            try:
                connection.send(answer)
            except (TypeError, AttributeError, ValueError) as error:  # from pickle, before anything is sent
                connection.send(ContractError(f"the actions of {job.game} cannot leave their process: {error}"))
    host.close()


def set_guard(life: int, connection: int) -> None:
    """Leaves a process behind that ends this one, and all that it has started, when the executor closes `life`.

    A thread could not: a hanging player may hold the GIL.
    """
    if os.fork() != 0:
        os.close(life)
        return
    os.close(connection)  # or the executor would not notice when the worker dies
    os.read(life, 1)
    end_marked(os.environ[MARK_VARIABLE])
    os.killpg(0, signal.SIGKILL)


def end_marked(mark: str) -> None:
    """Ends every process but this one that has inherited `mark`, whatever group or session it has made for itself."""
    for _ in range(MOST_KILL_ROUNDS):
        marked = find_marked(mark)
        if not marked:
            return
        for process in marked:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        time.sleep(0.002)


def find_marked(mark: str) -> list[int]:
    """The numbers of the processes that have inherited `mark`, without this one."""
    wanted = f"{MARK_VARIABLE}={mark}".encode()
    found = []
    for folder in PROC_FOLDER.iterdir() if PROC_FOLDER.is_dir() else ():
        if folder.name.isdecimal() and int(folder.name) != os.getpid():
            with contextlib.suppress(OSError):  # it has ended, or is somebody else's
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
    return found


POLL_SECONDS = 0.25
"""Seconds between two looks at the workers."""
BEAT_WRITE_SECONDS = 0.01
"""Seconds after which a beat has surely been written."""
EXIT_TIMEOUT_SECONDS = 1.0
"""Seconds that a process has to end after its connection broke."""
RULES_TIMEOUT_SECONDS = 300.0
"""Seconds without a player's turn after which a worker counts as hanging in the rules."""
TRIES_PER_GAME = 3
"""How often a game is begun whose worker fails while nobody thinks, or is ended by somebody else."""
KILLED_FROM_OUTSIDE = {-signal.SIGTERM, -signal.SIGKILL, -signal.SIGHUP, -signal.SIGINT, -signal.SIGQUIT}
"""Exit codes of a process that was killed from outside: at a shutdown, or by the system when memory is short."""


class Beat(NamedTuple):
    """What a worker reports."""

    seat: int
    """Who is thinking, or `NOBODY`."""
    since: float
    """When its turn began, by the machine's monotonic clock."""
    allowed: float
    """Seconds that it may take."""

    def is_overdue(self) -> bool:
        return time.monotonic() - self.since > (RULES_TIMEOUT_SECONDS if self.seat == NOBODY else self.allowed)


class ProcessExecutor:
    """An executor of `size` processes."""

    def __init__(self, size: int, cores: int = 1):
        self.size = size
        self.cores = cores
        self.waiting: deque[Job] = deque()
        self.tries: dict[int, int] = {}
        self.workers: list[WorkerProcess] = []
        self.failure: ZermeloError | None = None
        """Why no more can be played; raised once all earlier outcomes have been returned."""

    def submit(self, job: Job) -> None:
        self.waiting.append(job)
        self._hand_out()

    def collect(self) -> Sequence[Any]:
        if self.failure is not None:
            raise self.failure
        self._hand_out()
        busy = [worker for worker in self.workers if worker.job is not None]
        if not busy:
            return []
        ready = set(wait([worker.connection for worker in busy], POLL_SECONDS))
        found: list[Any] = []
        for worker in busy:
            try:
                found.append(self._listen(worker) if worker.connection in ready else self._patrol(worker))
            except ZermeloError as error:
                self.failure = error
        outcomes = [outcome for outcome in found if outcome is not None]
        if not outcomes and self.failure is not None:
            raise self.failure
        return outcomes

    def drop(self, begun: bool = False) -> set[int]:
        dropped = {job.number for job in self.waiting}
        self.waiting.clear()
        for worker in [each for each in self.workers if begun and each.job is not None]:
            dropped.add(self._end(worker).number)
        return dropped

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
                    idle = WorkerProcess(self._place(), self.cores)
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

    def _listen(self, worker: WorkerProcess) -> Any:
        """Handles the answer of the worker, or its death."""
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
        return answer

    def _patrol(self, worker: WorkerProcess) -> GameOutcome | None:
        if worker.process.poll() is not None:  # though something that it has started keeps the connection open
            return self._replace(worker, "crash", f"was to move when the process {worker.last_words()}")
        beat = worker.beat()
        if not beat.is_overdue():
            return None
        time.sleep(BEAT_WRITE_SECONDS)  # it may have been read while it was written
        if worker.beat() != beat:
            return None
        return self._replace(worker, "hang", f"did not move within {beat.allowed:g} s")

    def _replace(self, worker: WorkerProcess, kind: str, detail: str) -> GameOutcome | None:
        """Ends a worker that has failed. The player that was thinking loses, or the game is played again."""
        seat, killed = worker.beat().seat, worker.process.poll() in KILLED_FROM_OUTSIDE
        job = self._end(worker)
        if (
            isinstance(job, GameJob)
            and 0 <= seat < len(job.players)
            and (not killed or self.tries.get(job.number, 0) + 1 >= TRIES_PER_GAME)
        ):
            return lost(job, seat, kind, detail)
        self._try_again(job)
        return None

    def _end(self, worker: WorkerProcess) -> Job:
        """Ends a worker that plays; returns what it was playing."""
        job = worker.job
        assert job is not None
        self.workers.remove(worker)
        worker.end()
        return job

    def _try_again(self, job: Job) -> None:
        self.tries[job.number] = self.tries.get(job.number, 0) + 1
        if self.tries[job.number] >= TRIES_PER_GAME:
            raise ZermeloError(
                f"the process of {job.title} has died, or hung, {TRIES_PER_GAME} times while no player was to move: "
                f"does a rule of {job.game} end the process, or never end?"
            )
        self.waiting.appendleft(job)


class WorkerProcess:
    """A process that plays, as its executor sees it."""

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
                env={**os.environ, MARK_VARIABLE: self.mark},
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
            code = self.process.wait(EXIT_TIMEOUT_SECONDS)
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


def lost(job: GameJob, seat: int, kind: str, detail: str) -> GameOutcome:
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
    return GameOutcome(job.number, record, seat_points_without(game, seat), now, 0.0, versions())
