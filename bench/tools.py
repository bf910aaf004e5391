"""What the scripts of this folder share: positions to measure on, and tables to print."""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.arena.statistics import elo_from_pairs
from zermelo.errors import GameNotFoundError
from zermelo.game import Game
from zermelo.games import load
from zermelo.learn.match import Match, MatchOptions
from zermelo.learn.selfplay import SearchPlayer


class Place(NamedTuple):
    """A position of a game, and how it came about."""

    game: Game
    name: str
    state: Any
    history: tuple[Any, ...]


def known(names: Sequence[str]) -> list[str]:
    """Those of `names` that are games of this package; says which are not."""
    found = []
    for name in names:
        try:
            load(name)
        except GameNotFoundError:
            print(f"left out: there is no game {name} here", file=sys.stderr)
        else:
            found.append(name)
    return found


def midgame(name: str, count: int, plies: tuple[int, int], seed: int = 1) -> list[Place]:
    """`count` positions of a game, each after some random plies; the same seed gives the same ones."""
    game = load(name)
    dice = random.Random(f"{seed} {name}")
    found: list[Place] = []
    while len(found) < count:
        length = plies[0] + int(dice.random() * (plies[1] - plies[0] + 1))
        states = [game.initial()]
        while len(states) <= length and not game.is_terminal(states[-1]):
            actions = list(game.actions(states[-1]))
            states.append(game.result(states[-1], actions[int(dice.random() * len(actions))]))
        if not game.is_terminal(states[-1]):
            found.append(Place(game, name, states[-1], tuple(states[:-1])))
    return found


def play_match(games: tuple[Game, Game], players: tuple[SearchPlayer, SearchPlayer], asked: Any) -> dict[str, Any]:
    """The result of the first player in pairs of games, as many and from such openings as `asked` says."""
    options: MatchOptions[Any] = MatchOptions(
        *players,
        pairs=asked.pairs,
        seed=asked.seed,
        threads=asked.threads,
        opening_plies=(asked.least_plies, asked.most_plies),
        longest_plies=400,
    )
    counts = [0] * 5
    for pair in Match(*games, options).play():
        counts[pair.half_points] += 1
    found = elo_from_pairs(counts)
    return {"pairs": counts, "score": found.score, "elo": found.elo, "low": found.low, "high": found.high}


def arguments(about: str | None, **options: tuple[Any, str]) -> argparse.Namespace:
    """The options of a script, each with a default, whose type it takes, and a word of help; and `--json`."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, (default, text) in options.items():
        flag = f"--{name.replace('_', '-')}"
        if isinstance(default, bool):
            parser.add_argument(flag, action="store_true", help=text)
        else:
            parser.add_argument(flag, type=type(default), default=default, help=f"{text} (default: {default})")
    parser.add_argument("--json", action="store_true", help="one JSON object in place of tables")
    return parser.parse_args()


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table in Markdown, aligned to be read as it stands."""
    body = [[say(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in [list(head), *body]) for i in range(len(head))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]

    def line(cells: Sequence[str]) -> str:
        first, *rest = zip(cells, widths, strict=True)
        return " | ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in rest)])

    return "\n".join(f"| {line(cells)} |" for cells in [head, rule, *body])


def say(cell: Any) -> str:
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 1000 else f"{cell:.3g}"
    return str(cell)


def machine() -> str:
    """The kind of machine that times were taken on."""
    names = [line.partition(":")[2].strip() for line in cpu_info() if line.startswith("model name")]
    kind = names[0] if names else platform.machine()
    return f"{os.cpu_count()} cores of {kind}, Python {platform.python_version()}"


def cpu_info() -> list[str]:
    """What the system says about its processors; nothing where it does not keep that in a file."""
    path = Path("/proc/cpuinfo")
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def answer(asked: argparse.Namespace, data: dict[str, Any], text: str, timed: bool = True) -> None:
    """Prints one or the other; where times were taken, with how busy the machine was."""
    busy = {"cores": os.cpu_count(), "load_average": [round(each, 2) for each in os.getloadavg()]} if timed else {}
    if asked.json:
        print(json.dumps(data | busy))
        return
    print(text)
    if timed:
        print(f"\n{os.cpu_count()} cores, load average {os.getloadavg()[0]:.1f}: on a busy machine times mean little.")
