"""Executors play games: in this process, in others of this machine, or on a cluster.

    InlineExecutor              this process, one game after another; games and players may be objects
    processes.ProcessExecutor   other processes of this machine, each on a core of its own
    cluster.ClusterExecutor     the nodes of a Ray cluster

An executor takes jobs and returns outcomes, in any order, each once. It knows nothing of tournaments
and trainings.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from zermelo.arena.host import Host
from zermelo.errors import OptionError
from zermelo.options import whole

MOST_CONCURRENT_GAMES = 100_000
"""More games at once, or cores for one, are surely a mistake."""
MOST_GAMES_PER_CORE = 32
"""More games at once for each core of a machine would fill its memory with processes."""


class Job(Protocol):
    """A game, or several, to be played in one go: all that another process needs, as text and numbers."""

    @property
    def number(self) -> int:
        """By which its outcome is known; no other job of the executor has it."""

    @property
    def game(self) -> str: ...

    @property
    def title(self) -> str:
        """What it is, for people."""

    @property
    def texts(self) -> tuple[str, ...]:
        """The texts that may name files, which then have to be where it is played."""

    def play(self, host: Host) -> Any:
        """The outcome, which has the number of the job."""


class Executor(Protocol):
    """Plays jobs."""

    @property
    def size(self) -> int:
        """How many jobs it plays at once; more than that wait."""

    def submit(self, job: Job) -> None:
        """Takes a job on."""

    def collect(self) -> Sequence[Any]:
        """The outcomes that have come in; waits for one for a while, and may then come back without any."""

    def drop(self, begun: bool = False) -> set[int]:
        """Forgets the jobs that wait, and those that have `begun` too, with their workers; returns their numbers."""

    def close(self) -> None:
        """Ends whatever is still being played."""


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_executor(where: str, concurrency: int, cores: int = 1, own: Mapping[str, Any] | None = None) -> Executor:
    """The executor that `where` names: `here`, `processes`, `ray` or `ray://HOST:PORT`."""
    for name, value in (("concurrency", concurrency), ("cores", cores)):
        whole(1, MOST_CONCURRENT_GAMES).check(name, value)
    if where == "here":
        from zermelo.arena.executors import InlineExecutor

        return InlineExecutor(own)
    if own:
        raise OptionError(
            "other processes know games and players by their text alone: give `connect4` or `my_game.py:Nim` and "
            "`python:my_bot.py:Bot`, or play in this process, with concurrency 1"
        )
    if where == "processes":
        most = MOST_GAMES_PER_CORE * available_cores()
        if concurrency > most:
            raise OptionError(
                f"concurrency must be at most {most} on this machine, {MOST_GAMES_PER_CORE} games at once for each of "
                f"its {available_cores()} cores, not {concurrency}"
            )
        from zermelo.arena.executors.processes import ProcessExecutor

        return ProcessExecutor(concurrency, cores)
    if where == "ray" or where.startswith("ray://"):
        from zermelo.arena.executors.cluster import ClusterExecutor

        return ClusterExecutor(where, concurrency, cores)
    raise OptionError(f"games cannot be played on {where!r}; say processes, ray or ray://HOST:PORT")


class InlineExecutor:
    """An executor of one, in this process: nothing protects it from a player that hangs or ends the process."""

    size = 1

    def __init__(self, own: Mapping[str, Any] | None = None):
        self.host = Host(own=own)
        self.jobs: deque[Job] = deque()

    def submit(self, job: Job) -> None:
        self.jobs.append(job)

    def collect(self) -> Sequence[Any]:
        return [self.jobs.popleft().play(self.host)] if self.jobs else []

    def drop(self, begun: bool = False) -> set[int]:
        dropped = {job.number for job in self.jobs}
        self.jobs.clear()
        return dropped

    def close(self) -> None:
        self.drop()
        self.host.close()
