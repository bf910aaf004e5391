"""A game of the tests in which perpetual check loses."""

from collections.abc import Iterator
from typing import NamedTuple

from zermelo import Game


class Chase(Game):
    """The first player may check and move the second from one place to the other, or lose."""

    repetition = "perpetual"

    class State(NamedTuple):
        place: int
        turn: int
        lost: bool

    def initial(self) -> State:
        return self.State(0, 0, False)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        yield 0
        if s.turn == 0:
            yield 1

    def result(self, s: State, a: int) -> State:
        return self.State(1 - s.place if s.turn == 1 else s.place, 1 - s.turn, a == 1)

    def is_terminal(self, s: State) -> bool:
        return s.lost

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == 0 else 1.0

    def is_check(self, s: State) -> bool:
        return s.turn == 1
