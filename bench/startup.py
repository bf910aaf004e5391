"""How long a new process takes until a game of the size of Othello is ready, its compiled rules being kept on disk.

    python bench/startup.py

Whole processes, from the command to their end, in turns; the median of the rounds, in wall time. The rules are compiled
once before, so that each process finds them. Beside it stand an interpreter that does nothing and one that imports
Numba, which no compiled game can do without.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from typing import Any

from tools import answer, arguments, table

BAR = 0.7
"""Seconds within which the engine is to be ready."""
PROGRAMS = {
    "an empty interpreter": "pass",
    "import numba": "import numba",
    "import zermelo": "import zermelo",
    "perft of one ply": "import zermelo as z; z.engine.perft(z.load('{game}'), depth=1)",
    "a search of one ply": "import zermelo as z; z.search(z.load('{game}'), depth=1)",
}


def seconds(program: str, cache: str) -> float:
    """The wall time of a whole process."""
    start = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], env=os.environ | {"ZERMELO_CACHE": cache}, check=True)
    return time.perf_counter() - start


def measure(game: str, rounds: int) -> dict[str, Any]:
    """The median time of each program, all of them in turns, with the compiled rules in a folder of their own."""
    programs = {name: program.format(game=game) for name, program in PROGRAMS.items()}
    times: dict[str, list[float]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as cache:
        first = {name: seconds(program, cache) for name, program in programs.items()}
        for _ in range(rounds):
            for name, program in programs.items():
                times[name].append(seconds(program, cache))
    medians = {name: statistics.median(taken) for name, taken in times.items()}
    return {"game": game, "rounds": rounds, "bar": BAR, "seconds": medians, "compiling": first["perft of one ply"]}


def render(found: dict[str, Any]) -> str:
    """What `measure` found, as a table in Markdown and a line about it."""
    rows = [[name, f"{taken:.2f}"] for name, taken in found["seconds"].items()]
    rows.append(["perft of one ply, the first time", f"{found['compiling']:.2f}"])
    words = f"{found['game']}, median of {found['rounds']}; the bar is {found['bar']:g} s from the second time on."
    return f"{table(['a whole new process', 'seconds'], rows)}\n\n{words}"


def main() -> None:
    asked = arguments(__doc__, game=("othello", "the game"), rounds=(10, "processes of each kind"))
    found = measure(asked.game, asked.rounds)
    answer(asked, found, render(found))


if __name__ == "__main__":
    main()
