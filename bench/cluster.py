"""What a game costs the coordinator of a tournament, stage by stage, and how many workers it can therefore feed.

    python bench/cluster.py                  the costs, then the simulation of 10, 100 and 1,000 nodes
    python bench/cluster.py --ray            the same, with what Ray takes; starts a cluster on this machine
    python bench/cluster.py --games 50       a few games, to see that it works

Stages are timed one by one, in processor time of this process, all of its threads included: of an executor that is what
it takes here while others play. Commits are timed on the wall, as they wait for the disk.

The simulation is of one coordinator: it takes in all outcomes that have come, stores them in one commit, and hands out
as many jobs; meanwhile whoever is done waits. Lengths of games are exponential.
"""

from __future__ import annotations

import heapq
import itertools
import pickle
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from tools import answer, arguments, machine, table

from zermelo.arena.executors import Executor, make_executor
from zermelo.arena.plan import Plan
from zermelo.arena.scheduled import GameOutcome, ScheduledGame
from zermelo.arena.selfplay import SelfPlaySettings
from zermelo.arena.selfplay.rows import PositionRows, write_shard
from zermelo.arena.store import Store
from zermelo.arena.tournament import Tournament
from zermelo.games import load

GAME, PLAYERS = "connect4", ("engine:depth=4", "engine:depth=3")
BATCHES = (1, 10, 100, 1000)
NODES = (10, 100, 1000)
STORED = 1000
"""Games to store for a measurement; SQLite moves them from its log to their place once in a few hundred."""
LENGTHS = (0.1, 1.0, 10.0, 60.0)
"""Seconds of a game."""
Games = list[tuple[ScheduledGame, GameOutcome]]


class Costs(NamedTuple):
    """Seconds of the coordinator."""

    game: float
    """For each game, whatever the batch."""
    commit: float
    """For each commit, however many games are in it."""


