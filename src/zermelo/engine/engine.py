"""The engine: native alpha-beta with selective techniques, for one game.

    Engine(game, threads=2).search(s, seconds=1)      the best action
    for analysis in Engine(game).think(s): …          one `Analysis` per depth, until a limit or a proof ends it

Each technique is a switch (`techniques` lists them): aspiration windows, principal variation search, a transposition
table that all threads share, ordering by table, immediate wins, priority, killers, history and counter-moves, late move
reductions, null move with verification, quiescence, extensions, razoring, futility and move-count pruning. With
`exact=True` only sound ones are used, and a search that ends by itself is then a proof. Their margins and coefficients
are `parameters`, of which a game may have its own (`zermelo.engine.parameters`).

Games with dice or with more players get an engine of their own, `zermelo.engine.expectation`, under the same name.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Generic

from zermelo.analysis import Analysis, Limits, Progress
from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.engine.parameters import core_pairs, pairs_for, parameters_for
from zermelo.errors import MethodError, OptionError
from zermelo.game import AnyGame, Game, repeatable
from zermelo.game.contract import S
from zermelo.game.sides import for_players, sides
from zermelo.game.validation import legal_only, validate
from zermelo.options import whole

RISKY: tuple[str, ...] = tuple(_core.SELECTIVE_TECHNIQUES)
"""Techniques that can change the value of a search which ends in estimates; `exact=True` switches them off."""

PROGRESS_SECONDS = 1.0
"""How long a search takes before it says where it is in the middle of a depth."""
CHEAP_NODES = 1_000_000
"""The number of nodes of deepening before a proof is tried."""

UNLIMITED_NODES = 1 << 62
THREADS = whole(1, 1024)
TABLE_MB = whole(1, 1 << 24)
LINES = whole(1, 1 << 20)


def techniques() -> tuple[str, ...]:
    """The names of all techniques that can be switched on and off."""
    return tuple(sorted((*_core.SOUND_TECHNIQUES, *RISKY)))


def check_techniques(names: Iterable[str]) -> None:
    """Refuses a name that no technique has."""
    unknown = sorted(set(names) - set(techniques()))
    if unknown:
        raise OptionError(f"the engine has no technique {unknown[0]!r}; it has {', '.join(techniques())}")


class Engine(Generic[S]):
    """A searcher that keeps what it learns about its game from one search to the next."""

    def __new__(cls, game: Game[S], **options: Any) -> Engine[S]:
        """Returns the kind of engine that `game`, or the given `algorithm`, needs."""
        validate(game)
        if cls is Engine and ("algorithm" in options or not is_plain(game)):
            from zermelo.engine.expectation import ExpectationEngine

            return object.__new__(ExpectationEngine)
        return object.__new__(cls)

    def __init__(
        self,
        game: Game[S],
        *,
        threads: int = 1,
        table_mb: int = 64,
        exact: bool = False,
        parameters: Mapping[str, float] | None = None,
        **switches: bool,
    ) -> None:
        """`parameters` are margins and coefficients by name, in place of those that came with the game."""
        check_fit(game)
        THREADS.check("threads", threads)
        TABLE_MB.check("table_mb", table_mb)
        check_techniques(switches)
        self.seated = game
        """The game with all its players."""
        game = self.game = sides(game)
        self.exact = exact
        self.compiled = compile_game(game)
        self.switches = switches
        self._given = parameters
        self.parameters = parameters_for(self.seated, parameters)
        self.depth_pairs = pairs_for(self.seated)
        self.quick = switches.get("quick", True)
        """Whether scores distinguish a quicker win from a slower one."""
        off = [name for name, on in switches.items() if not on]
        self.method = "engine" + ("+exact" if exact else "".join(f"-{name}" for name in off))
        self.rounded = False
        """Whether some terminal utility was rounded, so that the engine can prove nothing."""
        self._core: _core.Engine | _core.ExpectationEngine = _core.Engine(
            self.compiled.handle, table_mb << 20, threads, self.compiled.tables
        )

    def is_stale(self) -> bool:
        """Whether the game, or what came with it for its searches, has changed since the engine was made."""
        given = parameters_for(self.seated, self._given), pairs_for(self.seated)
        return bool(self.compiled.changed()) or (self.parameters, self.depth_pairs) != given

    def clear(self) -> None:
        """Forgets everything, as if the engine were new."""
        self._core.clear()

    def search(self, state: S | None = None, **limits: Any) -> Analysis:
        """The last `Analysis` of `think`; Ctrl-C ends it with the best so far."""
        last: Analysis | None = None
        try:
            for found in self.think(state, **limits):
                last = found
        except KeyboardInterrupt:  # between two depths; within one the core handles it
            if last is None:
                raise
            last = replace(last, stopped="interrupt")
        assert last is not None
        return last

    def think(
        self,
        state: S | None = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        history: Sequence[S] = (),
        lines: int = 1,
        only: Sequence[int] | None = None,
        watch: Callable[[Progress], None] | None = None,
    ) -> Iterator[Analysis]:
        """Searches `state` depth by depth and yields an `Analysis` for each.

        `history` holds the states of the game so far, where repetition counts; `lines` asks for that many best
        actions, each with a value and a line of its own (multi-PV). `only` names the actions to choose from; the value
        is then that of the best of them. `watch` is told, some fifty times a second after the first one, where the
        search is.
        """
        state, limits = self.game.initial() if state is None else state, Limits(depth, nodes, seconds, stop)
        yield from self.start(state, limits, history, lines, only, watch).deepen()

    def start(self, *arguments: Any) -> Run[S]:
        """A search of one position, before its first depth."""
        return Run(self, *arguments)

    def solve(
        self, state: S | None = None, *, progress: Callable[[Analysis], None] | None = None, **limits: Any
    ) -> Analysis:
        """Deepens as long as that is cheap, which finds the quickest of short wins, and then proves the value alone.

        A proof of the second kind has `-quick` in its method: its line wins, but another may win sooner.
        """
        history = limits.pop("history", ())
        run = self.start(self.game.initial() if state is None else state, Limits(**limits), history)
        cheap = CHEAP_NODES if run.limits.depth is None else math.inf
        for found in run.deepen():
            if progress is not None:
                progress(found)
            if found.nodes > cheap:
                break
        if run.settled or found.stopped or run.limits.depth is not None:
            return found
        return run.prove()

    def prove(self, state: S | None = None, *, history: Sequence[S] = (), **limits: Any) -> Analysis:
        """Searches `state` to the end of the game at once: the quickest way to a proof, and no answer before it."""
        run = self.start(self.game.initial() if state is None else state, Limits(**limits), history)
        return run.search_to_end()


class Run(Generic[S]):
    """One search of one position: the core deepens, and each depth becomes an `Analysis`."""

    def __init__(
        self,
        engine: Engine[S],
        state: S,
        limits: Limits,
        history: Sequence[S] = (),
        lines: int = 1,
        only: Sequence[int] | None = None,
        watch: Callable[[Progress], None] | None = None,
    ):
        self.engine = engine
        self.game = engine.game
        self.state = state
        if limits.depth == 0:
            raise OptionError("the engine searches at least one ply; give it a depth of 1 or more")
        self.limits = limits
        self.watch = watch
        self.started = time.perf_counter()
        self.lines = LINES.check("lines", lines)
        self.only = legal_only(self.game, state, only)
        self.core = None if self.game.is_terminal(state) else self.make_core(history)
        self.settled = self.core is None
        """Whether a deeper search cannot find more."""

    def make_core(self, history: Sequence[S]) -> Any:
        """The search in the core."""
        engine = self.engine
        assert isinstance(engine._core, _core.Engine)
        core = engine._core
        known = repeatable(self.game, history, self.state)
        past = {self.game.recurrence(s): s for s in history} if known else {}
        return engine.compiled.guard(
            lambda: _core.EngineSearch(
                core,
                engine.compiled.pack(self.state),
                past=[(engine.compiled.pack(past[key]), *since) for key, since in known.items()],
                exact=engine.exact,
                switches=engine.switches,
                parameters=engine.parameters,
                depth_pairs=core_pairs(engine.depth_pairs),
                **self.core_limits(),
            )
        )

    def core_limits(self) -> dict[str, Any]:
        """The limits as the core takes them."""
        limits = self.limits
        return {
            "depth": min(limits.depth or 0, 1 << 30),
            "nodes": UNLIMITED_NODES if limits.nodes is None else min(limits.nodes, UNLIMITED_NODES),
            "seconds": -1.0 if limits.seconds is None else float(limits.seconds),
            "lines": self.lines,
            "only": self.only,
        }

    def deepen(self) -> Iterator[Analysis]:
        if self.core is None:
            yield self.over()
            return
        yield self.step(self.core.next_depth)
        while not self.core.done:
            yield self.step(self.core.next_depth)

    def prove(self) -> Analysis:
        """The value alone, without the plies to the end: fewer scores to distinguish, more cut-offs."""
        assert self.core is not None
        return self.step(self.core.prove)

    def search_to_end(self) -> Analysis:
        return self.over() if self.core is None else self.step(self.core.search_to_end)

    def step(self, search: Callable[..., Any], *arguments: Any) -> Analysis:
        """Runs one step of the core and returns its result; a failing rule raises its own exception."""
        stop = self.limits.stop if self.watch is None else self.look_up
        found = self.describe(self.engine.compiled.guard(search, *arguments, stop))
        return for_players(self.engine.seated, found)

    def look_up(self) -> bool:
        """Tells where the search is, and returns whether it is to stop: what the core asks fifty times a second."""
        if self.watch is not None and time.perf_counter() - self.started >= PROGRESS_SECONDS:
            now = self.progress()
            if now is not None:
                self.watch(now)
        return self.limits.stop is not None and self.limits.stop()

    def progress(self) -> Progress | None:
        """Where the search is; `None` before it has valued an action."""
        assert self.core is not None
        now = self.core.progress()
        if not now.report.known:
            return None
        return Progress(for_players(self.engine.seated, self.describe(now.report)), now.action, now.number)

    def describe(self, found: _core.DepthReport) -> Analysis:
        assert isinstance(found, _core.EngineReport)
        mover = self.game.player(self.state)
        actions = found.actions
        best = actions[0]
        low, high = self.game.bounds
        # Points that are rounded may lead out of the bounds.
        value = min(max(best.value, low), high) if found.known else float(self.game.neutral)
        told = False
        if found.known and found.told is not None:
            value, told = found.told, True
        engine = self.engine
        engine.rounded = found.rounding > 0
        self.settled = found.proved and not (found.stopped or found.partial)
        method = "engine+exact" if found.sound and not engine.exact else engine.method
        return Analysis(
            action=best.action,
            value=value,
            values=self.shares(value, mover),
            line=tuple(best.line) or (best.action,),
            depth=None if found.depth < 0 else found.depth,
            nodes=found.nodes,
            leaves=found.leaves,
            cutoffs=found.cutoffs,
            probed=found.probed,
            seconds=found.seconds,
            exact=told or (self.settled and not engine.rounded),
            bounds=(
                value if told or (found.known and found.at_least) else low,
                value if told or (found.known and found.at_most) else high,
            ),
            method=method + ("-quick" if engine.quick and not found.quick else ""),
            stopped=found.stopped,
            actions={each.action: each.value for each in actions if each.scored},
            lines=tuple((each.value, tuple(each.line)) for each in actions[: found.settled] if each.scored),
            plies_to_end=tuple(each.plies_to_end for each in actions[: found.settled] if each.scored),
            rounding=found.rounding,
            deepest=found.deepest,
            table_used=found.table_per_mille / 1000,
            partial=found.partial,
            origin=(self.game, self.state),
        )

    def shares(self, value: float, mover: int) -> tuple[float, ...]:
        if self.game.players == 1:
            return (value,)
        other = (self.game.utility_sum or 0.0) - value
        return (value, other) if mover == 0 else (other, value)

    def over(self) -> Analysis:
        """The analysis of a terminal position."""
        values = self.game.utilities(self.state)
        value = values[0]
        proved, origin = (value, value), (self.game, self.state)
        method = self.engine.method
        found = Analysis(None, value, values, (), 0, 1, 1, 0, 0.0, True, proved, method, origin=origin)
        return for_players(self.engine.seated, found)


def check_fit(game: AnyGame) -> None:
    """Refuses games that the engine would search wrongly, and names a search that fits."""
    if game.kind.hidden:
        raise MethodError(f"{game.name} hides information, which the engine cannot; search zermelo.revealed(game)")
    if game.repetition is not None and not is_plain(game):
        raise MethodError(
            f"{game.name} has a rule of repetition beside dice or many players, which only the textbook searches; "
            f"use zermelo.search"
        )


def is_plain(game: AnyGame) -> bool:
    """Whether alpha-beta searches `game`: one player, or two with a constant sum, without chance."""
    return game.kind.scalar and game.kind.deterministic
