"""The three ways to search behind a `Searcher`: the native engine, simulations, and the textbook."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, Protocol

from zermelo.analysis import LONGEST_SECONDS, Analysis, Limits, Progress
from zermelo.engine.mcts import MEMORY_MB, Mcts
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.search import deepening
from zermelo.search.algorithms import algorithm as find_algorithm
from zermelo.search.algorithms import require_proof
from zermelo.search.algorithms import solve as textbook_solve
from zermelo.search.mcts.settings import Budget, read_options, suited

if TYPE_CHECKING:
    from zermelo.engine.engine import Engine

FIRST_SLICE_SECONDS, LONGEST_SLICE_SECONDS = 0.05, 0.5
"""The time between two answers of a search by simulations: at first, and at most."""
TO_THE_DEPTH = {"quiescence": False, "one_reply_extensions": False}
"""Switches with which no line goes beyond the depth of the search."""


@dataclass(frozen=True, slots=True)
class Query(Generic[S, A]):
    """One position to search, and how."""

    state: S
    limits: Limits
    history: Sequence[S] = ()
    """The states of the game so far, where repetition counts."""
    lines: int = 1
    """The number of best actions that get a value and a line of their own."""
    only: Sequence[A] | None = None
    """The actions of the root to choose from."""
    interval: float | None = None
    """The longest time between two answers of a search by simulations, in seconds."""
    watch: Callable[[Progress], None] | None = None
    """Told where a search by depth is, in the middle of a depth that takes long."""
    anytime: bool = False
    """Whether a clock may end the search at any moment, so that it needs an answer early."""

    @property
    def bounds(self) -> dict[str, Any]:
        """The limits of a search by depth, as keyword arguments."""
        limits = self.limits
        return {"depth": limits.depth, "nodes": limits.nodes, "seconds": limits.seconds, "stop": limits.stop}

    def after(self, started: float) -> Query[S, A]:
        """The query with the seconds that are left of it since `started`."""
        if self.limits.seconds is None:
            return self
        left = max(self.limits.seconds - (time.perf_counter() - started), 0.0)
        return replace(self, limits=replace(self.limits, seconds=left))


class Method(Protocol[S, A]):
    """A way to search one game."""

    stepwise: bool
    """Whether `think` yields more than the last answer."""
    adjustable: bool
    """Whether threads and memory make a difference."""

    @property
    def name(self) -> str: ...

    def think(self, query: Query[S, A]) -> Iterator[Analysis]:
        """One `Analysis` per depth or slice; the last one is the result."""

    def search(self, query: Query[S, A]) -> Analysis:
        """The result alone; Ctrl-C ends it with the best so far."""

    def clear(self) -> None:
        """Forgets the results of earlier searches."""

    def is_stale(self) -> bool:
        """Whether the game has changed since its rules were compiled."""


class NativeMethod(Generic[S]):
    """The native engine."""

    stepwise = adjustable = True

    def __init__(self, game: Game[S], **options: Any):
        from zermelo.engine.engine import Engine

        self.game = game
        self.engine = Engine(game, **options)
        self._thorough_options = {**options, "exact": True, **TO_THE_DEPTH}
        self._thorough: Engine[S] | None = None

    @property
    def name(self) -> str:
        return self.engine.method

    def think(self, query: Query[S]) -> Iterator[Analysis]:
        return self._think(self.engine, query)

    def think_through(self, query: Query[S]) -> Iterator[Analysis]:
        """As `think`, with every action of every position tried, to exactly the depth of the query."""
        from zermelo.engine.engine import Engine

        if self._thorough is None:
            self._thorough = Engine(self.game, **self._thorough_options)
        return self._think(self._thorough, query)

    def _think(self, engine: Engine[S], query: Query[S]) -> Iterator[Analysis]:
        rest: dict[str, Any] = {"lines": query.lines, "only": query.only, "watch": query.watch}
        return engine.think(query.state, history=query.history, **rest, **query.bounds)

    def search(self, query: Query[S]) -> Analysis:
        return self.engine.search(
            query.state, history=query.history, lines=query.lines, only=query.only, **query.bounds
        )

    def solve(self, query: Query[S], progress: Callable[[Analysis], None] | None) -> Analysis:
        """The proved value; `UnsolvedError` if the limits come first."""
        found = self.engine.solve(query.state, progress=progress, history=query.history, **query.bounds)
        if self.engine.rounded and not found.exact and not found.stopped:
            # Utilities that the engine's integers cannot express.
            return textbook_solve(self.game, query.state, progress=progress, history=query.history, **query.bounds)
        require_proof(self.game, found)
        return found

    def clear(self) -> None:
        self._thorough = None
        self.engine.clear()

    def is_stale(self) -> bool:
        return self.engine.is_stale()


class SimulationMethod(Generic[S]):
    """Monte Carlo tree search; it keeps its tree from one answer to the next and from move to move."""

    stepwise = adjustable = True

    def __init__(
        self, game: Game[S], threads: int = 1, memory_mb: int = MEMORY_MB, early: bool = False, **options: Any
    ):
        """With `early` a search ends before its time is over, once no other action can become the most visited one."""
        settings, budget = read_options(suited(game, options), ("threads", "memory_mb"))
        if budget != Budget():
            raise OptionError("limits belong to a search, not to the searcher")
        self.searcher = Mcts(game, settings=settings, threads=threads, memory_mb=memory_mb)
        self.early = early

    @property
    def name(self) -> str:
        return self.searcher.settings.method(self.searcher.game)

    def search(self, query: Query[S]) -> Analysis:
        limits, only = query.limits, query.only or None
        seconds = LONGEST_SECONDS if limits.endless else limits.seconds
        budget = Budget(limits.simulations, limits.nodes, seconds, limits.stop, only, self.early)
        return self.searcher.run(query.state, budget, query.history)

    def think(self, query: Query[S]) -> Iterator[Analysis]:
        """One `Analysis` per slice of time; a depth limits nothing here.

        A search with a time limit ends early once no other action can become the most visited one.
        """
        limits = query.limits
        started = time.perf_counter()
        longest = min(query.interval or LONGEST_SLICE_SECONDS, LONGEST_SLICE_SECONDS)
        slice_seconds, entered, simulated = min(FIRST_SLICE_SECONDS, longest), 0, 0
        while True:
            left = None if limits.seconds is None else max(limits.seconds - (time.perf_counter() - started), 0.0)
            part = Budget(
                simulations=None if limits.simulations is None else max(limits.simulations - simulated, 1),
                nodes=None if limits.nodes is None else max(limits.nodes - entered, 1),
                seconds=slice_seconds if left is None else min(slice_seconds, left),
                stop=limits.stop,
                only=query.only or None,
            )
            found = self.searcher.run(query.state, part, query.history)
            entered += found.nodes
            simulated += found.leaves
            spent = time.perf_counter() - started
            done = (
                (found.exact and not found.stopped)  # one that tables tell is searched on
                or found.stopped in ("stop", "interrupt")
                or (limits.nodes is not None and entered >= limits.nodes)
                or (limits.simulations is not None and simulated >= limits.simulations)
                or (limits.seconds is not None and (spent >= limits.seconds or settled(found, limits.seconds - spent)))
            )
            # The end of a slice is not the end of the search.
            yield replace(found, nodes=entered, seconds=spent, stopped=found.stopped if done else "")
            if done:
                return
            slice_seconds = min(2 * slice_seconds, longest)

    def clear(self) -> None:
        self.searcher.clear()

    def is_stale(self) -> bool:
        return self.searcher.compiled is not None and bool(self.searcher.compiled.changed())


def settled(found: Analysis, left: float) -> bool:
    """Whether the seconds that are left, at the speed so far, cannot make another action the most visited one."""
    first, second, *_ = [*sorted(found.visits.values(), reverse=True), 0, 0]
    return first - second > found.leaves / max(found.seconds, 1e-9) * left


class TextbookMethod(Generic[S, A]):
    """A search of the textbook: by name, or the one that fits the game."""

    adjustable = False

    def __init__(self, game: Game[S, A], name: str, options: dict[str, Any]):
        self.game = game
        self.name = name
        self.options = options
        self.stepwise = name == "search"
        self._search = find_algorithm(name)

    def search(self, query: Query[S, A]) -> Analysis:
        options: dict[str, Any] = {**self._bounds(query), **self.options}
        if query.anytime:
            options.setdefault("deepen", True)
        return self._search(narrow(self.game, query.state, query.only), query.state, **options)

    def think(self, query: Query[S, A]) -> Iterator[Analysis]:
        if not self.stepwise:
            yield self.search(query)
            return
        game = narrow(self.game, query.state, query.only)
        yield from deepening(game, query.state, **{**self._bounds(query), **self.options})

    def solve(self, query: Query[S, A], progress: Callable[[Analysis], None] | None) -> Analysis:
        return textbook_solve(self.game, query.state, progress=progress, **{**self._bounds(query), **self.options})

    def _bounds(self, query: Query[S, A]) -> dict[str, Any]:
        """The limits that are set; some searches refuse the others."""
        given = {name: value for name, value in query.bounds.items() if value is not None}
        return given | ({"history": query.history} if query.history else {})

    def clear(self) -> None:
        """Does nothing: a search of the textbook keeps no results."""

    def is_stale(self) -> bool:
        return False


def narrow(game: Game[S, A], root: S, only: Sequence[A] | None) -> Game[S, A]:
    """Returns `game` with its actions in `root` restricted to `only`: the textbook takes actions from the rules."""
    if only is None:
        return game
    narrowed: Any = copy.copy(game)
    chosen = list(only)

    def actions(s: S) -> list[A]:
        return chosen if s is root else list(game.actions(s))

    narrowed.actions = actions
    return narrowed  # type: ignore[no-any-return]
