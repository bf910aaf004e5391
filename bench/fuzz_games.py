"""Games for the fuzz run: sound ones made of noise, and ones that break the contract wherever that is possible.

A game of trouble carries its trouble in its state, so that one compilation serves all of them: `TROUBLES` says what
each number does, and every method may also raise.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy

from zermelo.game import Game

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.twins.random_games import CheckedNet, NoiseNet, NoiseTree, scramble
from tests.twins.test_random_rules import rules as random_rules

__all__ = ["CheckedNet", "NoiseNet", "NoiseTree", "Trouble", "TroubleInside", "random_rules"]

METHODS = (
    "player",
    "actions",
    "result",
    "is_terminal",
    "utility",
    "evaluate",
    "priority",
    "is_noisy",
    "target",
    "pass_turn",
    "is_irreversible",
)
"""Troubles from 1 on: the method of that number raises `LookupError`."""
TROUBLES = (
    "no action",
    "many actions",
    "actions out of range",
    "actions twice",
    "a mover too high",
    "a mover below chance",
    "a chance node without chances",
    "another shape",
    "an index out of range",
    "a division by zero",
    "a step that changes nothing",
    "a utility that is no number",
    "an infinite utility",
    "utilities beyond the bounds",
    "an estimate that is no number",
    "an infinite estimate",
    "estimates beyond the bounds",
    "priorities that are no numbers",
    "noise without end",
    "targets out of range",
    "a pass that ends the game",
    "a pass that changes nothing",
    "everything irreversible",
    "no end",
)
"""The troubles after those of `METHODS`, in order."""
FIRST = len(METHODS) + 1
(
    NO_ACTION, MANY, OUT_OF_RANGE, TWICE, HIGH_MOVER, LOW_MOVER, CHANCE_NODE, SHAPE, INDEX, DIVISION, STANDS_STILL,
    NAN_UTILITY, INFINITE_UTILITY, GREAT_UTILITY, NAN_ESTIMATE, INFINITE_ESTIMATE, GREAT_ESTIMATE, NAN_PRIORITY, NOISE,
    TARGETS, PASS_ENDS, PASS_STAYS, IRREVERSIBLE, NO_END,
) = range(FIRST, FIRST + len(TROUBLES))  # fmt: skip
NAN, INFINITY = math.nan, math.inf


class Trouble(Game):
    """A random tree with six methods; `trouble` in the state says what goes wrong, `rarity` at how many positions."""

    class State(NamedTuple):
        noise: int
        left: int  # plies to go at most
        turn: int
        trouble: int
        rarity: int
        cells: Any

    def __init__(self, players: int = 2, repetition: Any = None, total: float = 0.0):
        self.players = players
        self.repetition = repetition
        self.utility_sum = total
        self.bounds = (-1.0, 1.0) if total == 0.0 else (0.0, 1.0)
        self.base, self.step = (0.0, 10.0) if total == 0.0 else (0.5, 20.0)

    def initial(self) -> State:
        return self.State(1, 5, 0, 0, 1, numpy.zeros(4, numpy.int16))

    def strikes(self, s: State, trouble: int) -> bool:
        return s.trouble == trouble and scramble(s.noise, 77) % s.rarity == 0

    def fails(self, s: State, method: int) -> None:
        if self.strikes(s, method):
            raise LookupError("a rule fails on purpose")

    def player(self, s: State) -> int:
        self.fails(s, 1)
        if self.strikes(s, HIGH_MOVER):
            return 1 << 40 if s.noise % 2 else 2
        if self.strikes(s, LOW_MOVER):
            return -2
        return -1 if self.strikes(s, CHANCE_NODE) else s.turn

    def actions(self, s: State) -> Iterator[int]:
        count = 1 + scramble(s.noise, 1) % 4
        if self.strikes(s, NO_ACTION) or self.is_terminal(s):
            count = 0
        if self.strikes(s, MANY):
            count = 70_000
        for a in range(count):
            yield a
            self.fails(s, 2)
            if self.strikes(s, TWICE):
                yield a
            if self.strikes(s, OUT_OF_RANGE):
                yield -1 if s.noise % 2 else (1 << 62) + a

    def result(self, s: State, a: int) -> State:
        self.fails(s, 3)
        cells = s.cells.copy()
        if self.strikes(s, STANDS_STILL):
            return self.State(s.noise, s.left, s.turn, s.trouble, s.rarity, cells)
        if self.strikes(s, SHAPE):
            cells = numpy.zeros(s.noise % 9, numpy.int16)
        elif self.strikes(s, INDEX):
            cells[a + 4] = 1
        else:
            cells[a % 4] += 1 // (0 if self.strikes(s, DIVISION) else 1)
        stays = self.players == 1 or scramble(s.noise, a + 90) % 8 == 0
        noise = scramble(s.noise, a % 1000 + 2)
        return self.State(noise, s.left - 1, s.turn if stays else 1 - s.turn, s.trouble, s.rarity, cells)

    def is_terminal(self, s: State) -> bool:
        self.fails(s, 4)
        if self.strikes(s, NO_END):
            return False
        return s.left <= 0 or (s.left < 1000 and scramble(s.noise, 3) % 9 == 0)

    def utility(self, s: State, p: int) -> float:
        self.fails(s, 5)
        if self.strikes(s, NAN_UTILITY):
            return NAN
        if self.strikes(s, INFINITE_UTILITY):
            return INFINITY if p == 0 else -INFINITY
        points = (scramble(s.noise, 4) % 21 - 10) * (1000 if self.strikes(s, GREAT_UTILITY) else 1)
        return self.base + (points if p == 0 else -points) / self.step


class TroubleInside(Trouble):
    """The same with every optional method that the engine asks."""

    scale = 20.0

    def evaluate(self, s: Trouble.State, p: int) -> float:
        self.fails(s, 6)
        if self.strikes(s, NAN_ESTIMATE):
            return NAN
        if self.strikes(s, INFINITE_ESTIMATE):
            return INFINITY
        points = (scramble(s.noise, 5) % 19 - 9) * (1000 if self.strikes(s, GREAT_ESTIMATE) else 1)
        return self.base + (points if p == 0 else -points) / self.step

    def priority(self, s: Trouble.State, a: int) -> float:
        self.fails(s, 7)
        return NAN if self.strikes(s, NAN_PRIORITY) else float(scramble(s.noise, a % 1000 + 20) % 5)

    def is_noisy(self, s: Trouble.State, a: int) -> bool:
        self.fails(s, 8)
        return self.strikes(s, NOISE) or scramble(s.noise, a % 1000 + 40) % 4 == 0

    def target(self, s: Trouble.State, a: int) -> int:
        self.fails(s, 9)
        return (1 << 62) * (1 - 2 * (s.noise % 2)) if self.strikes(s, TARGETS) else a % 4

    def pass_turn(self, s: Trouble.State) -> Trouble.State:
        self.fails(s, 10)
        if self.strikes(s, PASS_STAYS):
            return s
        left = 0 if self.strikes(s, PASS_ENDS) else s.left - 1
        turn = s.turn if self.players == 1 else 1 - s.turn
        return self.State(s.noise, left, turn, s.trouble, s.rarity, s.cells)

    def is_irreversible(self, s: Trouble.State, a: int) -> bool:
        self.fails(s, 11)
        return self.strikes(s, IRREVERSIBLE) or scramble(s.noise, a % 1000 + 60) % 3 == 0


def describe(trouble: int) -> str:
    """What a number in `Trouble.State.trouble` does."""
    if trouble == 0:
        return "sound rules"
    return f"`{METHODS[trouble - 1]}` raises" if trouble < FIRST else TROUBLES[trouble - FIRST]


def start_of_trouble(game: Trouble, chooser: random.Random, trouble: int) -> Trouble.State:
    """A random position with that trouble ahead; now and then one from which lines go on for very long."""
    left = chooser.choice((1, 3, 5, 5, 7, 7, 100_000, 1 << 40))
    turn = 0 if game.players == 1 else chooser.randrange(2)
    cells = numpy.zeros(4, numpy.int16)
    return game.State(chooser.randrange(1 << 31), left, turn, trouble, chooser.choice((1, 3, 10, 30)), cells)
