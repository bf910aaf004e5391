"""Those who play the games of a tournament: this process, others of this machine, or a cluster.

    here        this process, one game after another; games and players may be objects
    processes   other processes of this machine, each on a core of its own
    cluster     the nodes of a Ray cluster

A crew is handed jobs and gives back outcomes, in any order, each once. It knows nothing of tournaments.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any, Protocol

from zermelo.arena.fixture import Job, Outcome
from zermelo.errors import OptionError

MOST = 100_000
"""More games at once, or cores for one, are surely a mistake."""
MOST_PER_CORE = 32
"""On one machine, so are so many games at once for each of its cores: their processes would fill its memory."""


class Crew(Protocol):
    """Plays jobs."""

    @property
    def size(self) -> int:
        """How many games it plays at once; more jobs than that wait."""

    def submit(self, job: Job) -> None:
        """Takes a job on."""

    def collect(self) -> Sequence[Outcome]:
        """The outcomes that have come in; waits for one for a while, and may then come back without any."""

    def close(self) -> None:
        """Ends whatever is still being played."""


def available_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def make_crew(where: str, concurrency: int, cores: int = 1, own: dict[str, Any] | None = None) -> Crew:
    """The crew that `where` names: `here`, `processes`, `ray` or `ray://HOST:PORT`."""
    for name, value in (("concurrency", concurrency), ("cores", cores)):
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST:
            raise OptionError(f"{name} must be a whole number from 1 to {MOST}, not {value!r}")
    if where == "here":
        from zermelo.arena.crew.here import Here

        return Here(own)
    if own:
        raise OptionError(
            "other processes know games and players by their text alone: give `connect4` or `my_game.py:Nim` and "
            "`python:my_bot.py:Bot`, or play in this process, with concurrency 1"
        )
    if where == "processes":
        most = MOST_PER_CORE * available_cores()
        if concurrency > most:
            raise OptionError(
                f"concurrency must be at most {most} on this machine, {MOST_PER_CORE} games at once for each of its "
                f"{available_cores()} cores, not {concurrency}"
            )
        from zermelo.arena.crew.processes import Processes

        return Processes(concurrency, cores)
    if where == "ray" or where.startswith("ray://"):
        from zermelo.arena.crew.cluster import Cluster

        return Cluster(where, concurrency, cores)
    raise OptionError(f"games cannot be played on {where!r}; say processes, ray or ray://HOST:PORT")
