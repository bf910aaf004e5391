"""The engine for dice and for many players: expected utilities, natively.

    Engine(game)                           expectiminimax with Star2 where chance moves, max^n for three players or more
    Engine(game, algorithm="paranoid")     everybody else against the mover; "brs": one opponent a round answers
    Engine(game, width=4, samples=50)      fewer actions, fewer outcomes: an estimate for games too wide to search

`Engine` makes one of these by itself for a game that calls for it. Scores are doubles: an expectation is never rounded.
It deepens, remembers positions in a table, tries actions in the order of their first sight, and prunes soundly:
without `width` and `samples` its values are those of the textbook's plain searches to the end of the game; under a
depth they are, too, without the `table`, whose entries may be deeper. It works on one thread.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from typing import Any

from zermelo.analysis import Analysis, Limits
from zermelo.engine.compiled import compile_game
from zermelo.engine.core import _core
from zermelo.engine.engine import DEEPEST, ENDLESS, Engine, Run, check_fit, check_numbers
from zermelo.errors import MethodError, OptionError
from zermelo.game import CHANCE, Game
from zermelo.search.scores import shares

ALGORITHMS = {"expectiminimax": 0, "paranoid": 1, "brs": 2, "maxn": 3}
PRUNINGS = {"none": 0, "star1": 1, "star2": 2, "shallow": 3}
WIDEST = (1 << 62) - 1
OPTIONS = {
    "table": "whether to remember positions",
    "order": "whether to try promising actions and probable outcomes first",
    "width": "actions searched below the root, by first sight; 0 for all",
    "root_width": "actions of the root that go on from one depth to the next; 0 for all",
    "root_margin": "what these may be worse than the best, in utility",
    "samples": "outcomes that a chance node is sampled to; 0 for all",
    "seed": "what the samples follow from",
    "stride": "plies by which the search deepens: 2 estimates before the dice are rolled, each time",
}
"""What can be set, beside the algorithm and its pruning."""


class ExpectationEngine(Engine):
    """A searcher for games with chance, with more than two players or with a sum that is not constant."""

    settings: dict[str, Any]

    def __init__(
        self,
        game: Game,
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
        check_numbers(threads=(threads, 1024), table_mb=(table_mb, 1 << 24))
        self.game = game
        self.exact = exact
        self.rounded = False
        self.algorithm = algorithm or fitting_algorithm(game)
        if self.algorithm not in ALGORITHMS:
            raise OptionError(f"algorithm must be one of {', '.join(ALGORITHMS)}, not {algorithm!r}")
        if self.algorithm == "expectiminimax" and fitting_algorithm(game) == "maxn":
            raise MethodError(f"{game.name} is not a game of two with a constant sum; use maxn, paranoid or brs")
        self.pruning = pruning or best_pruning(game, self.algorithm)
        self.insists = pruning is not None
        """Whether the caller asked for this pruning, so that none other may take its place."""
        self._check_pruning()
        self.stride = _whole("stride", options.pop("stride", 1), 1)
        self.settings = self._read(options)
        self.method = self.algorithm + (f"+{self.pruning}" if self.pruning != "none" else "")
        self.method += "".join(
            f"+{name}({self.settings[name]})" for name in ("width", "samples") if self.settings[name]
        )
        self.whole = not any(self.settings[name] for name in ("width", "root_width", "samples"))
        self.whole &= self.settings["root_margin"] == math.inf
        """Whether every action and every outcome is looked at."""
        if exact and (not self.whole or self.algorithm == "brs"):
            raise MethodError("widths, margins, samples and best-reply search prove nothing; leave them out")
        self.compiled = compile_game(game)
        self._core = _core.Expectation(self.compiled.handle, table_mb << 20, self.algorithm == "maxn")

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
        settings: dict[str, Any] = {"method": ALGORITHMS[self.algorithm], "pruning": PRUNINGS[self.pruning]}
        for name in ("table", "order"):
            settings[name] = bool(options.get(name, True))
        for name in ("width", "root_width", "samples", "seed"):
            settings[name] = _whole(name, options.get(name, 0), 0)
        margin = options.get("root_margin", math.inf)
        if isinstance(margin, bool) or not isinstance(margin, (int, float)) or not margin >= 0:
            raise OptionError(f"root_margin must be a number, 0 or more, not {margin!r}")
        return settings | {"root_margin": float(margin)}

    @property
    def quick(self) -> bool:
        """Plies to the end are no part of an expectation."""
        return False

    def start(self, *arguments: Any) -> ExpectationRun:
        return ExpectationRun(self, *arguments)

    def once(self, state: Any = None, depth: int | None = None) -> Analysis:
        """One search to `depth`, or to the end of the game, without the depths before it.

        With `table=False, order=False` it enters the textbook's nodes, one for one.
        """
        run = self.start(self.game.initial() if state is None else state, Limits())
        if depth is not None:
            _whole("depth", depth, 0)
        return run.iterate(ENDLESS if depth is None else min(depth, WIDEST), None)


class ExpectationRun(Run):
    """One search of one position, iteration by iteration."""

    engine: ExpectationEngine
    settings: dict[str, Any]

    def deepen(self) -> Iterator[Analysis]:
        if self.game.is_terminal(self.state):
            yield self.over()
            return
        stride = self.engine.stride
        deepest = min(DEEPEST, self.limits.depth or DEEPEST)
        depth = 1 if self.limits.depth is None else (deepest - 1) % stride + 1
        found = self.iterate(depth, None)
        yield found
        while not (found.stopped or self.settled or depth >= deepest):
            depth = min(depth + stride, deepest)
            found = self.iterate(depth, found)
            yield found

    def ask_core(self, depth: int, budget: int, seconds: float) -> dict[str, Any]:
        found: dict[str, Any] = self.engine.compiled.guard(
            self.engine._core.iterate,
            self.root,
            min(depth, 1 << 30),
            budget,
            seconds,
            self.lines,
            self.only,
            self.settings,
            self.limits.stop,
        )
        if not found["uneven"]:
            return found
        if self.engine.insists:
            raise MethodError(
                f"utilities or estimates of {self.game.name} do not add up to {self.game.utility_sum:g} or leave its "
                f"bounds, so max^n cannot prune by them: leave out the pruning"
            )
        self.settings = self.engine.settings = {**self.settings, "pruning": PRUNINGS["none"]}
        self.method = self.engine.method = self.engine.method.replace("+shallow", "")
        again = self.ask_core(depth, max(budget - found["nodes"], 0), seconds)
        return again | {name: again[name] + found[name] for name in ("nodes", "leaves", "cutoffs")}

    def describe(self, found: dict[str, Any], depth: int | None, stopped: str) -> Analysis:
        low, high = self.game.bounds
        known = found["known"] or not stopped
        value = found["value"] if known else low
        tried = found["actions"]
        chance = self.game.player(self.state) == CHANCE
        best = None if chance or depth == 0 else tried[0]
        shared = shares(self.game, value, found["maximiser"])
        exact = not stopped and self.is_proved(found, value)
        # Another line than the best may still rest on estimates when that is proved.
        self.settled = not stopped and (not found["cut_short"] or (exact and self.lines == 1))
        return Analysis(
            action=None if best is None else best[0],
            value=value,
            values=tuple(found["values"] if known and found["values"] else shared),
            line=() if best is None else self.legal_line(best),
            depth=None if depth == ENDLESS else depth,
            nodes=self.nodes,
            leaves=self.leaves,
            cutoffs=self.cutoffs,
            seconds=time.perf_counter() - self.started,
            exact=exact,
            bounds=(value, high) if stopped else (value, value),
            method=self.method,
            stopped=stopped,
            actions={a: v for a, scored, v, _ in tried if scored},
            lines=() if chance else tuple((v, tuple(line)) for _, scored, v, line in tried[: self.lines] if scored),
            origin=(self.game, self.state),
        )

    def is_proved(self, found: dict[str, Any], value: float) -> bool:
        """Whether `value` rests on no estimate, or is one that no estimate can have."""
        engine = self.engine
        if engine.algorithm == "brs" or not found["estimated"]:
            return engine.algorithm != "brs"
        return engine.whole and engine.algorithm != "maxn" and not found["bold"] and value in self.game.bounds

    def legal_line(self, best: tuple[Any, ...]) -> tuple[int, ...]:
        """The line of play; in best-reply search, where others pass who may not, the first action alone."""
        action, _, _, line = best
        return (action,) if self.engine.algorithm == "brs" or not line else tuple(line)


def is_served(game: Game) -> bool:
    """Whether these searches know the rules of `game`: nothing hidden, and no rule of repetition."""
    return not game.kind.hidden and game.repetition is None


def fitting_algorithm(game: Game) -> str:
    """The algorithm for the kind of game that `game` is."""
    return "expectiminimax" if game.kind.scalar else "maxn"


def best_pruning(game: Game, algorithm: str) -> str:
    """The pruning that saves most where it is sound."""
    if algorithm != "maxn":
        return "star2"
    # Estimates need not add up, and those on leaves that were pruned nobody would have seen.
    return "shallow" if has_bounded_sum(game) and not game.can("evaluate") else "none"


def has_bounded_sum(game: Game) -> bool:
    return game.kind.constant_sum and math.isfinite(game.bounds[0])


def _whole(name: str, value: Any, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= WIDEST:
        raise OptionError(f"{name} must be a whole number from {least} on, not {value!r}")
    return value
