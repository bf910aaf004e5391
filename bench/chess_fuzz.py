"""Random games of chess, of Chess960 and of scattered pieces, held against python-chess at every position.

    python bench/chess_fuzz.py                          a million positions
    python bench/chess_fuzz.py --positions 2000         a few
    python bench/chess_fuzz.py --only 1234              the one game of that seed

Compared are legal moves, check, the end and its utilities, FEN both ways, noisy and irreversible moves, the fields that
a position keeps up to date, and at some positions SAN. Ends with status 1, and the seed, at the first difference.
"""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from tools import answer, arguments

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))


def main() -> int:
    asked = arguments(
        __doc__,
        positions=(1_000_000, "positions to compare"),
        seed=(1, "the first game's; each further game has the next"),
        only=(0, "the seed of the only game to compare"),
    )
    try:
        from tests.twins.chess_oracle import playout
    except ModuleNotFoundError as error:
        answer(asked, {"skipped": str(error)}, f"skipped: {error}; pip install chess", timed=False)
        return 0
    start, positions, games, checks = time.perf_counter(), 0, 0, 0
    seed = asked.only or asked.seed
    while positions < (1 if asked.only else asked.positions):
        try:
            for board in playout(random.Random(seed)):
                positions += 1
                checks += board.is_check()
        except Exception as error:
            print(f"seed {seed}: {type(error).__name__}: {error}", file=sys.stderr)
            return 1
        games += 1
        seed += 1
    seconds = time.perf_counter() - start
    data = {"positions": positions, "games": games, "checks": checks, "seconds": round(seconds, 1)}
    text = f"{positions:,} positions of {games:,} games, {checks:,} of them checks: no difference ({seconds:.0f} s)"
    answer(asked, data, text, timed=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
