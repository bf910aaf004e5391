"""Games played by the nodes of a Ray cluster.

    ray                 the cluster that this machine belongs to, or a new one of this machine alone
    ray://HOST:PORT     the cluster whose head is there

A worker is an actor that keeps a process of its own for the games, as `processes` does on one machine. So a player that
crashes or hangs is detected on the node and loses, and the coordinator receives outcomes only. A worker that is lost,
with its node or alone, is replaced, and its game is played again; an outcome that comes in twice counts once.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import queue
import re
import sys
import threading
import time
import warnings
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from zermelo.arena.executors import Job
from zermelo.arena.executors.processes import ProcessExecutor
from zermelo.arena.host import versions
from zermelo.errors import OptionError, ZermeloError

POLL_SECONDS = 0.25
"""Seconds that `collect` waits for an outcome."""
TRIES_PER_GAME = 3
"""How often a game is begun whose worker dies while its node lives."""
NO_WORKER_TIMEOUT_SECONDS = 600.0
"""Seconds without any worker after which the cluster is taken to have no room; starting a machine takes minutes."""
CLOSE_TIMEOUT_SECONDS = 2.0
"""Seconds in which workers may end what they have started."""
EXCLUDED_FILES = [".git", ".venv", "*.db", "*.db-wal", "*.db-shm", "*.parquet", "*.arrow", "*.training"]
"""What is not sent to the nodes with the files of the current folder."""


class ClusterExecutor:
    """An executor of up to `size` workers, each of which has `cores` of its node."""

    def __init__(self, where: str, size: int, cores: int = 1):
        if where != "ray" and not re.fullmatch(r"ray://[^\s/:]+:\d{1,5}", where):
            raise OptionError(f"{where!r} is no cluster; say ray, or ray://HOST:PORT, where PORT is usually 10001")
        self.where = where
        self.size = size
        self.cores = cores
        self.ray = find_ray()
        self.connected = False
        self.owns_connection = False
        self.waiting: deque[Job] = deque()
        self.due: set[int] = set()
        """Numbers of the games whose outcome is still to be delivered."""
        self.losses: Counter[int] = Counter()
        self.workers: set[ClusterWorker] = set()
        self.starting: set[ClusterWorker] = set()
        """Those of them that have not come up yet."""
        self.idle: list[ClusterWorker] = []
        self.failed_starts = 0
        self.failure: ZermeloError | None = None
        """Why no more can be played; raised once all earlier outcomes have been returned."""
        self.heard = time.monotonic()
        """When a worker was last known to live."""
        self.arrivals: queue.SimpleQueue[tuple[ClusterWorker, Future[Any]]] = queue.SimpleQueue()

    def submit(self, job: Job) -> None:
        if not self.connected:
            self.owns_connection = connect(self.ray, self.where, names_files(job))
            self.connected, self.heard = True, time.monotonic()
            sys.stdout = QuietStdout(sys.stdout)
        self.waiting.append(job)
        self.due.add(job.number)
        self._hand_out()

    def collect(self) -> Sequence[Any]:
        if self.failure is not None:
            raise self.failure
        found: list[Any] = []
        for worker, future in self._arrived():
            try:
                found.append(self._listen(worker, future))
            except ZermeloError as error:
                self.failure = error
        outcomes = [outcome for outcome in found if outcome is not None]
        if self.failure is None:
            self._hand_out()
        return outcomes if outcomes or self.failure is None else self.collect()

    def drop(self, begun: bool = False) -> set[int]:
        dropped = {job.number for job in self.waiting}
        self.waiting.clear()
        for worker in [each for each in self.workers if begun]:
            if worker.job is not None:
                dropped.add(worker.job.number)
                self._dismiss(worker)
        self.due -= dropped
        return dropped

    def close(self) -> None:
        self.waiting.clear()
        self.due.clear()
        with contextlib.suppress(Exception):  # the cluster may be gone
            leaving = [worker.actor.leave.remote() for worker in self.workers - self.starting]
            if leaving:
                self.ray.wait(leaving, num_returns=len(leaving), timeout=CLOSE_TIMEOUT_SECONDS)
        for worker in list(self.workers):
            self._dismiss(worker)
        if self.owns_connection:
            with contextlib.redirect_stdout(sys.stderr):
                self.ray.shutdown()
        if isinstance(sys.stdout, QuietStdout):
            sys.stdout = sys.stdout.stream
        self.connected = self.owns_connection = False

    def _hand_out(self) -> None:
        while self.waiting and self.idle:
            worker = self.idle.pop()
            worker.job = self.waiting.popleft()
            self._expect(worker, worker.actor.play.remote(worker.job))
        for _ in range(min(len(self.waiting) - len(self.starting), self.size - len(self.workers))):
            # A job waits for a worker that has come up, not for one that the cluster may never have room for.
            worker = ClusterWorker(self._start())
            self.workers.add(worker)
            self.starting.add(worker)
            self._expect(worker, worker.actor.report.remote())

    def _start(self) -> Any:
        made = self.ray.remote(WorkerActor).options(num_cpus=self.cores, max_concurrency=2, max_restarts=0)
        return made.remote()

    def _expect(self, worker: ClusterWorker, reference: Any) -> None:
        reference.future().add_done_callback(lambda future: self.arrivals.put((worker, future)))

    def _arrived(self) -> list[tuple[ClusterWorker, Future[Any]]]:
        """All that has come in; waits for a while if that is nothing."""
        if not self.workers:
            return []
        found: list[tuple[ClusterWorker, Future[Any]]] = []
        with contextlib.suppress(queue.Empty):
            found.append(self.arrivals.get(timeout=POLL_SECONDS))
            while True:
                found.append(self.arrivals.get_nowait())
        if len(self.starting) < len(self.workers):
            self.heard = time.monotonic()
        elif time.monotonic() - self.heard > NO_WORKER_TIMEOUT_SECONDS:
            raise ZermeloError(
                f"no node of the cluster has had {self.cores} free cores for a worker within "
                f"{NO_WORKER_TIMEOUT_SECONDS:g} s: `ray status` shows what it has; "
                f"take fewer --cores, or add nodes and go on"
            )
        return found

    def _listen(self, worker: ClusterWorker, future: Future[Any]) -> Any:
        """Handles the answer of a worker, or its death."""
        if worker not in self.workers:  # dismissed since
            return None
        error = future.exception()
        if error is not None:
            self._lose(worker, error)
            return None
        answer = future.result()
        self.idle.append(worker)
        if worker in self.starting:
            self._welcome(worker, answer)
            return None
        worker.job = None
        if isinstance(answer, ZermeloError):
            raise answer
        if answer.number not in self.due:
            return None
        self.due.remove(answer.number)
        return answer

    def _welcome(self, worker: ClusterWorker, facts: Mapping[str, Any]) -> None:
        self.starting.remove(worker)
        worker.node, worker.process = facts["node"], facts["process"]
        self.failed_starts = 0
        here, there = versions()["zermelo"], facts["versions"]["zermelo"]
        if here != there:
            raise ZermeloError(f"a node has zermelo {there} and this machine {here}: install the same on both")

    def _lose(self, worker: ClusterWorker, error: BaseException) -> None:
        """A worker has died, or its answer is lost: its game goes to another."""
        self._dismiss(worker)
        said = next((line for line in reversed(str(error).splitlines()) if line.strip()), type(error).__name__).strip()
        if not isinstance(error, self.ray.exceptions.RayError):
            raise ZermeloError(
                f"the connection to the cluster is lost ({said}): go on with --resume, or a training with its command"
            ) from error
        if worker.job is None:
            self._refuse_start(error, said)
            return
        job = worker.job
        if job.number not in self.due:
            return
        if self._lives(worker.node):
            self.losses[job.number] += 1
            for other in [each for each in self.idle if each.node == worker.node]:
                self._dismiss(other)  # it may have died of the same cause and would cost the game another try
        if self.losses[job.number] >= TRIES_PER_GAME:
            raise ZermeloError(
                f"the worker that plays {job.title} has died {TRIES_PER_GAME} times while its node lived: "
                f"does that take more memory than a node has? The last words were: {said}"
            ) from error
        self.waiting.appendleft(job)

    def _refuse_start(self, error: BaseException, said: str) -> None:
        """Lets a worker fail to start where a node may have been lost with it, and not again and again."""
        self.failed_starts += 1
        died = isinstance(error, self.ray.exceptions.RayActorError) and "creation task" not in str(error)
        if died and (self.failed_starts < TRIES_PER_GAME or len(self.starting) < len(self.workers)):
            return
        raise ZermeloError(f"a node cannot start a worker ({said}): install the same zermelo and Python on every node")

    def _lives(self, node: str) -> bool:
        return any(each["NodeID"] == node and each["Alive"] for each in self.ray.nodes())

    def _dismiss(self, worker: ClusterWorker) -> None:
        self.workers.discard(worker)
        self.starting.discard(worker)
        if worker in self.idle:
            self.idle.remove(worker)
        with contextlib.suppress(Exception):  # it may be dead already
            self.ray.kill(worker.actor)


class ClusterWorker:
    """A worker, as the coordinator sees it."""

    def __init__(self, actor: Any):
        self.actor = actor
        self.job: Job | None = None
        self.node = ""
        """Where it is, once it has come up."""
        self.process: int | None = None


class WorkerActor:
    """A worker, as the node sees it: an actor with two threads, so that it can be stopped while it plays."""

    def __init__(self) -> None:
        self.executor = ProcessExecutor(1, cores=0)  # Ray counts cores and hands out none in particular

    def report(self) -> dict[str, object]:
        """Where this is, and what plays here."""
        node = find_ray().get_runtime_context().get_node_id()
        return {"node": node, "process": os.getpid(), "versions": versions()}

    def play(self, job: Job) -> Any:
        try:
            self.executor.submit(job)
            while not (outcomes := self.executor.collect()):
                pass
        except ZermeloError as error:
            return type(error)(str(error))
        return outcomes[0]

    def leave(self) -> None:
        """Ends the process that plays, and what that has started."""
        self.executor.close()


class QuietStdout:
    """Standard output without the messages of Ray's threads, which report every lost worker there."""

    def __init__(self, stream: Any):
        self.stream = stream

    def write(self, text: str) -> Any:
        said_by_ray = threading.current_thread().name.startswith("ray_")
        return (sys.stderr if said_by_ray else self.stream).write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


