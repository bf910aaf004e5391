"""The searcher: picks the search that fits a game, compiles the rules once, and searches as often as asked.

    searcher = Searcher(game, threads=2)
    searcher.search(state, Limits(depth=8))              one `Analysis`
    for found in searcher.think(state, clock=clock): …   one `Analysis` per depth, or per slice of simulations

| a game that | is searched by |
|---|---|
| has a solver of its own (`prove`) | that solver |
| names settings for simulations, can `judge`, or hides cards and can `sample` them | Monte Carlo tree search |
| has one player, or two with a constant sum, and no dice | the native engine: alpha-beta |
| has dice, more players or another sum | the native engine: expectiminimax or max^n |
| does not compile, or is asked for what only the textbook has | the textbook's search that fits the game |

The Python API, the command line, the arena's players, the protocols and the studio all search through it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

from zermelo.analysis import Analysis, Clock, Limits, Progress
from zermelo.engine.interpreted import warn_interpreted
from zermelo.engine.mcts import MEMORY_MB
from zermelo.engine.methods import Method, NativeMethod, Query, SimulationMethod, TextbookMethod
from zermelo.engine.proving import ProverMethod
from zermelo.engine.timeman import TimeManager, budget
from zermelo.errors import CompileError, MethodError, OptionError, RefusedError
from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.aima import AimaGame
from zermelo.game.contract import A, S
from zermelo.game.sides import for_players, searched
from zermelo.game.validation import validate

if TYPE_CHECKING:
    from zermelo.engine.solution import Solution

Number = TypeVar("Number", int, float)

DEFAULT_SECONDS = 1.0
"""How long `Searcher.search` takes if nothing limits it."""
SOLVING_TABLE_MB = 256
LIMITS = ("depth", "nodes", "seconds", "stop")
WIDTHS = {"width", "root_width", "root_margin", "samples", "seed", "stride"}
"""Options of the native search for dice and many players that leave out actions or outcomes."""
NATIVE_ALGORITHMS: dict[str, dict[str, str]] = {
    "brs": {"algorithm": "brs"},
    "expectiminimax": {"algorithm": "expectiminimax"},
    "maxn": {"algorithm": "maxn"},
    "paranoid": {"algorithm": "paranoid"},
    "star1": {"algorithm": "expectiminimax", "pruning": "star1"},
    "star2": {"algorithm": "expectiminimax", "pruning": "star2"},
}
"""The textbook's searches for dice and many players that the engine has, too, with its options for each."""
WARM_UP_NODES = 2_000
"""Enough to touch most pages of a table: the system allocates and zeroes each page on first use."""
WARM_UP_MB = 1024
"""Larger tables are not warmed up: part of them may never be used."""


