"""The child of `fuzz.py`: runs the trials of some seeds, one after the other, and says each seed before it begins.

    python bench/fuzz_worker.py FIRST COUNT          exit 1, with a report, at the first that goes wrong

A trial is one game, one position of it, and a handful of calls with random limits. What may come out of a call: an
answer that holds, an error of ours, or the exception that a rule raises on purpose.
"""

from __future__ import annotations

import faulthandler
import math
import random
import sys
import time
import warnings
from collections.abc import Callable
from itertools import islice
from typing import Any

from fuzz_games import (
    FIRST,
    TROUBLES,
    CheckedNet,
    NoiseNet,
    NoiseTree,
    Trouble,
    TroubleInside,
    describe,
    random_rules,
    start_of_trouble,
)

import zermelo as z
from zermelo.engine import CompiledGame, Stopped
from zermelo.engine.engine import Engine, techniques
from zermelo.errors import MethodError, OptionError, UnsolvedError, ZermeloError
from zermelo.game import Game

ALLOWED = (ZermeloError, LookupError, ArithmeticError, ValueError, Stopped)
"""What rules raise on purpose, and what is ours."""
SOUND = (MethodError, OptionError, UnsolvedError, Stopped)
"""What may come of sound rules."""
TRUTH_NODES = 3_000
PATIENCE = 0.06
"""Seconds that one call may go on for; `stop` is asked about fifty times a second."""

SLACK = 1
"""Nodes beyond the limit that one thread may visit: the root is always looked at."""


class WrongAnswerError(Exception):
    """An answer that does not hold."""


def require(holds: bool, *said: Any) -> None:
    if not holds:
        raise WrongAnswerError(" ".join(map(str, said)))


class Trial:
    """One position of one game; `truth` is its value by the textbook, if that is known."""

    def __init__(self, game: Game, state: Any, chooser: random.Random, sound: bool):
        self.game = game
        self.state = state
        self.chooser = chooser
        self.sound = sound
        self.threads = chooser.choice((1, 1, 2, 3))
        self.truth: float | None = None
        if sound and not game.is_terminal(state):
            found = z.alphabeta(game, state, nodes=TRUTH_NODES)
            self.truth = found.value if found.exact else None

    def limits(self) -> dict[str, Any]:
        """Random limits, at least one of which ends every search soon."""
        choose = self.chooser.choice
        limits: dict[str, Any] = {"stop": self.stop()}
        if self.chooser.random() < 0.6:
            limits["depth"] = choose((1, 2, 3, 4, 6, 9, 60, 1000, 1 << 31, 1 << 40))
        if self.chooser.random() < 0.5:
            limits["nodes"] = choose((0, 1, 2, 50, 1000, 30_000, 1 << 62, 1 << 70))
        if self.chooser.random() < 0.5:
            limits["seconds"] = choose((0, 0.0, 1e-9, 0.001, 0.02, 1e300))
        if self.chooser.random() < 0.3:
            limits["lines"] = choose((1, 2, 3, 100, 1 << 20))
        if self.chooser.random() < 0.3:
            limits["history"] = self.history()
        return limits

    def stop(self) -> Callable[[], bool]:
        """Ends a search after a while; now and then at once, or with an exception."""
        deadline = time.monotonic() + PATIENCE
        mood = self.chooser.random()

        def ask() -> bool:
            if mood < 0.03:
                raise LookupError("a stop fails on purpose")
            return mood < 0.1 or time.monotonic() > deadline

        return ask

    def history(self) -> list[Any]:
        """Positions near this one: as a game so far they need not make sense."""
        try:
            children = [self.game.result(self.state, a) for a in islice(self.game.actions(self.state), 3)]
        except ALLOWED:
            return []
        return [self.state, *children][: self.chooser.randrange(5)]

    def engine(self) -> Engine:
        off = {name: False for name in techniques() if self.chooser.random() < self.chooser.choice((0.0, 0.1, 0.5))}
        return Engine(
            self.game,
            threads=self.threads,
            table_mb=self.chooser.choice((1, 2, 8)),
            exact=self.chooser.random() < 0.5,
            **off,
        )

    def run(self) -> None:
        """A handful of calls; an engine is used again after whatever happened in it."""
        engine = self.engine()
        compiled = engine.compiled
        calls = (self.think, self.solve, self.prove, self.plain, self.count, self.random_games, self.strongly)
        for _ in range(self.chooser.randrange(2, 6)):
            call = self.chooser.choice(calls)
            try:
                call(engine, compiled)
            except ALLOWED as error:
                meant = isinstance(error, SOUND) or str(error).endswith("fails on purpose")
                require(meant or not self.sound, type(error).__name__, error)
            if self.chooser.random() < 0.3:
                engine.clear()

    def think(self, engine: Engine, compiled: CompiledGame) -> None:
        limits = self.limits()
        last_depth = 0
        for found in engine.think(self.state, **limits):
            self.hold(found, limits)
            require((found.depth or 0) >= last_depth, "depth fell from", last_depth, "to", found.depth)
            last_depth = found.depth or 0
            if self.chooser.random() < 0.1:
                return  # whoever listens may leave

    def solve(self, engine: Engine, compiled: CompiledGame) -> None:
        limits = self.limits()
        limits.pop("lines", None)
        self.hold(engine.solve(self.state, **limits), limits)

    def prove(self, engine: Engine, compiled: CompiledGame) -> None:
        limits = self.limits()
        limits.pop("lines", None)
        self.hold(engine.prove(self.state, **limits), limits)

    def plain(self, engine: Engine, compiled: CompiledGame) -> None:
        depth = self.chooser.choice((None, 0, 1, 2, 3, 5, 1 << 31))
        search = compiled.minimax if self.chooser.random() < 0.5 else compiled.alphabeta
        found = search(self.state, depth, stop=self.stop())
        if self.truth is not None and not found.estimated:
            require(found.value == self.truth, search.__name__, "finds", found.value, "not", self.truth)

    def count(self, engine: Engine, compiled: CompiledGame) -> None:
        depth = self.chooser.choice((0, 1, 2, 4, 1 << 32))
        found = compiled.perft(self.state, depth, self.chooser.choice((1, 2)), self.stop())
        if self.sound and depth < 3:
            expected = z.engine.interpreted.interpreted_perft(self.game, self.state, depth)
            require(found[:3] == expected[:3], "perft", depth, "counts", found, "not", expected)

    def random_games(self, engine: Engine, compiled: CompiledGame) -> None:
        most = self.chooser.choice((0, 1, 10, 1 << 60))
        compiled.playouts(self.state, self.chooser.choice((0, 1, 20)), self.chooser.randrange(9), most, self.stop())

    def strongly(self, engine: Engine, compiled: CompiledGame) -> None:
        memory, threads = self.chooser.choice((1, 8, 64)), self.chooser.choice((1, 2, 3))
        solution = z.solve(self.game, self.state, strongly=True, memory_mb=memory, threads=threads, stop=self.stop())
        value = solution.value(self.state)
        # Solved strongly, endless play is a draw, whatever the game says about repetition.
        if self.truth is not None and self.game.repetition in (None, "draw"):
            require(value == self.truth, "solved strongly:", value, "not", self.truth)

    def hold(self, found: Any, limits: dict[str, Any]) -> None:
        """Whether an analysis is possible at all, and right if it says that it is proved."""
        depth, nodes = limits.get("depth"), limits.get("nodes")
        require(depth is None or found.depth is None or found.depth <= depth, "depth", found.depth, "of", depth)
        # Helpers look at the limit when the first thread does, which may be later than they like.
        few = nodes is None or self.threads > 1 or found.nodes <= nodes + SLACK
        require(few, "nodes", found.nodes, "of", nodes)
        require(found.stopped in ("", "nodes", "seconds", "stop"), "stopped by", found.stopped)
        if not self.sound:
            return
        low, high = self.game.bounds
        require(math.isfinite(found.value) and low <= found.value <= high, "value", found.value)
        s = self.state
        for a in found.line:
            require(not self.game.is_terminal(s), "the line goes on after the end:", found.line)
            require(a in list(self.game.actions(s)), "an illegal action in the line", found.line)
            s = self.game.result(s, a)
        require(found.action == (found.line[0] if found.line else None), "action", found.action, "line", found.line)
        # What a history makes a draw is no draw without it.
        if found.exact and self.truth is not None and not (limits.get("history") and self.game.repetition):
            require(found.value == self.truth, "proves", found.value, "but the textbook", self.truth)


