"""Endgame tables: how fast slices are built, what a position takes, and what a look-up costs beside a search.

    python bench/endgame_tables.py                                    chess and checkers with three pieces
    python bench/endgame_tables.py --game chess --pieces 4 --threads 2
    python bench/endgame_tables.py --game chess --pieces 4 --only KBNK
    python bench/endgame_tables.py --game checkers --pieces 4 --exact 3     the others in steps
    python bench/endgame_tables.py --game checkers --shipped                look-ups in those that the game brings
    python bench/endgame_tables.py --game chess --agree 10000               searches agree with random positions

Speeds are positions a second of processor time. A look-up is timed in Python, over random positions; a search proves
the value of won and lost positions that end within some plies, without tables. Nodes a second are those of the engine
at the start of the game, with tables and without: what it costs to ask whether a position is in them. A search agrees
that proves, in a few plies and without tables, what they say of a position, or nothing where they say that it takes
longer; the first position of which that is not so ends the program.
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
from zermelo.tables import SliceFacts, Tables, build_tables, tables_of, with_tables

GAMES = ("chess", "checkers")
PLIES = 7
"""Of the positions that are searched: a longer proof takes a search too long."""


def measure(name: str, asked: Any, folder: Path) -> tuple[dict[str, Any], Tables[Any]]:
    """The whole build, and what it made."""
    game = load(f"{name}:tables=no")
    only = [each for each in asked.only.split(",") if each]
    build_tables(game, 1, folder / "none")  # the rules are compiled before the clock runs
    start, busy = time.perf_counter(), time.process_time()
    exact = None if asked.exact < 0 else asked.exact
    options = {"only": only, "threads": asked.threads, "exact": exact, "memory_mb": asked.memory}
    tables = build_tables(game, asked.pieces, folder / name, **options)
    busy, seconds = time.process_time() - busy, time.perf_counter() - start
    if not tables.slices:
        raise OptionError(f"{name} has no slices with up to {asked.pieces} pieces; give --pieces 3 or more")
    found = {"game": name, **describe(tables, list(tables.slices.values())), "seconds": seconds, "processor": busy}
    return found, tables


def bring(name: str, asked: Any) -> tuple[dict[str, Any], Tables[Any]]:
    """The slices with so many pieces of the tables that the game brings."""
    tables = tables_of(load(name))
    if tables is None:
        raise OptionError(f"{name} brings no endgame tables")
    slices = [tables.slices[m] for m in tables.game.slices(asked.pieces) if m in tables.slices]
    return {"game": name, **describe(tables, slices), "seconds": 0.0, "processor": 0.0}, tables


def describe(tables: Tables[Any], slices: list[SliceFacts]) -> dict[str, Any]:
    return {
        "slices": len(slices),
        "positions": sum(facts.positions for facts in slices),
        "bytes": sum(tables.path(facts.name).stat().st_size for facts in slices),
        "loaded": sum(facts.held * facts.code_bytes for facts in slices),
    }


def sample(tables: Tables[Any], count: int, pieces: int) -> list[Any]:
    """Random positions of all slices in which a player moves; with `pieces` of those with so many."""
    game, dice, found = tables.game, random.Random(1), []
    slices = [m for m in game.slices(pieces) if m in tables.slices] if pieces else list(tables.slices)
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
    for data in packed:  # so that all slices are in memory
        native.look(compiled.handle, data)
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


def disagrees(tables: Tables[Any], searcher: Searcher, s: Any, plies: int) -> bool:
    """Whether an exhaustive search proves another value of `s` than the tables say, or another distance."""
    outcome = tables.outcome(s)
    searcher.clear()
    found = searcher.search(s, Limits(depth=plies))
    if outcome.distance is None or outcome.distance > plies:
        return found.exact and found.value != outcome.value
    return not found.exact or (found.value, found.plies_to_end[0]) != (outcome.value, outcome.distance)


def agree(tables: Tables[Any], states: list[Any], plies: int) -> float:
    """Searches all states; seconds of processor time."""
    searcher = Searcher(tables.game, exact=True, by_depth=True)
    start = time.process_time()
    for s in states:
        if disagrees(tables, searcher, s, plies):
            raise SystemExit(f"a search does not agree about {tables.game.write(s)}: {tables.outcome(s)}")
    return time.process_time() - start


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
        exact=(-1, "pieces up to which distances are exact; all without it"),
        memory=(4096, "MB for one slice"),
        shipped=(False, "look up in the tables that the game brings, of --pieces alone"),
        samples=(2000, "positions that are looked up"),
        nodes=(300_000, "nodes of a search for its speed"),
        agree=(0, "random positions that a search is to agree about; nothing is timed then"),
        plies=(5, "depth of that search"),
    )
    rows, found = [], []
    for name in known([asked.game] if asked.game else list(GAMES)):
        with tempfile.TemporaryDirectory() as folder:
            row, tables = bring(name, asked) if asked.shipped else measure(name, asked, Path(folder))
            if asked.agree:
                states = sample(tables, asked.agree, asked.pieces if asked.shipped else 0)
                found.append({"game": name, "agree": len(states), "seconds": agree(tables, states, asked.plies)})
                continue
            states = sample(tables, asked.samples, asked.pieces if asked.shipped else 0)
            row["look_up_us"] = look_up(tables, states)
            row["proved"], row["proof_us"] = prove(tables, states[:200])
            row["nodes_without"], row["nodes_with"] = speeds(tables, asked.nodes)
        found.append(row)
        positions = row["positions"]
        rows.append(
            [
                *(name, row["slices"], positions, positions / row["processor"] if row["processor"] else "–"),
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
    if asked.agree:
        text = "\n".join(f"{row['game']}: a search agrees about {row['agree']:,} positions" for row in found)
        answer(asked, {"pieces": asked.pieces, "plies": asked.plies, "games": found}, text)
        return
    text = f"{table(head, rows)}\n\nSpeed: nodes a second with tables, those without being 1."
    answer(asked, {"pieces": asked.pieces, "threads": asked.threads, "games": found}, text)


if __name__ == "__main__":
    main()
