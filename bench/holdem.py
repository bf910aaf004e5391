"""Hold'em endgames with all hands for both players, solved to a share of the pot, on one core.

    python bench/holdem.py
    python bench/holdem.py --threads 2
    python bench/holdem.py --large        the turn with three sizes as well

Solver time is processor time of iterating and of measuring exploitability; the public form stands beside it. The last
column is the ratio to an iteration of plain matrix products, hands × hands, over the same ends: what the sorted sums
of the core save.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from tools import answer, arguments, table

import zermelo as z
from zermelo.equilibrium import cfr
from zermelo.equilibrium.public_form import PublicForm

RIVER = "holdem:board=Ks7h2d5c9s,pot=100,stack=300"
TURN = "holdem:board=Ks7h2d5c,pot=100,stack=300"
GAMES = {"river": f"{RIVER},bets=50/100", "turn": f"{TURN},bets=75", "turn, three sizes": f"{TURN},bets=50/100"}


def seconds(work: Any) -> tuple[float, Any]:
    begin = time.process_time()
    found = work()
    return time.process_time() - begin, found


def products(form: PublicForm) -> float:
    """Processor time of the ends of one iteration by matrix products."""
    board = form.boards[-1]
    hands = len(board.order[0])
    matrix = np.sign(board.level[0][:, None] - board.level[1][None, :]).astype(np.float32)
    reach: Any = np.ones(hands, dtype=np.float32)
    spent = min(seconds(lambda: np.einsum("ij,j->i", matrix, reach))[0] for _ in range(20))  # on one thread
    ends = sum(kind < -1 for each in form.boards for kind in form.streets[each.street].kind)
    return 2 * ends * spent


def solve(name: str, target: str, rounds: int, threads: int) -> dict[str, Any]:
    building, form = seconds(lambda: PublicForm(z.load(GAMES[name])))
    forming, _ = seconds(lambda: form.form)
    best: Any = None
    for _ in range(rounds):
        begin = time.perf_counter()
        spent, found = seconds(lambda: cfr(form, exploitability=target, threads=threads, seconds=120))
        wall = time.perf_counter() - begin
        if best is None or spent < best[0]:
            best = (spent, wall, found)
    spent, wall, found = best
    return {
        "game": name,
        "hands": len(form.hands[0]),
        "public nodes": form.nodes,
        "iterations": found.iterations,
        "seconds": spent,
        "wall": wall,
        "% of the pot": 100 * found.exploitability / form.game.pot,
        "building": building + forming,
        "products": products(form) * found.iterations / spent,
    }


def main() -> None:
    asked = arguments(
        __doc__,
        target=("0.3%", "exploitability, as a share of the pot"),
        rounds=(3, "runs of each, the best counts"),
        threads=(1, "threads"),
        large=(False, "the turn with three sizes, too"),
        only=("", "one of the games"),
    )
    names = [asked.only] if asked.only else [name for name in GAMES if asked.large or "," not in name]
    rows = [solve(name, asked.target, asked.rounds, asked.threads) for name in names]
    keys = list(rows[0])
    answer(asked, {"rows": rows}, table([*keys[:-1], "× by products"], [[row[key] for key in keys] for row in rows]))


if __name__ == "__main__":
    main()