def best(action: Callable[[], Any], rounds: int = 3) -> float:
    """Processor seconds, the least of some."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        action()
        times.append(time.process_time() - start)
    return min(times)


def play(games: int) -> tuple[Tournament, Games]:
    """A tournament to measure on, played in this process."""
    tournament = Tournament.begin(Plan(GAME, PLAYERS, games=games, openings="random:plies=4"))
    tournament.run(make_executor("here", 1))
    return tournament, [tournament.ended[number] for number in sorted(tournament.ended)]


def time_schedule(tournament: Tournament, games: Games) -> float:
    """From the plan to jobs, for each game."""

    def make() -> None:
        [meetings] = [tournament.schedule.next_round([])]
        for scheduled in tournament.round_games(0, meetings or [], 0):
            pickle.dumps(tournament._job(scheduled))

    return best(make) / len(games)


def time_store(games: Games, batch: int, folder: Path, flushed: bool = False) -> float:
    """A commit of `batch` games, for each game, on the wall; `flushed` to the disk each time, or now and then."""
    store = Store.create(folder / f"{batch}{flushed}.db", {"game": GAME}, [])
    if flushed:
        store.connection.execute("PRAGMA synchronous = FULL")
    numbers, commits = itertools.count(), max(1, STORED // batch)
    start = time.perf_counter()
    for _ in range(commits):
        some = itertools.islice(itertools.cycle(games), batch)
        store.add([(scheduled._replace(number=next(numbers)), outcome) for scheduled, outcome in some])
    seconds = (time.perf_counter() - start) / (commits * batch)
    store.close()
    return seconds


def time_rows(games: Games, tournament: Tournament, folder: Path) -> float:
    """A file of positions, for each game of it."""
    rows = PositionRows(tournament.game)

    def write() -> None:
        found = (
            row for scheduled, outcome in games for row in rows.of(scheduled, outcome, tournament.opening(scheduled))
        )
        write_shard(folder / "positions-0.jsonl", rows.columns, found, {})

    return best(write) / len(games)


def time_executor(executor: Executor, games: int) -> float:
    """Processor seconds of this process for each game that `executor` plays."""
    settings = SelfPlaySettings("tictactoe", "random", openings="none")
    game = load(settings.game)
    book = settings.book(game)
    jobs = iter([settings.job(settings.scheduled(number, game), game, book) for number in range(games + 20)])
    for _ in range(20):  # until all are up
        executor.submit(next(jobs))
    done = 0
    while done < 20:
        done += len(executor.collect())
    start, done, sent = time.process_time(), 0, 0
    while done < games:
        while sent < games and sent - done < executor.size:
            executor.submit(next(jobs))
            sent += 1
        done += len(executor.collect())
    seconds = (time.process_time() - start) / games
    executor.close()
    return seconds


def simulate(workers: int, length: float, costs: Costs, seed: int = 0) -> tuple[float, float]:
    """Games a second, and the part of their time that workers play, in the long run."""
    dice = random.Random(seed)
    ends = [dice.expovariate(1 / length) for _ in range(workers)]
    heapq.heapify(ends)
    now = played = began = 0.0
    warm, enough = 2 * workers, 6 * workers + 2000
    done = 0
    while done < enough:
        now, batch = max(now, ends[0]), 0
        while ends and ends[0] <= now:
            heapq.heappop(ends)
            batch += 1
        now += costs.commit + batch * costs.game
        for _ in range(batch):
            took = dice.expovariate(1 / length)
            heapq.heappush(ends, now + took)
            played += took if done >= warm else 0.0
        began = now if done < warm else began
        done += batch
    # Games that began in the window, in place of those that ended in it: there are as many.
    playing = played / ((now - began) * workers)
    return playing * workers / length, min(playing, 1.0)


def measure(asked: Any, folder: Path) -> tuple[dict[str, float], dict[str, float]]:
    """Seconds a game of every stage, and bytes."""
    tournament, games = play(asked.games)
    stages = {"schedule": time_schedule(tournament, games)}
    for batch in BATCHES:
        stages[f"store, {batch} a commit"] = time_store(games, batch, folder)
    stages["store, 1 a commit, flushed"] = time_store(games, 1, folder, flushed=True)
    stages["processes"] = time_executor(make_executor("processes", 2), asked.games)
    if asked.ray:
        stages["ray"] = time_executor(make_executor("ray", 2), asked.games)
    stages["positions file"] = time_rows(games, tournament, folder)
    stages["report at the end"] = best(lambda: tournament.report().text()) / len(games)
    size = {
        "job": len(pickle.dumps(tournament._job(games[0][0]))),
        "outcome": sum(len(pickle.dumps(outcome)) for _, outcome in games) / len(games),
        "plies": sum(len(outcome.record.actions) for _, outcome in games) / len(games),
    }
    return stages, size


def main() -> None:
    asked = arguments(
        __doc__,
        games=(2000, "games to measure on"),
        cores=(16, "workers of a simulated node"),
        flush=(0.0, "milliseconds to add to a commit, for a disk that takes its time"),
        ray=(False, "measure a Ray cluster on this machine too"),
    )
    with tempfile.TemporaryDirectory(dir=".") as folder:
        stages, size = measure(asked, Path(folder))
    one, many = stages[f"store, {BATCHES[0]} a commit"], stages[f"store, {BATCHES[-1]} a commit"]
    executor = stages.get("ray", stages["processes"])
    costs = Costs(game=stages["schedule"] + executor + many, commit=max(one - many, 0.0) + asked.flush / 1000)
    rows, runs = [], []
    for length in LENGTHS:
        cells: list[Any] = [f"{length:g} s"]
        for nodes in NODES:
            rate, use = simulate(nodes * asked.cores, length, costs)
            runs.append({"seconds": length, "nodes": nodes, "games_per_second": rate, "playing": use})
            cells.append(f"{rate:,.0f}/s, {use:.0%}")
        rows.append(cells)
    head = ["a game takes", *(f"{nodes:,} nodes of {asked.cores}" for nodes in NODES)]
    costs_table = table(["stage", "µs a game"], [[name, 1e6 * seconds] for name, seconds in stages.items()])
    text = (
        f"{machine()}\n\n{costs_table}\n\n"
        f"A job is {size['job']:.0f} bytes, an outcome {size['outcome']:.0f} ({size['plies']:.0f} plies).\n"
        f"The coordinator needs {1e6 * costs.game:.0f} µs a game and {1e6 * costs.commit:.0f} µs a commit: "
        f"at most {1 / costs.game:,.0f} games/s.\n\n{table(head, rows)}\n\nGames a second, and how much of their time "
        f"workers play."
    )
    answer(asked, {"stages": stages, "size": size, "costs": costs._asdict(), "simulation": runs}, text)


if __name__ == "__main__":
    main()
