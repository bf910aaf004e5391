"""A position searched ever deeper, by what suits its game best: the engine, simulations, or the textbook."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from zermelo.analysis import Analysis
from zermelo.engine.choose import make_engine
from zermelo.game import Game
from zermelo.protocols.simulator import Simulator
from zermelo.search.choose import best_recipe
from zermelo.search.run import think

TABLE_MB = 32


def make_searcher(game: Game) -> Any:
    """What remembers from one search of `game` to the next: an engine or a `Simulator`; nothing for the textbook."""
    return Simulator(game, 1, TABLE_MB) if game.simulation else make_engine(game, {}, table_mb=TABLE_MB)


def deepen(
    game: Game, searcher: Any, state: Any, past: Sequence[Any], stop: Callable[[], bool], lines: int = 1
) -> Iterator[Analysis]:
    """One analysis a depth, or a slice of time where simulations grow; of several lines if the engine searches."""
    if isinstance(searcher, Simulator):
        return searcher.think(state, past, stop=stop)
    if searcher is not None:
        return iter(searcher.think(state, history=past, lines=lines, stop=stop))
    recipe, techniques = best_recipe(game)
    options = {**techniques, "deepen": True, "history": past, "stop": stop}
    return think(game, state, recipe, options)  # type: ignore[arg-type]
