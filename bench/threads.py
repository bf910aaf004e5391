"""Several threads against one: nodes a second, and the time to a fixed depth, over midgame positions.

    python bench/threads.py                 40 positions of Connect Four, Othello and checkers, on two threads
    python bench/threads.py --games chess --threads 2,4,8,16
    python bench/threads.py --count 2       a few, to see that it works

Each position is first deepened on one thread until a depth has taken `--seconds`; to that depth all then search, in
turns, from an empty table, and the best of `--rounds` counts. Time is the wall's: a second core is only worth what it
saves there. Where other programs hold the cores, the columns "if idle" say what the processor time alone would come
to, shared evenly among the threads.
"""

from __future__ import annotations

import time
from typing import Any, NamedTuple

from tools import Place, answer, arguments, known, midgame, table

from zermelo.engine.benchmark import geometric_mean
from zermelo.engine.engine import Engine

PLIES = {"connect4": (6, 12), "othello": (12, 30), "checkers": (10, 24)}
OTHER_PLIES = (12, 40)
RATIOS = {
    "rate": "nodes/s",
    "time": "time to depth",
    "nodes": "nodes to depth",
    "idle_rate": "nodes/s if idle",
    "idle_time": "time if idle",
}


class Took(NamedTuple):
    """What one search cost."""

    seconds: float
    """On the wall."""
    share: float
    """Processor seconds a thread."""
    nodes: int


def search(threads: int, engine: Engine, place: Place, depth: int) -> Took:
    """A search from scratch."""
    engine.clear()
    start, busy = time.perf_counter(), time.process_time()
    nodes = engine.search(place.state, depth=depth, history=place.history).nodes
    return Took(time.perf_counter() - start, (time.process_time() - busy) / threads, nodes)


def depth_for(engine: Engine, place: Place, seconds: float) -> int | None:
    """The first depth that takes so long; none if the game is proved before."""
    engine.clear()
    for found in engine.think(place.state, history=place.history):
        if found.exact:
            return None
        if found.seconds >= seconds:
            return found.depth
    return None


def compare(place: Place, engines: dict[int, Engine], asked: Any) -> list[dict[str, Any]]:
    """A row for each number of threads but one; none for a position that is proved at once, which says nothing."""
    depth = depth_for(engines[1], place, asked.seconds)
    if depth is None:
        return []
    runs: dict[int, list[Took]] = {threads: [] for threads in engines}
    for _ in range(asked.rounds):
        for threads, engine in engines.items():
            runs[threads].append(search(threads, engine, place, depth))
    few = runs.pop(1)
    return [
        {
            "game": place.name,
            "position": place.game.write(place.state),
            "depth": depth,
            "threads": threads,
            "seconds": min(run.seconds for run in few),
            "rate": max(run.nodes / run.seconds for run in many) / max(run.nodes / run.seconds for run in few),
            "time": min(run.seconds for run in many) / min(run.seconds for run in few),
            "nodes": min(run.nodes for run in many) / min(run.nodes for run in few),
            "idle_rate": max(run.nodes / run.share for run in many) / max(run.nodes / run.share for run in few),
            "idle_time": min(run.share for run in many) / min(run.share for run in few),
        }
        for threads, many in runs.items()
    ]


def measure(name: str, wanted: int, counts: list[int], asked: Any) -> list[dict[str, Any]]:
    """The rows of so many positions of a game."""
    engines: dict[int, Engine] = {}
    found: list[dict[str, Any]] = []
    done = 0
    for place in midgame(name, 8 * wanted + 8, PLIES.get(name, OTHER_PLIES)):
        if done == wanted:
            break
        if not engines:
            engines = {n: Engine(place.game, threads=n, table_mb=asked.table_mb) for n in (1, *counts)}
        rows = compare(Place(engines[1].game, *place[1:]), engines, asked)
        found += rows
        done += bool(rows)
    return found


def main() -> None:
    asked = arguments(
        __doc__,
        games=(",".join(PLIES), "with commas between them"),
        count=(40, "positions, shared out among the games"),
        seconds=(1.0, "how long one thread takes, at least"),
        rounds=(3, "searches of each, the best counts"),
        threads=("2", "threads against one; several numbers with commas between them"),
        table_mb=(64, "size of the transposition table"),
    )
    names = known(asked.games.split(","))
    counts = [int(each) for each in asked.threads.split(",")]
    found: list[dict[str, Any]] = []
    for i, name in enumerate(names):
        found += measure(name, asked.count // len(names) + (i < asked.count % len(names)), counts, asked)
    rows: list[list[Any]] = []
    for name in [*names, *(["all"] if len(names) > 1 else [])]:
        for threads in counts:
            of = [row for row in found if name in (row["game"], "all") and row["threads"] == threads]
            if of:
                rows.append([name, threads, len(of), *(geometric_mean(row[key] for row in of) for key in RATIOS)])
    head = ["game", "threads to 1", "positions", *RATIOS.values()]
    data = {"threads": counts, "positions": found, "means": [dict(zip(head, row, strict=True)) for row in rows]}
    answer(asked, data, f"{table(head, rows)}\n\nGeometric means of ratios.")


if __name__ == "__main__":
    main()
