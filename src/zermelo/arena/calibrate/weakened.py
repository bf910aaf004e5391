"""Play at any level of a game's ladder, for an engine that is asked to play below its strength.

A level is a rung. Between two rungs it is the player `rated`, which is one of the two in every game: this is how an Elo
is met, where the ladder has been held against players whose Elo people know.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from zermelo.arena.calibrate.ladder import Ladder, find_ladder
from zermelo.arena.players.rated import Rated
from zermelo.errors import InputError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.play import Wish


class WeakenedPlay:
    """The opponents of a ladder, one at a time."""

    def __init__(self, ladder: Ladder):
        self.ladder = ladder
        self._player: Rated | None = None

    @property
    def levels(self) -> int:
        return len(self.ladder.rungs)

    @property
    def elos(self) -> tuple[int, int] | None:
        known = self.ladder.known
        return None if len(known) < 2 else (math.ceil(known[0].elo), math.floor(known[-1].elo))

    def new_game(self) -> None:
        """In another game it may be the other rung."""
        self._player = None

    def choose(
        self, game: Game[S, A], state: S, history: Sequence[S], *, level: int = 1, elo: int | None = None
    ) -> A | Wish:
        rating = self.ladder.level(level).elo if elo is None else self.ladder.rating_of(elo)
        if self._player is None or self._player.rating != rating:
            self._player = Rated(repr(rating))
        return self._player.choose(game, state, history)


def find_weakened(game: Game) -> WeakenedPlay | None:
    """Weakened play of `game`; `None` where it is not calibrated, or its ladder is of no use any more."""
    try:
        return WeakenedPlay(find_ladder(game))
    except InputError:
        return None
