"""Ours beside OpenSpiel and easyAI, in one run: plain alpha-beta on Connect Four, and random games.

    python bench/peers.py --install      once: puts them into an environment of their own, bench/.venv-peers
    python bench/peers.py

OpenSpiel's C++ alpha-beta is not bound to Python. Its wheel exports it all the same, and `--install` compiles a few
lines against it (a C++ compiler is needed). It counts no nodes; it is the same algorithm as ours, and meets the horizon
exactly as often, which is checked, so that its nodes are ours. Processor time, best of the rounds, in turns.
"""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from tools import answer, arguments, table

from zermelo.engine import compile_game
from zermelo.engine.benchmark import Rate, connect4_limit, measure, rules_only
from zermelo.games import load
from zermelo.search import alphabeta

HERE = Path(__file__).resolve().parent
HOME = HERE / ".venv-peers"
PYTHON = HOME / "bin" / "python"
PLAYOUTS = {"tictactoe": "tic_tac_toe", "connect4": "connect_four", "othello": "othello"}
"""Our games that OpenSpiel has with the same rules and the same board."""


def install() -> None:
    """Makes the peers' environment, and the library that reaches OpenSpiel's alpha-beta."""
    subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
    subprocess.run([str(PYTHON), "-m", "pip", "install", "--quiet", "open_spiel", "easyAI"], check=True)
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        print("no C++ compiler: OpenSpiel's own C++ stays out of reach", file=sys.stderr)
        return
    (site,) = HOME.glob("lib/python*/site-packages")
    spiel = site / "open_spiel"
    folders = [site, spiel, spiel / "abseil-cpp", spiel / "json" / "include"]
    include = [word for folder in folders for word in ("-I", str(folder))]
    library = HOME / "open_spiel_native.so"
    flags = ["-std=c++17", "-O2", "-shared", "-fPIC", *include, "-o", str(library)]
    subprocess.run([compiler, *flags, str(HERE / "open_spiel_native.cpp")], check=True)


class Peers:
    """The process that runs them."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [str(PYTHON), str(HERE / "peers_worker.py")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, what: str, **request: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(json.dumps({"what": what, **request}), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit(f"the peers' process ended at {what}; what it said stands above")
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def search_rates(peers: Peers, native: bool, asked: Any) -> dict[str, Rate]:
    """Positions a second of each, plain alpha-beta on Connect Four; each as deep as its speed allows."""
    game = rules_only(load("connect4"))
    s = game.initial()
    compiled = compile_game(game)

    def same_nodes(what: str, depth: int) -> Rate:
        """A peer's rate in our nodes, after a look whether the searches are the same."""
        found = peers.ask(what, depth=depth)
        ours = compiled.handle.minimax(compiled.pack(s), depth, True, False, -math.inf, math.inf)
        assert (found["value"], found["horizon"]) == (ours.value, ours.estimates), (what, depth, found)
        return Rate(ours.nodes, found["seconds"])

    def easyai(depth: int) -> Rate:
        found = peers.ask("easyai", depth=depth)
        return Rate(found["work"], found["seconds"])

    contestants = {
        "by hand in C++ (our limit)": lambda: measure(lambda: connect4_limit(asked.depth)[1], 0.2),
        "zermelo: Python rules, compiled": lambda: measure(lambda: compiled.alphabeta(s, asked.depth).nodes, 0.2),
        "OpenSpiel: C++ rules, C++ search": lambda: same_nodes("open_spiel", asked.peer_depth),
        "OpenSpiel: C++ rules, Python search": lambda: same_nodes("open_spiel_python", min(asked.peer_depth, 9)),
        "zermelo: the textbook": lambda: measure(lambda: alphabeta(game, s, depth=7).nodes),
        "easyAI: negamax": lambda: easyai(4),
    }
    if not native:
        del contestants["OpenSpiel: C++ rules, C++ search"]
        print("left out: OpenSpiel's C++ alpha-beta and random games, which `--install` compiles", file=sys.stderr)
    runs: dict[str, list[Rate]] = {name: [] for name in contestants}
    for _ in range(asked.rounds):
        for name, run in contestants.items():
            runs[name].append(run())
    return {name: max(rates, key=speed) for name, rates in runs.items()}


def playout_rates(peers: Peers, asked: Any) -> dict[str, tuple[Rate, Rate]]:
    """Random games a second, ours and OpenSpiel's, both in native loops."""
    return {ours: race_playouts(peers, ours, theirs, asked.rounds) for ours, theirs in PLAYOUTS.items()}


def race_playouts(peers: Peers, ours: str, theirs: str, rounds: int) -> tuple[Rate, Rate]:
    game = load(ours)
    compiled = compile_game(game)
    best: list[tuple[Rate, Rate]] = []
    for _ in range(rounds):
        fast = measure(lambda: compiled.playouts(game.initial(), 1000).games, 0.2)
        found = peers.ask("open_spiel_playouts", game=theirs, games=1000)
        best.append((fast, Rate(found["work"], found["seconds"])))
    return max((a for a, _ in best), key=speed), max((b for _, b in best), key=speed)


def speed(rate: Rate) -> float:
    return rate.per_second


def main() -> None:
    asked = arguments(
        __doc__,
        install=(False, "install the peers and end"),
        depth=(13, "plies for what is native and ours"),
        peer_depth=(11, "plies for OpenSpiel"),
        rounds=(3, "runs of each, the best counts"),
    )
    if asked.install:
        install()
        return
    if not PYTHON.exists():
        print(f"skipped: the peers are not installed; `python {Path(sys.argv[0])} --install` does it")
        return
    peers = Peers()
    found = peers.ask("versions")
    native = found.pop("native")
    searches = search_rates(peers, native, asked)
    games = playout_rates(peers, asked) if native else {}
    peers.close()
    ours = searches["zermelo: Python rules, compiled"].per_second
    rows = [[name, rate.per_second / 1e6, ours / rate.per_second] for name, rate in searches.items()]
    text = table(["Connect Four, plain alpha-beta", "M nodes/s", "compiled Python is × as fast"], rows)
    limit, spiel = (searches.get(n) for n in ("by hand in C++ (our limit)", "OpenSpiel: C++ rules, C++ search"))
    if limit and spiel:
        text += f"\n\nThe limit is {limit.per_second / spiel.per_second:.0f} times OpenSpiel's C++ alpha-beta."
    rows = [
        [n, fast.per_second, slow.per_second, fast.per_second / slow.per_second] for n, (fast, slow) in games.items()
    ]
    text += f"\n\n{table(['random games a second', 'zermelo', 'OpenSpiel', 'ratio'], rows)}"
    data = {
        "versions": found,
        "alphabeta": {name: rate.per_second for name, rate in searches.items()},
        "playouts": {n: {"zermelo": a.per_second, "open_spiel": b.per_second} for n, (a, b) in games.items()},
    }
    answer(asked, data, f"{text}\n\nOpenSpiel {found['open_spiel']}, easyAI {found['easyAI']}.")


if __name__ == "__main__":
    main()
