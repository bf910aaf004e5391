"""The rules of the take-away game for more than two.

With three players and plain prizes, whoever cannot win may still decide who does. Such a *kingmaker* is
indifferent, so that the values of the game depend on how searches break ties; with `podium`, where the
other places count too, they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.errors import OptionError, PositionError
from zermelo.game import Game


class Kingmaker(Game):
    """Take turns to take one stone, or a few, from a heap; whoever takes the last one wins the prize of 1."""

    bounds = (0.0, 1.0)

    class State(NamedTuple):
        stones: int
        turn: int

    def __init__(self, stones: int = 7, most: int = 2, players: int = 3, podium: bool = False):
        if not 1 <= stones <= 10_000 or most < 1 or not 2 <= players <= 9:
            raise OptionError(
                "stones must be 1 to 10,000, most 1 or more and players 2 to 9, as in stones=7,most=2,players=3; "
                f"not {stones}, {most} and {players}"
            )
        self.stones = stones
        self.most = most
        self.players = players
        self.podium = podium
        self.utility_sum = players / 2 if podium else 1.0

    def initial(self) -> State:
        return self.State(self.stones, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for stones in range(1, min(self.most, s.stones) + 1):
            yield stones

    def result(self, s: State, a: int) -> State:
        return self.State(s.stones - a, (s.turn + 1) % self.players)

    def is_terminal(self, s: State) -> bool:
        return s.stones == 0

    def utility(self, s: State, p: int) -> float:
        place = (s.turn - 1 - p) % self.players  # 0 for whoever moved last, 1 for the one before, …
        if self.podium:
            return 1.0 - place / (self.players - 1)
        return 1.0 if place == 0 else 0.0

    def is_irreversible(self, s: State, a: int) -> bool:
        return True

    def read(self, text: str) -> State:
        s: Kingmaker.State = super().read(text)
        if s.stones < 0 or not 0 <= s.turn < self.players:
            raise PositionError(f"{text!r} is not a position: write (stones,player), players 0 to {self.players - 1}")
        return s

    def show(self, s: State) -> str:
        return f"{'●' * s.stones} {s.stones}\nplayer {s.turn} to move"
