"""Monte Carlo search of hidden information in the core, beside the textbook's, in one run: simulations a second.

    python bench/hidden_mcts.py

Both build the same tree from one seed. Worlds are imagined by the game's `sample`, in Python on both sides. Processor
time on one core, best of the rounds, in turns.
"""

from __future__ import annotations

from typing import Any

from tools import answer, arguments, table

import zermelo as z
from zermelo.engine.benchmark import Rate, measure
from zermelo.search.mcts import mcts as textbook

GAMES = {
    "battleship": 400,
    "blind_tictactoe": 400,
    "goofspiel": 400,
    "holdem": 1_000,
    "kuhn:players=3": 1_000,
    "leduc": 1_000,
    "liars_dice": 1_000,
}
"""And how many simulations the textbook runs; the core runs `MORE` times as many."""
MORE = 50


def begin(game: z.Game) -> Any:
    """The first position in which a player chooses, after the first outcome of each throw of chance."""
    s = game.initial()
    while game.player(s) < 0:
        s = game.result(s, next(iter(game.actions(s))))
    return s


def race(name: str, share: float) -> tuple[Rate, Rate]:
    game = z.load(name)
    s = begin(game)
    count = max(1, int(share * GAMES[name]))
    z.mcts(game, s, simulations=1)  # compiles the rules
    fast = measure(lambda: z.mcts(game, s, simulations=MORE * count).leaves, 0.1)
    return fast, measure(lambda: textbook(game, s, simulations=count).leaves, 0.1)


def main() -> None:
    asked = arguments(__doc__, rounds=(3, "runs of each, the best counts"), share=(1.0, "of the simulations to run"))
    data: dict[str, dict[str, float]] = {}
    for name in GAMES:
        rounds = [race(name, asked.share) for _ in range(asked.rounds)]
        core, python = (max(rate.per_second for rate in column) for column in zip(*rounds, strict=True))
        data[name] = {"core": core, "textbook": python}
    rows = [[name, each["core"], each["textbook"], each["core"] / each["textbook"]] for name, each in data.items()]
    answer(asked, data, table(["simulations a second", "core", "textbook", "ratio"], rows))


if __name__ == "__main__":
    main()
