"""Backgammon against GNU Backgammon: the plays of random rolls in random positions.

    python bench/backgammon_match.py --install       once: gnubg-nn, in an environment of its own
    python bench/backgammon_fuzz.py --positions 20000 --seed 1
    python bench/backgammon_fuzz.py --record tests/games/backgammon/plays.json --positions 400

It exits with 1, and the position, at the first difference. Half of the positions come from random games, the other half
are chequers strewn over the board, in which bars, primes and bearing off are common. `--record` keeps the oracle's
answers, so that tests can ask without it.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from backgammon_match import HOME, START, Gnu
from tools import answer, arguments, table

from zermelo.games.backgammon.networks import plays_of

Row = list[int]
TOGETHER = 500


def strewn(dice: random.Random) -> Row:
    """Chequers of both players, never on the same point, bunched now and then, some borne off."""
    sides: list[Row] = [[0] * 25, [0] * 25]
    deep = dice.choice([6, 12, 24, 24])
    for player in (0, 1):
        left = dice.choice([15, 15, 15, dice.randint(1, 15)])
        while left:
            point = dice.randrange(deep) if dice.random() < 0.95 else 24
            if point < 24 and sides[1 - player][23 - point]:
                continue
            count = min(left, dice.choice([1, 1, 2, 2, 3]))
            sides[player][point] += count
            left -= count
    return [*sides[0], *sides[1]]


def positions(seed: int, count: int) -> list[tuple[Row, tuple[int, int]]]:
    """Boards with rolls."""
    dice = random.Random(seed)
    found: list[tuple[Row, tuple[int, int]]] = []
    board = list(START)
    while len(found) < count:
        roll = dice.randint(1, 6), dice.randint(1, 6)
        found += [(board, roll), (strewn(dice), (dice.randint(1, 6), dice.randint(1, 6)))]
        after = plays_of(np.array(board, np.uint8), *roll).tolist()
        board = dice.choice(after)
        if not any(board[25:]):
            board = list(START)
    return found[:count]


def digest(boards: list[Row]) -> str:
    """One word for a set of boards."""
    return hashlib.sha256(b"".join(sorted(bytes(board) for board in boards))).hexdigest()[:16]


def turned(board: Row) -> Row:
    return [*board[25:], *board[:25]]


def main() -> None:
    asked = arguments(
        __doc__,
        positions=(20_000, "how many positions to compare"),
        seed=(1, "of the random positions"),
        record=("", "a file for the oracle's answers"),
        python=(str(HOME / "bin" / "python"), "the Python that has gnubg-nn"),
    )
    if not Path(asked.python).exists():
        print("skipped: gnubg-nn is not installed; run bench/backgammon_match.py --install first")
        return
    gnu = Gnu(asked.python, 0)
    counts: Counter[str] = Counter()
    rows = []
    all_positions = positions(asked.seed, asked.positions)
    for begin in range(0, len(all_positions), TOGETHER):
        part = all_positions[begin : begin + TOGETHER]
        theirs = gnu.ask(what="plays", boards=[board for board, _ in part], dice=[roll for _, roll in part])["plays"]
        for (board, roll), found in zip(part, theirs, strict=True):
            ours = plays_of(np.array(board, np.uint8), *roll).tolist()
            wanted = found or [turned(board)]  # it has no play where nobody can move
            if sorted(ours) != sorted(wanted):
                sys.exit(f"seed {asked.seed}: {board} with {roll}: ours {len(ours)} plays, theirs {len(wanted)}")
            counts.update(positions=1, plays=len(ours), doubles=roll[0] == roll[1], immobile=not found)
            rows.append([bytes(board).hex(), list(roll), len(wanted), digest(wanted)])
    gnu.close()
    if asked.record:
        text = ",\n".join(json.dumps(row) for row in rows)
        Path(asked.record).write_text(f"[\n{text}\n]\n", encoding="utf-8")
    answer(
        asked, {"seed": asked.seed, "counts": counts}, table(["compared", "count"], list(counts.items())), timed=False
    )


if __name__ == "__main__":
    main()
