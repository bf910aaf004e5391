"""Which games the generic engine proves from their start, with nodes and seconds.

    python bench/solve.py                                        what takes seconds
    python bench/solve.py --big --threads 2 --table-mb 4096      Connect Four up to 7×6 as well
    python bench/solve.py --only connect4:columns=6,rows=6 --threads 2 --table-mb 2048

Each with `exact=True` and an empty table, to the end of the game at once; wall time, so that threads count.
"""

from __future__ import annotations

import time
from typing import Any

from tools import answer, arguments, known, table

from zermelo.engine.engine import Engine
from zermelo.games import load

SMALL = [
    "tictactoe",
    "tictactoe:m=4,n=4,k=4",
    "nim",
    "hexapawn",
    "hexapawn:columns=5,rows=5",
    "hex:size=3",
    "hex:size=4",
    "kalah:houses=4,seeds=3",
    "kalah:houses=4,seeds=4",
    "connect4:columns=4,rows=4",
    "connect4:columns=5,rows=4",
    "connect4:columns=6,rows=4",
    "connect4:columns=5,rows=5",
]
BIG = [
    "connect4:columns=6,rows=5",
    "connect4:columns=5,rows=6",
    "connect4:columns=6,rows=6",
    "connect4:columns=7,rows=6",
]


def solve(name: str, asked: Any) -> dict[str, Any]:
    game = load(name)
    engine = Engine(game, threads=asked.threads, table_mb=asked.table_mb, exact=True)
    start, busy = time.perf_counter(), time.process_time()
    found = engine.prove(game.initial(), seconds=asked.seconds)
    seconds = time.perf_counter() - start
    return {
        "game": name,
        "proved": found.exact,
        "value": found.value if found.exact else None,
        "action": None if found.action is None else game.show_action(game.initial(), found.action),
        "nodes": found.nodes,
        "seconds": seconds,
        "processor_seconds": time.process_time() - busy,
    }


def main() -> None:
    asked = arguments(
        __doc__,
        big=(False, "Connect Four 6×5, 5×6, 6×6 and 7×6, too"),
        only=("", "one game in place of the list"),
        threads=(1, "threads"),
        table_mb=(512, "size of the transposition table"),
        seconds=(3600.0, "give a game up after that"),
    )
    names = known([asked.only] if asked.only else SMALL + BIG * asked.big)
    rows, found = [], []
    for name in names:
        row = solve(name, asked)
        found.append(row)
        value = f"{row['value']:+g}" if row["proved"] else "?"
        busy = row["processor_seconds"]
        rows.append([name, value, row["action"], row["nodes"], row["seconds"], busy, row["nodes"] / busy / 1e6])
        if not asked.json:
            print(f"{name}: {value}, {row['nodes']:,} nodes, {row['seconds']:.1f} s", flush=True)
    text = f"\n{table(['game', 'value', 'action', 'nodes', 'seconds', 'processor s', 'M nodes per processor s'], rows)}"
    data = {"threads": asked.threads, "table_mb": asked.table_mb, "games": found}
    answer(
        asked,
        data,
        f"{text}\n\n{asked.threads} threads, a table of {asked.table_mb} MB; the value is the first player's.",
    )


if __name__ == "__main__":
    main()
