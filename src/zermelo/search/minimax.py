"""Minimax: the value of a position if both sides play their best.

    V(s) = UTILITY(s)                        at an end
    V(s) = max over a of V(RESULT(s, a))     where MAX moves
    V(s) = min over a of V(RESULT(s, a))     where MIN moves

MAX is the player to move at the root. Depth first: O(b^m) time and O(b·m) space for branching b and length m.
Whoever follows the action it recommends never gets less than V, whatever the opponent does.
"""

from __future__ import annotations

from typing import Any, Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run


def minimax(game: Game, state: Any = None, **options: Unpack[Options]) -> Analysis:
    """The minimax value of `state` and an action that reaches it, every position of the tree looked at."""
    return run(game, state, Recipe("minimax", prune=False), options)
