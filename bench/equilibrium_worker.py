"""The peers' side of equilibrium.py: answers requests, one JSON object a line, with seconds or with equilibria."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import nashpy
import numpy as np
import pygambit
import quantecon.game_theory as qe
from scipy.optimize import linprog

tired: set[tuple[str, str]] = set()


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
    if task == "zero":
        (matrix,) = tables
        return {"SciPy HiGHS": lambda: highs(matrix), "QuantEcon": lambda: qe.lp_solvers.minmax(matrix)}
    first, second = tables
    players = qe.NormalFormGame((qe.Player(first), qe.Player(second.T)))
    if task == "one":
        return {"QuantEcon Lemke–Howson": lambda: qe.lemke_howson(players)}
    small = max(first.shape) <= 6
    found = {"QuantEcon vertices": lambda: qe.vertex_enumeration(players)}
    if small:
        found["Nashpy supports"] = lambda: list(nashpy.Game(first, second).support_enumeration())
    if max(first.shape) <= 8:
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
    first, second = tables
    players = qe.NormalFormGame((qe.Player(first), qe.Player(second.T)))
    exact = pygambit.nash.enummixed_solve(gambit_game(tables, True), rational=True).equilibria
    plain = [[[str(profile[s]) for s in player.strategies] for player in profile.game.players] for profile in exact]
    return {
        "Gambit, exact": plain,
        "QuantEcon vertices": [[own.tolist() for own in one] for one in qe.vertex_enumeration(players)],
        "Nashpy vertices": [[own.tolist() for own in one] for one in nashpy.Game(first, second).vertex_enumeration()],
    }


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
