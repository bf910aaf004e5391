"""A player that plays an equilibrium of a game of hidden information: `cfr:iterations=1000`, `cfr:exploitability=0.01`.

It solves the whole game before the first move, by counterfactual regret minimisation, and then draws its actions with
the probabilities found. It looks at its own views and actions only: what it cannot tell
apart is one to it.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Clock
from zermelo.arena.players._kind import Kind
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.options import call_with_options
from zermelo.play import PlayerMove

if TYPE_CHECKING:
    from zermelo.equilibrium.range_strategy import RangeStrategy
    from zermelo.equilibrium.strategies import Strategy


class RegretPlayer:
    """Solves a game once, and plays from the table."""

    def __init__(
        self,
        exploitability: float | None = None,
        iterations: int | None = None,
        seconds: float | None = None,
        method: str = "",
        seed: int | None = None,
    ):
        if seed is not None and (isinstance(seed, bool) or not isinstance(seed, int)):
            raise OptionError(f"cfr: seed must be a whole number, not {seed!r}")
        limits = {"exploitability": exploitability, "iterations": iterations, "seconds": seconds}
        self.limits: dict[str, Any] = {name: value for name, value in limits.items() if value is not None}
        said = self.limits | ({"method": method} if method else {}) | ({} if seed is None else {"seed": seed})
        self.name = "cfr" + (":" + ",".join(f"{name}={value}" for name, value in said.items()) if said else "")
        self.method, self.seed = method, seed
        self.random = random.Random(seed)
        self.strategy: Strategy | RangeStrategy | None = None

    def reseed(self, seed: int) -> None:
        self.random.seed(f"{self.seed}:{seed}")

    def begin(self, game: Game, seat: int) -> None:
        """Solves the game before a clock runs."""
        self._solve(game)

    def choose(self, game: Game, state: Any, history: Sequence[Any] = ()) -> Any:
        return self._solve(game).choose(state, history, self.random)

    def think(self, game: Game, state: Any, history: Sequence[Any], clock: Clock) -> PlayerMove:
        return PlayerMove(self.choose(game, state, history))

    def close(self) -> None:
        self.strategy = None

    def _solve(self, game: Game) -> Strategy | RangeStrategy:
        if self.strategy is None or self.strategy.form.game is not game:
            from zermelo.equilibrium.regret import cfr

            options = self.limits
            if options and "exploitability" not in options:
                options = options | {"exploitability": None}
            found = cfr(game, self.method or None, **options)
            if found.stopped == "interrupt":
                raise KeyboardInterrupt
            self.strategy = found.strategy
        return self.strategy


KINDS = {
    "cfr": Kind(
        partial(call_with_options, RegretPlayer),
        "Plays an equilibrium of a small game with hidden information, found by counterfactual regret minimisation.",
        "cfr:iterations=1000",
        {
            "exploitability": "the most that a best answer to it may gain; 0.001, or 0.3 % of the pot over ranges",
            "iterations": "iterations at most",
            "seconds": "time for solving the game, once",
            "method": "cfr, cfr+, lcfr, dcfr (over ranges if not said), pcfr+, pdcfr+ (in trees), external or outcome",
            "seed": "a whole number; with it, the same play every time, in a tournament for every seed of its own",
        },
    )
}
