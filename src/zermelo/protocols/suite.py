"""Runs a test suite: what the search that fits a game makes of each position, and when it had found it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from zermelo.analysis import Limits
from zermelo.engine import Searcher
from zermelo.errors import MethodError
from zermelo.game import Game
from zermelo.play.notation import write_action
from zermelo.protocols.epd import Task


@dataclass(frozen=True, slots=True)
class Finding:
    """What came out for one position."""

    task: Task
    move: str
    """What it would play in the end."""
    solved: bool
    depth: int
    """The last depth that was finished."""
    nodes: int
    seconds: float
    since: float | None
    """Seconds after which it had the solution and kept it; `None` if it has none."""


def run_suite(
    game: Game, tasks: Iterable[Task], limits: Limits, threads: int = 1, table_mb: int = 64
) -> Iterator[Finding]:
    """A finding a task, each searched with an empty table, as if it were the only one."""
    if game.kind.hidden:
        raise MethodError(f"{game.name} hides information, and a search would look through it; it has no test suites")
    searcher = Searcher(game, threads=threads, table_mb=table_mb, quiet=True)
    for task in tasks:
        searcher.clear()
        yield _find(game, searcher, task, limits)


def _find(game: Game, searcher: Searcher, task: Task, limits: Limits) -> Finding:
    since: float | None = None
    found = None
    for found in searcher.think(task.state, limits):
        if not task.is_solved(game, found):
            since = None
        elif since is None:
            since = found.seconds
    assert found is not None
    assert found.action is not None
    move = write_action(game, task.state, found.action)
    return Finding(task, move, since is not None, found.depth or 0, found.nodes, found.seconds, since)
