"""A player of a given rating on the game's ladder: `rated:1200`. `zermelo calibrate GAME` makes the ladder.

Random play is rated 0. In every game it is one of the two rungs next to its rating, drawn so that a player of that
rating scores half the points against it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from zermelo.analysis import Clock
from zermelo.arena.calibrate.ladder import Blend, find_ladder, is_rating
from zermelo.arena.players import Kind
from zermelo.errors import OptionError
from zermelo.game import Game
from zermelo.game.contract import A, S
from zermelo.options import read_options, whole
from zermelo.play import Chooser, Gambler, Guest, PlayerMove, Wish, ask

TAKES = {
    "rating": "the rating; may be written without its name",
    "ladder": "a file that `zermelo calibrate GAME --save FILE` has written, in place of the game's own",
    "seed": "a whole number; with it, the same draws every time",
}


class Rated:
    """One of two rungs in each game; the ladder is read when the game is known."""

    varies = True

    def __init__(self, text: str = ""):
        self.name = f"rated:{text}"
        options = read_options(re.sub(r"^\s*(?=[-+\d.])", "rating=", text))
        unknown = set(options) - set(TAKES)
        if unknown:
            raise OptionError(f"rated has no option {min(unknown)!r}; it takes: {', '.join(TAKES)}")
        rating, self.ladder, seed = options.get("rating"), options.get("ladder"), options.get("seed")
        if not is_rating(rating):
            raise OptionError(f"say which rating, as in rated:800, not {text!r}")
        self.rating = float(rating)
        if self.ladder is not None and not isinstance(self.ladder, str):
            raise OptionError(f"rated: ladder must be a file, not {self.ladder!r}")
        whole(optional=True).check("seed", seed, "rated")
        self.settled = seed is not None
        self.dice = random.Random(seed)
        self.game: Game | None = None
        self.blend: Blend | None = None
        self.players: dict[str, Chooser] = {}
        self.player: Chooser | None = None

    def reseed(self, seed: int) -> None:
        if not self.settled:
            self.dice.seed(seed)

    def begin(self, game: Game, seat: int) -> None:
        """Draws who plays this game."""
        if self.game is not game or self.blend is None:
            self.blend = find_ladder(game, path=self.ladder).blend(self.rating)
            self.game = game
        rung = self.blend.upper if self.dice.random() < self.blend.share else self.blend.lower
        if rung.player not in self.players:
            from zermelo.arena.players import make_player

            self.players[rung.player] = make_player(rung.player)
        self.player = self.players[rung.player]
        if isinstance(self.player, Gambler):
            self.player.reseed(self.dice.getrandbits(48))
        if isinstance(self.player, Guest):
            self.player.begin(game, seat)

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A | Wish:
        return self.think(game, state, history, Clock()).action

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        if self.player is None or self.game is not game:
            self.begin(game, game.player(state))
        assert self.player is not None
        return ask(self.player, game, state, history, clock)

    def close(self) -> None:
        for player in self.players.values():
            if isinstance(player, Guest):
                player.close()
        self.players.clear()
        self.player = None


KINDS = {
    "rated": Kind(
        Rated,
        "An opponent of this rating, random play being 0; `zermelo calibrate GAME` makes the ladder it stands on.",
        "rated:800",
        TAKES,
    )
}
