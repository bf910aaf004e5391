"""Leduc poker to an exploitability, beside OpenSpiel's C++ CFR+, in one run; and larger games with what they take.

    python bench/peers.py --install      once: puts OpenSpiel into an environment of its own
    python bench/regret.py
    python bench/regret.py --large       Leduc of 13 ranks and 4 suits as well, ten million nodes

Solver time is processor time of iterating alone; building the tree and its sequence form stands beside it.
"""

from __future__ import annotations

import json
import subprocess
import time
from functools import partial
from pathlib import Path
from typing import Any

from tools import answer, arguments, table

import zermelo as z
from zermelo.equilibrium import cfr, extensive_form, sequence_form

HERE = Path(__file__).resolve().parent


def seconds(work: Any) -> tuple[float, Any]:
    begin = time.process_time()
    found = work()
    return time.process_time() - begin, found


def ours(spec: str, target: float, rounds: int) -> list[dict[str, Any]]:
    building, form = seconds(lambda: extensive_form(z.load(spec)))
    forming, _ = seconds(lambda: form.form.side(0, True))
    rows = []
    for method in ("cfr+", "dcfr", "pdcfr+"):
        solve = partial(cfr, form, method, exploitability=target, seconds=120, threads=1)
        spent, found = min((seconds(solve) for _ in range(rounds)), key=lambda pair: pair[0])
        rows.append(
            {
                "game": spec,
                "who": f"zermelo {method}",
                "seconds": spent,
                "iterations": found.iterations,
                "exploitability": found.exploitability,
                "building": building + forming,
            }
        )
    return rows


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
    return [{"game": "leduc", "who": "OpenSpiel CFR+", "building": None} | json.loads(done.stdout)]


def main() -> None:
    asked = arguments(
        __doc__,
        python=(str(HERE / ".venv-peers" / "bin" / "python"), "the Python that has OpenSpiel"),
        target=(1e-3, "exploitability"),
        large=(False, "the large game, too"),
        rounds=(3, "runs of each, the best counts"),
        patience=(60.0, "seconds after which OpenSpiel gives up"),
    )
    rows = ours("leduc", asked.target, asked.rounds) + theirs(asked.python, asked.target, asked.patience)
    rows += ours("leduc", asked.target / 1000, 1)
    program, found = seconds(lambda: sequence_form(extensive_form(z.load("leduc"))))
    rows.append({"game": "leduc", "who": "zermelo sequence form", "seconds": program, "iterations": 0})
    rows[-1] |= {"exploitability": found.exploitability, "building": None}
    if asked.large:
        rows += ours("liars-dice", asked.target, 1) + ours("leduc:ranks=13,suits=4", asked.target, 1)
    lead = min(row["seconds"] for row in rows[:3])
    for row in rows:
        row["ratio"] = row["seconds"] / lead
    keys = ["game", "who", "seconds", "ratio", "iterations", "exploitability", "building"]
    text = table(
        ["game", "who", "seconds", "× best", "iterations", "exploitability", "building"],
        [[r[k] for k in keys] for r in rows],
    )
    if not any(row["who"].startswith("OpenSpiel") for row in rows):
        text += "\n\nleft out: OpenSpiel is not installed; `python bench/peers.py --install` does it"
    answer(asked, {"rows": rows}, text)


if __name__ == "__main__":
    main()
