"""A dice game as wide as one likes, for measuring how much pruning saves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.game import CHANCE, Game

MASK = (1 << 31) - 1


def scramble(x: int, y: int) -> int:
    """A number that looks random, from 0 to 2³¹ − 1, the same in Python and compiled."""
    x = (x * 1103515245 + y * 69069 + 12345) & MASK
    x ^= x >> 15
    x = (x * 48271 + 11) & MASK
    return x ^ (x >> 13)


class Drift(Game):
    """Two players push a level up and down, each after a roll of the dice; what a push brings follows from noise.

    Like backgammon it has many plays to a roll, and its estimate, the level, says much about what is to come.
    """

    class State(NamedTuple):
        noise: int
        level: int
        left: int  # pushes to go
        turn: int
        rolling: bool

    def __init__(self, plays: int = 12, rolls: int = 6, length: int = 4):
        self.plays = plays
        self.rolls = rolls
        self.length = length
        self.most = 12.0 * length

    def initial(self) -> State:
        return self.State(1, 0, self.length, 0, False)

    def player(self, s: State) -> int:
        return CHANCE if s.rolling else s.turn

    def actions(self, s: State) -> Iterator[int]:
        for a in range(self.rolls if s.rolling else self.plays):
            yield a

    def chances(self, s: State) -> Iterator[tuple[int, float]]:
        for a in range(self.rolls):
            yield a, 1.0 / self.rolls

    def result(self, s: State, a: int) -> State:
        noise = scramble(s.noise, a + 2)
        if s.rolling:
            return self.State(noise, s.level, s.left, s.turn, False)
        push = scramble(noise, 5) % 9 - 4
        return self.State(noise, s.level + push, s.left - 1, 1 - s.turn, True)

    def is_terminal(self, s: State) -> bool:
        return s.left == 0

    def utility(self, s: State, p: int) -> float:
        return (s.level if p == 0 else -s.level) / self.most

    def evaluate(self, s: State, p: int) -> float:
        return (s.level if p == 0 else -s.level) / self.most
