"""How many positions of a test suite are solved, by the engine and by other programs, and how many nodes a second each
of them searches, given the same time.

    python bench/tactics.py
    python bench/tactics.py --players "engine;uci:stockfish?Threads=1&Hash=64;uci:gnuchess -u" --seconds 1

The players are asked in turns, position by position and each as in a new game, so that all of them share the machine's
quiet and busy moments. Programs that are not installed are left out, with a word. `bench/suites/wac.epd` holds the
positions of "Win at Chess" whose moves Stockfish 15.1 agrees with at depth 18: 291 of the 292 that were looked into.
"""

from __future__ import annotations

import os
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tools import answer, arguments, table

from zermelo.analysis import Clock
from zermelo.arena import make_player
from zermelo.errors import PlayerError
from zermelo.games import load
from zermelo.play import Guest, ask
from zermelo.protocols.epd import Task, read_suite

SUITE = Path(__file__).parent / "suites" / "wac.epd"
GAMES = "/usr/games"
"""Where systems put such programs, often without looking there themselves."""
PLAYERS = "engine:table_mb=64;uci:gnuchess -u;uci:stockfish?Threads=1&Hash=64"


def installed(names: Sequence[str]) -> list[str]:
    """Those of the players whose program is there, by its whole path; says which are not."""
    found = []
    for name in names:
        kind, _, command = name.partition(":")
        program = shlex.split(command.partition("?")[0])[0] if kind == "uci" else ""
        path = shutil.which(program, path=f"{os.environ.get('PATH', '')}:{GAMES}") if program else ""
        if path is None:
            print(f"left out: there is no program {program} here", file=sys.stderr)
        else:
            found.append(name.replace(program, path, 1) if program else name)
    return found


def measure(suite: str, game: str, names: Sequence[str], seconds: float, count: int) -> dict[str, Any]:
    rules = load(game)
    tasks = [each for each in read_suite(Path(suite).read_text(encoding="utf-8"), rules) if isinstance(each, Task)]
    players = {name: make_player(name) for name in installed(names)}
    missed: dict[str, list[str]] = {name: [] for name in players}
    nodes, spent = dict.fromkeys(players, 0), dict.fromkeys(players, 0.0)
    for task in tasks[:count]:
        for name, player in players.items():
            if isinstance(player, Guest):
                player.begin(rules, rules.player(task.state))
            begun = time.perf_counter()
            try:
                reply = ask(player, rules, task.state, (), Clock(move_seconds=seconds))
                action = reply.action
                nodes[name] += reply.nodes or 0
                spent[name] += time.perf_counter() - begun
            except PlayerError as error:
                print(f"{name}, {task.name}: {error}", file=sys.stderr)
                action = None
            if (task.best and action not in task.best) or action in task.avoid:
                missed[name].append(task.name)
    for player in players.values():
        if isinstance(player, Guest):
            player.close()
    speeds = {name: round(nodes[name] / spent[name]) if spent[name] else 0 for name in players}
    facts = {"suite": Path(suite).name, "seconds": seconds, "positions": len(tasks[:count])}
    return facts | {"missed": missed, "nodes a second": speeds}


def render(found: dict[str, Any]) -> str:
    positions = found["positions"]
    rows = [
        [name, positions - len(each), f"{found['nodes a second'][name]:,}", " ".join(each[:12]) or "–"]
        for name, each in found["missed"].items()
    ]
    words = f"{found['suite']}, {positions} positions, {found['seconds']:g} s each, in turns."
    return f"{table(['player', 'solved', 'nodes a second', 'missed, the first ones'], rows)}\n\n{words}"


def main() -> None:
    asked = arguments(
        __doc__,
        suite=(str(SUITE), "a file in EPD"),
        game=("chess", "its game"),
        players=(PLAYERS, "players, with ; between them"),
        seconds=(1.0, "seconds for a position"),
        count=(1_000_000, "positions at most"),
    )
    found = measure(asked.suite, asked.game, asked.players.split(";"), asked.seconds, asked.count)
    answer(asked, found, render(found))


if __name__ == "__main__":
    main()
