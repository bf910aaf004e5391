"""The peers' side of equilibrium.py: answers requests, one JSON object a line, with seconds or with equilibria."""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Callable
from fractions import Fraction
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


def gambit_game(tables: list[Any], exact: bool) -> Any:
    kind = (lambda a: Fraction(a)) if exact else float
    first, second = ([[kind(a) for a in row] for row in one.tolist()] for one in tables)
    return pygambit.Game.from_arrays(np.array(first, dtype=object), np.array(second, dtype=object))


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
        found["Gambit, exact"] = lambda: pygambit.nash.enummixed_solve(gambit_game(tables, True), rational=True)
    return found


def race(task: str, tables: list[Any], patience: float) -> dict[str, float]:
    seconds = {}
    for name, work in contestants(task, tables).items():
        if (task, name) in tired:
            continue
        if name.startswith("QuantEcon"):
            work()  # compiled at the first call
        start = time.process_time()
        work()
        seconds[name] = time.process_time() - start
        if seconds[name] > patience:
            tired.add((task, name))
    return seconds


def compare(tables: list[Any]) -> dict[str, list[Any]]:
    """All equilibria as each peer lists them; exact ones as texts."""
    first, second = tables
    found: dict[str, list[Any]] = {}
    if pygambit:
        exact = pygambit.nash.enummixed_solve(gambit_game(tables, True), rational=True).equilibria
        found["Gambit, exact"] = [
            [[str(profile[strategy]) for strategy in player.strategies] for player in profile.game.players]
            for profile in exact
        ]
    if qe:
        players = qe.NormalFormGame((qe.Player(first), qe.Player(second.T)))
        found["QuantEcon vertices"] = [[own.tolist() for own in one] for one in qe.vertex_enumeration(players)]
    if nashpy:
        listed = nashpy.Game(first, second).vertex_enumeration()
        found["Nashpy vertices"] = [[own.tolist() for own in one] for one in listed]
    return found


def main() -> None:
    for line in sys.stdin:
        request = json.loads(line)
        tables = [np.array(one) for one in request["tables"]]
        if request["task"] == "compare":
            found: dict[str, Any] = {"equilibria": compare(tables)}
        else:
            found = {"seconds": race(request["task"], tables, request["patience"])}
        print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
