"""Chess's generator beside Stockfish's: leaves a second, with the last ply counted by the length of its list of moves.

    python bench/chess_perft.py             start, Kiwipete and three more, both programs in turns, best of three
    python bench/chess_perft.py --plies 2   two plies less, to see that it works

Ours goes through the game's table, as a search does: each inner position by `step`, with all that a search asks of a
child, and each list of moves by `actions`, written out. Processor time, without starting up. Stockfish is found on the
path or where Debian puts it (`apt-get install stockfish`); without it ours is measured alone. "magic" is the way of
processors without a quick PEXT.
"""

from __future__ import annotations

import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tools import answer, arguments, machine, table

ROOT = Path(__file__).resolve().parents[1]
PLACES = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 6, 119060324),
    "Kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 5, 193690690),
    "rook ending": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 7, 178633661),
    "promotions": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1", 5, 15833292),
    "middlegame": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 0 1", 5, 89941194),
}


def build(folder: Path) -> Path | None:
    """Our program, made by the C++ compiler at hand."""
    compiler = os.environ.get("CXX") or shutil.which("c++") or shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        return None
    program = folder / "chess_perft"
    sources = [ROOT / "bench" / "chess_perft.cpp", *sorted((ROOT / "native" / "games" / "chess").glob("*.cpp"))]
    flags = ["-std=c++20", "-O3", "-ffp-contract=off", f"-I{ROOT / 'native'}"]
    subprocess.run([compiler, *flags, *map(str, sources), "-o", str(program)], check=True)
    return program


def ours(program: Path, fen: str, depth: int, way: str) -> tuple[int, float]:
    said = subprocess.run([program, str(depth), fen, way], capture_output=True, text=True, check=True).stdout.split()
    return int(said[0]), float(said[1])


def processor_seconds() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


def theirs(program: str, fen: str, depth: int) -> tuple[int, float]:
    before = processor_seconds()
    orders = f"position fen {fen}\ngo perft {depth}\nquit\n"
    said = subprocess.run([program], input=orders, capture_output=True, text=True, check=True).stdout
    found = re.search(r"Nodes searched: (\d+)", said)
    if found is None:
        raise SystemExit(f"{program} does not count: {said[-200:]!r}")
    return int(found[1]), processor_seconds() - before


def stockfish() -> str | None:
    return shutil.which("stockfish") or shutil.which("stockfish", path="/usr/games")


def measure(program: Path, peer: str | None, place: str, less: int, rounds: int) -> dict[str, float | str | bool]:
    fen, depth, known = PLACES[place]
    depth -= less
    best: dict[str, float] = {}
    leaves = 0
    right = True
    for _ in range(rounds):
        runs = {"ours": ours(program, fen, depth, ""), "magic": ours(program, fen, depth, "magic")}
        if peer is not None:
            count, seconds = theirs(peer, fen, depth)
            runs["peer"] = count, max(seconds - theirs(peer, fen, 1)[1], 1e-3)
        leaves = runs["ours"][0]
        right &= all(count == leaves for count, _ in runs.values()) and (less > 0 or leaves == known)
        best = {name: min(best.get(name, 1e9), max(seconds, 1e-4)) for name, (_, seconds) in runs.items()}
    speeds = {f"{name}_leaves_per_second": leaves / seconds for name, seconds in best.items()}
    ratio = {"ratio": best["peer"] / best["ours"]} if peer is not None else {}
    return {"position": place, "depth": depth, "leaves": leaves, "right": right, **speeds, **ratio}


def main() -> int:
    asked = arguments(__doc__, plies=(0, "how many plies less"), rounds=(3, "the best of so many"))
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(folder))
        if program is None:
            answer(asked, {"skipped": "no C++ compiler"}, "skipped: there is no C++ compiler here", timed=False)
            return 0
        peer = stockfish()
        rows = [measure(program, peer, place, asked.plies, asked.rounds) for place in PLACES]
    lines = []
    for row in rows:
        speeds = [row.get(f"{name}_leaves_per_second") for name in ("ours", "magic", "peer")]
        cells = [f"{float(speed) / 1e6:.0f}" if speed else "–" for speed in speeds]
        ratio = f"{float(row['ratio']):.2f}" if "ratio" in row else "–"
        lines.append([row["position"], row["depth"], row["leaves"], *cells, ratio, row["right"]])
    head = ["position", "depth", "leaves", "ours, M/s", "by magic, M/s", "Stockfish, M/s", "ours/Stockfish", "right"]
    absent = "" if peer else "\n\nStockfish is not here (apt-get install stockfish): ours alone."
    answer(asked, {"machine": machine(), "positions": rows}, table(head, lines) + absent)
    return 0 if all(row["right"] for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())
