"""A fourth way to search behind a `Searcher`: the game's own solver, for games that have one (`prove`).

It knows nothing until it knows everything, so it is not asked where a depth or a number of nodes is the limit: then the
method that fits otherwise searches.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any, Generic

from zermelo.analysis import Analysis
from zermelo.engine.methods import Method, NativeMethod, Query, TextbookMethod
from zermelo.errors import MethodError
from zermelo.game import Game
from zermelo.game.contract import A, Proof, S
from zermelo.search.algorithms import require_proof

NAME = "solver"


class ProverMethod(Generic[S, A]):
    """The game's own solver."""

    stepwise = adjustable = False
    name = NAME

    def __init__(self, game: Game[S, A], otherwise: Callable[[], Method[S, A]]):
        """`otherwise` makes the method for what the solver is not asked."""
        self.game = game
        self._make = otherwise
        self._other: Method[S, A] | None = None

    @property
    def other(self) -> Method[S, A]:
        if self._other is None:
            self._other = self._make()
        return self._other

    def search(self, query: Query[S, A]) -> Analysis:
        limits = query.limits
        if limits.depth is not None or limits.nodes is not None or self.game.is_terminal(query.state):
            return self.other.search(query)
        return self._prove(query)

    def think(self, query: Query[S, A]) -> Iterator[Analysis]:
        if query.limits.depth is not None or query.limits.nodes is not None:
            yield from self.other.think(query)
        else:
            yield self.search(query)

    def solve(self, query: Query[S, A], progress: Callable[[Analysis], None] | None) -> Analysis:
        """The proved value; `UnsolvedError` if the limits come first."""
        limits = query.limits
        if limits.depth is not None or limits.nodes is not None or self.game.is_terminal(query.state):
            if not isinstance(self.other, (NativeMethod, TextbookMethod)):
                raise MethodError(f"{self.other.name} proves nothing in general: leave out --depth and --nodes")
            return self.other.solve(query, progress)
        found = self._prove(query)
        require_proof(self.game, found)
        return found

    def _prove(self, query: Query[S, A]) -> Analysis:
        from zermelo.engine.compiled import Stopped

        started = time.perf_counter()
        why = ""

        def stop() -> bool:
            nonlocal why
            seconds, asked = query.limits.seconds, query.limits.stop
            if seconds is not None and time.perf_counter() - started >= seconds:
                why = "seconds"
            elif asked is not None and asked():
                why = "stop"
            return why != ""

        try:
            proof = self.game.prove(query.state, stop)
            return self._describe(query, proof, stop, started)
        except Stopped:
            return self._nothing(query, why, started)
        except KeyboardInterrupt:
            return self._nothing(query, "interrupt", started)

    def _describe(self, query: Query[S, A], proof: Proof[A], stop: Callable[[], bool], started: float) -> Analysis:
        game, state = self.game, query.state
        values = {a: value for a, value in proof.values.items() if not query.only or a in query.only}

        def line_of(a: A) -> tuple[A, ...]:
            after = game.result(state, a)
            if a == proof.line[0]:
                return proof.line
            return (a,) if game.is_terminal(after) else (a, *game.prove(after, stop).line)

        # Of the best actions the one of the solver's line, if it may be chosen.
        ranked = sorted(values, key=lambda a: (-values[a], a != proof.line[0]))
        lines = tuple((values[a], line_of(a)) for a in ranked[: query.lines])
        value = lines[0][0]
        return self._analysis(
            query,
            action=ranked[0],
            value=value,
            line=lines[0][1],
            nodes=proof.nodes,
            seconds=time.perf_counter() - started,
            exact=True,
            bounds=(value, value),
            actions={a: values[a] for a in ranked},
            lines=lines,
        )

    def _nothing(self, query: Query[S, A], why: str, started: float) -> Analysis:
        """What is known when the solver was stopped."""
        action = next(iter(query.only or self.game.actions(query.state)))
        seconds = time.perf_counter() - started
        return self._analysis(
            query, action=action, value=self.game.neutral, line=(action,), nodes=0, seconds=seconds, exact=False,
            bounds=self.game.bounds, stopped=why,
        )  # fmt: skip

    def _analysis(self, query: Query[S, A], value: float, **found: Any) -> Analysis:
        game = self.game
        other = (game.utility_sum or 0.0) - value
        values = (value, other) if game.player(query.state) == 0 else (other, value)
        return Analysis(value=value, values=values, depth=None, leaves=0, cutoffs=0, method=NAME, **found)

    def clear(self) -> None:
        """Forgets what the other method has learnt; the solver keeps nothing."""
        if self._other is not None:
            self._other.clear()

    def is_stale(self) -> bool:
        return self._other is not None and self._other.is_stale()
