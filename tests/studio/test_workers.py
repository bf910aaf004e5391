"""The pool: who works for the studio, and who goes first."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

import pytest

from tests.studio.conftest import soon
from zermelo.studio.workers import BACKGROUND_NICENESS, WorkerJob, WorkerPool


def done_on(pool: WorkerPool, work: Callable[[], int]) -> int:
    """What `work` gives on a thread of the pool, which is closed after it."""
    found: list[int] = []
    done = threading.Event()

    def run(_job: WorkerJob) -> bool:
        found.append(work())
        done.set()
        return True

    pool.submit(WorkerJob(run))
    assert done.wait(20)
    pool.close()
    return found[0]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux only")
def test_searches_let_everything_else_go_first() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    usual = priority()
    assert done_on(WorkerPool(1, "request"), priority) == usual
    assert done_on(WorkerPool(1, "search", background=True), priority) == min(usual + BACKGROUND_NICENESS, 19)
    assert priority() == usual


def test_a_job_that_fails_does_not_end_its_thread() -> None:
    pool = WorkerPool(1, "request")
    pool.submit(WorkerJob(lambda _job: 1 // 0))  # type: ignore[arg-type, return-value]
    assert done_on(pool, lambda: 7) == 7


def test_threads_that_come_back_late_are_not_lost_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.studio.workers.MAX_LOST_THREADS", 2)
    pool = WorkerPool(3, "search")
    for _ in range(3):  # more of them in all than may be lost at a time
        go_on = threading.Event()
        slow = [pool.submit(WorkerJob(lambda _job, go_on=go_on: go_on.wait(20))) for _ in range(3)]
        assert soon(lambda slow=slow: pool.running.issuperset(slow))
        for job in slow:
            pool.abandon(job)
        assert (pool.lost, len(pool.threads)) == (2, 5)
        assert soon(lambda: pool.waiting == 0)
        go_on.set()
        assert soon(lambda: pool.lost == 0 and not pool.running)
        assert len(pool.threads) == 3
        assert all(thread.is_alive() for thread in pool.threads)
    assert done_on(pool, lambda: 7) == 7
