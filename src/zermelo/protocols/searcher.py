"""The search that fits a game: the engine where it serves it, the textbook's deepening elsewhere.

Games that are better searched by Monte Carlo (`Game.simulation`) are: the tree grows on from one answer to the next.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Analysis
from zermelo.errors import CompileError, MethodError
from zermelo.game import Game
from zermelo.game.aima import AimaGame
from zermelo.protocols.simulator import Simulator
from zermelo.search import deepening

if TYPE_CHECKING:
    from zermelo.engine import Engine


NO_FURTHER = {"quiescence": False, "one_reply_extensions": False}
"""Switches with which no line goes beyond the depth of the search."""

WARMING = 2_000
"""Nodes that touch most pages of a table: the system hands them out one by one, and zeroes each when it does."""
WARM_MB = 1024
"""A greater table is left to fill up as it is used: not all of it may ever be."""


class Searcher:
    """Deepens any game without hidden information; compiles its rules when it is made."""

    def __init__(self, game: Game, threads: int = 1, table_mb: int = 64):
        self.game = game
        self.engine: Engine | None = None
        self.simulator: Simulator | None = None
        self.excuse = ""
        """Why it is not the engine that searches, if it is not."""
        self._settings = (threads, table_mb)
        self._thorough: Engine | None = None
        self._warm = False
        if game.simulation:
            self.simulator = Simulator(game, threads, table_mb)
            return
        try:
            self.engine = make_engine(game, threads, table_mb)
        except (MethodError, CompileError) as error:
            self.excuse = f"searching with the textbook: {error}"

    def think(
        self,
        state: Any,
        history: Sequence[Any],
        lines: int = 1,
        only: Sequence[Any] | None = None,
        interval: float | None = None,
        **limits: Any,
    ) -> Iterator[Analysis]:
        """An `Analysis` a depth; `only` names the actions of the root to choose from.

        Monte Carlo search has no depths: it gives one every `interval` seconds at least.
        """
        if self.simulator is not None:
            yield from self.simulator.think(state, history, only, interval=interval, **limits)
            return
        if self.engine is None:
            yield from deepening(narrow(self.game, state, only), state, history=history, **limits)
            return
        narrowed: dict[str, Any] = {} if only is None else {"only": tuple(only)}
        yield from self.engine.think(state, history=history, lines=lines, **narrowed, **limits)

    def think_through(
        self, state: Any, history: Sequence[Any], only: Sequence[Any] | None = None, **limits: Any
    ) -> Iterator[Analysis]:
        """The same with every action of every position tried, to just the depth that is asked for.

        So a win that it does not find is not there. The textbook's deepening is of this kind anyway.
        """
        if self.engine is None:
            yield from self.think(state, history, 1, only, **limits)
            return
        if self._thorough is None:
            self._thorough = make_engine(self.game, *self._settings, exact=True, **NO_FURTHER)
        narrowed: dict[str, Any] = {} if only is None else {"only": tuple(only)}
        yield from self._thorough.think(state, history=history, **narrowed, **limits)

    def warm_up(self) -> None:
        """Searches a little, so that the memory of a new table is there before a clock runs."""
        if self.engine is not None and not self._warm and self._settings[1] <= WARM_MB:
            self._warm = True
            self.engine.search(nodes=WARMING)

    @property
    def adjustable(self) -> bool:
        """Whether threads and memory make a difference."""
        return self.engine is not None or self.simulator is not None

    def clear(self) -> None:
        """Forgets what earlier searches found out."""
        self._thorough, self._warm = None, False
        for each in (self.engine, self.simulator):
            if each is not None:
                each.clear()


def make_engine(game: Game, threads: int, table_mb: int, **switches: bool) -> Engine:
    if isinstance(game, AimaGame):
        raise MethodError("the class is written in AIMA's way; derive it from zermelo.Game to have it compiled")
    from zermelo.engine import Engine

    return Engine(game, threads=threads, table_mb=table_mb, **switches)


def narrow(game: Game, root: Any, only: Sequence[Any] | None) -> Game:
    """`game` with no actions but those of `only` in the state `root`; the textbook asks the rules for all it knows."""
    if only is None:
        return game
    narrowed: Any = copy.copy(game)
    chosen = list(only)

    def actions(s: Any) -> list[Any]:
        return chosen if s is root else list(game.actions(s))

    narrowed.actions = actions
    return narrowed  # type: ignore[no-any-return]
