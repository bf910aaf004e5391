"""Chinese chess counted in bulk: our generator beside Fairy-Stockfish's, in one run.

    apt-get install fairy-stockfish
    python bench/xiangqi_perft.py

Both write the moves of every position out and count the last ply's lists instead of making their moves. Ours is
compiled from `xiangqi_perft.cpp` over the game's table, with the flags of the build (a C++ compiler is needed).
Processor time, best of the rounds, in turns, the peer's start-up taken off.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tools import answer, arguments, table

HERE = Path(__file__).resolve().parent
NATIVE = HERE.parent / "native"
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1"
POSITIONS = {
    "start": (START, 5),
    "opened": ("r1ba1a3/4kn3/2n1b4/pNp1p1p1p/4c4/6P2/P1P2R2P/1CcC5/9/2BAKAB2 w - - 0 1", 5),
    "cannons": ("1cbak4/9/n2a5/2p1p3p/5cp2/2n2N3/6PCP/3AB4/2C6/3A1K1N1 w - - 0 1", 5),
    "attack": ("5a3/3k5/3aR4/9/5r3/5n3/9/3A1A3/5K3/2BC2B2 w - - 0 1", 5),
}
"""By name: the position and how deep to count it."""


class Count(NamedTuple):
    leaves: int
    seconds: float


def compile_ours(folder: Path) -> Path | None:
    """The program that counts with our generator; nothing where there is no compiler."""
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        return None
    program = folder / "xiangqi_perft"
    sources = [HERE / "xiangqi_perft.cpp", *sorted((NATIVE / "games" / "xiangqi").glob("*.cpp"))]
    flags = ["-std=c++20", "-O3", "-DNDEBUG", "-ffp-contract=off", "-I", str(NATIVE), "-o", str(program)]
    subprocess.run([compiler, *flags, *map(str, sources)], check=True)
    return program


def ours(program: Path, fen: str, depth: int) -> Count:
    done = subprocess.run([str(program), str(depth), fen], capture_output=True, text=True, check=True)
    leaves, seconds = done.stdout.split()
    return Count(int(leaves), float(seconds))


def theirs(program: str, fen: str, depth: int) -> Count:
    """What Fairy-Stockfish counts, and the processor time of its whole process."""
    words = f"setoption name UCI_Variant value xiangqi\nposition fen {fen}\ngo perft {depth}\nquit\n"
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([program], input=words, capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    (line,) = [line for line in done.stdout.splitlines() if line.startswith("Nodes searched")]
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Count(int(line.split(":")[1]), seconds)


def race(mine: Path, peer: str, fen: str, depth: int, rounds: int) -> tuple[Count, Count]:
    """The best of each; they must agree on the leaves."""
    found, others = [], []
    for _ in range(rounds):
        found.append(ours(mine, fen, depth))
        idle = theirs(peer, fen, 1).seconds
        count = theirs(peer, fen, depth)
        others.append(Count(count.leaves, max(count.seconds - idle, 1e-9)))
    if found[0].leaves != others[0].leaves:
        sys.exit(f"{fen}, depth {depth}: ours counts {found[0].leaves} leaves, the peer {others[0].leaves}")
    return min(found, key=lambda count: count.seconds), min(others, key=lambda count: count.seconds)


def main() -> None:
    asked = arguments(__doc__, rounds=(3, "measurements of each"), less=(0, "plies less than usual"))
    peer = shutil.which("fairy-stockfish") or shutil.which("fairy-stockfish", path="/usr/games")
    if peer is None:
        word = "skipped: the peer is not installed: apt-get install fairy-stockfish"
        answer(asked, {"skipped": "fairy-stockfish"}, word, timed=False)
        return
    rows, data = [], {}
    with tempfile.TemporaryDirectory() as folder:
        mine = compile_ours(Path(folder))
        if mine is None:
            answer(asked, {"skipped": "no C++ compiler"}, "skipped: there is no C++ compiler here", timed=False)
            return
        for name, (fen, usual) in POSITIONS.items():
            depth = max(usual - asked.less, 1)
            best, other = race(mine, peer, fen, depth, asked.rounds)
            rates = [count.leaves / max(count.seconds, 1e-9) / 1e6 for count in (best, other)]
            rows.append([name, depth, best.leaves, *rates, rates[0] / rates[1]])
            data[name] = {"depth": depth, "leaves": best.leaves, "ours": rates[0], "peer": rates[1]}
    head = ["position", "depth", "leaves", "ours, M/s", "Fairy-Stockfish, M/s", "ratio"]
    answer(asked, {"positions": data}, table(head, rows))


if __name__ == "__main__":
    main()
