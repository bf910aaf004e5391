"""Play of any rating on a game's ladder, for an engine that is asked to play below its strength.

It is the player `rated`, which is one of two rungs in every game. The ratings are the ladder's: random play is 0, and
they have nothing to do with those of people.
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
        self.lowest, self.highest = math.ceil(ladder.lowest), math.floor(ladder.highest)
        self._player: Rated | None = None

    def new_game(self) -> None:
        """In another game it may be the other rung."""
        self._player = None

    def choose(self, game: Game[S, A], state: S, history: Sequence[S], elo: int) -> A | Wish:
        if self._player is None or self._player.elo != elo:
            self._player = Rated(str(elo))
        return self._player.choose(game, state, history)


def find_weakened(game: Game) -> WeakenedPlay | None:
    """Weakened play of `game`; `None` where it is not calibrated, or its ladder is of no use any more."""
    try:
        ladder = find_ladder(game)
    except InputError:
        return None
    return WeakenedPlay(ladder) if math.ceil(ladder.lowest) < math.floor(ladder.highest) else None
