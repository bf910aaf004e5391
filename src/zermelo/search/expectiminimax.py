"""Expectiminimax: minimax with dice.

    V(s) = Σ P(a) · V(RESULT(s, a))              where chance moves
    V(s) = max or min over a of V(RESULT(s, a))  where a player moves

The value is an expectation, so that utilities matter and not only their order: a relabelling of the ends that keeps
their order leaves minimax unmoved and can change the action chosen here. With `pruning="star1"` or `"star2"`
windows reach through the chance nodes, which needs a game whose `bounds` are finite to be of use.
"""

from __future__ import annotations

from typing import Any, Unpack

from zermelo.analysis import Analysis
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.search.chance import expectation
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run
from zermelo.search.scores import Bounded, Plain
from zermelo.search.star import star1, star2

PRUNING = {None: expectation, "star1": star1, "star2": star2}


def expectiminimax(
    game: Game, state: Any = None, *, pruning: str | None = None, **options: Unpack[Options]
) -> Analysis:
    """The expected utility of best play, plain or pruned."""
    if pruning not in PRUNING:
        raise OptionError(f"pruning must be star1, star2 or None, not {pruning!r}")
    name = f"expectiminimax+{pruning}" if pruning else "expectiminimax"
    scores = Bounded if pruning else Plain
    return run(game, state, Recipe(name, prune=pruning is not None, scores=scores, expect=PRUNING[pruning]), options)
