"""A game of taking stones that breaks in the process in which it is looked at, as it is told to.

`advice` breaks when a player of the package weighs a position, `rules` when nobody is to move.
"""

import ctypes
import os
import sys
import time
from typing import NamedTuple

from zermelo.game import Game


class Stones(Game):
    class State(NamedTuple):
        stones: int
        turn: int

    def __init__(self, stones: int = 12, advice: str = "", rules: str = ""):
        self.stones = stones
        self.advice = advice
        self.rules = rules

    def initial(self):
        return self.State(self.stones, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        yield 1
        if s.stones > 1:
            yield 2

    def result(self, s, a):
        if s.stones < self.stones - 2:
            fail(self.rules)
        return self.State(s.stones - a, 1 - s.turn)

    def is_terminal(self, s):
        return s.stones == 0

    def utility(self, s, p):
        return -1.0 if p == s.turn else 1.0

    def evaluate(self, s, p):
        fail(self.advice)
        return 0.0


class Pairs(Game):
    """Actions are pairs; whoever names the greater sum wins."""

    class State(NamedTuple):
        said: int
        turn: int

    def initial(self):
        return self.State(0, 0)

    def player(self, s):
        return s.turn

    def actions(self, s):
        for a in range(3):
            for b in range(3):
                yield (a, b)

    def result(self, s, a):
        return self.State(s.said + (1 - 2 * s.turn) * sum(a), s.turn + 1)

    def is_terminal(self, s):
        return s.turn == 2

    def utility(self, s, p):
        return float((s.said > 0) - (s.said < 0)) * (1 - 2 * p)


def fail(fault):
    if fault == "segfault":
        ctypes.string_at(0)
    if fault == "exit":
        os._exit(7)
    if fault == "leave":
        sys.exit(9)
    if fault == "raise":
        raise LookupError("lost")
    while fault == "hang":
        time.sleep(0.01)
