"""The lectures' figures about chess, by the engine's own switches.

    python bench/lecture_figures.py
    python bench/lecture_figures.py --nodes 1000000 --games 20 --concurrency 16

Pruning and ordering: the effective branching factor, which is the d-th root of the nodes that depth d takes, and how
many times more nodes one more ply takes; with nothing, with alpha-beta in the order of the generator, with its moves
ordered, and with all that the engine does. (Deep Blue's 6 in place of 35 is of this kind.) What nodes are worth: the
depth that a tenth of so many, so many and ten times so many reach, and how a player with so many fares against the
other two. Positions are middlegames that the engine has played against itself.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import Any, NamedTuple

from tools import answer, arguments, table

from zermelo.arena.tournament import match
from zermelo.engine.benchmark import geometric_mean
from zermelo.engine.engine import Engine, techniques
from zermelo.game import Game
from zermelo.games import load

OPENING, MIDDLE = 4, 20
"""Random plies at the beginning of a game, and plies of the engine after them."""
QUICK = 400
"""Nodes of the engine for a move of these games."""
ORDERING = ("table", "enhanced_cutoffs", "killers", "history", "counter_moves", "priority")
"""Techniques that find good moves early, or know them already."""
SOUND = (*ORDERING, "pvs", "aspiration", "quiescence", "one_reply_extensions", "quick", "table_estimates")
ROWS = {
    "alpha-beta, in the generator's order": (),
    "alpha-beta, ordered, with a table": ORDERING,
    "and principal variation search, quiescence": SOUND,
    "everything: reductions, null move, futility, …": tuple(techniques()),
}
"""Which techniques are on."""


def middlegames(game: Game, count: int) -> list[Any]:
    """Positions as they come up in play; the same every time."""
    engine, found, seed = Engine(game, table_mb=4), list[Any](), 0
    while len(found) < count:
        seed += 1
        dice, state = random.Random(seed), game.initial()
        for ply in range(OPENING + MIDDLE):
            if game.is_terminal(state):
                break
            quiet = ply >= OPENING
            action = engine.search(state, nodes=QUICK).action if quiet else dice.choice(list(game.actions(state)))
            state = game.result(state, action)
        else:
            if not game.is_terminal(state):
                found.append(state)
    return found


class Growth(NamedTuple):
    """How the nodes of a search grow with its depth."""

    factor: float
    """The root of the nodes of the last depth."""
    step: float
    """The factor of one more ply, over the last two."""
    depth: int


def growth(engine: Engine, state: Any, nodes: int) -> Growth | None:
    """What so many nodes show; nothing if they do not last for three plies."""
    engine.clear()
    counts = [0]
    for found in engine.think(state, nodes=nodes):
        if not found.stopped:
            counts.append(found.nodes)
    each = [later - earlier for earlier, later in pairwise(counts)]
    if len(each) < 3:
        return None
    return Growth(each[-1] ** (1 / len(each)), (each[-1] / each[-3]) ** 0.5, len(each))


def branching(game: Game, states: list[Any], nodes: int) -> list[dict[str, Any]]:
    moves = sum(len(list(game.actions(state))) for state in states) / len(states)
    rows: list[dict[str, Any]] = [{"search": "none: every move of every position", "factor": moves, "step": moves}]
    for name, on in ROWS.items():
        engine = Engine(game, table_mb=64, **{each: each in on for each in techniques()})
        found = [each for state in states if (each := growth(engine, state, nodes)) is not None]
        if found:
            depth = sum(each.depth for each in found) / len(found)
            factor, step = (geometric_mean(column) for column in list(zip(*found, strict=True))[:2])
            rows.append({"search": name, "factor": factor, "step": step, "depth": depth})
    return rows


def depths(game: Game, states: list[Any], budgets: list[int]) -> dict[int, float]:
    """The mean depth that each number of nodes reaches."""
    engine = Engine(game, table_mb=64)
    reached = {}
    for nodes in budgets:
        total = 0
        for state in states:
            engine.clear()
            total += engine.search(state, nodes=nodes).depth or 0
        reached[nodes] = total / len(states)
    return reached


def scores(nodes: int, others: list[int], games: int, concurrency: int) -> list[dict[str, Any]]:
    """How a player with `nodes` a move fares against those with others."""
    rows = []
    for other in others:
        players = [f"engine:nodes={nodes}", f"engine:nodes={other}"]
        report = match("chess", players, games=games, concurrency=concurrency, draw="0.02:8:40")
        (pair,) = report.to_json()["pairs"]
        rows.append({"against": other, **{name: pair[name] for name in ("games", "points", "elo", "low", "high")}})
    return rows


def measure(count: int, nodes: int, games: int, concurrency: int) -> dict[str, Any]:
    game = load("chess")
    states = middlegames(game, count)
    budgets = [max(nodes // 10, 1), nodes, 10 * nodes]
    return {
        "positions": count,
        "nodes": nodes,
        "branching": branching(game, states, nodes),
        "depths": depths(game, states, budgets),
        "scores": scores(nodes, [budgets[0], budgets[2]], games, concurrency) if games else [],
    }


def render(found: dict[str, Any]) -> str:
    rows = [[row["search"], row["factor"], row["step"], row.get("depth", "–")] for row in found["branching"]]
    lines = [
        table(["pruning and ordering", "branching factor", "one more ply", "depth"], rows),
        f"{found['positions']} middlegames, {found['nodes']:,} nodes each.",
        table(["nodes a move", "mean depth"], [[f"{nodes:,}", depth] for nodes, depth in found["depths"].items()]),
    ]
    if found["scores"]:
        rows = [
            [f"{row['against']:,}", f"{row['points'][0]:g} of {row['games']}", f"{row['elo']:+.0f}"]
            for row in found["scores"]
        ]
        lines.append(table([f"{found['nodes']:,} nodes against", "points", "Elo"], rows))
    return "\n\n".join(lines)


def main() -> None:
    asked = arguments(
        __doc__,
        count=(10, "middlegames"),
        nodes=(1_000_000, "nodes a position, and a move"),
        games=(4, "games against each of the other two; 0 for none"),
        concurrency=(1, "games at once"),
    )
    found = measure(asked.count, asked.nodes, asked.games, asked.concurrency)
    answer(asked, found, render(found), timed=False)


if __name__ == "__main__":
    main()