class Searcher(Generic[S, A]):
    """Searches one game by the method that fits it, and keeps what it learns from one search to the next."""

    def __init__(
        self,
        game: Game[S, A],
        *,
        threads: int = 1,
        table_mb: int = 64,
        algorithm: str | None = None,
        exact: bool = False,
        by_depth: bool = False,
        quiet: bool = False,
        parameters: Mapping[str, float] | None = None,
        **options: Any,
    ):
        """Compiles the rules; if that is not possible, it warns once and searches with the textbook.

        `algorithm` asks for a search by name: `engine`, `mcts`, or one of the textbook's. `exact` leaves out what is
        not sound, for proofs; `by_depth` leaves out simulations, which have no depth. With `quiet` the caller reports
        `why_textbook` in place of the warning. `parameters` of alpha-beta take the place of those of the game.
        `options` are those of the search; one that only the textbook has selects the textbook.
        """
        validate(game)
        self.game = game
        self._searched = searched(game)
        """The game that the methods search: of teams, that of their sides."""
        self.why_textbook = ""
        """Why the textbook searches in place of the engine; empty if it does not."""
        self._room = {"threads": threads, "table_mb": table_mb}
        self._algorithm = algorithm
        self._exact = exact
        self._by_depth = by_depth
        self._quiet = quiet
        self._parameters = parameters
        self._options = {name: value for name, value in options.items() if value is not None}
        self._stopped = threading.Event()
        self._warm = False
        self.method = self._make()

    # Which search fits.

    def _make(self) -> Method[S, A]:
        """Returns the method that fits; this is decided here only."""
        asked = self._algorithm is not None or self._options or self._parameters
        if self._searched.can("prove") and self._searched.kind.adversarial and not asked:
            return ProverMethod(self._searched, self._make_search)
        return self._make_search()

    def _make_search(self) -> Method[S, A]:
        """The same without a solver of the game's own."""
        simulated = self._algorithm is None and not self._by_depth and is_simulated(self.game)
        if self._algorithm == "mcts" or (simulated and not self._options):
            room = {"threads": self._room["threads"], "memory_mb": max(self._room["table_mb"], MEMORY_MB)}
            return SimulationMethod(self._searched, **{**room, **self._options})
        self.why_textbook = self._why_not_native()
        if not self.why_textbook:
            try:
                return NativeMethod(self._searched, **self._room, exact=self._exact, **self._native_options())
            except CompileError as error:
                self.why_textbook = str(error)
                if not self._quiet:
                    warn_interpreted(error)
        elif self._algorithm == "engine":
            raise MethodError(self.why_textbook)
        name = self._algorithm if self._algorithm not in (None, "engine") else "search"
        return TextbookMethod(self._searched, name, self._options)

    def _why_not_native(self) -> str:
        """Returns why the native engine cannot be used; empty if it supports the game and the options."""
        from zermelo.engine.engine import check_fit, is_plain

        if isinstance(self.game, AimaGame):
            return "the class is written in AIMA's way; derive it from zermelo.Game to have it compiled"
        if self._algorithm not in (None, "engine", *NATIVE_ALGORITHMS):
            return f"{self._algorithm} is a search of the textbook"
        try:
            check_fit(self.game)
        except MethodError as error:
            return str(error)
        if self._algorithm in NATIVE_ALGORITHMS and self.game.repetition is not None:
            return f"{self.game.name} has a rule of repetition, which {self._algorithm} natively does not know"
        named = self._algorithm in NATIVE_ALGORITHMS
        known = {"quick"} if is_plain(self.game) and not named else WIDTHS | {"quick"} if named else WIDTHS
        strange = sorted(set(self._options) - known)
        return f"only the textbook has the option {strange[0]!r} here" if strange else ""

    def _native_options(self) -> dict[str, Any]:
        from zermelo.engine.engine import is_plain

        if self._algorithm not in NATIVE_ALGORITHMS:
            if self._parameters and not is_plain(self.game):
                raise OptionError(
                    f"{self.game.name} is not searched by alpha-beta, which alone has parameters: leave them out"
                )
            return {**self._options, "parameters": self._parameters} if is_plain(self.game) else self._options
        # Expectations do not count plies to the end, so `quick` makes no difference natively.
        own = {name: value for name, value in self._options.items() if name != "quick"}
        return {**NATIVE_ALGORITHMS[self._algorithm], **own}

    @property
    def adjustable(self) -> bool:
        """Whether threads and memory make a difference."""
        return self.method.adjustable

    # Searching.

    def think(
        self,
        state: S | None = None,
        limits: Limits | None = None,
        *,
        clock: Clock | TimeManager | None = None,
        history: Sequence[S] = (),
        lines: int = 1,
        only: Sequence[A] | None = None,
        interval: float | None = None,
        watch: Callable[[Progress], None] | None = None,
        thorough: bool = False,
    ) -> Iterator[Analysis]:
        """Searches `state` until a limit, the clock or a proof ends it; yields an `Analysis` per depth.

        Simulations have no depths: they yield one every `interval` seconds at least. `history` holds the states of the
        game so far, `lines` asks for that many best actions with a line each, and `only` names the actions of the root
        to choose from. `watch` is told where the engine is in a depth that takes long. A `thorough` search tries every
        action of every position, to exactly the depth asked for.
        """
        query, manager = self._query(state, limits or Limits(), clock, history, lines, only)
        query = replace(query, interval=interval, watch=watch)
        stop = query.limits.stop
        assert stop is not None
        for found in self._depths(query, thorough):
            yield for_players(self.game, found)
            if found.stopped:
                return
            if manager is not None:
                manager.learn(found.action, found.value)
                if manager.is_enough():
                    return
            if stop():  # a depth may be finished before the search itself asks
                return

    def _depths(self, query: Query[S, A], thorough: bool) -> Iterator[Analysis]:
        started = time.perf_counter()
        try:
            if thorough and isinstance(self.method, NativeMethod):
                yield from self.method.think_through(query)
            else:
                yield from self.method.think(query)
        except RefusedError as error:
            self._interpret(error)
            yield from self.method.think(query.after(started))

    def _interpret(self, error: RefusedError) -> None:
        """Goes on with the textbook, after a compiled rule met a number that it cannot hold."""
        if not isinstance(self.method, NativeMethod):
            raise error
        self.method.engine.compiled.code.refusals.append(str(error))
        self.method = self._make()

    def search(
        self,
        state: S | None = None,
        limits: Limits | None = None,
        *,
        clock: Clock | TimeManager | None = None,
        history: Sequence[S] = (),
        lines: int = 1,
        only: Sequence[A] | None = None,
    ) -> Analysis:
        """The last `Analysis` of `think`, for one second if there is no limit; Ctrl-C ends it with the best yet."""
        found = self._search(state, limits or Limits(), clock, history, lines, only)
        return found if self._searched is self.game else for_players(self.game, found)

    def _search(
        self,
        state: S | None,
        limits: Limits,
        clock: Clock | TimeManager | None,
        history: Sequence[S],
        lines: int,
        only: Sequence[A] | None,
    ) -> Analysis:
        hurried = is_unlimited(limits, clock)
        if hurried:
            limits = replace(limits, seconds=DEFAULT_SECONDS)
        query, manager = self._query(state, limits, clock, history, lines, only)
        query = replace(query, anytime=query.anytime or hurried)
        if limits.depth == 0:  # only the textbook takes the root's own estimate
            return TextbookMethod(self._searched, "search", self._options).search(query)
        if manager is None or manager.given.soft is None or not self.method.stepwise:
            started = time.perf_counter()
            try:
                return self.method.search(query)
            except RefusedError as error:
                self._interpret(error)
                return self.method.search(query.after(started))
        last: Analysis | None = None
        try:
            for found in self.think(state, limits, clock=manager, history=history, lines=lines, only=only):
                last = found
        except KeyboardInterrupt:
            if last is None:
                raise
            last = replace(last, stopped="interrupt")
        assert last is not None
        return last

    def _query(
        self,
        state: S | None,
        limits: Limits,
        clock: Clock | TimeManager | None,
        history: Sequence[S],
        lines: int,
        only: Sequence[A] | None,
    ) -> tuple[Query[S, A], TimeManager | None]:
        """Returns the query for the method, and the time manager that decides when to stop."""
        self._stopped.clear()
        if self.method.is_stale():
            validate(self.game)
            self.method = self._make()
        state = self.game.initial() if state is None else state
        manager = self._manage(clock, state) if isinstance(clock, Clock) else clock
        seconds, nodes, stops = limits.seconds, limits.nodes, [self._stopped.is_set]
        if limits.stop is not None:
            stops.append(limits.stop)
        if isinstance(clock, Clock):
            nodes = least(nodes, clock.nodes)
            if clock.stop is not None:
                stops.append(clock.stop)
        if manager is not None:
            # Without intermediate results there is no way to see whether the answer is settled.
            usual = None if self.method.stepwise else manager.given.soft
            seconds = least(least(seconds, manager.hard_left), usual)
            stops.append(manager.must_stop)
        bounds = replace(limits, seconds=seconds, nodes=nodes, stop=lambda: any(stop() for stop in stops))
        anytime = (seconds, nodes) != (limits.seconds, limits.nodes)
        return Query(state, bounds, history, lines, only, anytime=anytime), manager

    def _manage(self, clock: Clock, state: S) -> TimeManager:
        mover = CHANCE if self.game.is_terminal(state) else self.game.player(state)
        choices = 0 if mover == CHANCE else sum(1 for _ in self.game.actions(state))
        return TimeManager(budget(clock, max(mover, 0)), self.game.bounds, choices)

    def solve(
        self,
        state: S | None = None,
        limits: Limits | None = None,
        *,
        history: Sequence[S] = (),
        progress: Callable[[Analysis], None] | None = None,
    ) -> Analysis:
        """The proved value of `state`; `UnsolvedError` if the limits end the search before the proof."""
        return for_players(self.game, self._solve(state, limits or Limits(), history, progress))

    def _solve(
        self,
        state: S | None,
        limits: Limits,
        history: Sequence[S],
        progress: Callable[[Analysis], None] | None,
    ) -> Analysis:
        if not isinstance(self.method, (NativeMethod, TextbookMethod, ProverMethod)):
            raise MethodError(f"{self.method.name} proves nothing in general: make the searcher with by_depth=True")
        query, _ = self._query(state, limits, None, history, 1, None)
        if query.limits.depth == 0:
            return TextbookMethod(self._searched, "search", self._options).solve(query, progress)
        started = time.perf_counter()
        try:
            return self.method.solve(query, progress)
        except RefusedError as error:
            self._interpret(error)
            assert isinstance(self.method, TextbookMethod)
            return self.method.solve(query.after(started), progress)

    def stop(self) -> None:
        """Ends the search under way, from another thread; it returns the best so far."""
        self._stopped.set()

    def clear(self) -> None:
        """Forgets the results of earlier searches."""
        self._warm = False
        self.method.clear()

    def warm_up(self) -> None:
        """Searches a little, so that the memory of a new table is allocated before a clock runs."""
        if isinstance(self.method, NativeMethod) and not self._warm and self._room["table_mb"] <= WARM_UP_MB:
            self._warm = True
            self.method.search(Query(self.game.initial(), Limits(nodes=WARM_UP_NODES)))


