"""The engine: alpha-beta with everything that makes it fast and wise, natively, for one game.

    Engine(game, threads=2).search(s, seconds=1)      the best action
    for analysis in Engine(game).think(s): …          one `Analysis` a depth, until a limit or a proof ends it

What it does, each technique a switch (`techniques` lists them): iterative deepening, aspiration windows, principal
variation search, a transposition table that all threads share, ordering by table, wins in one, priority, killers,
history and counter-moves, late move reductions, null move with verification, quiescence, extensions, razoring and
futility. With `exact=True` only sound ones are used, and then a search that ends by itself is a proof.

Games with dice or with more players get an engine of their own, `zermelo.engine.expectation`, under the same name.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from zermelo.analysis import Analysis, Limits
from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.errors import MethodError, OptionError
from zermelo.game import Game, repeatable
from zermelo.game.validation import legal_only, validate

RISKY = (
    "check_extensions",
    "singular_extensions",
    "late_move_reductions",
    "move_count_pruning",
    "internal_reductions",
    "null_move",
    "futility",
    "reverse_futility",
    "razoring",
)
"""Techniques that can change the value of a search which ends in estimates; `exact=True` switches them off."""

CHEAP_NODES = 1_000_000
"""How many nodes of deepening come before a proof is tried."""

DEEPEST = 510
"""The last depth that is tried: what 510 plies do not settle, risky techniques keep open at any depth."""

QUESTION_SECONDS = 0.02
"""Between two questions to a caller's `stop`, as in the core."""

UNLIMITED = 1 << 62
"""Nodes that no search will ever enter."""

ENDLESS = -1
"""The depth that the core takes for no limit at all."""


def techniques() -> tuple[str, ...]:
    """The names of all techniques that can be switched on and off."""
    return tuple(_core.ENGINE_SETTINGS)


class Engine:
    """A searcher that keeps what it learns about its game from one search to the next."""

    def __new__(cls, game: Game, **options: Any) -> Engine:
        """An engine of the kind that `game`, or the `algorithm` asked for, calls for."""
        validate(game)
        if cls is Engine and ("algorithm" in options or not is_plain(game)):
            from zermelo.engine.expectation import ExpectationEngine

            return object.__new__(ExpectationEngine)
        return object.__new__(cls)

    def __init__(
        self, game: Game, *, threads: int = 1, table_mb: int = 64, exact: bool = False, **switches: bool
    ) -> None:
        check_fit(game)
        check_numbers(threads=(threads, 1024), table_mb=(table_mb, 1 << 24))
        unknown = sorted(set(switches) - set(techniques()))
        if unknown:
            raise OptionError(f"the engine has no technique {unknown[0]!r}; it has {', '.join(techniques())}")
        self.game = game
        self.exact = exact
        self.compiled = compile_game(game)
        self.settings = {**sound_settings(game), **switches} if exact else switches
        off = [name for name, on in self.settings.items() if not on]
        self.method = "engine" + ("+exact" if exact else "".join(f"-{name}" for name in off))
        self.rounded = False
        """Whether some end that it has met is worth what no score expresses, so that it can prove nothing."""
        self._core: Any = _core.Engine(self.compiled.handle, table_mb << 20, threads)

    def clear(self) -> None:
        """Forgets everything, as if the engine were new."""
        self._core.clear()

    def search(self, state: Any = None, **limits: Any) -> Analysis:
        """The last word of `think`; Ctrl-C ends it with the best so far."""
        last: Analysis | None = None
        try:
            for found in self.think(state, **limits):
                last = found
        except KeyboardInterrupt:  # between two iterations; inside one the core takes it in
            if last is None:
                raise
            last = replace(last, stopped="interrupt")
        assert last is not None
        return last

    def think(
        self,
        state: Any = None,
        *,
        depth: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
        history: Sequence[Any] = (),
        lines: int = 1,
        only: Sequence[Any] | None = None,
    ) -> Iterator[Analysis]:
        """Searches `state` ever deeper, and yields an `Analysis` for each depth that is finished.

        `history` holds the states of the game so far, where repetition counts; `lines` asks for that many best
        actions, each with a value and a line of its own (multi-PV). `only` names the actions to choose from; the value
        is then that of the best of them.
        """
        limits = Limits(depth, nodes, seconds, stop)
        yield from self.start(self.game.initial() if state is None else state, limits, history, lines, only).deepen()

    def start(self, *arguments: Any) -> Run:
        """A search of one position that has not begun yet."""
        return Run(self, *arguments)

    def solve(
        self, state: Any = None, *, progress: Callable[[Analysis], None] | None = None, **limits: Any
    ) -> Analysis:
        """Deepens as long as that is cheap, which finds the quickest of short wins, and then proves the value alone.

        A proof of the second kind has `-quick` in its method: its line wins, but another may win sooner.
        """
        history = limits.pop("history", ())
        run = self.start(self.game.initial() if state is None else state, Limits(**limits), history)
        cheap = CHEAP_NODES if run.limits.depth is None else float("inf")
        for found in run.deepen():
            if progress is not None:
                progress(found)
            if run.nodes > cheap:
                break
        if run.settled or found.stopped or run.limits.depth is not None:
            return found
        return run.prove(found)

    def prove(self, state: Any = None, *, history: Sequence[Any] = (), **limits: Any) -> Analysis:
        """Searches `state` to the end of the game at once: the quickest way to a proof, and no answer before it."""
        run = self.start(self.game.initial() if state is None else state, Limits(**limits), history)
        return run.iterate(ENDLESS, None)

    @property
    def quick(self) -> bool:
        """Whether scores tell a quicker win from a slower one."""
        return self.settings.get("quick", True)


