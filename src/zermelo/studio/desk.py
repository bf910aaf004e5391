"""The threads that work for the studio.

Errands are short (a move, a picture) and searches are long, so each have threads of their own. A search is a `Job`: it
is asked to stop when its page goes away, when something newer replaces it, and when its time is up. One that can go on
later (`turns`) makes room after a while if others wait, for twice as long each time it comes back.
"""

from __future__ import annotations

import contextlib
import os
import queue
import sys
import threading
import time
from collections.abc import Callable

FIRST_TURN = 0.5
"""Seconds for which a job that takes turns may keep others waiting."""
LONGEST_ERRAND = 20.0
"""Seconds after which whoever sent an errand is told that the rules do not answer."""
PATIENCE = 10
"""By how much the threads of a patient desk step back, as `nice` counts it."""
MOST_LOST = 16
"""Threads that may be lost to rules at a time; after that, those that are left have to do until one comes back."""


class Job:
    """A search: `work` is called with the job and says whether it is done."""

    def __init__(self, work: Callable[[Job], bool], seconds: float = 60.0, turns: bool = False):
        self.work = work
        self.seconds = seconds
        """How long it may run, in all its turns."""
        self.turns = turns
        self.turn = FIRST_TURN
        self.ran = 0.0
        self.begun = 0.0
        self.cancelled = False
        self.stopped_at: float | None = None
        self.desk: Desk | None = None

    def cancel(self) -> None:
        """Asks it to stop; what it finds after that interests nobody."""
        self.cancelled = True
        self.stopped_at = time.monotonic()

    def is_stuck(self) -> bool:
        """Whether it should have stopped long ago: its rules do not come back."""
        since = self.begun + self.seconds - self.ran if self.stopped_at is None else self.stopped_at
        return time.monotonic() - since > LONGEST_ERRAND

    def is_late(self) -> bool:
        return self.ran + time.monotonic() - self.begun > self.seconds

    def should_stop(self) -> bool:
        """Asked by the search at every node."""
        if self.cancelled or self.is_late():
            return True
        waited_for = self.turns and self.desk is not None and self.desk.waiting > 0
        return waited_for and time.monotonic() - self.begun > self.turn


class Desk:
    """Threads that take jobs in the order in which they come."""

    def __init__(self, size: int, name: str, patient: bool = False):
        self.name = name
        self.patient = patient
        """Whether its threads let those of others go first."""
        self.jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self.threads: list[threading.Thread] = []
        self.running: set[Job] = set()
        """What threads are at that nobody has taken the place of."""
        self.lost = 0
        """Threads that have been replaced and have not come back."""
        self.door = threading.Lock()
        """Held for a moment by whoever comes, goes or is given up."""
        for _ in range(size):
            self._hire()

    @property
    def waiting(self) -> int:
        return self.jobs.qsize()

    def _hire(self) -> None:
        # Daemons: rules that never end must not keep the process from ending.
        thread = threading.Thread(target=self._serve, name=f"studio-{self.name}-{len(self.threads)}", daemon=True)
        self.threads.append(thread)
        thread.start()

    def submit(self, job: Job) -> Job:
        job.desk = self
        with self.door:
            stuck = [each for each in self.running if each.is_stuck()]
        for each in stuck:
            self.give_up(each)
        self.jobs.put(job)
        return job

    def give_up(self, job: Job) -> None:
        """The thread of `job` does not come back: another takes its place, unless too many are gone already."""
        with self.door:
            if job not in self.running or self.lost >= MOST_LOST:
                return
            self.running.discard(job)
            self.lost += 1
            self._hire()

    def close(self, patience: float = 2.0) -> None:
        """Stops everything, and waits for it for a while; threads that are in endless rules end with the process."""
        with self.door:
            running, threads = list(self.running), list(self.threads)
        for job in running:
            job.cancel()
        for _ in threads:
            self.jobs.put(None)
        end = time.monotonic() + patience
        for thread in threads:
            thread.join(max(0.0, end - time.monotonic()))

    def _serve(self) -> None:
        if self.patient and sys.platform == "linux":  # where each thread has a priority of its own
            thread = threading.get_native_id()
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + PATIENCE)
        while self._take_one():
            pass

    def _take_one(self) -> bool:
        """Waits for a job and does it; nothing holds on to it, or to its tables, once it is done."""
        job = self.jobs.get()
        if job is None:
            return False
        if job.cancelled:
            return True
        job.begun = time.monotonic()
        with self.door:
            self.running.add(job)
        done = True
        # A job reports its own failures to its page; what gets past that must not end the thread.
        with contextlib.suppress(Exception, SystemExit):
            done = job.work(job)
        if not self._come_back(job):
            return False
        job.ran += time.monotonic() - job.begun
        if not done and not job.cancelled and job.ran < job.seconds:
            job.turn *= 2
            self.jobs.put(job)
        return True

    def _come_back(self, job: Job) -> bool:
        """Whether the thread that has done `job` is still needed: one that was replaced meanwhile goes for good."""
        with self.door:
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
