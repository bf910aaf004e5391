"""Equilibria of matrix games beside QuantEcon, Nashpy and Gambit, in one run, on the same games.

    python bench/equilibrium.py --install      once: puts them into an environment of their own, bench/.venv-games
    python bench/equilibrium.py
    python bench/equilibrium.py --size 1000 --large       zero-sum of 1000 × 1000 as well, against SciPy's HiGHS

Processor time, the best of the rounds, in turns. Games are random with a fixed seed: payoffs are whole numbers 0 … 99,
and uniform in floating point for what is not enumerated. `--agree N` compares all equilibria of N small games, many of
them degenerate, with Gambit's exact ones: exit 1 at a difference. Other peers are counted: how many they get wrong.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from tools import answer, arguments, table

from zermelo.equilibrium import NormalForm, lemke_howson, vertex_enumeration, zero_sum

HERE = Path(__file__).resolve().parent
HOME = HERE / ".venv-games"
PYTHON = HOME / "bin" / "python"
PACKAGES = ["nashpy", "quantecon", "pygambit"]


def install() -> None:
    subprocess.run([sys.executable, "-m", "venv", str(HOME)], check=True)
    subprocess.run([str(PYTHON), "-m", "pip", "install", "--quiet", *PACKAGES], check=True)


class Peers:
    """The process that runs them; without an environment of theirs there are none."""

    def __init__(self, python: Path):
        self.process: Any = None
        if python.exists():
            worker = [str(python), "-W", "ignore", str(HERE / "equilibrium_worker.py")]
            self.process = subprocess.Popen(worker, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, **request: Any) -> dict[str, Any]:
        """What they answer; nothing if there are none."""
        if self.process is None:
            return {}
        print(json.dumps(request), file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            sys.exit("the peers' process ended; what it said stands above")
        found: dict[str, Any] = json.loads(line)
        return found

    def close(self) -> None:
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()


def timed(work: Callable[[], Any], rounds: int) -> float:
    """The least processor time of one call."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def contests(asked: Any) -> list[tuple[str, str, Any, dict[str, Callable[[], Any]]]]:
    """(what, the peers' task, tables, our contestants)."""
    random = np.random.default_rng(asked.seed)
    found: list[tuple[str, str, Any, dict[str, Callable[[], Any]]]] = []
    for size in asked.sizes:
        game = NormalForm([random.integers(0, 100, (size, size)) for _ in range(2)])
        ours = {
            "zermelo, exact": lambda game=game: vertex_enumeration(game),
            "zermelo, floats": lambda game=game: vertex_enumeration(game, exact=False),
        }
        found.append((f"all equilibria, {size}×{size}", "all", game.floats, ours))
    for size in asked.paths:
        game = NormalForm([random.random((size, size)) for _ in range(2)])
        found.append(
            (f"one equilibrium, {size}×{size}", "one", game.floats, {"zermelo": lambda game=game: lemke_howson(game)})
        )
    for size in [*asked.zero, *([asked.size] if asked.large else [])]:
        matrix = random.random((size, size))
        ours = {"zermelo": lambda matrix=matrix: zero_sum(matrix)}
        found.append((f"zero-sum, {size}×{size}", "zero", (matrix,), ours))
    return found


def race(asked: Any, peers: Peers) -> list[dict[str, Any]]:
    rows = []
    for what, task, tables, ours in contests(asked):
        seconds: dict[str, list[float]] = {}
        small = max(tables[0].shape) <= 200
        for _ in range(asked.rounds if small else 1):
            for name, work in ours.items():
                seconds.setdefault(name, []).append(timed(work, 3 if small else 1))
            theirs = peers.ask(task=task, tables=[t.tolist() for t in tables], patience=asked.patience)
            for name, spent in theirs.get("seconds", {}).items():
                seconds.setdefault(name, []).append(spent)
        best = {name: min(times) for name, times in seconds.items()}
        lead = best[next(reversed(ours))]
        rows += [{"what": what, "who": who, "seconds": spent, "ratio": spent / lead} for who, spent in best.items()]
    return rows


def agree(asked: Any, peers: Peers) -> dict[str, int]:
    """How many of the games each peer answers otherwise than we do; ours are checked by an exact definition."""
    random = np.random.default_rng(asked.seed)
    wrong: dict[str, int] = {}
    for k in range(asked.agree):
        shape = tuple(int(n) for n in random.integers(2, 6, 2))
        game = NormalForm([random.integers(0, (2, 3, 100)[k % 3], shape) for _ in range(2)])
        ours = {one.strategies for one in vertex_enumeration(game)}
        for name, found in (
            peers.ask(task="compare", tables=[t.tolist() for t in game.floats]).get("equilibria", {}).items()
        ):
            same = is_same(ours, found)
            wrong[name] = wrong.get(name, 0) + (not same)
            if name == "Gambit, exact" and not same:
                sys.exit(f"another answer than Gambit's: {[t.tolist() for t in game.payoffs]}")
    return wrong


def is_same(ours: set[Any], found: list[Any]) -> bool:
    """Exact answers come as text and must be equal; floats must be near one of ours each, and as many."""
    if found and isinstance(found[0][0][0], str):
        return ours == {tuple(tuple(map(Fraction, own)) for own in one) for one in found}
    near = [min(ours, key=lambda mine: distance(mine, one), default=None) for one in found]
    return (
        set(near) == ours
        and len(near) == len(ours)
        and all(distance(mine, one) < 1e-5 for mine, one in zip(near, found, strict=True))
    )


def distance(mine: Any, one: Any) -> float:
    return max(abs(float(a) - b) for own, other in zip(mine, one, strict=True) for a, b in zip(own, other, strict=True))


def main() -> None:
    asked = arguments(
        __doc__,
        install=(False, "install the peers and end"),
        python=(str(PYTHON), "the Python that has the peers"),
        largest=(12, "actions of the largest game that is enumerated"),
        large=(False, "the large zero-sum game, too"),
        size=(1000, "actions of that"),
        agree=(0, "small games to compare all equilibria of"),
        rounds=(3, "runs of each, the best counts"),
        patience=(60.0, "a peer that took longer is not asked for larger games"),
        seed=(1, "of the games"),
    )
    if asked.install:
        install()
        return
    asked.sizes = [n for n in (4, 6, 8, 10, 12, 14) if n <= asked.largest]
    asked.paths = [n for n in (10, 50, 100) if n <= 10 * asked.largest]
    asked.zero = [n for n in (10, 100, 500) if n <= 50 * asked.largest]
    peers = Peers(Path(asked.python))
    rows = race(asked, peers)
    wrong = agree(asked, peers)
    peers.close()
    text = table(["", "who", "seconds", "× zermelo"], [[r["what"], r["who"], r["seconds"], r["ratio"]] for r in rows])
    if peers.process is None:
        text += f"\n\nleft out: the peers are not installed; `python {Path(sys.argv[0])} --install` does it"
    if wrong:
        listed = ", ".join(f"{name} {count}" for name, count in wrong.items())
        text += f"\n\nOf {asked.agree} small games, answered otherwise than by us: {listed}."
    answer(asked, {"rows": rows, "wrong": wrong, "games": asked.agree}, text)


if __name__ == "__main__":
    main()
