"""Monte Carlo tree search as the protocols want it: an answer after each slice of time, from one growing tree.

A search with a time ends early once no other action can become the most visited one.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from zermelo.analysis import Analysis
from zermelo.game import Game

FIRST_SLICE = 0.05
LONGEST_SLICE = 0.5
"""Seconds between two answers."""
LEAST_MEMORY = 256
"""Megabytes of a tree; it takes no more than it needs."""


class Simulator:
    """One searcher, whose tree is kept from move to move."""

    def __init__(self, game: Game, threads: int, memory_mb: int):
        from zermelo.engine.mcts import Mcts

        self.game = game
        self.searcher = Mcts(game, threads=threads, memory_mb=max(memory_mb, LEAST_MEMORY))

    def clear(self) -> None:
        self.searcher.clear()

    def think(
        self,
        state: Any,
        history: Sequence[Any],
        only: Sequence[Any] | None = None,
        *,
        interval: float | None = None,
        seconds: float | None = None,
        nodes: int | None = None,
        stop: Callable[[], bool] | None = None,
        depth: int | None = None,
    ) -> Iterator[Analysis]:
        """An `Analysis` a slice, which is `interval` seconds at most; a `depth` means nothing here."""
        started = time.perf_counter()
        longest = LONGEST_SLICE if interval is None else min(interval, LONGEST_SLICE)
        slice_, entered = min(FIRST_SLICE, longest), 0
        while True:
            spent = time.perf_counter() - started
            left = None if seconds is None else max(seconds - spent, 0.0)
            limits: dict[str, Any] = {"seconds": slice_ if left is None else min(slice_, left), "only": only or None}
            if nodes is not None:
                limits["nodes"] = max(nodes - entered, 1)
            found = self.searcher.search(state, history=history, stop=stop, **limits)
            entered += found.nodes
            spent = time.perf_counter() - started
            done = (
                found.exact
                or found.stopped in ("stop", "interrupt")
                or (nodes is not None and entered >= nodes)
                or (seconds is not None and (spent >= seconds or self.is_settled(found, seconds - spent)))
            )
            # The end of a slice is not the end of the search.
            yield replace(found, nodes=entered, seconds=spent, stopped=found.stopped if done else "")
            if done:
                return
            slice_ = min(2 * slice_, longest)

    def is_settled(self, found: Analysis, left: float) -> bool:
        """Whether the time that is left, at the speed so far, cannot make another action the most visited one."""
        first, second, *_ = [*sorted(found.visits.values(), reverse=True), 0, 0]
        return first - second > found.leaves / max(found.seconds, 1e-9) * left