def find_ray() -> Any:
    """The package Ray, which is not part of a plain installation."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage reports
    try:
        return importlib.import_module("ray")
    except ImportError as error:
        raise OptionError("a cluster needs Ray: `pip install 'zermelo[cluster]'`, here and on every node") from error


def connect(ray: Any, where: str, ships: bool) -> bool:
    """Connects this process to the cluster; false if it was connected before, which is then not ours to end."""
    if ray.is_initialized():
        return False
    options: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
    if ships:
        options["runtime_env"] = {"working_dir": os.getcwd(), "excludes": EXCLUDED_FILES}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Ray warns of its own future
            if where == "ray":
                ray.init(include_dashboard=False, **options)
            else:
                ray.init(where, **options)
    except Exception as error:
        said = " ".join(str(error).split())[:300]
        raise ZermeloError(
            f"the cluster {where} cannot be reached ({said}): is its head up, does it run the same Ray and Python, and "
            f"is RAY_AUTH_MODE=token set here if it asks for a token?"
        ) from error
    return True


def names_files(job: Job) -> bool:
    """Whether a job needs files below the current folder: a game, a player or a solution of the user's own."""
    parts = [part for text in job.texts for part in re.split(r"[:?,=]", text) if part]
    return any(not Path(part).is_absolute() and Path(part).is_file() for part in parts)
