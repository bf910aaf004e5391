"""`zermelo equilibrium`: how to play a game in which both choose at once, and the proof."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from zermelo.cli._answer import Answer, answers

FILE = click.Path(dir_okay=False, path_type=Path)
METHODS = (
    *("simplex", "highs", "vertices", "supports", "lemke-howson", "logit"),
    *("replicator", "fictitious-play", "regret-matching", "correlated", "coarse", "stackelberg"),
)


@click.command(context_settings={"ignore_unknown_options": True})  # a matrix may begin with a minus
@click.argument("game", metavar="GAME")
@click.option("--exact", is_flag=True, help="Compute in fractions.")
@click.option("--all", "every", is_flag=True, help="All extreme equilibria, not one.")
@click.option("--method", metavar="NAME", help=f"One of {', '.join(METHODS)}.")
@click.option("--costs", is_flag=True, help="The numbers are costs, which players want to be small.")
@click.option("--dominance", is_flag=True, help="Strike out dominated actions first, and show the steps.")
@click.option("--svg", type=FILE, metavar="FILE", help="Draw the 2 × n solution, or best responses of 2 × 2.")
@click.option("--save", type=FILE, metavar="FILE.nfg", help="Write the game in normal form.")
@answers
def command(
    game: str,
    exact: bool,
    every: bool,
    method: str | None,
    costs: bool,
    dominance: bool,
    svg: Path | None,
    save: Path | None,
) -> Answer:
    """Find equilibria of GAME: a matrix of payoffs to the row player, as in "30 -10 20; -10 20 -20".

    Or of two players, "3,3 0,5; 5,0 1,1"; of a file in NFG; or of any small game, as in rock-paper-scissors.
    """
    from zermelo.cli._equilibrium import Question, elimination_text, solve_question
    from zermelo.cli._progress import progress

    with progress("looking for equilibria"):
        form = read(game, costs)
        steps: dict[str, Any] = {}
        before: Callable[[], str] = str
        if dominance:
            from zermelo.equilibrium import eliminate

            struck = eliminate(form)
            form = struck.game
            steps = {"eliminated": [[struck.game.players[s.player], s.action, s.by_text] for s in struck.steps]}
            before = lambda: elimination_text(struck) + "\n\n"  # noqa: E731
        if save is not None:
            from zermelo.equilibrium import write_nfg

            save.write_text(write_nfg(form), encoding="utf-8")
        if svg is not None:
            from zermelo.equilibrium import picture

            svg.write_text(picture(form), encoding="utf-8")
        data, text = solve_question(Question(form, exact, every, method))
    return Answer(data | steps, lambda: before() + text())


def read(game: str, costs: bool) -> Any:
    """The normal form of a matrix written out, of a file, or of a game by name."""
    from zermelo.equilibrium import NormalForm, load_nfg, normal_form
    from zermelo.errors import InputError, OptionError
    from zermelo.games import load

    text = game.strip()
    if text.lower().endswith(".efg"):
        raise InputError(f"{text} is an extensive game; here only normal forms are read, from .nfg files")
    if re.fullmatch(r"[-+\d./,;\s\N{MINUS SIGN}eE]+", text) or (";" in text and not text.startswith(("[", "{", "("))):
        return NormalForm(text, costs=costs)
    if costs:
        raise OptionError("--costs is for a matrix that is written out")
    return load_nfg(text) if text.lower().endswith(".nfg") else normal_form(load(text))
