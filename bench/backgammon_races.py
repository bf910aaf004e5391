"""Races of backgammon: how far our chance to win is from GNU Backgammon's, and how many boards a second we estimate.

    python bench/backgammon_match.py --install       once: gnubg-nn, in an environment of its own
    python bench/backgammon_races.py --positions 1000 --plies 1

Boards are races in which neither side is far ahead, with chequers still outside the home boards. What we are held to is
what GNU Backgammon says a ply ahead (`--reference 2` for two); its own estimate at 0-ply stands beside ours. Errors are
in percent: of the chance to win, and of the points expected without a cube.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any

import numpy as np
from backgammon_match import HOME, Gnu
from numpy.typing import NDArray
from tools import answer, arguments, table

from zermelo.games.backgammon.networks import DEFAULT, Networks, equities

Row = list[int]
TOGETHER = 100
LEAST_SECONDS = 0.5
"""For counting how many boards are estimated in a second."""


def side(dice: random.Random) -> Row:
    """Fifteen chequers, two to eight of them beyond the home board."""
    row = [0] * 25
    home = dice.randint(7, 13)
    for chequer in range(15):
        weights, first = ([1, 2, 3, 5, 6, 7], 0) if chequer < home else ([6, 6, 4, 3, 2, 2], 6)
        row[first + dice.choices(range(6), weights)[0]] += 1
    return row


def pips(row: Row) -> int:
    return sum((point + 1) * count for point, count in enumerate(row))


def races(seed: int, count: int, apart: int) -> list[Row]:
    """Boards whose sides differ by so many pips at most."""
    dice = random.Random(seed)
    found: list[Row] = []
    while len(found) < count:
        own, other = side(dice), side(dice)
        if abs(pips(own) - pips(other)) <= apart:
            found.append([*own, *other])
    return found


def theirs(python: str, boards: list[Row], plies: int) -> NDArray[np.float64]:
    gnu = Gnu(python, plies)
    found: list[list[float]] = []
    for begin in range(0, len(boards), TOGETHER):
        found += gnu.ask(what="chances", boards=boards[begin : begin + TOGETHER], plies=plies)["chances"]
    gnu.close()
    return np.array(found)


def errors(found: NDArray[Any], right: NDArray[Any]) -> dict[str, float]:
    off = 100 * (found[:, 0] - right[:, 0])
    points = 100 * np.abs(equities(found) - equities(right))
    return {
        "mean error": float(np.abs(off).mean()),
        "worst": float(np.abs(off).max()),
        "bias": float(off.mean()),
        "points": float(points.mean()),
    }


def speed(networks: Networks, boards: NDArray[np.uint8]) -> float:
    """Boards a second at 0-ply."""
    done, begun = 0, time.perf_counter()
    while (seconds := time.perf_counter() - begun) < LEAST_SECONDS:
        networks.chances(boards)
        done += len(boards)
    return done / seconds


def main() -> None:
    asked = arguments(
        __doc__,
        positions=(1000, "how many boards"),
        apart=(14, "pips that the sides differ by at most"),
        plies=(1, "how far we look ahead at most"),
        reference=(1, "how far GNU Backgammon looks ahead for what we are held to"),
        weights=(str(DEFAULT), "our networks"),
        python=(str(HOME / "bin" / "python"), "the Python that has gnubg-nn"),
        seed=(1, "of the boards"),
    )
    networks, boards = Networks.read(asked.weights), races(asked.seed, asked.positions, asked.apart)
    rows = np.array(boards, np.uint8)
    data: dict[str, Any] = {"positions": len(boards), "boards a second": speed(networks, rows), "errors": {}}
    if Path(asked.python).exists():
        right = theirs(asked.python, boards, asked.reference)
        for plies in range(asked.plies + 1):
            data["errors"][f"ours, {plies}-ply"] = errors(networks.chances(rows, plies), right)
        data["errors"]["GNU Backgammon, 0-ply"] = errors(theirs(asked.python, boards, 0), right)
    lines = [[who, *(f"{value:+.2f}" for value in found.values())] for who, found in data["errors"].items()]
    text = (
        table(["", "mean error %", "worst", "bias", "points"], lines)
        if lines
        else ("errors skipped: gnubg-nn is not installed; run bench/backgammon_match.py --install first")
    )
    answer(asked, data, f"{text}\n\nboards a second: {data['boards a second']:,.0f}")


if __name__ == "__main__":
    main()
