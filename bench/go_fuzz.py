"""Random games of Go held against GNU Go at every position: legal moves, stones and prisoners; and all handicaps.

    python bench/go_fuzz.py --games 200 --seed 1       exit 1, with the moves, at the first difference

GNU Go is spoken to by GTP and skipped where it is not installed. It forbids suicide and the simple ko, as our rules do
without a history. Every second game fills the board as playouts do, the others play anywhere.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import sys

from tools import answer, arguments

from zermelo.games.go import Go
from zermelo.games.go.board import LARGEST, handicap_points, point_name

SIZES = (2, 3, 4, 5, 7, 9, 9, 9, 13, 19)


class GnuGo:
    """The process, and its answers."""

    def __init__(self, command: str):
        self.process = subprocess.Popen(
            [command, "--mode", "gtp", "--chinese-rules"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, text: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        print(text, file=self.process.stdin, flush=True)
        lines: list[str] = []
        while not lines or lines[-1].strip():
            line = self.process.stdout.readline()
            if not line:
                raise RuntimeError(f"GNU Go ended at {text!r}")
            if lines or line.strip():
                lines.append(line)
        found = " ".join(lines).strip()
        if not found.startswith("="):
            raise RuntimeError(f"GNU Go refuses {text!r}: {found}")
        return found[1:].strip()


def compare(game: Go, state: object, gnugo: GnuGo) -> str:
    """What differs; empty if nothing does."""
    colours = game.colours(state)
    mover = ("black", "white")[game.player(state)]
    ours = {point_name(a, game.size) for a in game.actions(state)} - {"pass"}
    theirs = set(gnugo.ask(f"all_legal {mover}").split())
    if ours != theirs:
        return f"legal moves: {sorted(ours ^ theirs)}"
    for p, (name, mark) in enumerate((("black", "X"), ("white", "O"))):
        stones = {point_name(i, game.size) for i, colour in enumerate(colours) if colour == mark}
        if stones != set(gnugo.ask(f"list_stones {name}").split()):
            return f"the stones of {name}"
        if game.prisoners(state)[p] != int(gnugo.ask(f"captures {name}")):
            return f"the prisoners of {name}"
    return ""


def play(seed: int, gnugo: GnuGo) -> tuple[int, str]:
    """One random game; the positions compared, and what differs."""
    chance = random.Random(seed)
    game = Go(size=chance.choice(SIZES))
    gnugo.ask(f"boardsize {game.size}")
    gnugo.ask("clear_board")
    state, moves = game.initial(), []
    planned = game.native.playout(state, seed)[1] if seed % 2 else []
    for ply in range(3 * game.size**2):
        difference = compare(game, state, gnugo)
        if difference:
            return ply, f"{difference}, on {game.size} lines after {' '.join(moves)}"
        points = [a for a in game.actions(state) if a != game.size**2]
        if not points or (planned and ply >= len(planned)):
            break
        action = planned[ply] if planned else chance.choice(points)
        moves.append(point_name(action, game.size))
        gnugo.ask(f"play {('black', 'white')[game.player(state)]} {moves[-1]}")
        state = game.result(state, action)
        if game.is_terminal(state):
            break
    return len(moves) + 1, ""


def compare_handicaps(gnugo: GnuGo) -> str:
    """The first handicap whose stones stand elsewhere; empty if there is none."""
    for size in range(7, LARGEST + 1):
        gnugo.ask(f"boardsize {size}")
        for stones in range(2, 10):
            ours = {point_name(p, size) for p in handicap_points(size, stones)}
            gnugo.ask("clear_board")
            if ours and ours != set(gnugo.ask(f"fixed_handicap {stones}").split()):
                return f"a handicap of {stones} stones on {size} lines"
    return ""


def main() -> int:
    asked = arguments(
        __doc__, games=(200, "games to play"), seed=(1, "of the first game"), gnugo=("gnugo", "the program")
    )
    command = shutil.which(asked.gnugo) or shutil.which("/usr/games/gnugo")
    if command is None:
        answer(asked, {"skipped": "gnugo"}, f"skipped: there is no program {asked.gnugo}", timed=False)
        return 0
    gnugo, positions = GnuGo(command), 0
    try:
        difference = compare_handicaps(gnugo)
        if difference:
            print(difference, file=sys.stderr)
            return 1
        for seed in range(asked.seed, asked.seed + asked.games):
            compared, difference = play(seed, gnugo)
            positions += compared
            if difference:
                print(f"seed {seed}: {difference}", file=sys.stderr)
                return 1
    finally:
        gnugo.process.kill()
    data = {"games": asked.games, "positions": positions}
    answer(asked, data, f"{positions:,} positions of {asked.games:,} games: no difference to GNU Go", timed=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
