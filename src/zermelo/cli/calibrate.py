"""`zermelo calibrate`: opponents of known strength for a game."""

from __future__ import annotations

from pathlib import Path

import click

from zermelo.cli._answer import Answer, answers, progress
from zermelo.cli._options import game_argument

ENDED = {"minutes": ", when the time was over", "interrupt": ", when you stopped it"}
"""What is said of a calibration that was cut short."""


@click.command()
@game_argument
@click.option("--games", type=click.IntRange(min=10), default=4000, help="Games at most.  [default: 4000]")
@click.option("--minutes", type=click.FloatRange(0.01, 1e5), default=10.0, help="Time at most.  [default: 10]")
@click.option("--levels", type=click.IntRange(min=2), default=12, help="Levels at most.  [default: 12]")
@click.option("--nodes", type=click.IntRange(min=1), help="Positions that the strongest level enters for a move.")
@click.option("--seed", type=int, default=0, help="Settles openings, dice and noise.  [default: 0]")
@click.option("--concurrency", type=click.IntRange(1, 1024), default=1, help="Games at a time.  [default: 1]")
@click.option("--save", metavar="FILE", help="Write the ladder to FILE, not to your data folder.")
@click.option("--show", is_flag=True, help="Play nothing: show the ladder that there is.")
@answers
def command(
    game: str,
    games: int,
    minutes: float,
    levels: int,
    nodes: int | None,
    seed: int,
    concurrency: int,
    save: str | None,
    show: bool,
) -> Answer:
    """Rate weakened players of GAME, from random play (0) up.

    Then `zermelo play GAME --even` finds you an opponent that you beat about half the time, --level and --rating
    one of your choice, and rated:800 is a player like any other.
    """
    from zermelo.arena.calibrate import files
    from zermelo.arena.calibrate.ladder import find_ladder, read_ladder
    from zermelo.arena.calibrate.run import CalibrationSettings, calibrate
    from zermelo.games import load

    found = load(game)
    path = Path(save) if save is not None else files.place_of("ladders", found)
    if show:
        ladder = find_ladder(found, game, save)
        return Answer(ladder.data(), ladder.text)
    read_ladder(path)  # one that is damaged, or no ladder at all, is not written over
    settings = CalibrationSettings(games, minutes, levels, nodes, seed)
    with progress(f"calibrating {game}", 60 * minutes) as shown:

        def tell(played: int) -> None:
            shown.text = f"calibrating {game}: {played:,} of {games:,} games"

        ladder = calibrate(game, settings, concurrency=concurrency, progress=tell)
    files.write(path, ladder.data())

    def text() -> str:
        why = ENDED.get(ladder.facts["ended"], "")
        player = f"--against rated:{ladder.highest / 2:.0f},ladder={path}" if save is not None else "--even"
        return (
            f"{ladder.text()}\n\n{ladder.facts['games']:,} games{why}; kept in {path}\n"
            f"next: zermelo play {game} {player}"
        )

    return Answer({**ladder.data(), "file": str(path)}, text)
