"""What Elo the levels of chess have: its rungs against Stockfish, whose strength `UCI_Elo` sets.

    python bench/anchor.py --games 40
    python bench/anchor.py --game chess:network=no
    python bench/anchor.py --program /usr/games/stockfish --pairs 7:1350,9:1550

Each level meets Stockfish at an Elo near its own, from random openings with the seats swapped. It prints the Elo that
each level plays at by its score, with bars of 95 %, and the `known` of a ladder: pairs of a rating and an Elo.
Stockfish limits itself by the depth that its moves come from, so that time makes little difference to it. Its steps are
wider than Elo: only an opponent that is met about evenly says where a level stands.
"""

from __future__ import annotations

import shutil

from tools import answer, arguments, table

from zermelo.arena.calibrate.ladder import find_ladder
from zermelo.arena.tournament import match
from zermelo.games import load

PAIRS = "7:1350,9:1550,10:1800,11:1900,12:1950"
"""Levels, and Elos near theirs."""


def main() -> None:
    asked = arguments(
        __doc__,
        game=("chess", "chess, with its options"),
        games=(40, "games of each level"),
        pairs=(PAIRS, "levels and the Elo of their opponent"),
        program=(shutil.which("stockfish") or "/usr/games/stockfish", "the program"),
        seconds=(0.05, "seconds of the program for a move"),
        seed=(0, "settles the openings"),
    )
    ladder = find_ladder(load(asked.game))
    rows, known = [], []
    for pair in asked.pairs.split(","):
        level, elo = map(int, pair.split(":"))
        rung = ladder.level(level)
        peer = f"uci:{asked.program}?UCI_LimitStrength=true&UCI_Elo={elo}&Hash=16&seconds={asked.seconds}"
        report = match(
            asked.game,
            [rung.player, peer],
            games=asked.games,
            openings="random:plies=4",
            seed=asked.seed,
            resign="0.95:4",
            longest=400,
        )
        found = report.compare(0, 1)
        assert found is not None
        rows.append((level, rung.player, elo, elo + found.elo, (found.high - found.low) / 2))
        known.append((rung.elo, round(elo + found.elo)))
    head = ("level", "player", "against", "Elo", "±")
    shown = [(level, player, elo, f"{own:.0f}", f"{error:.0f}") for level, player, elo, own, error in rows]
    answer(asked, {"levels": rows, "known": known}, f"{table(head, shown)}\n\nknown: {known}", timed=False)


if __name__ == "__main__":
    main()
