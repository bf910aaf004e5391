"""Negamax, the lectures' MaxMax: minimax with one routine, in which every player maximises.

    V(s) = max over a of −V(RESULT(s, a))    in the view of the player to move

What is 10 for one is −10 for the other, so that MIN is not needed. The loop of this textbook is written in this
form for every search; what `negamax` adds is that its trace shows each value as its own mover sees it. Same
answers, same nodes.
"""

from __future__ import annotations

from typing import Any, Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run


def negamax(game: Game, state: Any = None, **options: Unpack[Options]) -> Analysis:
    """As `minimax`, with values in the mover's view; `prune=True` adds alpha-beta in the same view."""
    return run(game, state, Recipe("negamax", prune=False, view="mover"), options)
