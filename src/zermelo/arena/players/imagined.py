"""Players of hidden cards who imagine the others' cards and solve what they imagine.

    pimc:worlds=40                  perfect-information Monte Carlo: the best on average with open cards
    pimc:seconds=1,choose=vote      what is best in most worlds, as many as a second allows
    alphamu:worlds=20,moves=3       αμ: one strategy for all worlds, three own moves deep

They look only at what the player to move sees, and ask the game's `sample` what may lie behind it.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from zermelo.analysis import Analysis, Clock
from zermelo.arena.players import Kind
from zermelo.engine.imagined import Clairvoyant
from zermelo.engine.searcher import DEFAULT_SECONDS, least
from zermelo.engine.timeman import budget
from zermelo.game import AnyGame, Game
from zermelo.game.contract import A, S
from zermelo.options import check_options, read_options
from zermelo.play import PlayerMove
from zermelo.search import alphamu, pimc
from zermelo.search.imagined import CHOOSE, LOOK_AHEAD, WORLD_OPTIONS

SEARCHES: dict[str, Callable[..., Analysis]] = {"pimc": pimc, "alphamu": alphamu}
OPTIONS = {"pimc": WORLD_OPTIONS | CHOOSE, "alphamu": WORLD_OPTIONS | LOOK_AHEAD}
SUMMARIES = {
    "pimc": "Perfect-information Monte Carlo: solves worlds that fit what it sees, and takes what is best on average.",
    "alphamu": "αμ: looks ahead with one strategy for all the worlds that fit what it sees.",
}
EXAMPLES = {"pimc": "pimc:worlds=40", "alphamu": "alphamu:worlds=20,moves=3"}


class WorldPlayer:
    """Keeps an engine for as long as it plays one game."""

    def __init__(self, kind: str, text: str = ""):
        self.name = f"{kind}:{text}" if text else kind
        self.search = SEARCHES[kind]
        self.options: dict[str, Any] = read_options(text)
        check_options(OPTIONS[kind], self.options, kind)
        self.seed: int | None = self.options.pop("seed", None)
        self.dice = random.Random(self.seed)
        self.judge: Clairvoyant[Any] | None = None

    @property
    def varies(self) -> bool:
        """Whether it imagines other worlds in each game."""
        return self.seed is None

    def choose(self, game: Game[S, A], state: S, history: Sequence[S] = ()) -> A:
        found: A = self.think(game, state, history, Clock()).action  # type: ignore[assignment]
        return found

    def think(self, game: Game[S, A], state: S, history: Sequence[S], clock: Clock) -> PlayerMove[A]:
        if self.judge is None or self.judge.game is not game:
            self.begin(game, game.player(state))
        given = budget(clock, game.player(state))
        seconds = least(self.options.get("seconds"), given.hard if given.soft is None else given.soft)
        if seconds is None and not {"worlds", "depth"} & set(self.options):
            seconds = DEFAULT_SECONDS
        options = {**self.options, "seconds": seconds, "seed": self.dice.randrange(1 << 32), "stop": clock.stop}
        found = self.search(game, state, judge=self.judge, **options)
        if found.stopped == "interrupt":
            raise KeyboardInterrupt
        return PlayerMove(found.action, found.value, None, found.nodes)

    def reseed(self, seed: int) -> None:
        """Seeds the dice, unless the player's text does."""
        self.dice.seed(seed if self.seed is None else self.seed)

    def begin(self, game: AnyGame, seat: int) -> None:
        """Makes the engine, whose rules are compiled when the first world is solved."""
        if self.judge is None or self.judge.game is not game:
            self.judge = Clairvoyant(game)

    def close(self) -> None:
        self.judge = None


KINDS = {
    kind: Kind(
        partial(WorldPlayer, kind),
        SUMMARIES[kind],
        EXAMPLES[kind],
        {name: option.about for name, option in OPTIONS[kind].items()},
        harmless=True,
    )
    for kind in SEARCHES
}
