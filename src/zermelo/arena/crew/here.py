"""Games played in this process, one after another."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

from zermelo.arena.fixture import Job, Outcome
from zermelo.arena.host import Host


class Here:
    """A crew of one, in this process: nothing protects it from a player that hangs or ends the process."""

    size = 1

    def __init__(self, own: dict[str, Any] | None = None):
        self.host = Host(own=own)
        self.jobs: deque[Job] = deque()

    def submit(self, job: Job) -> None:
        self.jobs.append(job)

    def collect(self) -> Sequence[Outcome]:
        return [self.host.play(self.jobs.popleft())] if self.jobs else []

    def close(self) -> None:
        self.jobs.clear()
        self.host.close()
