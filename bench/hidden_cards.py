"""Whist for four by players of hidden cards: PIMC, αμ and information-set search against each other and against chance.

    python bench/hidden_cards.py --games 100 --ranks 4

Both games of a pair have the same deal, with the seats swapped. The table says how many tricks a game the first took
more than the second, with the 95 % interval over deals, and the seconds of a move, the mean of both.
"""

from __future__ import annotations

import runpy
from collections import defaultdict
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from tools import answer, arguments, table

import zermelo as z

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "whist.py"
PAIRS = (
    ("pimc:worlds=20", "random"),
    ("pimc:worlds=20", "mcts:simulations=2000"),
    ("alphamu:worlds=20,moves=2", "pimc:worlds=20"),
)


def measure(game: Any, one: str, other: str, games: int) -> dict[str, float]:
    """The tricks that `one` took more than `other`, with their error, and the seconds of a move."""
    deals: dict[tuple[int, int], list[float]] = defaultdict(list)
    seconds: list[float] = []
    for scheduled, outcome in z.match(game, [one, other], games=games).games:
        won = outcome.record.utilities
        assert won is not None
        deals[scheduled.round, scheduled.encounter].append(won[scheduled.seats.index(0)])
        seconds += [each for each in outcome.record.seconds if each is not None]
    means = [fmean(each) for each in deals.values()]
    error = 1.96 * stdev(means) / len(means) ** 0.5 if len(means) > 1 else 0.0
    return {"tricks": fmean(means), "error": error, "seconds": fmean(seconds)}


def main() -> None:
    asked = arguments(
        __doc__,
        games=(100, "games of each two"),
        ranks=(4, "cards of each of four suits"),
        only=(len(PAIRS), "of the pairs"),
    )
    game = runpy.run_path(str(EXAMPLE))["Whist"](ranks=asked.ranks, suits=4, trumps=1)
    data = {f"{a} – {b}": measure(game, a, b, asked.games) for a, b in PAIRS[: asked.only]}
    rows = [[name, f"{each['tricks']:+.2f} ± {each['error']:.2f}", each["seconds"]] for name, each in data.items()]
    answer(asked, data, table([f"{game.cards} cards", "tricks a game", "seconds a move"], rows))


if __name__ == "__main__":
    main()
