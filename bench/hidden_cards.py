"""Whist for four by players of hidden cards: PIMC, αμ, information-set search and chance, each against another.

    python bench/hidden_cards.py --games 100 --ranks 4 --suits 4

Each pair of games has the same deal with the seats swapped. The table tells how many tricks a game the first took more
than the second, with the 95 % interval over deals, and the seconds that a move took, those of both together.
"""

from __future__ import annotations

import argparse
import runpy
import statistics
from pathlib import Path
from typing import Any

import zermelo as z
from zermelo.play.words import say_number

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "whist.py"
PAIRS = (
    ("pimc:worlds=20", "random"),
    ("pimc:worlds=20", "mcts:simulations=2000"),
    ("alphamu:worlds=20,moves=2", "pimc:worlds=20"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--ranks", type=int, default=4)
    parser.add_argument("--suits", type=int, default=4)
    given = parser.parse_args()
    game = runpy.run_path(str(EXAMPLE))["Whist"](ranks=given.ranks, suits=given.suits, trumps=1)
    print(f"whist with {game.cards} cards, {given.games} games each")
    for one, other in PAIRS:
        report = z.match(game, [one, other], games=given.games)
        print(f"{one:28} against {other:24} {tell(report, game.tricks)}", flush=True)


def tell(report: Any, tricks: int) -> str:
    """The tricks that the first entrant took more than the second, a game, with seconds a move."""
    sums: dict[tuple[int, int], list[float]] = {}
    seconds: list[float] = []
    for scheduled, outcome in report.games:
        mine = scheduled.seats.index(0)
        worth = outcome.record.utilities[mine] * tricks
        sums.setdefault((scheduled.round, scheduled.encounter), []).append(worth)
        seconds += [each for each in outcome.record.seconds if each is not None]
    means = [statistics.fmean(each) for each in sums.values()]
    error = statistics.stdev(means) / len(means) ** 0.5 if len(means) > 1 else 0.0
    mean = statistics.fmean(means)
    return f"{mean:+.2f} ± {1.96 * error:.2f} tricks a game, {say_number(round(statistics.fmean(seconds), 3))} s a move"


if __name__ == "__main__":
    main()
