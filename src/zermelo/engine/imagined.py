"""PIMC and αμ at native speed: the textbook's searches, with worlds that the core solves.

pimc(game, s, worlds=40)        alphamu(game, s, worlds=20, moves=3)
Clairvoyant(game)               what makes their judges; keep one to go on with the same transposition table
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Generic

from zermelo.analysis import Analysis
from zermelo.engine.interpreted import warn_interpreted
from zermelo.errors import CompileError, RefusedError
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.search import alphamu as textbook_alphamu
from zermelo.search import pimc as textbook_pimc
from zermelo.search.algorithms import algorithm, plain_name
from zermelo.search.open_cards import Halted, OpenCards

TABLE_MB = 32


class Clairvoyant(Generic[S]):
    """Makes judges of one game, which share an engine."""

    def __init__(self, game: Game[S], table_mb: int = TABLE_MB):
        self.game = game
        self.table_mb = table_mb
        self.engines: dict[bool, Any] = {}
        """By whether chance may still move; `None` where the rules do not compile."""

    def __call__(
        self,
        game: AnyGame,
        depth: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ) -> OpenCards:
        return NativeOpenCards(self, game, depth, seconds, stop)

    def engine(self, open_game: AnyGame) -> Any:
        """The engine for the game with open cards; `None` after a warning if its rules do not compile."""
        from zermelo.engine.engine import Engine

        chance = open_game.kind.chance
        if chance not in self.engines:
            try:
                self.engines[chance] = Engine(open_game, table_mb=self.table_mb, exact=True)
            except CompileError as error:
                warn_interpreted(error)
                self.engines[chance] = None
        return self.engines[chance]

    def give_up(self, error: RefusedError) -> None:
        """Goes on with the textbook, after compiled rules met a number that they cannot hold."""
        warn_interpreted(error)
        self.engines = dict.fromkeys((False, True))


class NativeOpenCards(OpenCards):
    """What positions are worth if everybody saw everything, by the core, or by the game's own solver."""

    def __init__(self, clairvoyant: Clairvoyant[Any], game: AnyGame, *limits: Any):
        self.clairvoyant = clairvoyant
        super().__init__(game, *limits)

    @property
    def proves(self) -> bool:
        """Whether the game has a solver of its own for positions with open cards."""
        return self.depth is None and self.open.kind.scalar and self.open.can("prove")

    def verdicts(self, s: Any, p: int, actions: Iterable[Any]) -> dict[Any, float]:
        if not self.proves:
            return super().verdicts(s, p, actions)
        values = self.prove(s)
        return {a: values[a] for a in actions}

    def prove(self, s: Any) -> dict[Any, float]:
        """The value of each action for the player to move in `s`, by the game's own solver."""
        from zermelo.engine.compiled import Stopped

        try:
            proof = self.open.prove(s, self.stop)
        except Stopped:
            raise Halted("stop") from None
        self.nodes += proof.nodes
        return dict(proof.values)

    def values(self, s: Any) -> tuple[float, ...]:
        if not self.proves:
            return super().values(s)
        game, best = self.game, max(self.prove(s).values())
        own, mover = game.side_of, game.player(s)
        rest = (game.utility_sum or 0.0) - best
        return tuple(best if own[p] == own[mover] else rest for p in range(game.players))

    def search(self, s: Any) -> Analysis:
        engine = self.clairvoyant.engine(self.open)
        if engine is None:
            return super().search(s)
        try:
            if self.depth is None and self.seconds is None:
                found: Analysis = engine.prove(s, stop=self.stop)
            else:
                found = engine.search(s, depth=self.depth, seconds=self.seconds, stop=self.stop)
            return found
        except RefusedError as error:
            self.clairvoyant.give_up(error)
            return super().search(s)


def pimc(game: Game[S, A], state: S | None = None, **options: Any) -> Analysis:
    """The textbook's `zermelo.search.pimc` with worlds solved by the core."""
    return textbook_pimc(game, state, judge=Clairvoyant(game), **options)


def alphamu(game: Game[S, A], state: S | None = None, **options: Any) -> Analysis:
    """The textbook's `zermelo.search.alphamu` with worlds solved by the core."""
    return textbook_alphamu(game, state, judge=Clairvoyant(game), **options)


IMAGINED: dict[str, Callable[..., Analysis]] = {"alphamu": alphamu, "pimc": pimc}


def find_algorithm(name: str) -> Callable[..., Analysis]:
    """The search called `name`: the textbook's, which lets the core solve the worlds that it imagines."""
    return IMAGINED.get(plain_name(name)) or algorithm(name)
