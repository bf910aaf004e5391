"""What self-play is to make: the game, who plays, from which openings, how many games, in which files."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field
from typing import Any

from zermelo.arena.adjudicate import DrawRule, ResignRule, check_rules
from zermelo.arena.fixture import Fixture, Job, Terms
from zermelo.arena.openings import Opening, OpeningBook, read_openings
from zermelo.arena.openings.make import walk
from zermelo.arena.plan import MOST_GAMES
from zermelo.arena.players import make_player
from zermelo.arena.selfplay.shards import check_format
from zermelo.errors import InputError, OptionError
from zermelo.game import Game
from zermelo.play import TimeControl

WALKS = 50
"""Random walks that are tried for an opening before a shorter one will do."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """What self-play is to make; all of it text and numbers, so that it can be kept."""

    game: str
    player: str
    opponent: str | None = None
    """Who has all other seats; `None` if the player does."""
    games: int = 100
    openings: str = "plies=6"
    """`plies=N` for random plies, other ones for each game, or what a tournament takes: `none`, `random`, a file."""
    seed: int = 0
    format: str = "parquet"
    shard: int = 1000
    """Games a file."""
    terms: Terms = field(default_factory=Terms)

    @classmethod
    def from_settings(cls, settings: dict[str, Any]) -> Recipe:
        """The recipe that a store holds."""
        if not isinstance(settings.get("selfplay"), dict):
            raise InputError("this is the file of a tournament; go on with it by `zermelo arena --resume`")
        facts = dict(settings["selfplay"])
        return cls(**{**facts, "terms": Terms(**facts["terms"])})

    @property
    def entrants(self) -> tuple[str, ...]:
        return (self.player,) if self.opponent is None else (self.player, self.opponent)

    @property
    def shards(self) -> int:
        """How many files there will be."""
        return -(-self.games // self.shard)

    def block(self, shard: int) -> range:
        """The numbers of the games in a file."""
        return range(shard * self.shard, min((shard + 1) * self.shard, self.games))

    def check(self, game: Game) -> None:
        """Refuses what cannot be played or written, before anything is."""
        for name, value in (("games", self.games), ("shard", self.shard), ("longest", self.terms.longest)):
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= MOST_GAMES:
                raise OptionError(f"{name} must be a whole number from 1 to {MOST_GAMES}, not {value!r}")
        if not isinstance(self.seed, int):
            raise OptionError(f"seed must be a whole number, not {self.seed!r}")
        if not isinstance(self.terms.patience, (int, float)) or not self.terms.patience > 0:
            raise OptionError(f"patience must be a number of seconds above 0, not {self.terms.patience!r}")
        if game.kind.single and self.opponent is not None:
            raise OptionError(f"{game.name} is for one player, so there is no seat for an opponent")
        for name in self.entrants:
            if name.partition(":")[0] == "human":
                raise OptionError("a person cannot play thousands of games; use `zermelo play`")
            make_player(name)
        terms = self.terms
        TimeControl.read(terms.clock, terms.margin)
        resign = None if terms.resign is None else ResignRule.read(terms.resign)
        check_rules(game, [resign, None if terms.draw is None else DrawRule.read(terms.draw)])
        check_format(self.format)
        self.plies()

    def plies(self) -> int | None:
        """How many random plies a game begins with; `None` if the openings are from a book."""
        if not self.openings.startswith("plies="):
            return None
        found = re.fullmatch(r"plies=(\d{1,6})", self.openings)
        if found is None:
            raise OptionError(f"{self.openings!r} are no openings; write plies=6, none, random or the name of a file")
        return int(found[1])

    def book(self, game: Game) -> OpeningBook:
        """The openings that are read or made beforehand: none if each game draws its own."""
        if self.plies() is not None:
            return OpeningBook((), self.openings)
        return read_openings(self.openings, game, self._encounter(self.games - 1, game) + 1, self.seed)

    def fixture(self, number: int, game: Game) -> Fixture:
        """Game `number`: with an opponent, the player has one seat after another in the same opening."""
        encounter = self._encounter(number, game)
        seed = random.Random(f"{self.seed}:selfplay:{encounter}").getrandbits(48)
        if self.opponent is None:
            seats = (0,) * game.players
        else:
            seats = tuple(0 if p == number % game.players else 1 for p in range(game.players))
        return Fixture(number, 0, 0, encounter, seats, encounter, seed)

    def job(self, fixture: Fixture, game: Game, book: OpeningBook) -> Job:
        players = tuple(self.entrants[entrant] for entrant in fixture.seats)
        opening = book.pick(fixture.opening) if len(book) else self._draw(fixture, game)
        return Job(fixture.number, self.game, players, opening, fixture.seed, self.terms)

    def _encounter(self, number: int, game: Game) -> int:
        return number if self.opponent is None else number // game.players

    def _draw(self, fixture: Fixture, game: Game) -> Opening:
        """Random plies that the seed of the game settles; fewer where so many would end it."""
        dice = random.Random(fixture.seed)
        for plies in range(self.plies() or 0, 0, -1):
            for _ in range(WALKS):
                found = walk(game, dice, plies)
                if found is not None:
                    return found.opening
        return Opening()
