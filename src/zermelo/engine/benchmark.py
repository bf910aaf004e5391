"""Fair benchmarks: every figure is a rate in processor time, measured alongside the rates it is compared with.

for each round: for each contestant: run it once          interleaved, so that a busy minute affects all alike
rate = work / least processor time of its rounds
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

from zermelo.engine.core import _core
from zermelo.game import Game

Work = Callable[[], int]
"""Does some work and returns the number of positions."""

ROUNDS = 3


class Rate(NamedTuple):
    """An amount of work and the time it took."""

    work: int
    seconds: float
    """Processor time of all threads; the best round's."""

    @property
    def per_second(self) -> float:
        return self.work / max(self.seconds, 1e-9)


def race(contestants: Mapping[str, Work], rounds: int = ROUNDS, seconds: float = 0.0) -> dict[str, Rate]:
    """Returns the best rate of each in `rounds`; work that ends before `seconds` is repeated until then."""
    best: dict[str, Rate] = {}
    for _ in range(rounds):
        for name, work in contestants.items():
            found = measure(work, seconds)
            if name not in best or found.per_second > best[name].per_second:
                best[name] = found
    return best


def measure(work: Work, seconds: float = 0.0) -> Rate:
    """Runs `work` once, or repeatedly until `seconds` have passed."""
    done = 0
    spent = 0.0
    start = time.process_time()
    while done == 0 or spent < seconds:
        done += work()
        spent = time.process_time() - start
    return Rate(done, spent)


def geometric_mean(ratios: Iterable[float]) -> float:
    logs = [math.log(ratio) for ratio in ratios]
    return math.exp(math.fsum(logs) / len(logs))


def connect4_limit(depth: int) -> tuple[float, int]:
    """Value and nodes of plain alpha-beta on Connect Four from its start, rules and search by hand in C++."""
    found = _core.bench_connect4_limit(depth)
    return found.value, found.nodes


def rules_only(game: Game) -> Game:
    """Returns `game` without the optional methods that guide searches, so that two searches do the same work.

    Plain searches would otherwise spend their time in `evaluate`, at every leaf.
    """
    kept = ("chances", "view", "sample")
    bare = {name: getattr(Game, name) for name in Game.optional if name not in kept}
    copy: Game = object.__new__(type(f"Bare{type(game).__name__}", (type(game),), bare))
    vars(copy).update(vars(game))
    return copy
