"""Double-dummy results beside DDS: all twenty of random deals compared, and processor time, on one thread each.

    pip install endplay               which brings DDS
    python bench/bridge.py
    python bench/bridge.py --deals 1000 --seed 7

Exit 1, with the deal, at a difference. Deals are solved in turns, ours first and then DDS's. A strain is no trump with
every leader, of other deals than the tables: DDS remembers the last deal. Without endplay it says so and measures
nothing.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

from tools import answer, arguments, table

from zermelo.engine.core import _core
from zermelo.games._bridge.cards import STRAINS, Board, random_deal
from zermelo.games._bridge.solver import solve_table

NO_TRUMP = 4
OTHER_DEALS = 1_000_000


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    begin = time.process_time()
    found = work()
    return time.process_time() - begin, found


class Oracle:
    """DDS by endplay, on one thread."""

    def __init__(self) -> None:
        import endplay._dds as dds
        from endplay.dds import calc_all_tables
        from endplay.types import Deal, Denom, Player

        dds.SetMaxThreads(1)
        self.tables = calc_all_tables
        self.deal = Deal
        self.strains = dict(
            zip(STRAINS, (Denom.spades, Denom.hearts, Denom.diamonds, Denom.clubs, Denom.nt), strict=True)
        )
        self.no_trump_only = [denom for denom in self.strains.values() if denom is not Denom.nt]
        self.hands = (Player.north, Player.east, Player.south, Player.west)

    def results(self, board: Board) -> tuple[float, dict[tuple[str, int], int]]:
        deal = self.deal(board.text())
        spent, (found,) = timed(lambda: list(self.tables([deal])))
        return spent, {(s, h): found[d, p] for s, d in self.strains.items() for h, p in enumerate(self.hands)}

    def no_trump(self, board: Board) -> float:
        deal = self.deal(board.text())
        return timed(lambda: list(self.tables([deal], exclude=self.no_trump_only)))[0]


def main() -> None:
    asked = arguments(__doc__, deals=(40, "random deals"), seed=(1, "of the first deal"))
    try:
        oracle = Oracle()
    except ImportError:
        said = "skipped: there is no endplay here; `pip install endplay` brings DDS"
        answer(asked, {"skipped": "endplay"}, said, timed=False)
        return
    times: dict[str, list[float]] = {"table": [], "table DDS": [], "no trump": [], "no trump DDS": []}
    for seed in range(asked.seed, asked.seed + asked.deals):
        board = Board(random_deal(13, seed))
        spent, ours = timed(lambda board=board: solve_table(board))
        theirs, expected = oracle.results(board)
        if ours.tricks != expected:
            print(f"a difference: {board.text()}\nours {ours.tricks}\nDDS  {expected}")
            sys.exit(1)
        other = Board(random_deal(13, seed + OTHER_DEALS))
        one = timed(lambda board=other: _core.bridge_deal(board.hands, 1 << NO_TRUMP, 1))[0]
        for name, seconds in zip(times, (spent, theirs, one, oracle.no_trump(other)), strict=True):
            times[name].append(seconds)
    rows = [
        [
            name,
            len(times[name]),
            *(measure(times[name]) * 1000 for measure in (statistics.fmean, statistics.median, max)),
            *(measure(times[f"{name} DDS"]) * 1000 for measure in (statistics.fmean, statistics.median, max)),
            statistics.fmean(times[name]) / statistics.fmean(times[f"{name} DDS"]),
        ]
        for name in ("table", "no trump")
    ]
    keys = ["what", "deals, all equal", "mean ms", "median", "worst", "DDS mean", "median", "worst", "× DDS"]
    answer(asked, {"rows": rows}, table(keys, rows))


if __name__ == "__main__":
    main()
