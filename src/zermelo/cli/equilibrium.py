"""`zermelo equilibrium`: how to play a game in which both choose at once, and the proof."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from zermelo.cli._answer import Answer, answers, writing
from zermelo.cli._extensive import METHODS as EXTENSIVE
from zermelo.cli._extensive import limits
from zermelo.errors import MethodError, OptionError

FILE = click.Path(dir_okay=False, path_type=Path)
METHODS = (
    *("simplex", "highs", "vertices", "supports", "lemke-howson", "logit"),
    *("replicator", "fictitious-play", "regret-matching", "correlated", "coarse", "stackelberg"),
)


@click.command(context_settings={"ignore_unknown_options": True})  # a matrix may begin with a minus
@click.argument("game", metavar="GAME")
@click.option("--exact", is_flag=True, help="Compute in fractions.")
@click.option("--all", "every", is_flag=True, help="All extreme equilibria, not one.")
@click.option("--method", metavar="NAME", help=f"One of {', '.join(METHODS)}; of a tree: {', '.join(EXTENSIVE)}.")
@click.option("--costs", is_flag=True, help="The numbers are costs, which players want to be small.")
@click.option("--dominance", is_flag=True, help="Strike out dominated actions first, and show the steps.")
@click.option("--svg", type=FILE, metavar="FILE", help="Draw the 2 × n solution, or best responses of 2 × 2.")
@click.option(
    "--save", type=FILE, metavar="FILE", help="Write the game: its normal form as FILE.nfg, its tree as FILE.efg."
)
@limits
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
    **how: Any,
) -> Answer:
    """Find equilibria of GAME: a matrix of payoffs to the row player, as in "30 -10 20; -10 20 -20".

    Or of two players, "3,3 0,5; 5,0 1,1"; of a file in NFG or EFG; or of any game, as in rock-paper-scissors or kuhn.
    """
    from zermelo.cli._answer import progress
    from zermelo.cli._equilibrium import Question, elimination_text, solve_question
    from zermelo.cli._extensive import save_game, solve_tree, wants_tree
    from zermelo.equilibrium import normal_form
    from zermelo.game import Game

    check_method(method)
    files = [f"written: {file}" for file in (svg, save) if file is not None]
    written = ["", *files] if files else []
    with progress("looking for equilibria") as bar:
        source = read(game, costs)
        if wants_tree(source, method, every or dominance or svg is not None):
            data, text = solve_tree(source, method, exact, save, bar, how)
            return Answer(data, lambda: "\n".join([text(), *written]))
        given = [f"--{name}" for name, value in how.items() if value is not None]
        if given:
            raise OptionError(f"{given[0]} is for games with a tree, by --method cfr, say")
        form = normal_form(source) if isinstance(source, Game) else source
        zero_sum = form.is_zero_sum
        steps: dict[str, object] = {}
        before: Callable[[], str] = str
        if dominance:
            from zermelo.equilibrium import eliminate

            struck = eliminate(form)
            form = struck.game
            steps = {"eliminated": [[struck.game.players[s.player], s.action, s.by_text] for s in struck.steps]}
            before = lambda: elimination_text(struck) + "\n\n"  # noqa: E731
        if save is not None:
            save_game(form, save)
        if svg is not None:
            from zermelo.equilibrium import picture

            with writing(svg):
                svg.write_text(picture(form), encoding="utf-8")
        data, text = solve_question(Question(form, exact, every, method, zero_sum))
    return Answer(data | steps, lambda: "\n".join([before() + text(), *written]))


def check_method(method: str | None) -> None:
    if method is not None and method not in (*METHODS, *EXTENSIVE):
        raise MethodError(
            f"no method is called {method!r}; there are {', '.join(METHODS)}, and for a game with a tree "
            f"{', '.join(EXTENSIVE)}"
        )


def read(game: str, costs: bool) -> Any:
    """The normal form of a matrix written out or of a file; or a game, by name or of a file in EFG."""
    from zermelo.equilibrium import NormalForm, load_nfg
    from zermelo.games import load

    text = game.strip()
    if re.fullmatch(r"[-+\d./,;\s\N{MINUS SIGN}eE]+", text) or (";" in text and not text.startswith(("[", "{", "("))):
        return NormalForm(text, costs=costs)
    if costs:
        raise OptionError("--costs is for a matrix that is written out")
    return load_nfg(text) if text.lower().endswith(".nfg") else load(text)
