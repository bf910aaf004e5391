"""Games made of noise: each starting state is another game, so that one compilation serves thousands of them."""

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.game import Game

MASK = (1 << 31) - 1


def scramble(x: int, y: int) -> int:
    """A number that looks random, from 0 to 2³¹ − 1, the same in Python and compiled."""
    x = (x * 1103515245 + y * 69069 + 12345) & MASK
    x ^= x >> 15
    x = (x * 48271 + 11) & MASK
    return x ^ (x >> 13)


class NoiseTree(Game):
    """A tree whose branching, ends, movers and utilities follow from a number; no position is reached twice."""

    scale = 10.0
    bounds = (-1.0, 1.0)

    class State(NamedTuple):
        noise: int
        left: int  # plies to go at most
        turn: int

    def initial(self) -> State:
        return self.State(1, 6, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            for a in range(1 + scramble(s.noise, 1) % 4):
                yield a

    def result(self, s: State, a: int) -> State:
        noise = scramble(s.noise, a + 2)
        stays = scramble(noise, 99) % 8 == 0  # now and then the same player moves again
        return self.State(noise, s.left - 1, s.turn if stays else 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0 or scramble(s.noise, 3) % 9 == 0

    def utility(self, s: State, p: int) -> float:
        points = scramble(s.noise, 4) % 21 - 10
        return (points if p == 0 else -points) / 10

    def evaluate(self, s: State, p: int) -> float:
        points = scramble(s.noise, 5) % 19 - 9
        return (points if p == 0 else -points) / 10

    def priority(self, s: State, a: int) -> float:
        return float(scramble(s.noise, a + 20) % 5)

    def is_noisy(self, s: State, a: int) -> bool:
        return scramble(s.noise, a + 40) % 4 == 0

    def pass_turn(self, s: State) -> State:
        return self.State(s.noise, s.left - 1, 1 - s.turn)


class NoiseNet(Game):
    """Tokens on a small net: positions are reached by many paths, and with `repetition` the net may have cycles."""

    scale = 1.0

    class State(NamedTuple):
        net: int
        place: int
        ply: int  # stays 0 in a net with cycles
        turn: int

    def __init__(self, loops: bool = False, places: int = 24):
        self.loops = loops
        self.places = places
        self.repetition = "draw" if loops else None

    def initial(self) -> State:
        return self.State(1, 0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            for a in range(1 + scramble(s.net, s.place) % 3):
                yield a

    def result(self, s: State, a: int) -> State:
        place = scramble(s.net + 7 * a, s.place) % self.places
        return self.State(s.net, place, 0 if self.loops else s.ply + 1, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        if not self.loops and s.ply == 12:
            return True
        return scramble(s.net, s.place + 1000) % 6 == 0

    def utility(self, s: State, p: int) -> float:
        points = scramble(s.net, s.place + 2000) % 3 - 1
        return float(points if p == 0 else -points)


class CheckedNet(NoiseNet):
    """A net with cycles in which perpetual check loses."""

    def __init__(self, places: int = 5):
        super().__init__(loops=True, places=places)
        self.repetition = "perpetual"

    def is_check(self, s: NoiseNet.State) -> bool:
        return scramble(s.net, s.place + 3000 + 100 * s.turn) % 3 > 0