def trial(seed: int) -> tuple[str, Trial]:
    """What a seed stands for, in words and made."""
    chooser = random.Random(seed)
    kind = chooser.choices(("tree", "net", "trouble", "rules"), (50, 40, 100, 0.3))[0]
    if kind == "tree":
        game: Game = NoiseTree()
        state: Any = NoiseTree.State(chooser.randrange(1 << 31), chooser.choice((1, 4, 6, 8, 30)), chooser.randrange(2))
        return f"a tree of noise, {state}", Trial(game, state, chooser, sound=True)
    if kind == "net":
        loops = chooser.random() < 0.5
        checked = loops and chooser.random() < 0.25
        game = CheckedNet() if checked else NoiseNet(loops, 5 if loops else 24)
        if loops and not checked:
            game.repetition = chooser.choice(("draw", "draw", "forbidden", "loses"))
        state = NoiseNet.State(chooser.randrange(1 << 31), chooser.randrange(5), 0, chooser.randrange(2))
        # Where repetition is forbidden, a net may leave a player without an action.
        sound = game.repetition != "forbidden"
        return f"a net of noise, repetition {game.repetition}, {state}", Trial(game, state, chooser, sound)
    if kind == "rules":
        game = random_rules(seed)()
        return "rules at random", Trial(game, game.initial(), chooser, sound=False)
    trouble = chooser.randrange(FIRST + len(TROUBLES)) if chooser.random() < 0.9 else 0
    make = chooser.choice((Trouble, TroubleInside))
    single = chooser.random() < 0.1
    repetition = chooser.choice((None, None, "draw", "forbidden", "loses"))
    game = make(1 if single else 2, repetition, 0.0 if single else chooser.choice((0.0, 1.0)))
    state = start_of_trouble(game, chooser, trouble)
    sound = trouble == 0 and state.left < 1000
    return f"{make.__name__}: {describe(trouble)}, {state}, repetition {repetition}", Trial(game, state, chooser, sound)


def main() -> None:
    faulthandler.enable()
    warnings.simplefilter("error")
    first, count = map(int, sys.argv[1:])
    for seed in range(first, first + count):
        print(f"seed {seed}", flush=True)
        said = ""
        try:
            said, made = trial(seed)
            made.run()
        except Exception as error:
            print(f"{said}: {type(error).__name__}: {error}", flush=True)
            raise


if __name__ == "__main__":
    main()
