"""What a technique of the engine is worth in games: the engine against itself without it, at equal nodes.

    python bench/switches.py correction_history breakthrough checkers kalah:seeds=6
    python bench/switches.py futility,razoring chess --nodes 3000 --pairs 500

Games come in pairs from one random opening, with the seats swapped; the same seed gives the same games everywhere.
"""

from __future__ import annotations

import sys
from typing import Any

from tools import answer, arguments, play_match, table

from zermelo.games import load
from zermelo.learn.selfplay import SearchPlayer


def measure(name: str, off: list[str], asked: Any) -> dict[str, Any]:
    game = load(name)
    without = SearchPlayer(nodes=asked.nodes, switches=dict.fromkeys(off, False))
    return play_match((game, game), (SearchPlayer(nodes=asked.nodes), without), asked)


def main() -> None:
    named = []
    while len(sys.argv) > 1 and not sys.argv[1].startswith("-"):
        named.append(sys.argv.pop(1))
    asked = arguments(
        __doc__,
        nodes=(1000, "of a move"),
        pairs=(150, "pairs of games in each match"),
        least_plies=(4, "the least random plies of an opening"),
        most_plies=(8, "and the most"),
        threads=(1, "games at a time"),
        seed=(7, "of the openings"),
    )
    if len(named) < 2:
        sys.exit("say which techniques, and in which games: correction_history breakthrough checkers")
    off, names = named[0].split(","), named[1:]
    data = {name: measure(name, off, asked) for name in names}
    rows = [
        [name, 2 * asked.pairs, f"{each['elo']:+.0f}", f"{each['low']:+.0f} … {each['high']:+.0f}"]
        for name, each in data.items()
    ]
    head = [f"{', '.join(off)}, {asked.nodes:,} nodes a move", "games", "Elo", "95 %"]
    answer(asked, {"off": off, "nodes": asked.nodes, "games": data}, table(head, rows))


if __name__ == "__main__":
    main()
