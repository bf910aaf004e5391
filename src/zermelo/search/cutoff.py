"""H-MINIMAX: minimax that stops where CUTOFF(s, d) says so and takes EVAL(s) for the value.

    H(s, d) = EVAL(s)                                 if CUTOFF(s, d)
    H(s, d) = max or min over a of H(RESULT(s, a), d + 1)    otherwise

By default CUTOFF is a depth limit and EVAL the game's own `evaluate`, or a draw if it has none; `cutoff=` and
`evaluate=` replace them, in every search of the package. With a cut-off at the ends of the game only, this is
minimax.
"""

from __future__ import annotations

from typing import Any, Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run


def h_minimax(game: Game, state: Any = None, **options: Unpack[Options]) -> Analysis:
    """Minimax to `depth=` plies, or as far as `cutoff=` allows, on estimates."""
    return run(game, state, Recipe("h-minimax", prune=False), options)
