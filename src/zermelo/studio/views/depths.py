"""A position searched ever deeper, by what suits its game best: the engine, simulations, or the textbook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from zermelo.analysis import Analysis, Limits
from zermelo.engine import Searcher
from zermelo.game import Game

TABLE_MB = 32


def make_searcher(game: Game) -> Searcher:
    """What remembers from one search of `game` to the next."""
    return Searcher(game, table_mb=TABLE_MB, by_depth=not game.simulation)


def deepen(
    searcher: Searcher, state: Any, past: Sequence[Any], stop: Callable[[], bool], lines: int = 1
) -> Iterator[Analysis]:
    """One analysis per depth, or per slice of time where simulations grow; of several lines if the engine searches."""
    return searcher.think(state, Limits(stop=stop), history=past, lines=lines)
