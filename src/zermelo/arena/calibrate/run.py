"""A calibration from the beginning to the end: a game and a budget in, a ladder out."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from typing import Any

from zermelo.arena.calibrate import files
from zermelo.arena.calibrate.climb import RANDOM, Climb
from zermelo.arena.calibrate.family import Family, find_family
from zermelo.arena.calibrate.field import Field
from zermelo.arena.calibrate.ladder import Ladder
from zermelo.arena.crew import make_crew
from zermelo.arena.host import versions
from zermelo.arena.openings import OpeningBook, read_openings
from zermelo.errors import MethodError, OptionError
from zermelo.game import Game
from zermelo.games import load

OPENINGS = 200
"""Positions that games begin from, one for every ten games at most; they come back when all have been used."""
PLIES = 4
"""Plies of an opening; fewer in a game so short that these would be more than a third of it."""
SAMPLE = 10


@dataclass(frozen=True, slots=True)
class Settings:
    """What a calibration may cost, and what settles it."""

    games: int = 4000
    minutes: float | None = None
    levels: int = 12
    """Rungs at most."""
    nodes: int | None = None
    """Positions a move of the strongest player."""
    seed: int = 0

    def check(self) -> None:
        for name, least in (("games", 10), ("levels", 2)):
            value = getattr(self, name)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= 10_000_000:
                raise OptionError(f"{name} must be a whole number from {least} on, not {value!r}")
        if self.minutes is not None and not 0 < self.minutes < 1e6:
            raise OptionError(f"minutes must be a number above 0, not {self.minutes!r}")


def calibrate(
    game: Game | str,
    settings: Settings | None = None,
    *,
    concurrency: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Ladder:
    """The ladder of `game`, a text or an object; `progress` is told how many games have been played.

    A game that exists as an object only is played in this process, so its `concurrency` is 1.
    """
    settings = settings or Settings()
    settings.check()
    made = load(game) if isinstance(game, str) else game
    text = game if isinstance(game, str) else made.name
    own = {} if isinstance(game, str) else {text: made}
    family = find_family(made, settings.nodes)
    deadline = None if settings.minutes is None else time.monotonic() + 60 * settings.minutes
    book = make_book(made, family, min(OPENINGS, max(settings.games // 10, 1)), settings.seed)
    crew = make_crew("here" if concurrency == 1 else "processes", concurrency, own=own)
    try:
        field = Field(
            text,
            made.players,
            crew,
            book,
            seed=settings.seed,
            games=settings.games,
            deadline=deadline,
            progress=progress,
        )
        climb = Climb(family, made.players, field.play, lambda: bool(field.ended), settings.levels)
        climb.run()
    finally:
        crew.close()
    rungs = climb.rungs()
    if len(rungs) < 2:
        if field.ended == "interrupt":
            raise KeyboardInterrupt
        raise MethodError(
            f"nobody plays {text} better than at random, as far as {field.played} games tell, so there is no ladder; "
            f"try more --games or --nodes"
        )
    facts = {
        "anchor": {RANDOM: 0},
        "settings": {**asdict(settings), "openings": book.source},
        "ended": field.ended or "precise",
        "games": field.played,
        **told(climb),
    }
    return Ladder(text, files.identity(made), files.rules_of(made), rungs, facts)


def make_book(game: Game, family: Family, count: int, seed: int) -> OpeningBook:
    """About `count` openings, short ones: people begin at the beginning. Dice make openings unnecessary."""
    if game.kind.chance:
        return read_openings("none", game, count, seed)
    plies = min(PLIES, max(usual_length(game, seed) // 3, 1))
    # Where rules run in Python a search for balance takes longer than the games, so it is a small one.
    nodes = "" if family.kind == "engine" else ",nodes=100"
    return read_openings(f"random:plies={plies}{nodes}", game, count, seed)


def usual_length(game: Game, seed: int) -> int:
    """The plies of a random game without dice, as far as they matter here: the mean of a few games."""
    dice = random.Random(seed)
    plies = 0
    for _ in range(SAMPLE):
        state, length = game.initial(), 0
        while not game.is_terminal(state) and length < 3 * PLIES:
            state = game.result(state, dice.choice(list(game.actions(state))))
            length += 1
        plies += length
    return plies // SAMPLE


def told(climb: Climb) -> dict[str, Any]:
    """What is said of a ladder beside its rungs."""
    return {
        "first_move": round(climb.ratings.first_move.elo, 1),
        "draws": round(sum(result.score == 0.5 for result in climb.results) / max(len(climb.results), 1), 3),
        "made": datetime.now(UTC).isoformat(timespec="seconds"),
        "versions": versions(),
    }
