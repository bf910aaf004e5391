"""How strong a person plays a game, by the results against opponents of known rating: Glicko, one game at a time.

    r′ = r + q · d² · g · (score − expected),   1/d² = 1/σ² + q² g² · expected · (1 − expected)

σ is how uncertain the rating r was, d how uncertain it is now, q = ln 10 / 400, and g < 1 weakens what a game against
an opponent of uncertain rating says. So the first games move a rating by much, later ones by less; σ never falls below
a floor, so that the rating still follows a person who learns.
"""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from zermelo.arena.calibrate import files
from zermelo.arena.calibrate.ladder import FARTHEST_ELO, Ladder, is_rating
from zermelo.arena.statistics.elo import ELO_PER_NAT
from zermelo.game import Game

MAGIC = "zermelo record 1"
REMEDY = "mend it, or move it away to begin a new record"
UNKNOWN_DEVIATION_ELO = 350.0
"""The deviation of a rating before the first game."""
LEAST_DEVIATION_ELO = 50.0
"""The least deviation of a person's rating."""
START_SHARE = 1 / 3
"""Where on the ladder an unknown person begins, as a part of the way up."""


@dataclass(frozen=True, slots=True)
class RatedGame:
    """A game that counted."""

    date: str
    opponent: float
    """The opponent's rating."""
    score: float
    seat: int


@dataclass(frozen=True, slots=True)
class RatedPerson:
    """A person's rating in one game, and the games it comes from."""

    elo: float
    deviation: float
    games: tuple[RatedGame, ...] = ()

    @classmethod
    def newcomer(cls, ladder: Ladder) -> RatedPerson:
        return cls(ladder.lowest + START_SHARE * (ladder.highest - ladder.lowest), UNKNOWN_DEVIATION_ELO)

    def after(self, opponent: float, uncertainty: float, score: float, seat: int) -> RatedPerson:
        """The person after one more game against an opponent whose rating has this standard error."""
        q = 1 / ELO_PER_NAT
        g = 1 / math.sqrt(1 + 3 * (q * uncertainty / math.pi) ** 2)
        expected = 1 / (1 + math.exp(-g * q * (self.elo - opponent)))
        precision = 1 / self.deviation**2 + q * q * g * g * expected * (1 - expected)
        date = datetime.now(UTC).isoformat(timespec="seconds")
        return replace(
            self,
            elo=self.elo + q * g * (score - expected) / precision,
            deviation=max(1 / math.sqrt(precision), LEAST_DEVIATION_ELO),
            games=(*self.games, RatedGame(date, opponent, score, seat)),
        )

    def data(self, game: str) -> dict[str, object]:
        """The record as it is stored."""
        own = {"format": MAGIC, "game": game, "elo": round(self.elo, 1), "deviation": round(self.deviation, 1)}
        return {**own, "games": [asdict(game) for game in self.games]}


def read_person(game: Game) -> RatedPerson | None:
    """What is kept of the person who plays `game` here; `None` if that is nothing yet."""
    path = files.place_of("records", game)
    found = files.read(path, MAGIC, REMEDY)
    if found is None:
        return None
    try:
        person = RatedPerson(found["elo"], found["deviation"], tuple(RatedGame(**each) for each in found["games"]))
    except (KeyError, TypeError):
        raise files.damaged(path, MAGIC, REMEDY) from None
    numbers = [
        person.elo,
        person.deviation,
        *(number for each in person.games for number in (each.opponent, each.score)),
    ]
    if not all(is_rating(number) and abs(number) <= FARTHEST_ELO for number in numbers) or person.deviation <= 0:
        raise files.damaged(path, MAGIC, REMEDY)
    return person


def keep_person(game: Game, person: RatedPerson) -> Path:
    """Keeps what is known of the person who plays `game` here."""
    path = files.place_of("records", game)
    files.write(path, person.data(game.name))
    return path
