"""The desk: who works for the studio, and who goes first."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

import pytest

from zermelo.studio.desk import PATIENCE, Desk, Job


def done_on(desk: Desk, work: Callable[[], int]) -> int:
    """What `work` gives on a thread of the desk, which is closed after it."""
    found: list[int] = []
    done = threading.Event()

    def run(_job: Job) -> bool:
        found.append(work())
        done.set()
        return True

    desk.submit(Job(run))
    assert done.wait(20)
    desk.close()
    return found[0]


@pytest.mark.skipif(sys.platform != "linux", reason="threads have priorities of their own on Linux only")
def test_searches_let_everything_else_go_first() -> None:
    def priority() -> int:
        return os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    usual = priority()
    assert done_on(Desk(1, "errand"), priority) == usual
    assert done_on(Desk(1, "search", patient=True), priority) == min(usual + PATIENCE, 19)
    assert priority() == usual


def test_a_job_that_fails_does_not_end_its_thread() -> None:
    desk = Desk(1, "errand")
    desk.submit(Job(lambda _job: 1 // 0))  # type: ignore[arg-type, return-value]
    assert done_on(desk, lambda: 7) == 7
