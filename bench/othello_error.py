"""How many discs the estimates of Othello are off, by the number of empty cells.

    python bench/othello_error.py
    python bench/othello_error.py --network othello.safetensors --games 400

The network plays games that it has not learned from, from openings of a few random plies, and proves their endings. Its
estimate of a position, without a search, is compared with how the game ended, and so is the evaluation made by hand.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from tools import answer, arguments, table

from zermelo.engine.compiled import compile_game
from zermelo.engine.network import read_network, with_network, without_network
from zermelo.games import load
from zermelo.learn.records import RecordedGames, RecordWriter
from zermelo.learn.selfplay import SearchPlayer, SelfPlay, SelfPlayOptions

EMPTY = (40, 30, 20, 15)
ENDING_STAGE, ENDING_NODES = 12, 100_000


def errors(game: Any, rules: Any, asked: Any) -> dict[int, dict[str, Any]]:
    """The mean absolute errors of the network and of the evaluation, and how many positions there were."""
    options: SelfPlayOptions[Any] = SelfPlayOptions(
        SearchPlayer(nodes=asked.nodes),
        asked.games,
        seed=asked.seed,
        opening_plies=(4, 10),
        ending_stage=ENDING_STAGE,
        ending_nodes=ENDING_NODES,
    )
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games.bin"
        with RecordWriter(path, game) as writer:
            for block in SelfPlay(game, options).blocks():
                writer.write(block)
        parts = list(RecordedGames(path, game).positions())
    states = np.concatenate([part.states for part in parts])
    results = np.concatenate([part.results for part in parts])
    boards = states.view(np.uint64)
    empty = 64 - np.bitwise_count(boards[:, 0] | boards[:, 1])
    own, by_hand = compile_game(game), compile_game(rules)
    found = {}
    for count in EMPTY:
        chosen = np.flatnonzero(empty == count)
        off: dict[str, list[float]] = {"network": [], "hand": []}
        for i in chosen:
            state = states[i].tobytes()
            mover = own.handle.info(state).mover
            for who, compiled in (("network", own), ("hand", by_hand)):
                off[who].append(abs(compiled.handle.evaluate(state, mover) - results[i]))
        found[count] = {"positions": len(chosen), **{who: float(np.mean(each)) for who, each in off.items()}}
    return found


def main() -> None:
    asked = arguments(
        __doc__,
        network=("", "its network; by default the one that the game comes with"),
        games=(200, "games"),
        nodes=(2000, "of a move"),
        seed=(77, "of the games"),
    )
    loaded = load("othello:discs=yes")
    rules = without_network(loaded)
    game = with_network(rules, read_network(asked.network)) if asked.network else loaded
    found = errors(game, rules, asked)
    rows = [[n, each["positions"], f"{each['network']:.2f}", f"{each['hand']:.2f}"] for n, each in found.items()]
    answer(asked, {"errors": found}, table(["empty cells", "positions", "network", "by hand"], rows))


if __name__ == "__main__":
    main()
