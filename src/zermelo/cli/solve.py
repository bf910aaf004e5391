"""`zermelo solve`: the proved value of a position."""

from __future__ import annotations

from typing import Any

import click

from zermelo.analysis import Analysis
from zermelo.cli._answer import Answer, answers
from zermelo.cli._options import find_start, game_argument, limit_options, position_options, search_options


@click.command()
@game_argument
@position_options
@limit_options
@answers
def command(game: str, moves: str | None, position: str | None, revealed: bool, **limits: Any) -> Answer:
    """Prove the value of GAME, and a line that reaches it.

    The exit code is 1 if the limits, or Ctrl-C, end the search before the proof.
    """
    from zermelo.cli._analysis import analysis_data, analysis_text
    from zermelo.cli._progress import progress
    from zermelo.errors import UnsolvedError
    from zermelo.search import solve

    start = find_start(game, moves, position, revealed)
    name = start.game.name
    with progress(f"solving {name}", limits["seconds"]) as shown:

        def tell(found: Analysis) -> None:
            shown.text = f"solving {name}: {found.depth} plies, {found.nodes:,} nodes"

        try:
            found = solve(start.game, start.state, progress=tell, history=start.history, **search_options(limits))
        except UnsolvedError as error:
            if not isinstance(error.analysis, Analysis) or error.analysis.stopped != "interrupt":
                raise
            found = error.analysis
    return Answer(analysis_data(start, found), lambda: analysis_text(start, found), 0 if found.exact else 1)
