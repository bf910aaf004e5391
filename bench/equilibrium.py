"""Equilibria of matrix games beside QuantEcon, Nashpy, Gambit and lrsnash, in one run, on the same games.

    python bench/equilibrium.py --install      once: puts them into an environment of their own, bench/.venv-games
    python bench/equilibrium.py
    python bench/equilibrium.py --size 1000 --large       zero-sum of 1000 × 1000 as well, against SciPy's HiGHS

Processor time, the best of the rounds, in turns. Games are random with a fixed seed: payoffs are whole numbers 0 … 99,
and uniform in floating point for what is not enumerated. Whether the answers are the same is completeness.py's matter.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from matrix_peers import PYTHON, Peers, install
from tools import answer, arguments, table

from zermelo.equilibrium import NormalForm, lemke_howson, vertex_enumeration, zero_sum


def timed(work: Callable[[], Any], rounds: int) -> float:
    """The least processor time of one call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def contests(asked: Any) -> list[tuple[str, str, Any, dict[str, Callable[[], Any]]]]:
    """(what, the peers' task, tables, our contestants)."""
    random = np.random.default_rng(asked.seed)
    found: list[tuple[str, str, Any, dict[str, Callable[[], Any]]]] = []
    for shape in [*((size, size) for size in asked.sizes), (3, 60), (5, 25)]:
        game = NormalForm([random.integers(0, 100, shape) for _ in range(2)])
        ours = {
            "zermelo, exact": lambda game=game: vertex_enumeration(game),
            "zermelo, floats": lambda game=game: vertex_enumeration(game, exact=False),
        }
        found.append((f"all equilibria, {shape[0]}×{shape[1]}", "all", game.floats, ours))
    for size in asked.paths:
        game = NormalForm([random.random((size, size)) for _ in range(2)])
        found.append(
            (f"one equilibrium, {size}×{size}", "one", game.floats, {"zermelo": lambda game=game: lemke_howson(game)})
        )
    for size in [*asked.zero, *([asked.size] if asked.large else [])]:
        matrix = random.random((size, size))
        ours = {"zermelo": lambda matrix=matrix: zero_sum(matrix)}
        found.append((f"zero-sum, {size}×{size}", "zero", (matrix,), ours))
    return found


def race(asked: Any, peers: Peers) -> list[dict[str, Any]]:
    rows = []
    for what, task, tables, ours in contests(asked):
        seconds: dict[str, list[float]] = {}
        small = max(tables[0].shape) <= 200
        for _ in range(asked.rounds if small else 1):
            for name, work in ours.items():
                seconds.setdefault(name, []).append(timed(work, 3 if small else 1))
            theirs = peers.ask(task=task, tables=[t.tolist() for t in tables], patience=asked.patience)
            for name, spent in theirs.get("seconds", {}).items():
                seconds.setdefault(name, []).append(spent)
        best = {name: min(times) for name, times in seconds.items()}
        lead = best[next(reversed(ours))]
        rows += [{"what": what, "who": who, "seconds": spent, "ratio": spent / lead} for who, spent in best.items()]
    return rows


def main() -> None:
    asked = arguments(
        __doc__,
        install=(False, "install the peers and end"),
        python=(str(PYTHON), "the Python that has the peers"),
        largest=(12, "actions of the largest game that is enumerated"),
        large=(False, "the large zero-sum game, too"),
        size=(1000, "actions of that"),
        rounds=(3, "runs of each, the best counts"),
        patience=(60.0, "a peer that took longer is not asked for larger games"),
        seed=(1, "of the games"),
    )
    if asked.install:
        install()
        return
    asked.sizes = [n for n in (4, 6, 8, 10, 12, 14) if n <= asked.largest]
    asked.paths = [n for n in (10, 50, 100) if n <= 10 * asked.largest]
    asked.zero = [n for n in (10, 100, 500) if n <= 50 * asked.largest]
    peers = Peers(Path(asked.python))
    rows = race(asked, peers)
    peers.close()
    text = table(["", "who", "seconds", "× zermelo"], [[r["what"], r["who"], r["seconds"], r["ratio"]] for r in rows])
    answer(asked, {"rows": rows}, "\n\n".join(filter(None, [text, peers.missing()])))


if __name__ == "__main__":
    main()
