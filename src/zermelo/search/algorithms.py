"""The searches of the textbook by name, and the one that fits a game with all that makes it strong."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

from zermelo.analysis import Analysis
from zermelo.errors import MethodError, OptionError, UnsolvedError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.search.alphabeta import alphabeta
from zermelo.search.alphamu import alphamu
from zermelo.search.bestreply import best_reply
from zermelo.search.composable import SearchRecipe
from zermelo.search.cutoff import h_minimax
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.extensions import in_check
from zermelo.search.maxn import maxn, maxn_recipe
from zermelo.search.mcts import mcts
from zermelo.search.minimax import minimax
from zermelo.search.mtdf import mtdf
from zermelo.search.negamax import negamax
from zermelo.search.nullmove import PassAtRoot
from zermelo.search.options import Options
from zermelo.search.paranoid import paranoid
from zermelo.search.pimc import pimc
from zermelo.search.pvs import pvs, scout
from zermelo.search.run import run, think
from zermelo.search.scores import Bounded, Vector
from zermelo.search.star import star1
from zermelo.search.table import TranspositionTable
from zermelo.search.zerowindow import zero_window


def best_recipe(game: Game[S, A]) -> tuple[SearchRecipe, Options]:
    """The strongest sound search of the textbook for the kind of game that `game` is."""
    if not game.kind.scalar:
        return maxn_recipe(), {"table": True}
    if game.kind.chance:
        return SearchRecipe("expectiminimax+star1", scores=Bounded, expect=star1), {"order": "best", "table": True}
    techniques: Options = {"order": "best", "table": True, "quick": True}
    if game.can("is_noisy") and game.can("evaluate"):
        techniques["quiescence"] = True
    return SearchRecipe("pvs", look=scout), techniques


def search(game: Game[S, A], state: S | None = None, **options: Unpack[Options]) -> Analysis:
    """The best action in `state` that can be found within the limits; for one second if none is given."""
    recipe, techniques = best_recipe(game)
    if not {"depth", "nodes", "seconds"} & {name for name, value in options.items() if value is not None}:
        options["seconds"] = 1.0
    merged: Options = {**techniques, "deepen": True, **options}
    return run(game, state, recipe, merged)


def solve(
    game: Game[S, A],
    state: S | None = None,
    *,
    progress: Callable[[Analysis], None] | None = None,
    **options: Unpack[Options],
) -> Analysis:
    """The proved value of `state`; raises `UnsolvedError` if the limits end the search before the proof.

    `progress` is called with each depth that is finished on the way.
    """
    recipe, techniques = best_recipe(game)
    merged: Options = {**techniques, "table": TranspositionTable(), "deepen": True, **options}
    for found in think(game, state, recipe, merged):
        if progress is not None:
            progress(found)
    require_proof(game, found)
    return found if recipe.scores is Vector or game.kind.chance else complete(game, state, found, merged)


def require_proof(game: Game[S, A], found: Analysis) -> None:
    """Refuses an analysis that is no proof."""
    if not found.exact:
        depth = "" if found.depth is None else f" at depth {found.depth}"
        why = f"stopped by {found.stopped}" if found.stopped else f"not decided{depth}"
        raise UnsolvedError(
            f"{game.name} is not solved: {why} after {found.nodes:,} nodes; "
            f"give it more time or depth, or a smaller game",
            found,
        )


def complete(game: Game[S, A], state: S | None, found: Analysis, options: Options) -> Analysis:
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


def null_move_score(
    game: Game[S, A], state: S | None = None, *, reduction: int = 2, **options: Unpack[Options]
) -> Analysis:
    """What passing is worth to the player to move: an estimate of the best score of `state`.

    Where passing is never best it is a lower bound, which `Analysis.bounds` states; it names no action.
    """
    s = game.initial() if state is None else state
    if not game.can("pass_turn"):
        raise MethodError(f"the null move needs `pass_turn`, which {game.name} does not have; write it")
    if not game.is_terminal(s) and in_check(game, s):
        raise MethodError(f"there is a check to be met in {game.write(s)}: a pass says nothing about it")
    if not isinstance(reduction, int) or isinstance(reduction, bool) or reduction < 0:
        raise OptionError(f"reduction must be a whole number of plies, 0 or more, not {reduction!r}")
    found = run(game, s, SearchRecipe("null-move score", decide=PassAtRoot(reduction)), options)
    over = game.is_terminal(s)
    return found if over else replace(found, exact=False, bounds=(found.value, game.bounds[1]))


def zero_window_at(game: Game[S, A], state: S | None = None, *, bound: float | None = None, **options: Any) -> Analysis:
    """Zero window search for a command line: whether the value is at least `bound`, a draw's if none is given."""
    return zero_window(game, game.neutral if bound is None else bound, state, **options)


def deepening(game: Game[S, A], state: S | None = None, **options: Unpack[Options]) -> Iterator[Analysis]:
    """An `Analysis` for each depth as it is finished, by the search that fits the game."""
    recipe, techniques = best_recipe(game)
    yield from think(game, state, recipe, {**techniques, "deepen": True, **options})


ALGORITHMS: dict[str, Callable[..., Analysis]] = {
    "alphabeta": alphabeta,
    "brs": best_reply,
    "expectiminimax": expectiminimax,
    "h-minimax": h_minimax,
    "maxn": maxn,
    "minimax": minimax,
    "mtdf": mtdf,
    "negamax": negamax,
    "paranoid": paranoid,
    "pvs": pvs,
    "search": search,
    "star1": partial(expectiminimax, pruning="star1"),
    "star2": partial(expectiminimax, pruning="star2"),
}
"""Each takes a game, a state and the `Options` of every search; `search` is the one that fits the game."""

QUESTIONS: dict[str, Callable[..., Analysis]] = {"zero-window": zero_window_at}
"""Searches that answer yes or no: to watch, not to play by."""

SAMPLED: dict[str, Callable[..., Analysis]] = {"mcts": mcts}
"""Searches by simulation, which have options of their own."""

IMAGINED: dict[str, Callable[..., Analysis]] = {"alphamu": alphamu, "pimc": pimc}
"""Searches of hidden cards by imagined worlds, which have options of their own, too."""


def plain_algorithm(game: Game[S, A]) -> str:
    """The name of the search that the lectures use for a game of this kind: what one wants to watch."""
    if not game.kind.scalar:
        return "maxn"
    return "expectiminimax" if game.kind.chance else "alphabeta"


def plain_name(name: str) -> str:
    """The name of a search as the tables have it."""
    return name.strip().lower().replace("_", "-")


def algorithm(name: str) -> Callable[..., Analysis]:
    """The search called `name`."""
    known = plain_name(name)
    there = dict(sorted((ALGORITHMS | QUESTIONS | SAMPLED | IMAGINED).items()))
    if known not in there:
        near = difflib.get_close_matches(known, there, 1, 0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        raise OptionError(f"no algorithm is called {name!r}; {hint}there are {', '.join(there)}")
    return there[known]
