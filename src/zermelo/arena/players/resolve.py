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
from zermelo.errors import OptionError
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.options import call_with_options, flag, number, takes, text, whole
from zermelo.play import PlayerMove

if TYPE_CHECKING:
    from zermelo.equilibrium.public_tree import PublicTree
    from zermelo.equilibrium.resolving import Resolver


class ResolvePlayer:
    """Re-solves as the game goes on; what it has solved in one game it knows in the next."""

    varies = True

    @takes(
        iterations=whole(1, optional=True),
        safe=flag(),
        depth=whole(1, optional=True),
        rounds=whole(1, optional=True),
        values=text(optional=True),
        seconds=number(0, above=True, optional=True),
        seed=whole(optional=True),
    )
    def __init__(
        self,
        iterations: int | None = None,
        safe: bool = True,
        depth: int | None = None,
        rounds: int | None = None,
        values: str | None = None,
        seconds: float | None = None,
        seed: int | None = None,
    ):
        given = {"iterations": iterations, "depth": depth, "rounds": rounds, "values": values, "seconds": seconds}
        said = [f"{name}={value}" for name, value in {**given, "seed": seed}.items() if value is not None]
        self.name = "resolve" + (":" + ",".join([*said, *([] if safe else ["safe=no"])]) if said or not safe else "")
        self.iterations, self.safe, self.depth, self.rounds, self.seed = iterations, safe, depth, rounds, seed
        self.values, self.seconds = values, seconds
        self.random = random.Random(seed)
        self.game: AnyGame | None = None
        self.tree: PublicTree | None = None
        self.resolvers: dict[int, Any] = {}

    def reseed(self, seed: int) -> None:
        self.random.seed(f"{self.seed}:{seed}")

    def begin(self, game: Game, seat: int) -> None:
        """Walks the public states before a clock runs."""
        self._resolver(game, seat)

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A:
        action: A = self._resolver(game, game.player(state)).choose(state, history, self.random)
        return action

    def policy(self, game: Game, state: Any, history: Sequence[Any]) -> list[float]:
        shares: list[float] = self._resolver(game, game.player(state)).policy(state, history)
        return shares

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        return PlayerMove(self.choose(game, state, history))

    def close(self) -> None:
        self.game = self.tree = None
        self.resolvers.clear()

    def _resolver(self, game: Game, seat: int) -> Any:
        if self.game is not game:
            self.close()
            self.game = game
        if seat not in self.resolvers:
            self.resolvers[seat] = self._own(game, seat) if game.can("own_resolving") else self._of_tree(game, seat)
        return self.resolvers[seat]

    def _own(self, game: Game, seat: int) -> Any:
        if self.depth is not None or self.rounds is not None:
            raise OptionError(f"{game.name} is re-solved to the next deal: leave out depth and rounds")
        given = {} if self.iterations is None else {"iterations": self.iterations}
        return game.own_resolving().player(seat, safe=self.safe, seconds=self.seconds, values=self.values, **given)

    def _of_tree(self, game: Game, seat: int) -> Resolver:
        from zermelo.equilibrium.public_tree import PublicTree
        from zermelo.equilibrium.resolving import Resolver, Resolving
        from zermelo.learn.range_values import RangeNetwork

        if self.seconds is not None:
            raise OptionError(f"{game.name} is re-solved by iterations: leave out seconds")
        if self.tree is None:
            self.tree = PublicTree(game)
        settings = Resolving(safe=self.safe, depth=self.depth, rounds=self.rounds)
        if self.iterations is not None:
            settings.iterations = self.iterations
        if self.values is not None:
            settings.values = RangeNetwork.read(self.tree, self.values)
        return Resolver(self.tree, seat, settings)


KINDS = {
    "resolve": Kind(
        partial(call_with_options, ResolvePlayer),
        "Re-solves what can still follow at each of its choices, in games of hidden information for two.",
        "resolve:iterations=1000",
        {
            "iterations": "of regret minimisation, at each choice; 1000 if not said, 100 in whole hands of poker",
            "safe": "whether opponents may hold to what they were held to before; no believes in their range as solved",
            "depth": "choices to look ahead, after which it is estimated what hands are worth; all if not said",
            "rounds": "deals to look ahead, in the same way",
            "values": "a file of `zermelo train`, which says what hands are worth there",
            "seconds": "for each solution at most, in games that are too large for their tree",
            "seed": "a whole number; with it, the same play every time, in a tournament for every seed of its own",
        },
    )
}
