"""Iterative deepening: search one ply deep, then two, then three, until time is up.

The last finished depth is the answer, so that a clock can stop the search at any moment. What a shallow search finds
puts the next one in order: with `order="previous,…"` the deepest search is often cheaper for all the ones before it.
It ends by itself when a depth has reached no cut-off, for then nothing deeper exists.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Unpack

from zermelo.analysis import Analysis
from zermelo.game import Game
from zermelo.search.choose import best_recipe
from zermelo.search.run import Options, think


def deepening(game: Game, state: Any = None, **options: Unpack[Options]) -> Iterator[Analysis]:
    """An `Analysis` for each depth as it is finished, by the search that fits the game."""
    recipe, techniques = best_recipe(game)
    yield from think(game, state, recipe, {**techniques, "deepen": True, **options})
