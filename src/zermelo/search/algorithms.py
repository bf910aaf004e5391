"""The searches of the textbook by name: what a command line, a player or a lesson asks for."""

from __future__ import annotations

import difflib
from collections.abc import Callable
from functools import partial

from zermelo.analysis import Analysis
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.search.alphabeta import alphabeta
from zermelo.search.bestreply import best_reply
from zermelo.search.choose import search
from zermelo.search.cutoff import h_minimax
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.maxn import maxn
from zermelo.search.mcts import mcts
from zermelo.search.minimax import minimax
from zermelo.search.mtdf import mtdf
from zermelo.search.negamax import negamax
from zermelo.search.paranoid import paranoid
from zermelo.search.pvs import pvs

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

SAMPLED: dict[str, Callable[..., Analysis]] = {"mcts": mcts}
"""Searches by simulation, which have options of their own."""


def plain_algorithm(game: Game) -> str:
    """The name of the search that the lectures use for a game of this kind: what one wants to watch."""
    if not game.kind.scalar:
        return "maxn"
    return "expectiminimax" if game.kind.chance else "alphabeta"


def algorithm(name: str) -> Callable[..., Analysis]:
    """The search called `name`."""
    known = name.strip().lower().replace("_", "-")
    there = dict(sorted((ALGORITHMS | SAMPLED).items()))
    if known not in there:
        near = difflib.get_close_matches(known, there, 1, 0.5)
        hint = f"did you mean {near[0]}? " if near else ""
        raise OptionError(f"no algorithm is called {name!r}; {hint}there are {', '.join(there)}")
    return there[known]
