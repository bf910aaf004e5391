"""Go on 9 × 9 beside OpenSpiel's C++, in one run: simulations a second of Monte Carlo tree search.

    python bench/peers.py --install          once: puts OpenSpiel into an environment of its own
    python bench/go_simulations.py           or with --python PATH for another interpreter that has it

A simulation is one descent of the tree and one playout. Uniform playouts of ours go anywhere but into their own eyes
until nothing is left; OpenSpiel's bot draws from all legal moves until two passes or its limit of moves. Processor
time, best of the rounds.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from tools import answer, arguments, table

from zermelo.engine.mcts import Mcts
from zermelo.games.go import Go

PYTHON = Path(__file__).resolve().parent / ".venv-peers" / "bin" / "python"

PEER = """
import json, sys, time
import pyspiel
game = pyspiel.load_game("go(board_size=9,komi=7.5)")
count = int(sys.argv[1])
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, count, 1000, False, 1, False)
state = game.new_initial_state()
start = time.process_time()
bot.step(state)
print(json.dumps(count / (time.process_time() - start)))
"""


def ours(playouts: str, simulations: int) -> float:
    """Simulations a second from the empty board."""
    searcher = Mcts(
        Go(playouts=playouts), rave=0 if playouts == "uniform" else 1000, c=1.4 if playouts == "uniform" else 0
    )
    start = time.process_time()
    searcher.search(simulations=simulations)
    return simulations / (time.process_time() - start)


def theirs(python: str, simulations: int) -> float:
    done = subprocess.run([python, "-c", PEER, str(simulations)], capture_output=True, text=True, check=True)
    return float(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    asked = arguments(
        __doc__,
        simulations=(20_000, "of ours"),
        peer_simulations=(4_000, "of OpenSpiel's"),
        rounds=(3, "runs of each, the best counts"),
        python=(str(PYTHON), "an interpreter that has OpenSpiel"),
    )
    if not Path(asked.python).exists():
        text = "skipped: OpenSpiel is not installed; `python bench/peers.py --install` does it"
        answer(asked, {"skipped": "open_spiel"}, text, timed=False)
        return
    best: dict[str, float] = {}
    for _ in range(asked.rounds):
        runs: dict[str, Any] = {
            "zermelo, uniform playouts": ours("uniform", asked.simulations),
            "zermelo, skilled playouts and RAVE": ours("skilled", asked.simulations),
            "OpenSpiel, C++ MCTSBot": theirs(asked.python, asked.peer_simulations),
        }
        best = {name: max(rate, best.get(name, 0.0)) for name, rate in runs.items()}
    peer = best["OpenSpiel, C++ MCTSBot"]
    rows = [[name, rate, rate / peer] for name, rate in best.items()]
    answer(
        asked,
        {"rates": best, "ratio": best["zermelo, uniform playouts"] / peer},
        table(["Go 9 × 9", "simulations/s", "ratio"], rows),
    )


if __name__ == "__main__":
    sys.exit(main())
