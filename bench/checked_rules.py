"""What the checks of compiled arithmetic cost: the same rules with and without them, in turn.

    python bench/checked_rules.py --rounds 5

For each game: positions a second of perft and of the engine's search, by the processor's time, with the checks divided
by without.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import time
from collections.abc import Iterator
from typing import Any
from unittest import mock

from tools import answer, arguments, known, table

GAMES = (("connect4", 8, 14), ("othello", 7, 11), ("kalah", 8, 13), ("breakthrough", 5, 10))
"""Names, the depth of perft, the depth of the search."""


@contextlib.contextmanager
def unchecked() -> Iterator[None]:
    """Rules that are compiled inside never raise for a number that leaves its type."""
    from zermelo.engine.rules import bits, exact, unary

    with contextlib.ExitStack() as patches:
        for module in (bits, exact, unary):
            patches.enter_context(mock.patch.object(module, "raise_if"))
        patches.enter_context(mock.patch("zermelo.engine.rules.target.check_cast"))
        yield


def fresh(game: Any) -> Any:
    """An engine over rules that are compiled anew."""
    from zermelo.engine.engine import Engine
    from zermelo.engine.rules import compiler

    compiler._made.clear()
    compiler._recent.clear()
    with mock.patch.object(compiler, "_packaged", return_value=None):
        return Engine(game)


def speeds(engine: Any, perft_depth: int, depth: int) -> tuple[float, float]:
    """Positions a second of perft, and of a search."""
    root = engine.game.initial()
    began = time.process_time()
    counted = engine.compiled.perft(root, perft_depth)
    between = time.process_time()
    found = engine.search(root, depth=depth)
    ended = time.process_time()
    engine.clear()
    return counted.positions / (between - began), found.nodes / (ended - between)


def main() -> None:
    asked = arguments(__doc__, rounds=(5, "measurements of each"))
    os.environ["ZERMELO_CACHE"] = ""
    from zermelo.games import load

    rows = []
    for name, perft_depth, depth in GAMES:
        if not known([name]):
            continue
        checked = fresh(load(name))
        with unchecked():
            bare = fresh(load(name))
        ratios: list[tuple[float, float]] = []
        for _ in range(asked.rounds):
            one, other = (speeds(engine, perft_depth, depth) for engine in (checked, bare))
            ratios.append((one[0] / other[0], one[1] / other[1]))
        perft, search = (statistics.median(each) for each in zip(*ratios, strict=True))
        rows.append((name, round(perft, 3), round(search, 3), round(one[0]), round(one[1])))
    head = ("game", "perft", "search", "perft, positions/s", "search, nodes/s")
    answer(asked, {"rows": [dict(zip(head, row, strict=True)) for row in rows]}, table(head, rows))


if __name__ == "__main__":
    main()
