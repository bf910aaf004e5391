"""Small games that show one thing each."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from zermelo.game import Game


class Countdown(Game):
    """One action a turn for `plies` turns; the last to move wins. As deep as one likes."""

    class State(NamedTuple):
        left: int
        turn: int

    def __init__(self, plies: int = 5000):
        self.plies = plies

    def initial(self) -> State:
        return self.State(self.plies, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        yield 1

    def result(self, s: State, a: int) -> State:
        return self.State(s.left - a, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0


class Hurry(Game):
    """A win now by action 1, or one that comes later and later by action 0: equal values, unequal haste.

    The mirror image for who is losing: player 1 can give up at once (1) or hold out (0) before it loses.
    """

    class State(NamedTuple):
        ply: int
        over: bool

    def __init__(self, loser_first: bool = False, plies: int = 6):
        self.loser_first = loser_first
        self.plies = plies

    def initial(self) -> State:
        return self.State(0, False)

    def player(self, s: State) -> int:
        return s.ply % 2

    def actions(self, s: State) -> Iterator[int]:
        yield 0
        if s.ply % 2 == 0:
            yield 1

    def result(self, s: State, a: int) -> State:
        return self.State(s.ply + 1, a == 1 or s.ply + 1 == self.plies)

    def is_terminal(self, s: State) -> bool:
        return s.over

    def utility(self, s: State, p: int) -> float:
        return -1.0 if (p == 0) == self.loser_first else 1.0


class Shuffle(Game):
    """Two players take turns moving one token on a ring of three places. It never ends but by repetition."""

    def __init__(self, repetition: Any = "draw"):
        self.repetition = repetition

    class State(NamedTuple):
        place: int
        turn: int

    def initial(self) -> State:
        return self.State(0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        yield 1
        yield 2

    def result(self, s: State, a: int) -> State:
        return self.State((s.place + a) % 3, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return False

    def utility(self, s: State, p: int) -> float:
        return 0.0


class OneWay(Shuffle):
    """`Shuffle` with one action only, so that a rule against repetition leaves none in the end."""

    def actions(self, s: Shuffle.State) -> Iterator[int]:
        yield 1
