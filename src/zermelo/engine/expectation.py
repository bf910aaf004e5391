"""The engine for dice and for many players: expected utilities, natively.

    Engine(game)                           expectiminimax with Star2 where chance moves, max^n for three players or more
    Engine(game, algorithm="paranoid")     everybody else against the mover; "brs": one opponent a round answers
    Engine(game, width=4, samples=50)      fewer actions, fewer outcomes: an estimate for games too wide to search

`Engine(game)` creates one of these where the game needs it. Scores are doubles: an expectation is never rounded.
It deepens, remembers positions in a table, tries actions in the order of their first sight, and prunes soundly:
without `width` and `samples` its values are those of the textbook's plain searches to the end of the game; under a
depth they are, too, without the `table`, whose entries may be deeper. It works on one thread.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Any

from zermelo.analysis import Analysis, Limits
from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.engine.engine import TABLE_MB, THREADS, Engine, Run, check_fit
from zermelo.errors import MethodError, OptionError
from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.contract import S
from zermelo.game.sides import sides
from zermelo.options import Option, flag, whole
from zermelo.search.scores import shares

ALGORITHMS = ("expectiminimax", "paranoid", "brs", "maxn")
GREATEST_WHOLE = (1 << 62) - 1
DEEPEST_PLY = 1 << 30
OPTIONS: dict[str, Option] = {
    "table": flag(default=True, about="whether to remember positions"),
    "order": flag(default=True, about="whether to try promising actions and probable outcomes first"),
    "width": whole(0, GREATEST_WHOLE, default=0, about="actions searched below the root, by first sight; 0 for all"),
    "root_width": whole(0, GREATEST_WHOLE, default=0, about="actions of the root that go on to the next depth; 0: all"),
    "root_margin": Option((int, float), "a number", 0, default=math.inf, about="what these may be worse than the best"),
    "samples": whole(0, GREATEST_WHOLE, default=0, about="outcomes that a chance node is sampled to; 0 for all"),
    "seed": whole(0, GREATEST_WHOLE, default=0, about="what the samples follow from"),
    "stride": whole(1, DEEPEST_PLY, default=1, about="plies from one depth to the next: 2 evaluates before the dice"),
}
"""The options, apart from the algorithm and its pruning."""


class ExpectationEngine(Engine[S]):
    """A searcher for games with chance, with more than two players or with a sum that is not constant."""

    def __init__(
        self,
        game: Game[S],
        *,
        threads: int = 1,
        table_mb: int = 64,
        exact: bool = False,
        algorithm: str | None = None,
        pruning: str | None = None,
        **options: Any,
    ) -> None:
        check_fit(game)
        if not is_served(game):
            raise MethodError(f"{game.name} has a rule of repetition, which {algorithm} natively does not know")
        THREADS.check("threads", threads)
        TABLE_MB.check("table_mb", table_mb)
        self.seated = game
        game = self.game = sides(game)
        self.exact = exact
        self.rounded = False
        self.quick = False  # expectations do not count plies to the end
        self.algorithm = algorithm or fitting_algorithm(game)
        if self.algorithm not in ALGORITHMS:
            raise OptionError(f"algorithm must be one of {', '.join(ALGORITHMS)}, not {algorithm!r}")
        if self.algorithm == "expectiminimax" and fitting_algorithm(game) == "maxn":
            raise MethodError(f"{game.name} is not a game of two with a constant sum; use maxn, paranoid or brs")
        self.pruning = pruning or best_pruning(game, self.algorithm)
        self._check_pruning()
        self.settings = self._read(options)
        self.method = self.algorithm + (f"+{self.pruning}" if self.pruning != "none" else "")
        self.method += "".join(
            f"+{name}({self.settings[name]})" for name in ("width", "samples") if self.settings[name]
        )
        self.whole = not any(self.settings[name] for name in ("width", "root_width", "samples"))
        self.whole &= self.settings["root_margin"] == math.inf
        """Whether every action and every outcome is searched."""
        if exact and (not self.whole or self.algorithm == "brs"):
            raise MethodError("widths, margins, samples and best-reply search prove nothing; leave them out")
        self.compiled = compile_game(game)
        self._core = _core.ExpectationEngine(
            self.compiled.handle,
            table_mb << 20,
            algorithm=_core.ExpectationAlgorithm[self.algorithm],
            pruning=_core.ExpectationPruning[self.pruning],
            keep_pruning=pruning is not None,
            **self.settings,
        )

    def is_stale(self) -> bool:
        return bool(self.compiled.changed())

    def _check_pruning(self) -> None:
        fitting = ("none", "shallow") if self.algorithm == "maxn" else ("none", "star1", "star2")
        if self.algorithm in ("paranoid", "brs"):
            fitting = ("star1", "star2")
        if self.pruning not in fitting:
            raise OptionError(f"the pruning of {self.algorithm} is {' or '.join(fitting)}, not {self.pruning!r}")
        if self.pruning == "shallow" and not has_bounded_sum(self.game):
            raise MethodError(f"{self.game.name} has no constant sum of bounded utilities to prune by; use none")

    def _read(self, options: dict[str, Any]) -> dict[str, Any]:
        unknown = sorted(set(options) - set(OPTIONS))
        if unknown:
            raise OptionError(f"this engine has no option {unknown[0]!r}; it has {', '.join(OPTIONS)}")
        for name, value in options.items():
            if not (name == "root_margin" and value == math.inf):
                OPTIONS[name].check(name, value)
        settings = {name: options.get(name, option.default) for name, option in OPTIONS.items()}
        return settings | {"root_margin": float(settings["root_margin"])}

    def start(self, *arguments: Any) -> ExpectationRun[S]:
        return ExpectationRun(self, *arguments)

    def once(self, state: S | None = None, depth: int | None = None) -> Analysis:
        """One search to `depth`, or to the end of the game, without the depths before it.

        With `table=False, order=False` it enters the textbook's nodes, one for one.
        """
        run = self.start(self.game.initial() if state is None else state, Limits())
        if depth is None or run.core is None:
            return run.search_to_end()
        whole(0).check("depth", depth)
        return run.step(run.core.search_depth, min(depth, DEEPEST_PLY))


class ExpectationRun(Run[S]):
    """One search of one position: the core deepens, and each depth becomes an `Analysis`."""

    engine: ExpectationEngine[S]

    def make_core(self, history: Sequence[S]) -> Any:
        engine, core = self.engine, self.engine._core
        assert isinstance(core, _core.ExpectationEngine)
        return engine.compiled.guard(
            lambda: _core.ExpectationSearch(core, engine.compiled.pack(self.state), **self.core_limits())
        )

    def prove(self) -> Analysis:
        """The proved value: by value iteration where dice may bring a position back, else by a search to the end."""
        game, limits = self.game, self.limits
        if not game.kind.chance or not game.kind.scalar:
            return self.search_to_end()
        from zermelo.engine.solution import solve_strongly

        deadline = math.inf if limits.seconds is None else time.perf_counter() + limits.seconds

        def stop() -> bool:
            return time.perf_counter() > deadline or (limits.stop is not None and limits.stop())

        return solve_strongly(game, self.state, stop=stop).analyse(self.state)

    def progress(self) -> None:
        """This search does not say where it is."""

    def describe(self, found: _core.DepthReport) -> Analysis:
        assert isinstance(found, _core.ExpectationReport)
        engine = self.engine
        if found.gave_up_pruning:
            engine.method = engine.method.replace("+shallow", "")
        elif found.uneven:
            raise MethodError(
                f"utilities or estimates of {self.game.name} do not add up to {self.game.utility_sum:g} or leave its "
                f"bounds, so max^n cannot prune by them: leave out the pruning"
            )
        low, high = self.game.bounds
        value = found.value if found.known else float(self.game.neutral)
        chance = self.game.player(self.state) == CHANCE
        tried = found.actions
        best = None if chance or found.depth == 0 else tried[0]
        shared = shares(self.game, value, found.maximiser)
        self.settled = found.settled and not found.stopped
        return Analysis(
            action=None if best is None else best.action,
            value=value,
            values=tuple(found.values if found.known and found.values else shared),
            line=() if best is None else self.legal_line(best),
            depth=None if found.depth < 0 else found.depth,
            nodes=found.nodes,
            leaves=found.leaves,
            cutoffs=found.cutoffs,
            seconds=found.seconds,
            exact=found.proved and not found.stopped,
            bounds=(value if found.known else low, high) if found.stopped else (value, value),
            method=engine.method,
            stopped=found.stopped,
            actions={each.action: each.value for each in tried if each.scored},
            lines=()
            if chance
            else tuple((each.value, tuple(each.line)) for each in tried[: self.lines] if each.scored),
            table_used=found.table_per_mille / 1000,
            origin=(self.game, self.state),
        )

    def legal_line(self, best: _core.ExpectationAction) -> tuple[int, ...]:
        """The line of play; only its first action in best-reply search, where opponents pass even if they may not."""
        return (best.action,) if self.engine.algorithm == "brs" or not best.line else tuple(best.line)


def is_served(game: AnyGame) -> bool:
    """Whether these searches know the rules of `game`: nothing hidden, and no rule of repetition."""
    return not game.kind.hidden and game.repetition is None


def fitting_algorithm(game: AnyGame) -> str:
    """The algorithm for the kind of game that `game` is."""
    return "expectiminimax" if game.kind.scalar else "maxn"


def best_pruning(game: AnyGame, algorithm: str) -> str:
    """The pruning that saves most where it is sound."""
    if algorithm != "maxn":
        return "star2"
    # Estimates need not add up, and those of pruned leaves cannot be checked.
    return "shallow" if has_bounded_sum(game) and not game.can("evaluate") else "none"


def has_bounded_sum(game: AnyGame) -> bool:
    return game.kind.constant_sum and math.isfinite(game.bounds[0])
