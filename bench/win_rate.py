"""How estimates foretell results: the `win_rate` of a game, from games against itself.

    python bench/win_rate.py --game chess
    python bench/win_rate.py --game xiangqi --games 300

A pair (a, b), of most likelihood: whoever has the estimate v wins with probability 1 / (1 + exp((a − v) / b)), loses
with that of −v, and else draws. It is fitted to the moves 4 to 50, in which games are decided: the longer a game lasts,
the less an advantage is worth in it. The estimates are those of the searches that played.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from scipy.optimize import minimize
from tools import answer, arguments

from zermelo.games import load
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions

PLIES = 8, 100
LEAST = 1e-12
"""A probability of 0, for its logarithm."""


def main() -> None:
    asked = arguments(
        __doc__,
        game=("chess", "the game"),
        games=(400, "games"),
        nodes=(5000, "positions of a move"),
        seed=(5, "settles openings and nodes"),
        threads=(1, "threads"),
    )
    game = load(asked.game)
    options = SelfPlayOptions(
        SearchPlayer(nodes=asked.nodes),
        games=asked.games,
        seed=asked.seed,
        threads=asked.threads,
        opening_plies=(4, 9),
        nodes_spread=0.2,
        longest_plies=400,
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games")
        with RecordWriter(path, game) as writer:
            for block in SelfPlay(game, options).blocks():
                writer.write(block)
        parts = list(RecordedGames(path, game).positions())
    scores, results, plies = (
        np.concatenate([getattr(part, name) for part in parts]).astype(float) for name in ("scores", "results", "plies")
    )
    low, high = game.bounds
    known = (scores > low) & (scores < high) & (plies >= PLIES[0]) & (plies < PLIES[1])
    leads, results = scores[known] - game.neutral, results[known] - game.neutral

    def surprise(pair: tuple[float, float]) -> float:
        half, spread = pair[0], max(pair[1], LEAST)
        win, loss = (1 / (1 + np.exp(np.clip((half - v) / spread, -50, 50))) for v in (leads, -leads))
        chances = np.select([results > 0, results < 0], [win, loss], 1 - win - loss)
        return float(-np.log(np.maximum(chances, LEAST)).mean())

    half, spread = minimize(surprise, (0.01, 0.01), method="Nelder-Mead").x
    data = {"game": asked.game, "positions": len(leads), "win_rate": (half, spread)}
    answer(asked, data, f"{len(leads):,} positions: win_rate = ({half:.4f}, {spread:.4f})", timed=False)


if __name__ == "__main__":
    main()