def is_simulated(game: AnyGame) -> bool:
    """Whether Monte Carlo tree search is the default search for `game`."""
    return bool(game.simulation) or game.can("judge") or (game.kind.hidden and game.can("sample"))


def is_unlimited(limits: Limits, clock: Clock | TimeManager | None) -> bool:
    """Whether a search has no limit, and nobody said that it should have none."""
    own = (limits.depth, limits.nodes, limits.seconds, limits.simulations, limits.endless or None)
    shown = () if not isinstance(clock, Clock) else (clock.remaining, clock.move_seconds, clock.nodes)
    return not isinstance(clock, TimeManager) and all(each is None for each in (*own, *shown))


def least(a: Number | None, b: Number | None) -> Number | None:
    """The smaller limit; `None` is no limit."""
    return b if a is None else a if b is None else min(a, b)


def search(
    game: Game[S, A],
    state: S | None = None,
    *,
    threads: int = 1,
    table_mb: int = 64,
    history: Sequence[S] = (),
    lines: int | None = None,
    **options: Any,
) -> Analysis:
    """The best action in `state` that can be found within the limits; for one second if none is given.

    Beside `depth`, `nodes` and `seconds` it takes `threads` and `table_mb` for the engine, and all options of the
    textbook's searches, for which the textbook answers.
    """
    limits = Limits(**{name: options.pop(name, None) for name in LIMITS})
    by_depth = limits.depth is not None or lines is not None or any(value is not None for value in options.values())
    searcher = Searcher(game, threads=threads, table_mb=table_mb, by_depth=by_depth, **options)
    return searcher.search(state, limits, history=history, lines=lines or 1)


