"""Go on nine lines against GNU Go: the share of games won, with its error bar.

    python bench/go_match.py --games 200 --seconds 1               one thread
    python bench/go_match.py --games 60 --seconds 0.2 --network no
    python bench/go_match.py --games 60 --seconds 1 --threads 2 --concurrency 5

Both play by GTP, colours in turn, komi 7.5. The board is counted as it stands (Tromp and Taylor), so GNU Go is asked to
take dead stones off before it passes, and to heed superko. It is skipped where it is not installed.
"""

from __future__ import annotations

import shlex
import shutil
import sys

from tools import answer, arguments

from zermelo import match
from zermelo.arena.statistics.elo import elo_from_games


def main() -> None:
    asked = arguments(
        __doc__,
        games=(200, "games to play"),
        seconds=(1.0, "of ours for a move"),
        threads=(1, "of ours"),
        level=(10, "of GNU Go"),
        size=(9, "lines of the board"),
        network=("", "a file, or no for none; by default the one that comes with the game"),
        concurrency=(1, "games at once; each takes the cores of our threads"),
        gnugo=("gnugo", "the program"),
    )
    program = shutil.which(asked.gnugo) or shutil.which("/usr/games/gnugo")
    if program is None:
        answer(asked, {"skipped": "gnugo"}, f"skipped: there is no program {asked.gnugo}", timed=False)
        return
    game = f"go:size={asked.size},komi=7.5"
    played = f"{game},network={asked.network}" if asked.network else game
    engine = f"{shlex.quote(sys.executable)} -m zermelo engine {played}"
    ours = f"gtp:{engine} --seconds {asked.seconds:g} --threads {asked.threads}?komi=7.5"
    rules = "--chinese-rules --positional-superko --capture-all-dead"
    theirs = f"gtp:{program} --mode gtp {rules} --level {asked.level}?komi=7.5"
    report = match(game, [ours, theirs], asked.games, openings="none", concurrency=asked.concurrency)
    scores = [result.score if result.first == ours else 1 - result.score for result in report.results]
    wins, draws, losses = scores.count(1.0), scores.count(0.5), scores.count(0.0)
    share = (wins + draws / 2) / max(len(scores), 1)
    bar = 1.96 * (max(share * (1 - share), 1 / (len(scores) + 4)) / max(len(scores), 1)) ** 0.5
    estimate = elo_from_games(wins, draws, losses)
    data = {"wins": wins, "draws": draws, "losses": losses, "share": share, "error": bar, "elo": estimate.elo}
    limits = f"{asked.seconds:g} s a move on {asked.threads} thread{'s' if asked.threads > 1 else ''}"
    counts = f"{wins} won, {draws} drawn, {losses} lost, {share:.0%} ± {bar:.0%}"
    text = f"{limits} against GNU Go level {asked.level}: {counts}"
    answer(asked, data | {"seconds": asked.seconds, "threads": asked.threads, "level": asked.level}, text)


if __name__ == "__main__":
    main()
