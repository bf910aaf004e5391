"""Zero-window search: a yes-or-no question, asked of alpha-beta.

    Is V ≥ bound?    search with a window that no value fits into: (just below the bound, bound)

Every node is then either refuted or confirmed at once, so that this is the cheapest search there is. Scout,
principal variation search and MTD(f) are made of it.
"""

from __future__ import annotations

import math
from typing import Any, Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run


def zero_window(game: Game, bound: float, state: Any = None, **options: Unpack[Options]) -> Analysis:
    """Whether the player to move can reach `bound`: `Analysis.value >= bound` says yes, a smaller value no.

    `Analysis.bounds` is what is then known of the value.
    """
    below = math.nextafter(bound, -math.inf) if game.scale is None else bound - 1 / game.scale
    return run(game, state, Recipe("zero-window", window=(below, bound)), options)
