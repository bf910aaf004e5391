"""A position of backgammon taken out of its bytes; `native/games/backgammon/state.hpp` says how they lie."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from zermelo.engine.native import Bytes

POINTS = 24
BAR = 24
SIDE = POINTS + 1
CHEQUERS = 15
CENTRED = 2

ROLL, DOUBLE, TAKE, DROP = 1, 2, 3, 4
"""The actions about the cube."""
CHOICES = {ROLL: "roll", DOUBLE: "double", TAKE: "take", DROP: "drop"}


class Phase(IntEnum):
    """What happens next."""

    OPENING = 0
    DECIDE = 1
    ANSWER = 2
    ROLL = 3
    PLAY = 4
    OVER = 5


class BackgammonPosition(NamedTuple):
    """All there is to know."""

    sides: tuple[tuple[int, ...], tuple[int, ...]]
    """Chequers of each player, from its own ace point to its bar."""
    phase: Phase
    turn: int
    dice: tuple[int, int]
    cube: int
    """What is at stake."""
    owner: int
    crawford: bool
    points: int
    score: tuple[int, int]


def read_position(data: bytes) -> BackgammonPosition:
    phase, turn, first, second, cube, owner, crawford, points, mine, theirs = data[2 * SIDE : 2 * SIDE + 10]
    sides = (tuple(data[:SIDE]), tuple(data[SIDE : 2 * SIDE]))
    return BackgammonPosition(
        sides, Phase(phase), turn, (first, second), 1 << cube, owner, bool(crawford), points, (mine, theirs)
    )


class ChequerStep(NamedTuple):
    """One chequer's way by one die: indices as the player counts them, the bar is 24, off is −1."""

    start: int
    to: int


def steps_of(action: int) -> list[ChequerStep]:
    """The steps of a play, in the order in which they are made."""
    found = []
    while action:
        start, die = (action & 31) - 1, action >> 5 & 7
        found.append(ChequerStep(start, max(start - die, -1)))
        action >>= 8
    return found


def with_score(s: Bytes, score: tuple[int, int], crawford: bool) -> Bytes:
    """The same state at another score of the match."""
    data = bytearray(s.data)
    data[2 * SIDE + 6] = crawford
    data[2 * SIDE + 8 : 2 * SIDE + 10] = bytes(score)
    return Bytes(bytes(data))
