"""What the arena costs beside the thinking of its players, and what a second process brings.

    python bench/arena.py
    python bench/arena.py --nodes 50000 --pairs 10

The first table: tournaments of players who hardly think, stored in a file game by game. What is neither a player's time
nor the start of a process is overhead: rules, clocks, the way to another process and back, the file. The second: the
same tournament of engines with so many nodes a move, by one process and by two, in turns; the rate is that of moves.
Where other programs hold the cores, the column "if idle" says what follows from the share of the time in which the
processes think: what they wait for games, and at the end for each other, is all that keeps two from being twice one.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from pathlib import Path
from typing import Any, NamedTuple

from tools import answer, arguments, known, table

from zermelo.arena.executors import Executor, make_executor
from zermelo.arena.openings import Opening
from zermelo.arena.plan import Plan
from zermelo.arena.scheduled import GameJob, Terms
from zermelo.arena.tournament import Tournament

OVERHEAD_BAR = 1.0
"""Milliseconds a move that the arena may cost."""
SPEED_UP_BAR = 1.8
"""Times the moves a second of one process that two are to bring."""
GAMES = ("tictactoe", "connect4", "checkers", "pig")
"""Short games, longer ones, one with a rule of repetition, one with dice."""


class Held(NamedTuple):
    """A tournament that is over."""

    games: int
    moves: int
    thinking: float
    """Seconds that the players took, all of them together."""
    seconds: float


def warm(executor: Executor, game: str, players: tuple[str, ...]) -> None:
    """Lets every process of the executor start, load the game and make its players."""
    for number in range(executor.size):
        executor.submit(GameJob(number, game, players, Opening(), number, Terms(longest=2)))
    left = executor.size
    while left:
        left -= len(executor.collect())


def hold(game: str, players: tuple[str, ...], games: int, where: str, size: int) -> Held:
    """A tournament from the first game to the last, in a file, by processes that are up and running."""
    plan = Plan(game, players, games=games, openings="none" if "engine" not in players[0] else "random")
    executor = make_executor(where, size)
    try:
        with tempfile.TemporaryDirectory() as folder, Tournament.begin(plan, Path(folder) / "bench.db") as tournament:
            for seats in (players, players[::-1]):
                warm(executor, game, seats)
            start = time.perf_counter()
            tournament.run(executor)
            seconds = time.perf_counter() - start
            records = [outcome.record for _, outcome in tournament.ended.values()]
    finally:
        executor.close()
    thinking = sum(each or 0.0 for record in records for each in record.seconds)
    return Held(len(records), sum(len(record.actions) for record in records), thinking, seconds)


def overhead(games: int) -> list[dict[str, Any]]:
    rows = []
    for game in known(GAMES):
        for where in ("here", "processes"):
            found = hold(game, ("random", "random:seed=1"), games, where, 1)
            cost = 1000 * (found.seconds - found.thinking) / found.moves
            thought = 1000 * found.thinking / found.moves
            rows.append(
                {"game": game, "where": where, "games": found.games, "moves": found.moves, "thinking_ms": thought}
                | {"overhead_ms": cost, "passed": cost < OVERHEAD_BAR}
            )
    return rows


def speed_up(game: str, nodes: int, pairs: int, rounds: int) -> dict[str, Any]:
    """Moves a second of one process and of two; the median round of each."""
    players = (f"engine:nodes={nodes}", f"engine:nodes={nodes + 1}")
    runs: dict[int, list[Held]] = {1: [], 2: []}
    for _ in range(rounds):
        for size, found in runs.items():
            found.append(hold(game, players, 2 * pairs, "processes", size))
    one, two = (statistics.median(held.moves / held.seconds for held in found) for found in runs.values())
    alone, together = (statistics.median(held.thinking / held.seconds for held in found) for found in runs.values())
    facts = {"game": game, "nodes": nodes, "one": one, "two": two, "ratio": two / one, "idle_ratio": together / alone}
    return facts | {"passed": two / one >= SPEED_UP_BAR}


def render(found: dict[str, Any]) -> str:
    """Both tables, with their bars."""
    head = ["players who hardly think", "executor", "games", "moves", "thinking, ms a move", "overhead, ms a move"]
    names = ("game", "where", "games", "moves", "thinking_ms", "overhead_ms")
    costs = table(head, [[row[name] for name in names] for row in found["overhead"]])
    gain = found["speed_up"]
    rows = [
        [f"{gain['game']}, {gain['nodes']:,} nodes a move", gain["one"], gain["two"], gain["ratio"], gain["idle_ratio"]]
    ]
    speeds = table(["engines", "1 process, moves/s", "2 processes", "ratio", "if idle"], rows)
    words = f"The bars: under {OVERHEAD_BAR:g} ms a move, and {SPEED_UP_BAR:g} times the moves on two idle cores."
    return f"{costs}\n\n{speeds}\n\n{words}"


def main() -> None:
    asked = arguments(
        __doc__,
        games=(200, "games of each tournament of the first table"),
        game=("connect4", "the engines' game"),
        nodes=(20_000, "nodes a move of the engines"),
        pairs=(40, "pairs of games of the engines in a round"),
        rounds=(3, "rounds of the second table"),
    )
    found = {
        "overhead": overhead(asked.games),
        "speed_up": speed_up(asked.game, asked.nodes, asked.pairs, asked.rounds),
    }
    answer(asked, found, render(found))


if __name__ == "__main__":
    main()
