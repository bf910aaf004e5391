"""Players who have solved the game before they play.

    solution:hexapawn.solution     looks positions up in a file of `zermelo solve GAME --strongly --save FILE`
    cfr:iterations=1000            plays an equilibrium of a game of hidden information

The second solves the whole game before its first move, by counterfactual regret minimisation, and draws its actions
with the probabilities found. It looks at its own views and actions only.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Clock
from zermelo.arena.players import Kind
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.options import call_with_options, whole
from zermelo.play import PlayerMove

if TYPE_CHECKING:
    from zermelo.engine.solution import Solution
    from zermelo.equilibrium.extensive import ExtensiveForm
    from zermelo.equilibrium.range_strategy import RangeStrategy
    from zermelo.equilibrium.strategies import Strategy


class Solved:
    """Plays from a file; the file is read when the game is known."""

    def __init__(self, path: str):
        if not path:
            raise OptionError("say which file holds the solution, as in solution:hexapawn.solution")
        if not Path(path).is_file():
            raise OptionError(f"there is no file {path}; `zermelo solve GAME --strongly --save {path}` writes it")
        self.name = f"solution:{path}"
        self.path = path
        self.solution: Solution | None = None

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A:
        action: A = self._load(game).choose(game, state, history)
        return action

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        solution = self._load(game)
        return PlayerMove(solution.choose(game, state, history), solution.value(state))

    def begin(self, game: Game, seat: int) -> None:
        """Reads the file before a clock runs."""
        self._load(game)

    def close(self) -> None:
        self.solution = None

    def _load(self, game: Game) -> Solution:
        if self.solution is None or self.solution.game is not game:
            from zermelo.engine.solution import Solution

            self.solution = Solution.load(self.path, game)
        return self.solution


class RegretPlayer:
    """Solves a game once, and plays from the table."""

    varies = True

    def __init__(
        self,
        exploitability: float | None = None,
        iterations: int | None = None,
        seconds: float | None = None,
        method: str = "",
        seed: int | None = None,
    ):
        whole(optional=True).check("seed", seed, "cfr")
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

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A:
        action: A = self._solve(game).choose(state, history, self.random)
        return action

    def policy(self, game: Game, state: Any, history: Sequence[Any]) -> list[float]:
        return self._solve(game).policy(state, history)

    def shares(self, form: ExtensiveForm) -> Any:
        from zermelo.equilibrium.strategies import Strategy

        strategy = self._solve(form.game)
        return strategy.shares if isinstance(strategy, Strategy) else None

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
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
    "solution": Kind(
        Solved,
        "Never errs: looks positions up in a file that `zermelo solve GAME --strongly --save FILE` has written.",
        "solution:tictactoe.solution",
    ),
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
    ),
}
