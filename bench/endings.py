"""Exact endings of Othello: nodes and processor time for positions of the FFO's collection, held to published values.

    python bench/endings.py                                   #40 to #44, on one thread
    python bench/endings.py --last 49 --threads 2 --table-mb 1024

Each is solved from nothing, deepening included. Exit 1 if a value or a best move is not the published one.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

from tools import answer, arguments, table

from zermelo.engine.engine import Engine
from zermelo.games import load

SUITE = Path(__file__).with_name("suites") / "ffo_endings.txt"


def solve(line: str, asked: Any) -> dict[str, Any]:
    number, empty, value, best, position = line.split(maxsplit=4)
    game = load("othello:discs=yes")
    s = game.read(position)
    engine = Engine(game, threads=asked.threads, table_mb=asked.table_mb, exact=True, endings=not asked.without)
    start, busy = time.perf_counter(), time.process_time()
    found = engine.solve(s)
    seconds, busy = time.perf_counter() - start, time.process_time() - busy
    move = game.show_action(s, found.action)
    return {
        "number": int(number),
        "empty": int(empty),
        "value": found.value,
        "action": move,
        "right": found.exact and found.value == int(value) and move in best.split(","),
        "nodes": found.nodes,
        "processor_seconds": busy,
        "seconds": seconds,
    }


def main() -> None:
    asked = arguments(
        __doc__,
        first=(40, "number of a position"),
        last=(44, "and of the last one"),
        threads=(1, "threads"),
        table_mb=(256, "size of the transposition table"),
        without=(False, "leave out the search for endings"),
    )
    lines = [line for line in SUITE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    found = [solve(line, asked) for line in lines if asked.first <= int(line.split()[0]) <= asked.last]
    rows = [
        [
            f"#{each['number']}",
            str(each["empty"]),
            f"{each['value']:+.0f}" + ("" if each["right"] else " (wrong)"),
            each["action"],
            f"{each['nodes'] / 1e6:,.1f} M",
            f"{each['processor_seconds']:.1f}",
            f"{each['seconds']:.1f}",
            f"{each['nodes'] / each['processor_seconds'] / 1e6:.1f} M",
        ]
        for each in found
    ]
    head = ["position", "empty", "value", "best", "nodes", "processor s", "s", "nodes a processor s"]
    answer(asked, {"positions": found}, table(head, rows))
    sys.exit(not all(each["right"] for each in found))


if __name__ == "__main__":
    main()
