"""Whether players are as strong as their ratings say: predicted against measured scores of `rated:` players.

    python bench/calibrate.py                              a ladder of 3,000 games, then 200 games a pair
    python bench/calibrate.py --ladder mine.json           a ladder that `zermelo calibrate GAME --save` has written

Pairs are spread over the ladder, some 200 Elo apart, one 400. None of the games that are measured here was played for
the ladder: `--seed` is another one. The error is the standard error of the measured score alone; the ratings have
theirs too.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from tools import answer, arguments, table

from zermelo.arena.calibrate import files
from zermelo.arena.calibrate.ladder import Ladder, find_ladder
from zermelo.arena.calibrate.run import CalibrationSettings, calibrate
from zermelo.arena.statistics import expected_score
from zermelo.arena.tournament import match
from zermelo.games import load

STEP = 200


def pairs(ladder: Ladder) -> Iterator[tuple[int, int]]:
    """Ratings, the lower one first: half a step above the lowest, then every step; and two that are far apart."""
    start = math.ceil(ladder.lowest) + STEP // 2
    top = math.floor(ladder.highest)
    ratings = range(start, top + 1, STEP)
    for lower in ratings:
        if lower + STEP <= top:
            yield lower, lower + STEP
    if len(ratings) > 2:
        yield ratings[0], ratings[2]


def measure(game: str, path: Path, lower: int, upper: int, games: int, seed: int) -> tuple[float, float]:
    """The score of the lower one, and its standard error."""
    names = [f"rated:{lower},ladder={path}", f"rated:{upper},ladder={path}"]
    report = match(game, names, games=games, seed=seed)
    points, _, played = report.score(0, 1)
    score = points / played
    return score, math.sqrt(max(score * (1 - score), 0.25 / played) / played)


def main() -> None:
    asked = arguments(
        __doc__,
        game=("connect4", "the game"),
        games=(200, "games of each pair"),
        budget=(3000, "games for the ladder"),
        seed=(977, "settles the games that are measured"),
        ladder=("", "a ladder there is, in place of a new one"),
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(asked.ladder or Path(folder, "ladder.json"))
        if asked.ladder:
            ladder = find_ladder(load(asked.game), asked.game, asked.ladder)
        else:
            ladder = calibrate(asked.game, CalibrationSettings(games=asked.budget))
            files.write(path, ladder.data())
        rows = []
        for lower, upper in pairs(ladder):
            score, error = measure(asked.game, path, lower, upper, asked.games, asked.seed)
            rows.append((f"{lower} - {upper}", expected_score(lower - upper), score, error))
    head = ("ratings", "predicted", "measured", "standard error")
    shown = [(pair, *(f"{100 * number:.1f} %" for number in numbers)) for pair, *numbers in rows]
    data = {"game": asked.game, "rungs": [asdict(rung) for rung in ladder.rungs], "pairs": rows}
    answer(asked, data, f"{ladder.text()}\n\n{table(head, shown)}", timed=False)


if __name__ == "__main__":
    main()
