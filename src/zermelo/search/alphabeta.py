"""Alpha-beta: minimax without looking at what cannot matter.

    α   the least that MAX is sure of on the path so far
    β   the most that MIN has to allow

A node whose value is seen to lie outside (α, β) is left at once. For α < β and the true value V

    result ≤ α  ⇔  V ≤ α,      result ≥ β  ⇔  V ≥ β,      result = V otherwise

so the root, searched with (−∞, ∞), gets minimax's value from never more nodes: of b^d leaves, all in the worst
order and b^⌈d/2⌉ + b^⌊d/2⌋ − 1 in the best. Fail-soft returns the best bound it has; fail-hard returns α or β
itself.
"""

from __future__ import annotations

from typing import Any, Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.search.recipe import Recipe
from zermelo.search.run import Options, run


def alphabeta(game: Game, state: Any = None, **options: Unpack[Options]) -> Analysis:
    """Minimax's value of `state`; `window=(a, b)` narrows the root, `hard=True` fails hard."""
    return run(game, state, Recipe("alphabeta"), options)
