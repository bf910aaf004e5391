"""Paranoid search: everybody else is out to get you.

    V(s) = the utility of MAX                  at an end
    V(s) = max over a of V(RESULT(s, a))       where MAX moves
    V(s) = min over a of V(RESULT(s, a))       where anybody else does
    V(s) = Σ P(a) · V(RESULT(s, a))            where chance moves

MAX is the player to move at the root. The game becomes one of two sides, so that windows cut as in alpha-beta and, at
chance nodes, as in Star1, and the search sees further than max^n. V is what MAX gets for sure, whatever the others do
and even if they have agreed on it; it is often less than what players get who each look after themselves.
"""

from __future__ import annotations

from typing import Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.search.composable import SearchRecipe
from zermelo.search.options import Options
from zermelo.search.run import run
from zermelo.search.scores import Bounded
from zermelo.search.star import star1


def paranoid(game: Game[S, A], state: S | None = None, **options: Unpack[Options]) -> Analysis:
    """What the player to move gets against all others together, and an action that reaches it."""
    return run(game, state, SearchRecipe("paranoid", one_against_all=True, scores=Bounded, expect=star1), options)
