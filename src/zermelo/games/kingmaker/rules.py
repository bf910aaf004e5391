"""The rules of the take-away game for more than two.

With three players and plain prizes, whoever cannot win may still decide who does. Such a *kingmaker* is
indifferent, so that the values of the game depend on how searches break ties; with `podium`, where the
other places count too, they do not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.errors import PositionError
from zermelo.game import Game
from zermelo.options import flag, takes, whole


class Kingmaker(Game["Kingmaker.State", int]):
    """Three players take turns to take a stone or two from a heap; whoever takes the last one wins."""

    shelf = "theory"

    bounds = (0.0, 1.0)

    class State(NamedTuple):
        stones: int
        turn: int

    @takes(
        stones=whole(1, 10_000, about="stones in the heap"),
        most=whole(1, about="stones that one may take at most"),
        players=whole(2, 9, about="players"),
        podium=flag(about="whether whoever comes second gets something, too"),
    )
    def __init__(self, stones: int = 7, most: int = 2, players: int = 3, podium: bool = False):
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