class Run:
    """One search of one position, iteration by iteration."""

    def __init__(
        self,
        engine: Engine,
        state: Any,
        limits: Limits,
        history: Sequence[Any] = (),
        lines: int = 1,
        only: Sequence[Any] | None = None,
    ):
        self.engine = engine
        self.game = engine.game
        self.state = state
        self.root = engine.compiled.pack(state)
        known = repeatable(self.game, history, state)
        past = {self.game.recurrence(s): s for s in history} if known else {}
        self.history = [(engine.compiled.pack(past[key]), *since) for key, since in known.items()]
        if limits.depth == 0:
            raise OptionError("the engine searches at least one ply; give it a depth of 1 or more")
        if not isinstance(lines, int) or isinstance(lines, bool) or not 1 <= lines <= 1 << 20:
            raise OptionError(f"lines must be a whole number from 1 on, not {lines!r}")
        self.limits = limits
        self.lines = lines
        self.only = legal_only(self.game, state, only)
        self.started = time.perf_counter()
        self.next_question = self.started + QUESTION_SECONDS
        self.nodes = self.leaves = self.cutoffs = 0
        self.settings = engine.settings
        self.method = engine.method
        self.settled = False
        """Whether no depth will find out more."""
        self.exact = engine.exact
        """Whether only sound techniques are used."""
        engine._core.begin()

    def deepen(self) -> Iterator[Analysis]:
        if self.game.is_terminal(self.state):
            yield self.over()
            return
        deepest = min(DEEPEST, self.limits.depth or DEEPEST)
        found: Analysis | None = None
        depth = 0
        while found is None or not (found.stopped or self.settled or depth >= deepest):
            depth += 1
            found = self.iterate(depth, found)
            yield found
            if depth >= 2 * len(found.line) and not self.exact and self.reaches_end(found.line):
                self.be_exact()

    def reaches_end(self, line: Sequence[Any]) -> bool:
        """Whether the game is over after `line`."""
        state = self.state
        for action in line:
            state = self.game.result(state, action)
        return self.game.is_terminal(state)

    def be_exact(self) -> None:
        """Goes on with sound techniques alone: when the game's end is in sight, what is left to find out is a proof."""
        self.engine._core.clear()  # what it remembers rests on the others
        self.exact = True
        self.settings = {**self.settings, **sound_settings(self.game)}
        self.method = "engine+exact"

    def prove(self, previous: Analysis) -> Analysis:
        """The value alone: with fewer scores to tell apart, more is cut."""
        if self.engine.quick:
            self.engine._core.clear()  # its scores have plies in them
            self.settings = {**self.settings, "quick": False}
            self.method += "-quick"
        found = self.iterate(ENDLESS, previous)
        if self.engine.quick:
            self.engine._core.clear()
        return found

    def iterate(self, depth: int, previous: Analysis | None) -> Analysis:
        """One iteration; if it is stopped, the better of what it and the previous one found."""
        if self.game.is_terminal(self.state):
            return self.over()
        if previous is not None and (told := self.told_to_stop()):
            return self.ended(previous, told)
        elapsed = time.perf_counter() - self.started
        budget = UNLIMITED if self.limits.nodes is None else min(max(self.limits.nodes - self.nodes, 0), UNLIMITED)
        seconds = -1.0 if self.limits.seconds is None else max(self.limits.seconds - elapsed, 0.0)
        found = self.ask_core(depth, budget, seconds)
        self.nodes += found["nodes"]
        self.leaves += found["leaves"]
        self.cutoffs += found["cutoffs"]
        if found["finished"]:
            return self.describe(found, depth, "")
        stopped = "interrupt" if found["interrupted"] else "stop" if found["stopped"] else self.limit_reached()
        if previous is not None and not found["known"]:
            return self.ended(previous, stopped)
        return self.describe(found, None if previous is None else previous.depth, stopped)

    def told_to_stop(self) -> str:
        """Asks between iterations as well: many short ones could follow each other before the core would ask."""
        if self.limits.stop is None or time.perf_counter() < self.next_question:
            return ""
        self.next_question = time.perf_counter() + QUESTION_SECONDS
        try:
            return "stop" if self.limits.stop() else ""
        except KeyboardInterrupt:
            return "interrupt"

    def ended(self, previous: Analysis, stopped: str) -> Analysis:
        """What was found before, with what has been spent since."""
        spent = time.perf_counter() - self.started
        return replace(
            previous, nodes=self.nodes, leaves=self.leaves, cutoffs=self.cutoffs, seconds=spent, stopped=stopped
        )

    def ask_core(self, depth: int, budget: int, seconds: float) -> dict[str, Any]:
        """What the core finds at `depth` within so many nodes and seconds (without limit if negative)."""
        found: dict[str, Any] = self.engine.compiled.guard(
            self.engine._core.iterate,
            self.root,
            self.history,
            depth,
            budget,
            seconds,
            self.lines,
            self.only,
            self.settings,
            self.limits.stop,
        )
        return found

    def limit_reached(self) -> str:
        return "nodes" if self.limits.nodes is not None and self.nodes >= self.limits.nodes else "seconds"

    def describe(self, found: dict[str, Any], depth: int | None, stopped: str) -> Analysis:
        mover = self.game.player(self.state)
        action, _, value, line = found["actions"][0]
        low, high = self.game.bounds
        if not found["known"]:
            value = low
        self.engine.rounded = found["rounded"]
        self.settled = found["proved"] and not stopped
        return Analysis(
            action=action,
            value=value,
            values=self.shares(value, mover),
            line=tuple(line) or (action,),
            depth=None if depth == ENDLESS else depth,
            nodes=self.nodes,
            leaves=self.leaves,
            cutoffs=self.cutoffs,
            seconds=time.perf_counter() - self.started,
            exact=self.settled and not self.engine.rounded,
            bounds=(value, high) if stopped else (value, value),
            method=self.method,
            stopped=stopped,
            actions={a: v for a, scored, v, _ in found["actions"] if scored},
            lines=tuple((v, tuple(moves)) for _, scored, v, moves in found["actions"][: found["settled"]] if scored),
            origin=(self.game, self.state),
        )

    def shares(self, value: float, mover: int) -> tuple[float, ...]:
        if self.game.kind.single:
            return (value,)
        other = (self.game.utility_sum or 0.0) - value
        return (value, other) if mover == 0 else (other, value)

    def over(self) -> Analysis:
        """The analysis of a position in which there is nothing to search."""
        values = self.game.utilities(self.state)
        value = values[0]
        proved, origin = (value, value), (self.game, self.state)
        return Analysis(None, value, values, (), 0, 1, 1, 0, 0.0, True, proved, self.engine.method, origin=origin)


def sound_settings(game: Game) -> dict[str, bool]:
    """What to switch off, or on, for proofs."""
    return {**dict.fromkeys(RISKY, False), "table_estimates": game.repetition is None}


def check_fit(game: Game) -> None:
    """Refuses games that the engine would search wrongly, and names a search that fits."""
    if game.kind.hidden:
        raise MethodError(f"{game.name} hides information, which the engine cannot; search zermelo.revealed(game)")
    if game.repetition is not None and not is_plain(game):
        raise MethodError(
            f"{game.name} has a rule of repetition beside dice or many players, which only the textbook searches; "
            f"use zermelo.search"
        )


def is_plain(game: Game) -> bool:
    """Whether two players with opposite aims, or one, play without dice."""
    return game.kind.scalar and game.kind.deterministic


def check_numbers(**given: tuple[Any, int]) -> None:
    """Refuses what is not a whole number from 1 to the second of each pair."""
    for name, (value, most) in given.items():
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= most:
            raise OptionError(f"{name} must be a whole number from 1 to {most}, not {value!r}")
