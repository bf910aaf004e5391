"""Executors play the games of a tournament: in this process, in others of this machine, or on a cluster.

    InlineExecutor              this process, one game after another; games and players may be objects
    processes.ProcessExecutor   other processes of this machine, each on a core of its own
    cluster.ClusterExecutor     the nodes of a Ray cluster

An executor takes jobs and returns outcomes, in any order, each once. It knows nothing of tournaments.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from zermelo.arena.host import Host
from zermelo.arena.scheduled import GameJob, GameOutcome
from zermelo.errors import OptionError
from zermelo.options import whole

MOST_CONCURRENT_GAMES = 100_000
"""More games at once, or cores for one, are surely a mistake."""
MOST_GAMES_PER_CORE = 32
"""More games at once for each core of a machine would fill its memory with processes."""


class Executor(Protocol):
    """Plays jobs."""

    @property
    def size(self) -> int:
        """How many games it plays at once; more jobs than that wait."""

    def submit(self, job: GameJob) -> None:
        """Takes a job on."""

    def collect(self) -> Sequence[GameOutcome]:
        """The outcomes that have come in; waits for one for a while, and may then come back without any."""

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
        self.jobs: deque[GameJob] = deque()

    def submit(self, job: GameJob) -> None:
        self.jobs.append(job)

    def collect(self) -> Sequence[GameOutcome]:
        return [self.host.play(self.jobs.popleft())] if self.jobs else []

    def close(self) -> None:
        self.jobs.clear()
        self.host.close()
