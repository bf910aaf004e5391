"""What a tournament is: the game, who enters, how they meet and under which terms."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from zermelo.arena.adjudicate import DrawRule, ResignRule, check_rules
from zermelo.arena.adjust import check_rule
from zermelo.arena.openings.make import MOST_OPENINGS as MOST_OPENINGS
from zermelo.arena.players import make_player
from zermelo.arena.players._outside import OutsidePlayer
from zermelo.arena.players.python import PythonPlayer
from zermelo.arena.players.search import SearchPlayer
from zermelo.arena.schedule import make_schedule
from zermelo.arena.scheduled import Terms, unit_of
from zermelo.arena.sequential import make_test
from zermelo.arena.statistics import PayoffSprt
from zermelo.errors import InputError, OptionError, PlayerError
from zermelo.game import Game
from zermelo.games import runs_code
from zermelo.options import check_fields, number, text, whole
from zermelo.play import Guest, TimeControl, varies

MOST_GAMES = 10_000_000
"""More games of a meeting, or moves of a game, are surely a mistake."""


SETTINGS = {
    "game": text(),
    "format": text(),
    "games": whole(1, MOST_GAMES),
    "rounds": whole(1, MOST_GAMES, optional=True),
    "openings": text(),
    "seed": whole(),
}
TERMS = {
    "clock": text(),
    "margin": number(0),
    "resign": text(optional=True),
    "draw": text(optional=True),
    "solution": text(optional=True),
    "longest": whole(1, MOST_GAMES),
    "patience": number(0, above=True, unit="seconds"),
    "adjust": text(),
}


@dataclass(frozen=True, slots=True)
class Plan:
    """What a tournament is, as text and numbers only, so that it can be stored."""

    game: str
    entrants: tuple[str, ...]
    format: str = "round-robin"
    games: int = 2
    """Per meeting; rounded up so that every player has every seat equally often."""
    rounds: int | None = None
    openings: str = "random"
    seed: int = 0
    sprt: tuple[float, float] | None = None
    """Bounds of a test between the first two entrants that ends the tournament when it is decided: of Elo, or of what
    the first gets a game where payoffs count."""
    anchors: dict[str, float] = field(default_factory=dict)
    """Ratings that are known."""
    terms: Terms = field(default_factory=Terms)

    @classmethod
    def from_settings(cls, settings: Mapping[str, Any]) -> Plan:
        """The plan that `settings`, as a store keeps them, describe."""
        known = {each.name for each in fields(cls)}
        given = {name: value for name, value in settings.items() if name in known}
        try:
            given["entrants"] = tuple(given["entrants"])
            given["sprt"] = None if given["sprt"] is None else tuple(given["sprt"])
            given["terms"] = Terms(**given["terms"])
            plan = cls(**given)
            plan.check_types()
        except (KeyError, TypeError, OptionError) as error:
            raise InputError(
                f"the settings of this tournament are damaged ({error}): take a copy of the file, or begin anew"
            ) from None
        return plan

    def check_types(self) -> None:
        """Refuses settings that are not texts and numbers as they should be."""
        check_fields(self, SETTINGS)
        check_fields(self.terms, TERMS)
        for name in self.entrants:
            text().check("entrants", name)
        if not isinstance(self.anchors, dict) or (self.sprt is not None and len(self.sprt) != 2):
            raise OptionError("anchors must be a record of ratings, and sprt a pair of Elo bounds")
        for rating in (*self.anchors.values(), *(self.sprt or ())):
            number().check("a rating", rating)

    def check(self, game: Game, own: Sequence[str] = (), unit: str | None = None) -> None:
        """Refuses a plan that cannot be played, before anything is; `own` are players that exist as objects.

        `unit` is what payoffs count, if that was settled before.
        """
        unit = unit_of(game) if unit is None else unit
        TimeControl.read(self.terms.clock, self.terms.margin)
        self.check_types()
        if game.players < 2:
            raise OptionError(f"{game.name} is for one player, so nobody can meet anybody in it")
        doubled = {name for name in self.entrants if self.entrants.count(name) > 1}
        if doubled:
            raise OptionError(f"{min(doubled)} is entered twice: entrants are told apart by their text")
        for name in self.entrants:
            if name.partition(":")[0] == "human":
                raise OptionError("a person cannot be entered in a tournament; use `zermelo play`")
            if name not in own:
                try_player(name, game)
        unknown = set(self.anchors) - set(self.entrants)
        if unknown:
            raise OptionError(f"{min(unknown)!r} has a rating but is not entered")
        terms = self.terms
        resign = None if terms.resign is None else ResignRule.read(terms.resign)
        draw = None if terms.draw is None else DrawRule.read(terms.draw)
        check_rules(game, [resign, draw])
        if terms.solution is not None and not Path(terms.solution).is_file():
            made = f"zermelo solve GAME --strongly --save {terms.solution}"
            raise OptionError(f"there is no file {terms.solution}; `{made}` makes it")
        if self.sprt is not None:
            if len(self.entrants) != 2 or game.kind.sides != 2:
                raise OptionError("a sequential test is between two entrants of a game for two")
            test = make_test(self.sprt, unit)
            if isinstance(test, PayoffSprt):
                test.check(game.bounds[1] - game.bounds[0])
        check_rule(game, terms.adjust, unit)
        make_schedule(self.format, len(self.entrants), game.kind.sides, self.rounds)

    def varying(self, own: Mapping[str, Any]) -> list[int]:
        """The entrants who say that they vary, by number; `own` are players that exist as objects, by their names."""
        players = (own[name] if name in own else make_player(name) for name in self.entrants)
        return [number for number, player in enumerate(players) if varies(player)]

    def encounters(self, seats: int) -> int:
        """The number of openings per meeting: from each, every player has every seat once."""
        return -(-self.games // seats)

    def openings_wanted(self, seats: int) -> int:
        """Openings for as many rounds as there will probably be, and at most as many as are made at all."""
        usual = 1 if self.format in ("round-robin", "gauntlet") else math.ceil(math.log2(len(self.entrants))) + 1
        return min(self.encounters(seats) * (self.rounds or usual), MOST_OPENINGS)


FOREIGN_KINDS = ("python", "uci", "gtp", "xboard")
"""Kinds of players that run a program or a file from outside the package."""


def foreign_code(game: str, players: Iterable[str]) -> list[str]:
    """Those of the texts that run code from outside the package when they are loaded."""
    kinds = ((name, name.partition(":")[0].strip().lower()) for name in players)
    return [*([game] if runs_code(game) else []), *(name for name, kind in kinds if kind in FOREIGN_KINDS)]


def check_trust(path: str | Path, foreign: Sequence[str]) -> None:
    """Raises an `OptionError` if the file `path`, which is not trusted, names code to run."""
    if foreign:
        raise OptionError(
            f"{path} names code that would run here: {', '.join(foreign)}; "
            f"add --trust (in Python: trust=True) if you know where the file is from"
        )


def try_player(name: str, game: Game) -> None:
    """Refuses a player that cannot play the game; one that fails in a process of its own loses its games one by one."""
    player = make_player(name)
    if not isinstance(player, Guest) or isinstance(player, OutsidePlayer):
        return
    try:
        player.begin(game, 0)
        if isinstance(player, SearchPlayer):
            player.rehearse(game)
    except PlayerError:
        if not isinstance(player, PythonPlayer):
            raise
    finally:
        player.close()
