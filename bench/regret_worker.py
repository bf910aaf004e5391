"""OpenSpiel's side of regret.py: seconds of CFR+ to a target exploitability, as one JSON object."""

from __future__ import annotations

import json
import sys
import time

import pyspiel

target, limit = float(sys.argv[1]), float(sys.argv[2])
game = pyspiel.load_game("leduc_poker")
solver = pyspiel.CFRPlusSolver(game)
spent, iterations, gap = 0.0, 0, float("inf")
while gap > target and spent < limit:
    begin = time.process_time()
    for _ in range(20):
        solver.evaluate_and_update_policy()
    spent += time.process_time() - begin
    iterations += 20
    gap = pyspiel.nash_conv(game, solver.average_policy()) / 2
print(json.dumps({"seconds": spent, "iterations": iterations, "exploitability": gap}))