@overload
def solve(game: Game[S, A], state: S | None = None, *, strongly: Literal[True], **options: Any) -> Solution[S, A]: ...
@overload
def solve(
    game: Game[S, A], state: S | None = None, *, strongly: Literal[False] = False, **options: Any
) -> Analysis: ...


def solve(
    game: Game[S, A], state: S | None = None, *, strongly: bool = False, **options: Any
) -> Analysis | Solution[S, A]:
    """The proved value of `state`; raises `UnsolvedError` if the limits end the search before the proof.

    Weakly, the engine deepens for a while, which finds short wins, and then searches to the end of the game at once; it
    takes `threads`, `table_mb` and the limits. Strongly, every position that can be reached is solved from the ends
    backwards; that takes `memory_mb` and `threads`, and gives a `Solution` that can be asked, kept and played from.
    """
    validate(game)
    if strongly:
        from zermelo.engine.solution import solve_strongly

        return solve_strongly(game, state, **options)
    return solve_weakly(game, state, **options)


def solve_weakly(
    game: Game[S, A],
    state: S | None = None,
    *,
    threads: int = 1,
    table_mb: int = SOLVING_TABLE_MB,
    history: Sequence[S] = (),
    progress: Callable[[Analysis], None] | None = None,
    **options: Any,
) -> Analysis:
    """The proved value of one position."""
    limits = Limits(**{name: options.pop(name, None) for name in LIMITS})
    searcher = Searcher(game, threads=threads, table_mb=table_mb, exact=True, by_depth=True, **options)
    return searcher.solve(state, limits, history=history, progress=progress)
