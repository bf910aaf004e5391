"""How much a re-solving player can be exploited as it plays: every public state is walked, and the result is exact.

    python bench/resolving.py
    python bench/resolving.py --rounds 1 --only leduc     Leduc one round ahead, its leaves solved on

Seconds are processor time of all solutions of both seats; walking the tree before stands beside it.
"""

from __future__ import annotations

import time
from typing import Any

from tools import answer, arguments, table

import zermelo as z
from zermelo.equilibrium import PublicTree, Resolving, resolved
from zermelo.equilibrium.horizon import SolvedValues

GAMES = {"kuhn": "kuhn:players=2", "leduc": "leduc", "liars-dice": "liars-dice"}
"""Liar's dice with one die of six sides each."""


def measure(name: str, iterations: int, rounds: int, leaf: int) -> list[dict[str, Any]]:
    begin = time.process_time()
    tree = PublicTree(z.load(GAMES[name]))
    walking = time.process_time() - begin
    rows = []
    for safe in (True, False):
        begin = time.process_time()
        how = Resolving(iterations, safe, rounds=rounds or None, values=SolvedValues(leaf))
        found = resolved(tree, how)
        rows.append(
            {
                "game": name,
                "form": "safe" if safe else "unsafe",
                "public states": len(tree.states),
                "iterations": iterations,
                "exploitability": found.exploitability,
                "walking": walking,
                "seconds": time.process_time() - begin,
            }
        )
    return rows


def main() -> None:
    asked = arguments(
        __doc__,
        iterations=(1000, "of regret minimisation at each choice"),
        rounds=(0, "deals to look ahead; 0 for all"),
        leaf=(100, "iterations below a leaf"),
        only=("", "one of the games"),
    )
    names = [asked.only] if asked.only else list(GAMES)
    rows = [row for name in names for row in measure(name, asked.iterations, asked.rounds, asked.leaf)]
    answer(asked, {"rows": rows}, table(list(rows[0]), [list(row.values()) for row in rows]))


if __name__ == "__main__":
    main()
