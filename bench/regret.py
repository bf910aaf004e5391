"""Leduc poker to an exploitability, beside OpenSpiel's C++ CFR+, in one run; and larger games with what they take.

    python bench/peers.py --install      once: puts OpenSpiel into an environment of its own
    python bench/regret.py
    python bench/regret.py --large       Leduc of 13 ranks and 4 suits as well, ten million nodes
    python bench/regret.py --threads     two threads against one on that, suits kept apart: wall time, best of 20

Solver time is processor time of iterating alone; building the tree and its sequence form stands beside it, and so does
the most memory that the process has held so far. Suits are merged of themselves; `apart` keeps all information sets.
"""

from __future__ import annotations

import importlib
import json
import resource
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

from tools import answer, arguments, table

import zermelo as z
from zermelo.engine.regret import passes
from zermelo.equilibrium import cfr, extensive_form, sequence_form
from zermelo.equilibrium.regret import RULES

HERE = Path(__file__).resolve().parent


def seconds(work: Any) -> tuple[float, Any]:
    begin = time.process_time()
    found = work()
    return time.process_time() - begin, found


def ours(spec: str, target: float, rounds: int, merge: bool = True) -> list[dict[str, Any]]:
    building, form = seconds(lambda: extensive_form(z.load(spec)))
    forming, _ = seconds(lambda: form.form.side(0, merge))
    rows = []
    for method in ("cfr+", "dcfr", "pdcfr+"):
        solve = partial(cfr, form, method, exploitability=target, seconds=120, threads=1, merge=merge)
        spent, found = min((seconds(solve) for _ in range(rounds)), key=lambda pair: pair[0])
        rows.append(
            {
                "game": spec,
                "who": f"zermelo {method}" + ("" if merge else ", apart"),
                "seconds": spent,
                "iterations": found.iterations,
                "exploitability": found.exploitability,
                "building": building + forming,
                "megabytes": megabytes(),
            }
        )
    return rows


def two_threads(spec: str, rounds: int = 20) -> dict[str, Any]:
    """Wall time of an iteration on one thread and on two, in turns; it means something on a quiet machine only."""
    form = extensive_form(z.load(spec))
    run = passes(form.form, RULES["pdcfr+"], single=False, merged=False)
    times: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(rounds):
        for threads, spent in times.items():
            begin = time.perf_counter()
            run.run(1, threads, None)
            spent.append(time.perf_counter() - begin)
    one, two = min(times[1]), min(times[2])
    return {"game": spec, "one": one, "two": two, "ratio": one / two}


def by_program(rounds: int) -> dict[str, Any]:
    """The sequence form, once SciPy is there."""
    importlib.import_module("scipy.optimize")
    building, form = seconds(lambda: extensive_form(z.load("leduc")))
    spent, found = min((seconds(lambda: sequence_form(form)) for _ in range(rounds)), key=lambda pair: pair[0])
    return {
        "game": "leduc",
        "who": "zermelo sequence form",
        "seconds": spent,
        "iterations": 0,
        "exploitability": found.exploitability,
        "building": building,
        "megabytes": megabytes(),
    }


def megabytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def theirs(python: str, target: float, patience: float) -> list[dict[str, Any]]:
    if not Path(python).is_file():
        return []
    done = subprocess.run(
        [python, str(HERE / "regret_worker.py"), str(target), str(patience)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        return []
    return [{"game": "leduc", "who": "OpenSpiel CFR+", "building": None, "megabytes": None} | json.loads(done.stdout)]


def main() -> None:
    asked = arguments(
        __doc__,
        python=(str(HERE / ".venv-peers" / "bin" / "python"), "the Python that has OpenSpiel"),
        target=(1e-3, "exploitability"),
        large=(False, "the large game, too"),
        threads=(False, "only two threads against one"),
        spec=("leduc:ranks=13,suits=4", "the game for that"),
        rounds=(3, "runs of each, the best counts"),
        patience=(60.0, "seconds after which OpenSpiel gives up"),
    )
    if asked.threads:
        found = two_threads(asked.spec)
        head = ["game", "one thread, seconds", "two threads", "times as fast"]
        answer(asked, found, table(head, [list(found.values())]))
        return
    rows = ours("leduc", asked.target, asked.rounds) + theirs(asked.python, asked.target, asked.patience)
    rows += ours("leduc", asked.target, asked.rounds, merge=False)
    rows += ours("leduc", asked.target / 1000, 1)
    rows.append(by_program(asked.rounds))
    if asked.large:
        for spec in ("liars-dice", "liars-dice:dice=2,sides=3", "leduc:ranks=13,suits=4"):
            rows += ours(spec, asked.target, 1)
    lead = min(row["seconds"] for row in rows[:3])
    for row in rows:
        row["ratio"] = row["seconds"] / lead
    keys = ["game", "who", "seconds", "ratio", "iterations", "exploitability", "building", "megabytes"]
    text = table(
        ["game", "who", "seconds", "× best", "iterations", "exploitability", "building", "MB"],
        [[r[k] for k in keys] for r in rows],
    )
    if not any(row["who"].startswith("OpenSpiel") for row in rows):
        text += "\n\nleft out: OpenSpiel is not installed; `python bench/peers.py --install` does it"
    answer(asked, {"rows": rows}, text)


if __name__ == "__main__":
    main()
