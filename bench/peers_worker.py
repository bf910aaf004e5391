"""The peers' side of `peers.py`: runs in their environment, and answers each line of JSON with another.

{"what": "open_spiel", "depth": 9}  →  {"work": …, "seconds": …, …}
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
import time
from collections.abc import Callable
from importlib.metadata import version
from typing import Any

LIBRARY = os.path.join(sys.prefix, "open_spiel_native.so")


def load_pyspiel() -> Any:
    """OpenSpiel's library, its C++ in reach of other libraries."""
    sys.setdlopenflags(os.RTLD_NOW | os.RTLD_GLOBAL)
    import pyspiel

    return pyspiel


def open_spiel(depth: int) -> dict[str, Any]:
    """Its C++ alpha-beta, which counts no nodes: it says how often it met the horizon."""
    load_pyspiel()
    search = ctypes.CDLL(LIBRARY).open_spiel_alphabeta
    search.restype = ctypes.c_double
    search.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.POINTER(ctypes.c_uint64)]
    horizon = ctypes.c_uint64()
    start = time.process_time()
    value = search(b"connect_four", depth, ctypes.byref(horizon))
    return {"seconds": time.process_time() - start, "value": value, "horizon": horizon.value}


def open_spiel_python(depth: int) -> dict[str, Any]:
    """Its alpha-beta in Python, over its Connect Four in C++."""
    pyspiel = load_pyspiel()
    from open_spiel.python.algorithms import minimax

    leaves = [0]

    def neutral(_: Any) -> float:
        leaves[0] += 1
        return 0.0

    game = pyspiel.load_game("connect_four")
    start = time.process_time()
    value, _ = minimax.alpha_beta_search(game, value_function=neutral, maximum_depth=depth, maximizing_player_id=0)
    return {"seconds": time.process_time() - start, "value": value, "horizon": leaves[0]}


def open_spiel_playouts(game: str, games: int) -> dict[str, Any]:
    """Random games in a loop of C++."""
    load_pyspiel()
    play = ctypes.CDLL(LIBRARY).open_spiel_playouts
    play.restype = ctypes.c_uint64
    play.argtypes = [ctypes.c_char_p, ctypes.c_uint64]
    start = time.process_time()
    play(game.encode(), games)
    return {"seconds": time.process_time() - start, "work": games}


def open_spiel_mcts(game: str, simulations: int, exploration: float) -> dict[str, Any]:
    """Its C++ Monte Carlo tree search, with one uniformly random playout a simulation."""
    pyspiel = load_pyspiel()
    rules = pyspiel.load_game(game)
    evaluator = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(rules, evaluator, exploration, simulations, 1024, False, 1, False)
    state = rules.new_initial_state()
    start = time.process_time()
    bot.step(state)
    return {"seconds": time.process_time() - start}


def easyai(depth: int) -> dict[str, Any]:
    """easyAI's negamax on its own Connect Four; every node but the root is one `make_move`."""
    from easyAI import AI_Player, Negamax
    from easyAI.games.ConnectFour import ConnectFour

    moves = [0]

    class Counted(ConnectFour):  # type: ignore[misc]
        def make_move(self, column: int) -> None:
            moves[0] += 1
            super().make_move(column)

    players = [AI_Player(Negamax(depth)), AI_Player(Negamax(depth))]
    game = Counted(players)
    start = time.process_time()
    players[0].AI_algo(game)
    return {"seconds": time.process_time() - start, "work": 1 + moves[0]}


def versions() -> dict[str, Any]:
    return {name: version(name) for name in ("open_spiel", "easyAI")} | {"native": os.path.exists(LIBRARY)}


REQUESTS: dict[str, Callable[..., dict[str, Any]]] = {
    each.__name__: each
    for each in (open_spiel, open_spiel_python, open_spiel_playouts, open_spiel_mcts, easyai, versions)
}


def main() -> None:
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # whatever the peers print is no answer
    for line in sys.stdin:
        request = json.loads(line)
        print(json.dumps(REQUESTS[request.pop("what")](**request)), file=answers, flush=True)


if __name__ == "__main__":
    main()
