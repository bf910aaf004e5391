"""`zermelo solve`: the proved value of a position."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

import click

from zermelo.analysis import Analysis
from zermelo.cli._answer import Answer, answers, wants_json
from zermelo.cli._options import Start, find_start, game_argument, limit_options, position_options, search_options
from zermelo.game import Game


@click.command()
@game_argument
@position_options
@limit_options
@click.option(
    "--all", "overview", is_flag=True, help="All that the game's own solver knows, as a deal's table and par."
)
@click.option("--strongly", is_flag=True, help="Solve every position that can be reached, from the ends backwards.")
@click.option("--save", metavar="FILE", type=click.Path(dir_okay=False), help="Keep all of it; with --strongly.")
@click.option(
    "--memory", metavar="MB", type=click.IntRange(1, 1 << 24), help="For the table (256), or for all positions (1024)."
)
@click.option("--threads", metavar="N", type=click.IntRange(1, 1024), default=None, help="To use (1).")
@answers
def command(
    game: str,
    moves: str | None,
    position: str | None,
    revealed: bool,
    overview: bool,
    strongly: bool,
    save: str | None,
    memory: int | None,
    threads: int | None,
    **limits: Any,
) -> Answer:
    """Prove the value of GAME, and a line that reaches it.

    The exit code is 1 if the limits, or Ctrl-C, end the search before the proof.
    """
    from zermelo.cli._analysis import analysis_data, analysis_text
    from zermelo.cli._answer import progress, warnings_said
    from zermelo.engine.searcher import SOLVING_TABLE_MB, solve_weakly
    from zermelo.errors import UnsolvedError

    start = find_start(game, moves, position, revealed)
    if overview:
        given = [
            name for name, value in {"--moves": moves, "--position": position, "--strongly": strongly}.items() if value
        ]
        if given:
            raise click.UsageError(f"--all is about the game as a whole: leave out {given[0]}")
        return survey(start.game, threads or 1, limits)
    if strongly:
        return solve_all(start, save, memory, threads, limits)
    if save is not None:
        raise click.UsageError("--save goes with --strongly")
    effort = {"threads": threads or 1, "table_mb": memory or SOLVING_TABLE_MB}
    name = start.game.name
    with warnings_said(), progress(f"solving {name}", limits["seconds"]) as shown:

        def tell(found: Analysis) -> None:
            shown.text = f"solving {name}: {found.depth} plies, {found.nodes:,} nodes"

        options = {"history": start.history, **effort, **search_options(limits)}
        try:
            found = solve_weakly(start.game, start.state, progress=tell, **options)
        except UnsolvedError as error:
            if not isinstance(error.analysis, Analysis):
                raise
            if not wants_json() and error.analysis.stopped != "interrupt":
                raise
            found = error.analysis
    return Answer(analysis_data(start, found), lambda: analysis_text(start, found), 0 if found.exact else 1)


def survey(game: Game, threads: int, limits: dict[str, Any]) -> Answer:
    """The command with `--all`."""
    from zermelo.cli._answer import progress
    from zermelo.engine import Stopped
    from zermelo.errors import MethodError, UnsolvedError

    for option in ("depth", "nodes"):
        if limits[option] is not None:
            raise click.UsageError(f"--{option} limits a search; with --all there is --seconds")
    if not game.can("overview"):
        raise MethodError(f"{game.name} has no solver of its own, so --all has nothing to say; leave it out")
    seconds = limits["seconds"]
    deadline = time.monotonic() + (seconds if seconds is not None else math.inf)
    try:
        with progress(f"solving {game.name}", seconds):
            found = game.overview(threads, lambda: time.monotonic() >= deadline)
    except Stopped:
        raise UnsolvedError(f"{game.name} is not solved when the time was up; give it more --seconds", None) from None
    return Answer(found.data, lambda: found.text)


def solve_all(
    start: Start, save: str | None, memory: int | None, threads: int | None, limits: dict[str, Any]
) -> Answer:
    """The command with `--strongly`."""
    from zermelo.cli._analysis import solution_data, solution_text, solve_start

    for option in ("depth", "nodes"):
        if limits[option] is not None:
            raise click.UsageError(f"--{option} limits a search; with --strongly there are --seconds and --memory")
    if save is not None and not Path(save).absolute().parent.is_dir():
        raise click.UsageError(f"there is no folder {Path(save).absolute().parent} to save to")
    solution = solve_start(start, memory or 1024, threads or 1, limits["seconds"])
    if save is not None:
        solution.save(save)
    found = solution.analyse(start.state)
    return Answer(solution_data(start, solution, found, save), lambda: solution_text(start, solution, found, save))
