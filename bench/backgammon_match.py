"""Points a game against GNU Backgammon's networks, without a cube, the same dice for both sides of a pair of games.

    python bench/backgammon_match.py --install        once: gnubg-nn, in an environment of its own, bench/.venv-gnubg
    python bench/backgammon_match.py --games 10000          ours at 0-ply against its 0-ply
    python bench/backgammon_match.py --games 2000 --plies 2 --processes 16
    python bench/backgammon_match.py --opponent linear.safetensors      against networks of ours, here a linear one

A pair is played twice with one series of rolls, the players changing sides; the error is that of the mean over pairs.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from tools import answer, arguments, table

from zermelo.games.backgammon.networks import DEFAULT, Networks

HERE = Path(__file__).resolve().parent
HOME = HERE / ".venv-gnubg"
START = ([0, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, 0, 5] + [0] * 10 + [2, 0]) * 2
TOGETHER = 64
"""Pairs that are played side by side at most, so that the other side is asked for many moves at once."""
SHARES = 4
"""So many portions of pairs for each process at least, so that none waits long for the others."""


def install() -> None:
    subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
    subprocess.run([str(HOME / "bin" / "python"), "-m", "pip", "install", "--quiet", "gnubg-nn"], check=True)


class Gnu:
    """GNU Backgammon, in a process of its own."""

    def __init__(self, python: str, plies: int):
        self.plies = plies
        self.process = subprocess.Popen(
            [python, str(HERE / "backgammon_worker.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps(request), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the process of GNU Backgammon ended; what it said stands above")
        found: dict[str, Any] = json.loads(line)
        return found

    def best(self, boards: list[list[int]], dice: list[tuple[int, int]]) -> list[list[int]]:
        found: list[list[int]] = self.ask(what="best", boards=boards, dice=dice, plies=self.plies)["boards"]
        return found

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


class Ours:
    """Networks of ours."""

    def __init__(self, path: str, plies: int, width: int):
        self.networks, self.plies, self.width = Networks.read(path), plies, width

    def best(self, boards: list[list[int]], dice: list[tuple[int, int]]) -> list[list[int]]:
        rows = np.array(boards, np.uint8)
        return [
            self.networks.best_play(row, roll, self.plies, self.width).tolist()
            for row, roll in zip(rows, dice, strict=True)
        ]

    def close(self) -> None:
        pass


class Play:
    """One game of a pair, as far as it has got."""

    def __init__(self, seed: str, mine_first: bool):
        self.dice = random.Random(seed)
        self.board = list(START)
        self.turn = 0 if mine_first else 1
        self.points: int | None = None
        self.roll = self.throw()
        while self.roll[0] == self.roll[1]:
            self.roll = self.throw()

    def throw(self) -> tuple[int, int]:
        return 1 + int(self.dice.random() * 6), 1 + int(self.dice.random() * 6)

    def move(self, board: list[int]) -> None:
        """Takes the board that the player on roll has chosen, as the other sees it."""
        self.board = board
        if sum(board[25:]) == 0:
            loser = board[:25]
            stakes = 1 if sum(loser) < 15 else 3 if any(loser[18:]) else 2
            self.points = -stakes if self.turn else stakes
        self.turn = 1 - self.turn
        self.roll = self.throw()


class Task(NamedTuple):
    weights: str
    plies: int
    width: int
    opponent: str
    opponent_plies: int
    python: str
    seed: int
    first: int
    pairs: int


def play(task: Task) -> list[float]:
    """The points a game of each pair."""
    ours = Ours(task.weights, task.plies, task.width)
    theirs: Any = (
        Ours(task.opponent, task.opponent_plies, task.width) if task.opponent else Gnu(task.python, task.opponent_plies)
    )
    games = [Play(f"{task.seed} {task.first + i // 2}", i % 2 == 0) for i in range(2 * task.pairs)]
    while any(game.points is None for game in games):
        for turn, player in enumerate((ours, theirs)):
            waiting = [game for game in games if game.points is None and game.turn == turn]
            if waiting:
                boards = player.best([game.board for game in waiting], [game.roll for game in waiting])
                for game, board in zip(waiting, boards, strict=True):
                    game.move(board)
    theirs.close()
    return [sum(game.points or 0 for game in games[i : i + 2]) / 2 for i in range(0, len(games), 2)]


def main() -> None:
    asked = arguments(
        __doc__,
        install=(False, "install the opponent, and end"),
        games=(1000, "how many games"),
        plies=(0, "how far we look ahead"),
        width=(6, "how many plays we look into, of those best at 0-ply"),
        weights=(str(DEFAULT), "our networks"),
        opponent=("", "networks of ours to play against, instead of GNU Backgammon"),
        opponent_plies=(0, "how far the opponent looks ahead"),
        python=(str(HOME / "bin" / "python"), "the Python that has gnubg-nn"),
        processes=(1, "processes to play in"),
        seed=(1, "of the dice"),
    )
    if asked.install:
        install()
        return
    if not asked.opponent and not Path(asked.python).exists():
        print("skipped: gnubg-nn is not installed; run this with --install first")
        return
    pairs = asked.games // 2
    ours, theirs = (asked.weights, asked.plies, asked.width), (asked.opponent, asked.opponent_plies, asked.python)
    common = Task(*ours, *theirs, asked.seed, 0, 0)
    portion = max(1, min(TOGETHER, pairs // (SHARES * asked.processes)))
    tasks = [common._replace(first=at, pairs=min(portion, pairs - at)) for at in range(0, pairs, portion)]
    points: list[float] = []
    with multiprocessing.get_context("spawn").Pool(asked.processes) as pool:
        for done, found in enumerate(pool.imap(play, tasks)):
            points += found
            error = float(np.std(points, ddof=1)) / math.sqrt(len(points)) if len(points) > 1 else math.inf
            news = f"{done + 1} of {len(tasks)}: {np.mean(points):+.4f} ± {error:.4f}"
            print(f"\r{news}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    data = {"games": 2 * len(points), "plies": asked.plies, "points": float(np.mean(points)), "error": error}
    against = asked.opponent or f"GNU Backgammon, {asked.opponent_plies}-ply"
    rows = [[against, data["games"], asked.plies, f"{data['points']:+.4f} ± {error:.4f}"]]
    answer(asked, data, table(["against", "games", "our plies", "points a game"], rows), timed=False)


if __name__ == "__main__":
    main()
