"""Endgame tables: how fast slices are built, what a position takes, and what a look-up costs beside a search.

    python bench/endgame_tables.py                                    chess and checkers with three pieces
    python bench/endgame_tables.py --game chess --pieces 4 --threads 2
    python bench/endgame_tables.py --game chess --pieces 4 --only KBNK

Speeds are positions a second of processor time. A look-up is timed in Python, over random positions; a search proves
the value of won and lost positions that end within some plies, without tables. Nodes a second are those of the engine
at the start of the game, with tables and without: what it costs to ask whether a position is in them.
"""

from __future__ import annotations

import random
import tempfile
import time
from pathlib import Path
from typing import Any

from tools import answer, arguments, known, table

from zermelo import Game, Limits
from zermelo.engine.benchmark import race
from zermelo.engine.engine import Engine
from zermelo.engine.searcher import Searcher
from zermelo.errors import OptionError
from zermelo.games import load
from zermelo.tables import SliceFacts, Tables, build_tables, with_tables

GAMES = ("chess", "checkers")
PLIES = 7
"""Of the positions that are searched: a longer proof takes a search too long."""


def measure(name: str, asked: Any, folder: Path) -> tuple[dict[str, Any], Tables[Any]]:
    """The whole build, and what it made."""
    game = load(f"{name}:tables=no")
    only = [each for each in asked.only.split(",") if each]
    build_tables(game, 1, folder / "none")  # the rules are compiled before the clock runs
    start, busy = time.perf_counter(), time.process_time()
    tables = build_tables(game, asked.pieces, folder / name, only=only, threads=asked.threads)
    busy, seconds = time.process_time() - busy, time.perf_counter() - start
    if not tables.slices:
        raise OptionError(f"{name} has no slices with up to {asked.pieces} pieces; give --pieces 3 or more")
    found = {"game": name, **describe(tables, list(tables.slices.values())), "seconds": seconds, "processor": busy}
    return found, tables


def describe(tables: Tables[Any], slices: list[SliceFacts]) -> dict[str, Any]:
    return {
        "slices": len(slices),
        "positions": sum(facts.positions for facts in slices),
        "bytes": sum(tables.path(facts.name).stat().st_size for facts in slices),
        "loaded": sum(facts.numbers * facts.code_bytes for facts in slices),
    }


def sample(tables: Tables[Any], count: int) -> list[Any]:
    """Random positions of all slices in which a player moves."""
    game, dice, found = tables.game, random.Random(1), []
    slices = list(tables.slices)
    while len(found) < count:
        m = dice.choice(slices)
        i = dice.randrange(game.slice_size(m))
        s = game.unrank(m, i)
        if (game.material(s), game.rank(s)) == (m, i) and not game.is_terminal(s):
            found.append(s)
    return found


def look_up(tables: Tables[Any], states: list[Any]) -> float:
    """Microseconds a look-up takes, with the call from Python."""
    compiled, native = tables.compiled, tables.native
    packed = [compiled.pack(s) for s in states]
    start = time.process_time()
    for data in packed:
        native.look(compiled.handle, data)
    return 1e6 * (time.process_time() - start) / len(packed)


def prove(tables: Tables[Any], states: list[Any]) -> tuple[int, float]:
    """How many positions a search proves in as many plies as the tables say, and its microseconds for one."""
    near = [s for s in states if 0 < (tables.outcome(s).distance or 0) <= PLIES]
    searcher = Searcher(tables.game, exact=True, by_depth=True)
    start = time.process_time()
    for s in near:
        searcher.clear()
        searcher.search(s, Limits(depth=PLIES + 1))
    return len(near), 1e6 * (time.process_time() - start) / max(len(near), 1)


def speeds(tables: Tables[Any], nodes: int) -> tuple[float, float]:
    """Nodes a second at the start of the game, without tables and with them."""

    def search(game: Game) -> int:
        return Engine(game).search(nodes=nodes).nodes

    games = {"without": tables.game, "with": with_tables(tables.game, tables)}
    rates = race({name: lambda game=game: search(game) for name, game in games.items()})
    return rates["without"].per_second, rates["with"].per_second


def main() -> None:
    asked = arguments(
        __doc__,
        game=("", "one game in place of chess and checkers"),
        pieces=(3, "pieces at most"),
        only=("", "slices to build, as in KBNK,KBBK"),
        threads=(1, "threads"),
        samples=(2000, "positions that are looked up"),
        nodes=(300_000, "nodes of a search for its speed"),
    )
    rows, found = [], []
    for name in known([asked.game] if asked.game else list(GAMES)):
        with tempfile.TemporaryDirectory() as folder:
            row, tables = measure(name, asked, Path(folder))
            states = sample(tables, asked.samples)
            row["look_up_us"] = look_up(tables, states)
            row["proved"], row["proof_us"] = prove(tables, states[:200])
            row["nodes_without"], row["nodes_with"] = speeds(tables, asked.nodes)
        found.append(row)
        positions = row["positions"]
        rows.append(
            [
                *(name, row["slices"], positions, positions / max(row["processor"], 1e-9)),
                *(row["bytes"] / positions, row["loaded"] / positions, row["look_up_us"], row["proof_us"]),
                row["nodes_with"] / row["nodes_without"],
            ]
        )
    head = [
        "game",
        "slices",
        "positions",
        "positions/s",
        "bytes/position",
        "in memory",
        "look-up µs",
        "proof µs",
        "speed",
    ]
    text = f"{table(head, rows)}\n\nSpeed: nodes a second with tables, those without being 1."
    answer(asked, {"pieces": asked.pieces, "threads": asked.threads, "games": found}, text)


if __name__ == "__main__":
    main()
