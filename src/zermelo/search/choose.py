"""The search that fits a game, with all that makes it strong: what `zermelo.search` and `zermelo.solve` use."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Unpack

from zermelo.analysis import Analysis
from zermelo.errors import UnsolvedError
from zermelo.game import Game
from zermelo.search.maxn import decide_for_oneself
from zermelo.search.pvs import scout
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run, think
from zermelo.search.scores import Bounded, Vector
from zermelo.search.star import star1
from zermelo.search.table import Table


def best_recipe(game: Game) -> tuple[Recipe, Options]:
    """The strongest sound search of the textbook for the kind of game that `game` is."""
    if not game.kind.scalar:
        return Recipe("maxn", prune=False, scores=Vector, decide=decide_for_oneself), {"table": True}
    if game.kind.chance:
        return Recipe("expectiminimax+star1", scores=Bounded, expect=star1), {"order": "best", "table": True}
    techniques: Options = {"order": "best", "table": True, "quick": True}
    if game.can("is_noisy") and game.can("evaluate"):
        techniques["quiescence"] = True
    return Recipe("pvs", look=scout), techniques


def search(game: Game, state: Any = None, **options: Unpack[Options]) -> Analysis:
    """The best action in `state` that can be found within the limits; for one second if none is given."""
    recipe, techniques = best_recipe(game)
    if not {"depth", "nodes", "seconds"} & {name for name, value in options.items() if value is not None}:
        options["seconds"] = 1.0
    merged: Options = {**techniques, "deepen": True, **options}
    return run(game, state, recipe, merged)


def solve(
    game: Game, state: Any = None, *, progress: Callable[[Analysis], None] | None = None, **options: Unpack[Options]
) -> Analysis:
    """The proved value of `state`; raises `UnsolvedError` if the limits end the search before the proof.

    `progress` is told of each depth that is finished on the way.
    """
    recipe, techniques = best_recipe(game)
    merged: Options = {**techniques, "table": Table(), "deepen": True, **options}
    for found in think(game, state, recipe, merged):
        if progress is not None:
            progress(found)
    require_proof(game, found)
    return found if recipe.scores is Vector or game.kind.chance else complete(game, state, found, merged)


def require_proof(game: Game, found: Analysis) -> None:
    """Refuses an analysis that is no proof."""
    if not found.exact:
        why = f"stopped by {found.stopped}" if found.stopped else f"not decided at depth {found.depth}"
        raise UnsolvedError(
            f"{game.name} is not solved: {why} after {found.nodes:,} nodes; "
            f"give it more time or depth, or a smaller game",
            found,
        )


def complete(game: Game, state: Any, found: Analysis, options: Options) -> Analysis:
    """`found` with its line played on to the end, where a hit in the table had cut it short."""
    s = game.initial() if state is None else state
    line = []
    rest = found.line
    seen = set()
    while not game.is_terminal(s) and game.key(s) not in seen:
        seen.add(game.key(s))
        if not rest:
            recipe, _ = best_recipe(game)
            rest = run(game, s, recipe, {**options, "trace": False}).line[:1]
        line.append(rest[0])
        s = game.result(s, rest[0])
        rest = rest[1:]
    return replace(found, line=tuple(line))
