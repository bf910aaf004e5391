"""A process ends well while searches run on threads that Python does not wait for."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCRIPT = """
import threading, time
import zermelo as z

game = z.load("connect4")
begun = threading.Semaphore(0)

def judge(states):
    begun.release()
    return [None] * len(states), [0.0] * len(states)

def stop():
    begun.release()
    return False

def search():
    while True:
        {search}

for _ in range(3):
    threading.Thread(target=search, daemon=True).start()
for _ in range(6):
    begun.acquire()
"""
SEARCHES = {
    "engine": "z.Engine(game, threads=2).search(seconds=60, stop=stop)",
    "mcts": "z.mcts(game, seconds=60, threads=2, stop=stop)",
    "evaluator": "z.mcts(game, seconds=60, evaluator=judge)",
    "hidden": "z.mcts(z.load('battleship'), seconds=60, threads=2, stop=stop)",
    "short": "begun.release(); z.mcts(game, simulations=50)",
}


@pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
def test_a_process_ends_well_while_searches_run(search: str) -> None:
    script = SCRIPT.format(search=search)
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (0, "")
