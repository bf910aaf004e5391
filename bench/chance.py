"""Dice and many players: what pruning saves, and how fast the core is beside the textbook.

    python bench/chance.py               nodes of plain search, Star1 and Star2; max^n, paranoid, best replies; speed
    python bench/chance.py --plays 20    wider trees, as in backgammon

Nodes are the same on every machine. The speed is a ratio: nodes a second of processor time, native against textbook, on
the same tree, which both enter node for node.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from chance_games import Drift
from tools import answer, arguments, table

import zermelo as z
from zermelo.engine.expectation import ExpectationEngine
from zermelo.game import Game

PRUNINGS = ("none", "star1", "star2")
PLAIN = {"table": False, "order": False}


def count(game: Game, depth: int | None, **settings: Any) -> int:
    """The nodes of one search of the initial position."""
    return ExpectationEngine(game, table_mb=16, **settings).once(depth=depth).nodes


def prunings(games: dict[str, tuple[Game, int | None]]) -> dict[str, dict[str, int]]:
    """Nodes of each pruning, in the game's order and in the engine's."""
    found: dict[str, dict[str, int]] = {}
    for name, (game, depth) in games.items():
        found[name] = {pruning: count(game, depth, pruning=pruning, **PLAIN) for pruning in PRUNINGS}
        found[name] |= {f"{p}, ordered": count(game, depth, pruning=p) for p in ("star1", "star2")}
    return found


def parties(stones: int) -> dict[str, int]:
    """Nodes of the searches for three players."""
    game = z.load(f"kingmaker:stones={stones}")
    return {
        "max^n": count(game, None, algorithm="maxn", pruning="none", **PLAIN),
        "max^n, shallow": count(game, None, algorithm="maxn", pruning="shallow", **PLAIN),
        "max^n, shallow, table": count(game, None, algorithm="maxn"),
        "paranoid": count(game, None, algorithm="paranoid", **PLAIN),
        "best replies": count(game, None, algorithm="brs", **PLAIN),
    }


def speed(game: Game, depth: int, rounds: int) -> dict[str, float]:
    """Nodes a second of both, best of so many rounds in turns, and their ratio."""
    engine = ExpectationEngine(game, pruning="star1", table=False, order=False)
    native: Callable[[], z.Analysis] = lambda: engine.once(depth=depth)  # noqa: E731
    textbook: Callable[[], z.Analysis] = lambda: z.expectiminimax(game, depth=depth, pruning="star1")  # noqa: E731
    best = {"native": 0.0, "textbook": 0.0}
    for _ in range(rounds):
        for name, search in (("native", native), ("textbook", textbook)):
            begun = time.process_time()
            nodes = search().nodes
            best[name] = max(best[name], nodes / max(time.process_time() - begun, 1e-9))
    return best | {"ratio": best["native"] / best["textbook"]}


def main() -> None:
    asked = arguments(
        __doc__,
        plays=(12, "plays to a roll of the widest tree"),
        length=(3, "plays of a game on it"),
        stones=(16, "stones of the game of three players"),
        rounds=(3, "rounds of the speed test"),
    )
    games = {
        "race, 5 plies": (z.load("race"), 5),
        "Pig, 7 plies": (z.load("pig"), 7),
        "6 plays × 6 rolls": (Drift(plays=6, length=asked.length), None),
        f"{asked.plays} plays × 6 rolls": (Drift(plays=asked.plays, length=asked.length), None),
    }
    found = {
        "pruning": prunings(games),
        "party": parties(asked.stones),
        "speed": speed(z.load("race"), 5, asked.rounds),
    }
    head = ["nodes", *found["pruning"]]
    rows = [
        [kind, *(each[kind] for each in found["pruning"].values())] for kind in next(iter(found["pruning"].values()))
    ]
    party = [[name, nodes] for name, nodes in found["party"].items()]
    rate = found["speed"]
    text = f"{table(head, rows)}\n\n{table([f'three players, {asked.stones} stones', 'nodes'], party)}\n\n"
    text += f"Star1 on the race: {rate['native']:,.0f} nodes a second, {rate['ratio']:.0f} × the textbook."
    answer(asked, found, text)


if __name__ == "__main__":
    main()
