"""Monte Carlo search of hidden information that keeps its tree from move to move, against one that begins anew.

    python bench/hidden_keeping.py

Both run as many simulations a move. Each pair of games has the same chance throws and the seats changed; points a game
with twice the standard error.
"""

from __future__ import annotations

import math
import random
from statistics import fmean, stdev

from tools import answer, arguments, table

import zermelo as z

GAMES = {"battleship:columns=3,rows=2": 100, "blind_tictactoe": 100, "goofspiel:cards=6": 100, "leduc": 300}
"""And how many pairs of games."""


def play(game: z.Game, keeps: int, simulations: int, seed: int) -> tuple[float, int]:
    """What the player in the seat `keeps`, which keeps its tree, wins; and how many simulations it inherited."""
    searchers = [z.Mcts(game, seed=seed + seat) for seat in range(2)]
    chance = random.Random(seed)
    s, history, reused = game.initial(), [], 0
    while not game.is_terminal(s):
        mover = game.player(s)
        if mover < 0:
            outcomes = list(game.chances(s))
            action = chance.choices([a for a, _ in outcomes], [p for _, p in outcomes])[0]
        else:
            known = history if mover == keeps else ()
            action = searchers[mover].search(s, history=known, simulations=simulations).action
            reused += searchers[mover].reused
        history.append(s)
        s = game.result(s, action)
    return game.utility(s, keeps), reused


def main() -> None:
    asked = arguments(__doc__, simulations=(500, "a move"), share=(1.0, "of the games to play"))
    data: dict[str, dict[str, float]] = {}
    for name, pairs in GAMES.items():
        game = z.load(name)
        games = [
            [play(game, seat, asked.simulations, 2 * seed) for seat in range(2)]
            for seed in range(max(2, int(asked.share * pairs)))
        ]
        points = [fmean(won for won, _ in pair) for pair in games]
        data[name] = {
            "points": fmean(points),
            "error": 2 * stdev(points) / math.sqrt(len(points)),
            "inherited": fmean(reused for pair in games for _, reused in pair),
        }
    rows = [[name, each["points"], each["error"], each["inherited"]] for name, each in data.items()]
    answer(asked, data, table(["points a game of who keeps", "mean", "±", "inherited a game"], rows))


if __name__ == "__main__":
    main()
