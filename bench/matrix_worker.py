"""The peers' side of matrix_peers.py: answers requests, one JSON object a line, with seconds or with equilibria."""

from __future__ import annotations

import importlib
import io
import json
import multiprocessing
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import linprog

tired: set[tuple[str, str]] = set()


def find(module: str) -> Any:
    """A peer, or nothing where it is not installed."""
    try:
        return importlib.import_module(module)
    except ImportError:
        print(f"left out: {module} is not installed", file=sys.stderr)
        return None


nashpy, qe, pygambit = find("nashpy"), find("quantecon.game_theory"), find("pygambit.nash") and find("pygambit")
LRS = Path(sys.prefix) / "lrs" / "usr"
lrsnash = str(LRS / "bin" / "lrsnash") if (LRS / "bin" / "lrsnash").exists() else shutil.which("lrsnash")
if lrsnash is None:
    print("left out: lrsnash is not installed", file=sys.stderr)


def gambit_game(tables: list[Any]) -> Any:
    """By the file format, as it is the same in every version. The first player's action runs fastest there."""
    rows, columns = tables[0].shape
    payoffs = [f"{int(one[i, j])}" for j in range(columns) for i in range(rows) for one in tables]
    return pygambit.read_nfg(io.StringIO(f'NFG 1 R "" {{ "1" "2" }} {{ {rows} {columns} }}\n\n{" ".join(payoffs)}\n'))


def gambit(tables: list[Any]) -> list[Any]:
    found = pygambit.nash.enummixed_solve(gambit_game(tables), rational=True).equilibria
    return [
        [[str(share[name]) for name in one.game.get_strategies(player)] for player, share in halves(one)]
        for one in found
    ]


def halves(profile: Any) -> list[tuple[str, Any]]:
    return [(player, profile[player]) for player in profile.game.players]


def lrs(tables: list[Any]) -> str:
    """What lrsnash prints about a game of whole numbers."""
    rows, columns = tables[0].shape
    matrices = "\n\n".join("\n".join(" ".join(f"{int(a)}" for a in row) for row in one) for one in tables)
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(f"{rows} {columns}\n\n{matrices}\n")
        file.flush()
        environment = os.environ | {"LD_LIBRARY_PATH": str(LRS / "lib")}
        return subprocess.run([str(lrsnash), file.name], env=environment, capture_output=True, text=True).stdout


def lrs_equilibria(tables: list[Any]) -> list[Any]:
    """Blocks of lines: one strategy of the second player, and those of the first that go with it; payoffs end lines."""
    found = []
    for block in lrs(tables).split("\n\n"):
        lines = [line.split() for line in block.splitlines() if line[:2] in ("1 ", "2 ")]
        mine, theirs = ([line[1:-1] for line in lines if line[0] == player] for player in "12")
        found += [[x, y] for x in mine for y in theirs]
    return found


def highs(matrix: Any) -> Any:
    rows, columns = matrix.shape
    below = np.hstack([-matrix.T, np.ones((columns, 1))])
    equal = np.array([[1.0] * rows + [0.0]])
    bounds = [(0, None)] * rows + [(None, None)]
    return linprog(np.r_[np.zeros(rows), -1.0], below, np.zeros(columns), equal, [1.0], bounds, method="highs")


def contestants(task: str, tables: list[Any]) -> dict[str, Callable[[], Any]]:
    found: dict[str, Callable[[], Any]] = {}
    if task == "zero":
        (matrix,) = tables
        found["SciPy HiGHS"] = lambda: highs(matrix)
        if qe:
            found["QuantEcon"] = lambda: importlib.import_module("quantecon.optimize.minmax").minmax(matrix)
        return found
    first, second = tables
    if qe:
        players = qe.NormalFormGame((qe.Player(first), qe.Player(second.T)))
        if task == "one":
            found["QuantEcon Lemke–Howson"] = lambda: qe.lemke_howson(players)
        else:
            found["QuantEcon vertices"] = lambda: qe.vertex_enumeration(players)
    if task == "all" and nashpy and max(first.shape) <= 6:
        found["Nashpy supports"] = lambda: list(nashpy.Game(first, second).support_enumeration())
    if task == "all" and pygambit and max(first.shape) <= 8:
        found["Gambit, exact"] = lambda: gambit(tables)
    if task == "all" and lrsnash:
        found["lrsnash, exact"] = lambda: lrs(tables)
    return found


def clock() -> float:
    """Processor time of this process and of those it started and waited for."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def race(task: str, tables: list[Any], patience: float) -> dict[str, float]:
    seconds = {}
    for name, work in contestants(task, tables).items():
        if (task, name) in tired:
            continue
        if name.startswith("QuantEcon"):
            work()  # compiled at the first call
        start = clock()
        work()
        seconds[name] = clock() - start
        if seconds[name] > patience:
            tired.add((task, name))
    return seconds


def compare(tables: list[Any], slow: int) -> dict[str, list[Any]]:
    """All equilibria as each peer lists them; exact ones as texts. Slow peers are asked about small games only."""
    first, second = tables
    small = max(first.shape) <= slow
    found: dict[str, list[Any]] = {}
    if lrsnash:
        found["lrsnash, exact"] = lrs_equilibria(tables)
    if pygambit and small:
        found["Gambit, exact"] = gambit(tables)
    if qe:
        players = qe.NormalFormGame((qe.Player(first), qe.Player(second.T)))
        found["QuantEcon vertices"] = [[own.tolist() for own in one] for one in qe.vertex_enumeration(players)]
    if nashpy and small:
        game = nashpy.Game(first, second)
        found["Nashpy vertices"] = listed(game.vertex_enumeration)
        found["Nashpy supports"] = listed(game.support_enumeration)
    return found


def listed(method: Callable[[], Any]) -> list[Any]:
    """What Nashpy finds until it fails, if it does."""
    found = []
    try:
        for one in method():
            found.append([own.tolist() for own in one])
    except Exception as error:
        print(f"Nashpy failed: {error!r}", file=sys.stderr)
    return found


def solve_tree(text: str, exact: bool, answer: Any) -> None:
    game = pygambit.read_efg(io.StringIO(text))
    start = clock()
    found = pygambit.nash.lcp_solve(game, rational=exact, use_strategic=False).equilibrium
    answer.send({"seconds": clock() - start, "gain": float(found.max_regret())})


def trees(text: str, exact: bool, patience: float) -> dict[str, Any]:
    """Gambit's equilibrium of a game in EFG by linear complementarity: seconds, and the most that a player gains."""
    if not pygambit:
        return {}
    fork = multiprocessing.get_context("fork")
    mine, theirs = fork.Pipe()
    work = fork.Process(target=solve_tree, args=(text, exact, theirs))
    work.start()
    work.join(patience)
    if work.is_alive():
        work.kill()
    return mine.recv() if mine.poll() else {"seconds": patience, "gain": None}


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        if request["task"] == "tree":
            found = trees(request["text"], request["exact"], request["patience"])
            print(json.dumps(found), flush=True)
            continue
        tables = [np.array(one, dtype=float) for one in request["tables"]]
        if request["task"] == "compare":
            found: dict[str, Any] = {"equilibria": compare(tables, request["slow"])}
        else:
            found = {"seconds": race(request["task"], tables, request["patience"])}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
