"""The desk: who works for the studio, and who goes first."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable

import pytest

from tests.studio.conftest import soon
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


def test_threads_that_come_back_late_are_not_lost_for_good(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("zermelo.studio.desk.MOST_LOST", 2)
    desk = Desk(3, "search")
    for _ in range(3):  # more of them in all than may be lost at a time
        go_on = threading.Event()
        slow = [desk.submit(Job(lambda _job, go_on=go_on: go_on.wait(20))) for _ in range(3)]
        assert soon(lambda slow=slow: desk.running.issuperset(slow))
        for job in slow:
            desk.give_up(job)
        assert (desk.lost, len(desk.threads)) == (2, 5)
        assert soon(lambda: desk.waiting == 0)
        go_on.set()
        assert soon(lambda: desk.lost == 0 and not desk.running)
        assert len(desk.threads) == 3
        assert all(thread.is_alive() for thread in desk.threads)
    assert done_on(desk, lambda: 7) == 7
