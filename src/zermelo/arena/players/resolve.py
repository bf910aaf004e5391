"""A player that keeps no strategy: at each choice it solves what can still follow, from what both may hold.

resolve:iterations=3000,seed=1
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from zermelo.analysis import Clock
from zermelo.arena.players import Kind
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.options import call_with_options, flag, takes, whole
from zermelo.play import PlayerMove

if TYPE_CHECKING:
    from zermelo.equilibrium.public_tree import PublicTree
    from zermelo.equilibrium.resolving import Resolver


class ResolvePlayer:
    """Re-solves as the game goes on; what it has solved in one game it knows in the next."""

    varies = True

    @takes(
        iterations=whole(1),
        safe=flag(),
        depth=whole(1, optional=True),
        rounds=whole(1, optional=True),
        seed=whole(optional=True),
    )
    def __init__(
        self,
        iterations: int = 1000,
        safe: bool = True,
        depth: int | None = None,
        rounds: int | None = None,
        seed: int | None = None,
    ):
        given = {"iterations": iterations, "depth": depth, "rounds": rounds, "seed": seed}
        said = [f"{name}={value}" for name, value in given.items() if value not in (None, 1000)]
        self.name = "resolve" + (":" + ",".join([*said, *([] if safe else ["safe=no"])]) if said or not safe else "")
        self.iterations, self.safe, self.depth, self.rounds, self.seed = iterations, safe, depth, rounds, seed
        self.random = random.Random(seed)
        self.tree: PublicTree | None = None
        self.resolvers: dict[int, Resolver] = {}

    def reseed(self, seed: int) -> None:
        self.random.seed(f"{self.seed}:{seed}")

    def begin(self, game: Game, seat: int) -> None:
        """Walks the public states before a clock runs."""
        self._resolver(game, seat)

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A:
        action: A = self._resolver(game, game.player(state)).choose(state, history, self.random)
        return action

    def policy(self, game: Game, state: Any, history: Sequence[Any]) -> list[float]:
        return self._resolver(game, game.player(state)).policy(state, history)

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        return PlayerMove(self.choose(game, state, history))

    def close(self) -> None:
        self.tree = None
        self.resolvers.clear()

    def _resolver(self, game: Game, seat: int) -> Resolver:
        from zermelo.equilibrium.public_tree import PublicTree
        from zermelo.equilibrium.resolving import Resolver, Resolving

        if self.tree is None or self.tree.game is not game:
            self.tree = PublicTree(game)
            self.resolvers.clear()
        if seat not in self.resolvers:
            settings = Resolving(self.iterations, self.safe, self.depth, self.rounds)
            self.resolvers[seat] = Resolver(self.tree, seat, settings)
        return self.resolvers[seat]


KINDS = {
    "resolve": Kind(
        partial(call_with_options, ResolvePlayer),
        "Re-solves what can still follow at each of its choices, in games of hidden information for two.",
        "resolve:iterations=1000",
        {
            "iterations": "of regret minimisation, at each choice",
            "safe": "whether opponents may hold to what they were held to before; no believes in their range as solved",
            "depth": "choices to look ahead, after which it is estimated what hands are worth; all if not said",
            "rounds": "deals to look ahead, in the same way",
            "seed": "a whole number; with it, the same play every time, in a tournament for every seed of its own",
        },
    )
}
