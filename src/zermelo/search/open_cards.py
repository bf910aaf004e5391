"""Open cards: a hidden game as it would be if everybody saw everything, and what its positions are then worth."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import Any

from zermelo.analysis import Analysis
from zermelo.errors import ContractError
from zermelo.game import CHANCE, AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.game.sides import for_players, sides
from zermelo.search.alphabeta import alphabeta
from zermelo.search.expectiminimax import expectiminimax
from zermelo.search.maxn import maxn


def revealed(game: Game[S, A], *, dealt: bool = False) -> AnyGame:
    """`game` as it would be if everybody saw everything: for analysis after the event, or double-dummy play.

    `dealt` says that chance has had its say, as once the cards are dealt: what is left is searched without chance.
    """
    rules = {"view": Game.view, **({"chances": Game.chances} if dealt else {})}
    open_class = type(f"Revealed{type(game).__name__}", (type(game),), rules)
    copy: Any = object.__new__(open_class)
    copy.__dict__.update(game.__dict__)
    return copy  # type: ignore[no-any-return]


class Halted(Exception):  # noqa: N818 - not an error: a limit did its work
    """Raised where a limit ends the search of a world; the argument names it."""


class OpenCards:
    """What positions are worth if everybody saw everything: clairvoyance, by the textbook's plain searches."""

    def __init__(
        self,
        game: AnyGame,
        depth: int | None = None,
        seconds: float | None = None,
        stop: Callable[[], bool] | None = None,
    ):
        """`depth` and `seconds` limit each search; once `stop` says so, the next question raises `Halted`."""
        self.game = game
        self.depth = depth
        self.seconds = seconds
        self.stop = stop
        self.nodes = 0
        self.known: dict[Hashable, tuple[float, ...]] = {}
        self.use(revealed(game, dealt=True))

    def use(self, open_game: AnyGame) -> None:
        """Searches `open_game` from now on."""
        self.seated = open_game
        self.unsure = self.game.kind.chance and not open_game.kind.chance
        """Whether it is only supposed that chance has had its say."""
        self.open = sides(open_game)

    def value(self, s: Any, p: int) -> float:
        """What player `p` gets from `s` on."""
        if self.game.is_terminal(s):
            return float(self.game.utility(s, p))
        key = self.game.key(s)
        if key not in self.known:
            self.known[key] = self.values(s)
        return self.known[key][p]

    def verdicts(self, s: Any, p: int, actions: Iterable[Any]) -> dict[Any, float]:
        """What player `p`, who is to move, gets after each of `actions`."""
        return {a: self.value(self.game.result(s, a), p) for a in actions}

    def values(self, s: Any) -> tuple[float, ...]:
        """What every player gets from `s` on."""
        if self.stop is not None and self.stop():
            raise Halted("stop")
        # Chance may move once more after all, as where cards are drawn in the middle of a game.
        if self.unsure and self.game.player(s) == CHANCE:
            self.use(revealed(self.game))
        try:
            found = self.search(s)
        except ContractError:
            if not self.unsure:
                raise
            self.use(revealed(self.game))
            found = self.search(s)
        self.nodes += found.nodes
        if found.stopped not in ("", "seconds") or (self.stop is not None and self.stop()):
            raise Halted(found.stopped)
        return for_players(self.seated, found).values

    def search(self, s: Any) -> Analysis:
        """The search of one position of the open game."""
        kind = self.open.kind
        plain = maxn if not kind.scalar else expectiminimax if kind.chance else alphabeta
        if self.seconds is None:
            return plain(self.open, s, depth=self.depth, stop=self.stop)
        return plain(self.open, s, depth=self.depth, stop=self.stop, seconds=self.seconds, deepen=True)
