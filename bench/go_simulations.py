"""Go on 9 × 9 beside OpenSpiel's C++, in one run: simulations a second of Monte Carlo tree search.

    python bench/peers.py --install          once: puts OpenSpiel into an environment of its own
    python bench/go_simulations.py           or with --python PATH for another interpreter that has it

A simulation is one descent of the tree and one playout. The ratio compares the same playouts: uniform over all legal
moves, the pass among them, until both pass or twice as many moves are made as the board has points, counted by area.
Beside it stand sensible playouts, which spare their own eyes, and skilled ones with RAVE, which our players use.
Processor time, best of the rounds; the moves of random games on both sides are told, too.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from tools import answer, arguments, table

from zermelo.engine.mcts import Mcts
from zermelo.games.go import Go

PYTHON = Path(__file__).resolve().parent / ".venv-peers" / "bin" / "python"

PEER = """
import json, random, sys, time
import pyspiel
game = pyspiel.load_game("go(board_size=9,komi=7.5)")
count = int(sys.argv[1])
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 1.4, count, 1000, False, 1, False)
state = game.new_initial_state()
start = time.process_time()
bot.step(state)
rate = count / (time.process_time() - start)
dice, moves = random.Random(1), 0
for _ in range(GAMES):
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(dice.choice(state.legal_actions()))
        moves += 1
print(json.dumps([rate, moves / GAMES]))
"""
GAMES = 200
"""Random games whose moves are counted."""
WAYS: dict[str, dict[str, float]] = {
    "uniform": {"rave": 0, "c": 1.4},
    "sensible": {"rave": 0, "c": 1.4},
    "skilled": {"rave": 1000, "c": 0},
}


def ours(playouts: str, simulations: int) -> tuple[float, float]:
    """Simulations a second from the empty board, and the moves of a random game."""
    game = Go(playouts=playouts)
    searcher = Mcts(game, **WAYS[playouts])
    start = time.process_time()
    searcher.search(simulations=simulations)
    rate = simulations / (time.process_time() - start)
    return rate, sum(len(game.native.playout(game.initial(), seed)[1]) for seed in range(GAMES)) / GAMES


def theirs(python: str, simulations: int) -> tuple[float, float]:
    script = PEER.replace("GAMES", str(GAMES))
    done = subprocess.run([python, "-c", script, str(simulations)], capture_output=True, text=True, check=True)
    rate, moves = json.loads(done.stdout.splitlines()[-1])
    return rate, moves


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
    best: dict[str, tuple[float, float]] = {}
    for _ in range(asked.rounds):
        runs = {f"zermelo, {way} playouts": ours(way, asked.simulations) for way in WAYS}
        runs["OpenSpiel, C++ MCTSBot"] = theirs(asked.python, asked.peer_simulations)
        best = {name: max(run, best.get(name, run)) for name, run in runs.items()}
    peer, _ = best["OpenSpiel, C++ MCTSBot"]
    rows = [[name, rate, rate / peer, moves] for name, (rate, moves) in best.items()]
    answer(
        asked,
        {
            "rates": {name: rate for name, (rate, _) in best.items()},
            "moves": {name: moves for name, (_, moves) in best.items()},
            "ratio": best["zermelo, uniform playouts"][0] / peer,
        },
        table(["Go 9 × 9", "simulations/s", "ratio", "moves a game"], rows),
    )


if __name__ == "__main__":
    sys.exit(main())
