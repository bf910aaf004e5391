"""What each technique of the engine brings: the nodes to a depth, and the depth for the nodes, without it.

    python bench/techniques.py              a table in Markdown; `tables.py` puts a smaller one into the docs

Nodes only, on one thread: the table is the same on every machine. A ratio above 1 is what the technique saves.
Techniques that a game has no use for (no `is_noisy`, no `pass_turn`) leave its numbers as they are.
"""

from __future__ import annotations

from typing import Any

from tools import Place, answer, arguments, known, midgame, table

from zermelo.engine.benchmark import geometric_mean
from zermelo.engine.engine import RISKY, Engine, techniques

POSITIONS = {"connect4": (6, 12), "othello": (10, 30), "checkers": (8, 24), "hexapawn:columns=6,rows=6": (2, 8)}
"""Games, and the least and most random plies before a position of theirs."""


def nodes_to(engine: Engine, place: Place, depth: int, limit: int) -> int:
    """Nodes of a search to `depth` from scratch; given up, and counted as they are, at `limit`."""
    engine.clear()
    return engine.search(place.state, depth=depth, nodes=limit, history=place.history).nodes


def depth_in(engine: Engine, place: Place, nodes: int) -> int:
    """The last depth that is finished within so many nodes."""
    engine.clear()
    finished = [found.depth or 0 for found in engine.think(place.state, nodes=nodes, history=place.history)]
    return finished[-1]


def first_depth(engine: Engine, place: Place, nodes: int) -> int | None:
    """The first depth that takes so many nodes; none if the game is proved before."""
    engine.clear()
    for found in engine.think(place.state, history=place.history):
        if found.nodes >= nodes:
            return found.depth
    return None


class Game:
    """The positions of one game, with the depth to which each is searched."""

    def __init__(self, name: str, count: int, worth: int):
        self.name = name
        self.worth = worth
        places = midgame(name, 4 * count, POSITIONS[name])
        self.game = places[0].game
        engine = self.engine({})
        found = [(place, first_depth(engine, place, worth)) for place in places]
        self.places = [(place, depth) for place, depth in found if depth is not None][:count]
        self.nodes, self.depths = self.measure({})

    def engine(self, switches: dict[str, bool]) -> Engine:
        return Engine(self.game, table_mb=16, **switches)

    def measure(self, switches: dict[str, bool]) -> tuple[list[int], list[int]]:
        engine = self.engine(switches)
        limit = 30 * self.worth
        nodes = [nodes_to(engine, place, depth, limit) for place, depth in self.places]
        return nodes, [depth_in(engine, place, 4 * self.worth) for place, _ in self.places]

    def effect(self, switches: dict[str, bool]) -> dict[str, float]:
        nodes, depths = self.measure(switches)
        ratio = geometric_mean(off / on for off, on in zip(nodes, self.nodes, strict=True))
        return {"nodes": ratio, "depth": (sum(depths) - sum(self.depths)) / len(depths)}


def measure(count: int, nodes: int, only: str = "") -> dict[str, Any]:
    """The effect of each technique, or of those named in `only`, in every game."""
    games = [Game(name, count, nodes) for name in known(list(POSITIONS))]
    chosen = only.split(",") if only else list(techniques())
    trials = {name: {name: False} for name in chosen}
    if not only:
        trials |= {"all risky ones": dict.fromkeys(RISKY, False), "all": dict.fromkeys(techniques(), False)}
    effects = {name: {game.name: game.effect(switches) for game in games} for name, switches in trials.items()}
    return {"count": count, "nodes": nodes, "effects": effects}


def render(found: dict[str, Any]) -> str:
    """What `measure` found, as a table in Markdown and a line about it."""
    rows = []
    for name, by_game in found["effects"].items():
        cells = [f"{each['nodes']:.2f} ({each['depth']:+.1f})" for each in by_game.values()]
        rows.append([f"{name} (risky)" if name in RISKY else name, *cells])
    head = ["switched off", *next(iter(found["effects"].values()))]
    words = (
        f"Nodes to a fixed depth as a multiple of all techniques together, geometric mean of {found['count']} midgame\n"
        f"positions; in brackets the plies won or lost at {4 * found['nodes']:,} nodes."
    )
    return f"{table(head, rows)}\n\n{words}"


def main() -> None:
    asked = arguments(
        __doc__,
        count=(8, "positions a game"),
        nodes=(50_000, "nodes that a position is worth"),
        only=("", "techniques to switch off, by name, with commas"),
    )
    found = measure(asked.count, asked.nodes, asked.only)
    answer(asked, found, render(found), timed=False)


if __name__ == "__main__":
    main()
