"""The score of a rubber: what a deal adds below and above the line, games, and what the end of the rubber is worth."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games._bridge.score import (
    GAME_POINTS,
    RUBBER,
    UNFINISHED_GAME,
    UNFINISHED_PART,
    premium,
    trick_score,
)
from zermelo.games.bridge.auction import Contract

Two = tuple[int, int]
GAMES = 2
"""As many win the rubber."""


class Score(NamedTuple):
    """Of north and south, and of east and west."""

    points: Two = (0, 0)  # all, above and below the line
    below: Two = (0, 0)  # of the game that is under way
    games: Two = (0, 0)

    @property
    def is_over(self) -> bool:
        return max(self.games) == GAMES

    @property
    def vulnerable(self) -> str:
        """The sides that have won a game, as a board says it."""
        return {(0, 0): "none", (1, 0): "NS", (0, 1): "EW"}.get(self.games, "both")

    def after(self, contract: Contract | None, tricks: int, book: int) -> Score:
        """With a deal in which the declarer took so many tricks; `None` if all have passed."""
        if contract is None:
            return self
        level, strain, doubled, declarer = contract
        side = declarer % 2
        extra = premium(level, strain, tricks, self.games[side] > 0, doubled, book)
        if tricks < level + book:
            return self._replace(points=added(self.points, 1 - side, -extra))
        made = trick_score(level, strain, doubled)
        points, below = added(self.points, side, made + extra), added(self.below, side, made)
        if below[side] < GAME_POINTS:
            return Score(points, below, self.games)
        return Score(points, (0, 0), added(self.games, side, 1))

    def bonus(self) -> Two:
        """What the end of the rubber adds, whether it is finished or not."""
        if self.is_over:
            side = self.games.index(GAMES)
            return added((0, 0), side, RUBBER[self.games[1 - side]])
        total = (0, 0)
        for worth, held in ((UNFINISHED_GAME, self.games), (UNFINISHED_PART, self.below)):
            if bool(held[0]) != bool(held[1]):
                total = added(total, 0 if held[0] else 1, worth)
        return total

    def lead(self) -> int:
        """How many points north and south are ahead, if the rubber ends here."""
        bonus = self.bonus()
        return self.points[0] + bonus[0] - self.points[1] - bonus[1]

    def text(self) -> str:
        """As in a position: `points 120-50 below 60-0 games 0-1`."""
        return " ".join(f"{name} {each[0]}-{each[1]}" for name, each in zip(self._fields, self, strict=True))


def added(two: Two, side: int, number: int) -> Two:
    return (two[0] + number, two[1]) if side == 0 else (two[0], two[1] + number)
