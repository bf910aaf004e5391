"""Simulations a second of Monte Carlo tree search, beside OpenSpiel's C++ MCTSBot, in one run.

    python bench/peers.py --install      once: puts OpenSpiel into an environment of its own, bench/.venv-peers
    python bench/mcts.py

Both search the first position on one core, with UCT, without a solver, with one uniformly random playout a simulation
and as many simulations. Our rules are Python's, theirs C++. Processor time, best of the rounds, in turns.
"""

from __future__ import annotations

import sys
from typing import Any

from peers import PYTHON, Peers, speed
from tools import answer, arguments, table

import zermelo as z
from zermelo.engine.benchmark import Rate, measure

GAMES = {"connect4": ("connect_four", 100_000), "othello": ("othello", 4_000), "tictactoe": ("tic_tac_toe", 20_000)}
"""Our games that OpenSpiel has with the same rules and the same board, and how many simulations to run."""
EXPLORATION = 1.4


def ours(name: str, simulations: int) -> Rate:
    """Our rate: the tree is made and filled anew each time."""
    game = z.load(name)
    searcher = z.Mcts(game, c=EXPLORATION, solver=False, playout="uniform", memory_mb=1024)

    def search() -> int:
        searcher.clear()
        return searcher.search(simulations=simulations).leaves

    return measure(search, 0.2)


def theirs(peers: Peers, name: str, simulations: int) -> Rate:
    found = peers.ask("open_spiel_mcts", game=name, simulations=simulations, exploration=EXPLORATION)
    return Rate(simulations, found["seconds"])


def main() -> None:
    asked = arguments(__doc__, rounds=(3, "runs of each, the best counts"), share=(1.0, "of the simulations to run"))
    peers = Peers() if PYTHON.exists() else None
    if peers is None:
        print("left out: OpenSpiel, which `python bench/peers.py --install` installs", file=sys.stderr)
    rates: dict[str, tuple[Rate, Rate | None]] = {}
    for name, (their_name, count) in GAMES.items():
        simulations = max(1, int(count * asked.share))
        rounds = [
            (ours(name, simulations), None if peers is None else theirs(peers, their_name, simulations))
            for _ in range(asked.rounds)
        ]
        best = [rate for _, rate in rounds if rate is not None]
        rates[name] = max((rate for rate, _ in rounds), key=speed), max(best, key=speed) if best else None
    if peers is not None:
        peers.close()
    rows: list[list[Any]] = []
    for name, (fast, slow) in rates.items():
        beside = ["", ""] if slow is None else [slow.per_second, fast.per_second / slow.per_second]
        rows.append([name, fast.per_second, *beside])
    data = {
        name: {"zermelo": fast.per_second, "open_spiel": slow.per_second if slow else None}
        for name, (fast, slow) in rates.items()
    }
    answer(asked, data, table(["simulations a second", "zermelo", "OpenSpiel", "ratio"], rows))


if __name__ == "__main__":
    main()
