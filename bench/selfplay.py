"""Self-play on native threads: positions a second and core, what it costs beside its searches, and reading the games.

    python bench/selfplay.py
    python bench/selfplay.py --games 2000 --nodes 1000
    python bench/selfplay.py --on ray        workers against native threads, as a training has them

On one thread: processor time, best of the rounds. The overhead is all that is done beside searching, as a share of the
time of the searches. Replaying reads the games, checks every action, and hands the positions on.

Workers and threads take turns, as many of the one as of the other, for some seconds each; positions are those of
complete games, by the clock on the wall.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tools import answer, arguments, known, table

import zermelo as z
from zermelo.arena.executors import available_cores, make_executor
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions
from zermelo.train.places import Here, Place, Workers

GAMES = ("connect4", "breakthrough", "othello", "checkers")
COMPARED = "breakthrough"
COMPARED_SECONDS = 10.0
LEAST_SECONDS = 0.5
"""Of processor time, for measuring how fast games are replayed."""


def processor_seconds(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def measure(name: str, games: int, nodes: int, rounds: int, folder: Path) -> dict[str, float]:
    game, path = z.load(name), folder / name
    options: SelfPlayOptions[Any] = SelfPlayOptions(
        SearchPlayer(nodes=nodes), games, opening_plies=(4, 8), variety_plies=8, variety_chance=0.1, longest_plies=200
    )
    runs = [SelfPlay(game, options) for _ in range(rounds)]
    blocks: list[bytes] = []
    played = math.inf
    for run in runs:
        blocks.clear()
        played = min(played, processor_seconds(lambda run=run: blocks.extend(run.blocks())))  # type: ignore[misc]
    with RecordWriter(path, game) as writer:
        for block in blocks:
            writer.write(block)
    records = RecordedGames(path, game)
    repeats, replaying = 0, 0.0
    while replaying < LEAST_SECONDS:
        replaying += processor_seconds(records.check)
        repeats += 1
    return {
        "positions a second": runs[0].positions / played,
        "nodes a position": runs[0].nodes / runs[0].positions,
        "overhead": min(run.overhead for run in runs),
        "bytes a position": path.stat().st_size / runs[0].positions,
        "replayed a second": repeats * records.moves / replaying,
    }


def rate(place: Place, nodes: int) -> float:
    """Positions a second."""
    options: SelfPlayOptions[Any] = SelfPlayOptions(
        SearchPlayer(nodes=nodes), 1 << 40, opening_plies=(0, 8), threads=available_cores(), block_games=128
    )
    run, start = place.selfplay(z.load(COMPARED), options), time.perf_counter()
    for _ in run.blocks(lambda: time.perf_counter() - start > COMPARED_SECONDS):
        pass
    return run.positions / (time.perf_counter() - start)


def compare(where: str, nodes: int, rounds: int) -> dict[str, float]:
    """Workers `where` against native threads."""
    with closing(Workers(COMPARED, make_executor(where, available_cores()))) as workers:
        workers.prepare(z.load(COMPARED))
        found = [(rate(Here(), nodes), rate(workers, nodes)) for _ in range(rounds)]
    threads, elsewhere = (max(rates) for rates in zip(*found, strict=True))
    return {"threads": threads, where: elsewhere, "ratio": elsewhere / threads}


def main() -> None:
    asked = arguments(
        __doc__,
        games=(400, "games of each"),
        nodes=(300, "nodes of a move"),
        rounds=(3, "runs of each, the best counts"),
        on=("", "compare workers there with native threads: processes, ray or ray://HOST:PORT"),
    )
    if asked.on:
        rates = compare(asked.on, asked.nodes, asked.rounds)
        title = f"{COMPARED} at {asked.nodes} nodes, {available_cores()} at once"
        answer(asked, rates, table([title, "positions a second"], [list(each) for each in rates.items()]))
        return
    with tempfile.TemporaryDirectory() as folder:
        data = {name: measure(name, asked.games, asked.nodes, asked.rounds, Path(folder)) for name in known(GAMES)}
    titles = list(next(iter(data.values())))
    rows: list[list[Any]] = [[name, *found.values()] for name, found in data.items()]
    answer(asked, data, table([f"self-play at {asked.nodes} nodes", *titles], rows))


if __name__ == "__main__":
    main()
