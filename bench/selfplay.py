"""Self-play on native threads: positions a second and core, what it costs beside its searches, and reading the games.

    python bench/selfplay.py
    python bench/selfplay.py --games 2000 --nodes 1000

On one thread: processor time, best of the rounds. The overhead is all that is done beside searching, as a share of the
time of the searches. Replaying reads the games, checks every action, and hands the positions on.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tools import answer, arguments, known, table

import zermelo as z
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions

GAMES = ("connect4", "breakthrough", "othello", "checkers")
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


def main() -> None:
    asked = arguments(
        __doc__,
        games=(400, "games of each"),
        nodes=(300, "nodes of a move"),
        rounds=(3, "runs of each, the best counts"),
    )
    with tempfile.TemporaryDirectory() as folder:
        data = {name: measure(name, asked.games, asked.nodes, asked.rounds, Path(folder)) for name in known(GAMES)}
    titles = list(next(iter(data.values())))
    rows: list[list[Any]] = [[name, *found.values()] for name, found in data.items()]
    answer(asked, data, table([f"self-play at {asked.nodes} nodes", *titles], rows))


if __name__ == "__main__":
    main()
