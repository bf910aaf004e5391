"""The worker threads of the studio.

Requests of pages are short (a move, a picture) and searches are long, so each has a pool of its own. A search is a
`WorkerJob`: it is asked to stop when its page goes away, when a newer one replaces it, and when its time is up. A job
that can be continued (`yields`) makes room after a while if others wait, for twice as long each time it comes back.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable

FIRST_SLICE_SECONDS = 0.5
"""How long a job that yields may keep others waiting."""
REQUEST_TIMEOUT_SECONDS = 20.0
"""After this, the page shows that the rules do not answer."""
BACKGROUND_NICENESS = 10
"""Added to the niceness of the threads of a background pool."""
MAX_LOST_THREADS = 16
"""Threads that may be stuck in rules at a time; beyond that, no replacements are started until one comes back."""


class WorkerJob:
    """Work for a thread: `work` is called with the job and returns whether it is done."""

    def __init__(self, work: Callable[[WorkerJob], bool], seconds: float = 60.0, yields: bool = False):
        self.work = work
        self.seconds = seconds
        """How long it may run, all slices together."""
        self.yields = yields
        self.slice_seconds = FIRST_SLICE_SECONDS
        self.ran = 0.0
        self.begun = 0.0
        self.cancelled = False
        self.cancelled_at: float | None = None
        self.pool: WorkerPool | None = None

    def cancel(self) -> None:
        """Asks it to stop; its result is no longer wanted."""
        self.cancelled = True
        self.cancelled_at = time.monotonic()

    def is_stuck(self) -> bool:
        """Whether it should have stopped long ago: its rules do not return."""
        since = self.begun + self.seconds - self.ran if self.cancelled_at is None else self.cancelled_at
        return time.monotonic() - since > REQUEST_TIMEOUT_SECONDS

    def is_late(self) -> bool:
        return self.ran + time.monotonic() - self.begun > self.seconds

    def should_stop(self) -> bool:
        """Called by the search at every node."""
        if self.cancelled or self.is_late():
            return True
        waited_for = self.yields and self.pool is not None and self.pool.waiting > 0
        return waited_for and time.monotonic() - self.begun > self.slice_seconds


class WorkerPool:
    """Threads that take jobs in the order in which they are submitted."""

    def __init__(self, size: int, name: str, background: bool = False):
        self.name = name
        self.background = background
        """Whether its threads run at a lower priority."""
        self.jobs: queue.SimpleQueue[WorkerJob | None] = queue.SimpleQueue()
        self.threads: list[threading.Thread] = []
        self.running: set[WorkerJob] = set()
        """Jobs on threads that have not been replaced."""
        self.lost = 0
        """Threads that have been replaced and have not come back."""
        self.lock = threading.Lock()
        """Guards `threads`, `running` and `lost`; never held while a job runs."""
        for _ in range(size):
            self._start_worker()

    @property
    def waiting(self) -> int:
        return self.jobs.qsize()

    def _start_worker(self) -> None:
        # Daemons: rules that never end must not keep the process from ending.
        thread = threading.Thread(target=self._run, name=f"studio-{self.name}-{len(self.threads)}", daemon=True)
        self.threads.append(thread)
        thread.start()

    def submit(self, job: WorkerJob) -> WorkerJob:
        job.pool = self
        with self.lock:
            stuck = [each for each in self.running if each.is_stuck()]
        for each in stuck:
            self.abandon(each)
        self.jobs.put(job)
        return job

    def abandon(self, job: WorkerJob) -> None:
        """Replaces the thread of `job`, which does not come back, unless too many are lost already."""
        with self.lock:
            if job not in self.running or self.lost >= MAX_LOST_THREADS:
                return
            self.running.discard(job)
            self.lost += 1
            self._start_worker()

    def close(self, timeout: float = 2.0) -> None:
        """Stops everything and waits for it up to `timeout` seconds; threads in endless rules end with the process."""
        with self.lock:
            running, threads = list(self.running), list(self.threads)
        for job in running:
            job.cancel()
        for _ in threads:
            self.jobs.put(None)
        end = time.monotonic() + timeout
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _run(self) -> None:
        if self.background and sys.platform == "linux":  # where each thread has a priority of its own
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + BACKGROUND_NICENESS)
        while self._run_one():
            pass

    def _run_one(self) -> bool:
        """Waits for a job and runs it; no reference to the job, or to its tables, is kept once it is done."""
        job = self.jobs.get()
        if job is None:
            return False
        if job.cancelled:
            return True
        job.begun = time.monotonic()
        with self.lock:
            self.running.add(job)
        done = True
        # A job reports its own failures to its page; anything else must not end the thread.
        with contextlib.suppress(Exception, SystemExit):
            done = job.work(job)
        if not self._finish(job):
            return False
        job.ran += time.monotonic() - job.begun
        if not done and not job.cancelled and job.ran < job.seconds:
            job.slice_seconds *= 2
            self.jobs.put(job)
        return True

    def _finish(self, job: WorkerJob) -> bool:
        """Whether the thread that ran `job` is still needed: one that was replaced meanwhile ends."""
        with self.lock:
            if job in self.running:
                self.running.discard(job)
                return True
            self.lost -= 1
            self.threads.remove(threading.current_thread())
            return False


def search_threads() -> int:
    """More than there are cores: searches are limited by time, and a short one should not wait for long ones."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(4, 4 * cores)
