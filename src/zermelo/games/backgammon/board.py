"""A position of backgammon taken out of its bytes (`native/games/backgammon/state.hpp`), and plays chequer by chequer.

    every way ends at the board of its play, uses as many dice as can be used, and is legal at each step

Places are points as the player counts them, `bar` and `off`; a step is a chequer's place and where its die brings it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import chain
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


def pip_count(side: Sequence[int]) -> int:
    """The pips that a player still has to go."""
    return sum(count * (point + 1) for point, count in enumerate(side))


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


HOME = 6
NAMES = {BAR: "bar", -1: "off"}

Way = tuple[tuple[str, str], ...]


class Half(NamedTuple):
    """A play that is half made."""

    own: tuple[int, ...]
    other: tuple[int, ...]
    """The opponent's chequers, in its own count."""
    dice: tuple[int, ...]
    """Those not yet used."""


def name_point(point: int) -> str:
    """What people call a point, counted from 0."""
    return NAMES.get(point, str(point + 1))


def begin(position: BackgammonPosition) -> Half:
    """Nothing is played yet; of a double there are four dice."""
    first, second = position.dice
    dice = (first,) * 4 if first == second else (first, second)
    return Half(position.sides[position.turn], position.sides[1 - position.turn], dice)


def ways_to(position: BackgammonPosition, action: int) -> list[Way]:
    """All ways to make a play; none of what is no play."""
    if position.phase != Phase.PLAY or not action:
        return []
    half = begin(position)
    for step in steps_of(action):
        half = advance(half, step, half.dice[0])
    return _all_ways(begin(position)).get((half.own, half.other), [])


def after(position: BackgammonPosition, steps: Sequence[Sequence[str]]) -> Half:
    """The play once these steps, of one of its ways, have been made."""
    half = begin(position)
    for start, to in steps:
        half = next(each for each, step in moves(half) if (name_point(step.start), name_point(step.to)) == (start, to))
    return half


def touched_by(way: Way, turns: bool) -> list[tuple[str, int]]:
    """The points that a play touched, each with one of the chequers there, counted from the top; if the turn passes
    (`turns`), the opponent counts them from the other side. The player's bar and tray are not places then."""
    starts, ends = Counter(start for start, _ in way), Counter(to for _, to in way)
    found = []
    for name in dict.fromkeys(chain(*way)):
        if name.isdecimal():
            arrived = max(ends[name] - starts[name], 1)
            called = str(POINTS + 1 - int(name)) if turns else name
            found += [(called, -1 - number) for number in range(arrived)]
    return found


@lru_cache(maxsize=16)
def _all_ways(half: Half) -> dict[tuple[tuple[int, ...], tuple[int, ...]], list[Way]]:
    """The ways to every board that can be reached, in the order of the dice."""
    found: dict[tuple[tuple[int, ...], tuple[int, ...]], list[Way]] = {}

    def walk(half: Half, way: Way) -> None:
        if way:
            found.setdefault((half.own, half.other), []).append(way)
        for further, step in moves(half):
            walk(further, (*way, (name_point(step.start), name_point(step.to))))

    walk(half, ())
    # As many dice must be used as can be; who bears the last chequer off needs no more.
    most = max((len(way) for ways in found.values() for way in ways), default=0)
    return {board: [way for way in ways if len(way) == most or not any(board[0])] for board, ways in found.items()}


def moves(half: Half) -> Iterator[tuple[Half, ChequerStep]]:
    """What one chequer can do with one of the dice."""
    for die in dict.fromkeys(half.dice):
        for start in (BAR,) if half.own[BAR] else range(POINTS - 1, -1, -1):
            if half.own[start] and _can_go(half, start, die):
                step = ChequerStep(start, max(start - die, -1))
                yield advance(half, step, die), step


def _can_go(half: Half, start: int, die: int) -> bool:
    to = start - die
    if to >= 0:
        return half.other[POINTS - 1 - to] < 2
    # A chequer is borne off when all are at home, by a die too large only from the last point.
    return not any(half.own[HOME:]) and (to == -1 or not any(half.own[start + 1 :]))


def advance(half: Half, step: ChequerStep, die: int) -> Half:
    """After one step, which may hit."""
    own, other, dice = list(half.own), list(half.other), list(half.dice)
    own[step.start] -= 1
    dice.remove(die)
    if step.to >= 0:
        own[step.to] += 1
        facing = POINTS - 1 - step.to
        if other[facing]:
            other[BAR] += other[facing]
            other[facing] = 0
    return Half(tuple(own), tuple(other), tuple(dice))
