"""A value as the protocols write it: centipawns, or moves to a win.

The unit is the same for every game: 10,000 centipawns are the distance from a draw to a win, so that a "pawn" is a
hundredth of it. A win or a loss that the line shows to the end is given in moves of the player to move: `mate 3`,
`mate -2`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.game import Game
from zermelo.game.contract import A, S

WIN_CENTIPAWNS = 10_000
"""Centipawns from a draw to a win."""
UNBOUNDED_CENTIPAWNS = 100
"""Centipawns that one unit of utility is worth in a game without bounds."""
LEADING_NUMBERS = ("depth", "seldepth", "multipv")
FOLLOWING_NUMBERS = ("nodes", "nps", "hashfull", "tbhits", "time")
INFO_NUMBERS = (*LEADING_NUMBERS, *FOLLOWING_NUMBERS)
ONE_NUMBER_FIELDS = {*INFO_NUMBERS, "sbhits", "cpuload", "currmovenumber"}
"""The fields that have one number."""


class Score(NamedTuple):
    """`cp 30` or `mate -2`, for the player to move."""

    kind: str
    number: int


def write_score(game: Game[S, A], state: S, value: float, line: Sequence[A]) -> Score:
    """The score of a `value` for the player to move in `state`, with best play along `line`."""
    if _is_decided(game, value):
        moves = _moves_to_the_end(game, state, line)
        if moves:
            return Score("mate", moves if value > game.neutral else -moves)
    return Score("cp", round((value - game.neutral) * _unit(game, value > game.neutral)))


def read_score(game: Game, score: Score) -> float:
    """The value that `score` stands for; an estimate stays inside the bounds of the game."""
    low, high = game.bounds
    if score.kind == "mate":
        return high if score.number > 0 else low
    unit = _unit(game, score.number > 0)
    return min(max(game.neutral + score.number / unit, low), high)


def _unit(game: Game, winning: bool) -> float:
    """Centipawns for one unit of utility, above or below that of a draw."""
    low, high = game.bounds
    way = high - game.neutral if winning else game.neutral - low
    return WIN_CENTIPAWNS / way if 0 < way < math.inf else UNBOUNDED_CENTIPAWNS


def _is_decided(game: Game, value: float) -> bool:
    """Whether `value` is a win or a loss, which no estimate is."""
    low, high = game.bounds
    return low < game.neutral < high and value in (low, high)


def _moves_to_the_end(game: Game[S, A], state: S, line: Sequence[A]) -> int:
    """How often the player to move moves along `line`, if that ends the game; 0 if it does not."""
    if game.is_terminal(state):
        return 0
    mover = game.player(state)
    moves = 0
    for action in line:
        if game.is_terminal(state):
            return 0
        moves += game.player(state) == mover
        state = game.result(state, action)
    return moves if game.is_terminal(state) else 0


@dataclass(frozen=True, slots=True)
class Info:
    """One `info` line; fields it does not have are `None`."""

    depth: int | None = None
    seldepth: int | None = None
    """The deepest ply that was entered."""
    multipv: int | None = None
    score: Score | None = None
    bound: str = ""
    """`lowerbound` or `upperbound` if the score is only a bound."""
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    """Thousandths of the transposition table that this search has filled."""
    tbhits: int | None = None
    """Positions found in endgame tables."""
    time: int | None = None
    """Milliseconds."""
    line: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = ["info"]
        for name in LEADING_NUMBERS:
            if getattr(self, name) is not None:
                parts.append(f"{name} {getattr(self, name)}")
        if self.score is not None:
            parts.append(f"score {self.score.kind} {self.score.number}")
            parts += [self.bound] if self.bound else []
        for name in FOLLOWING_NUMBERS:
            if getattr(self, name) is not None:
                parts.append(f"{name} {getattr(self, name)}")
        if self.line:
            parts.append(f"pv {' '.join(self.line)}")
        return " ".join(parts)


def read_info(text: str) -> Info:
    """What the line `text` says, as far as it can be understood; invalid numbers are ignored."""
    words = text.split()
    numbers: dict[str, int] = {}
    score: Score | None = None
    bound = ""
    line: tuple[str, ...] = ()
    at = 1
    while at < len(words):
        word = words[at]
        if word == "string":
            break
        if word == "pv":
            line = tuple(words[at + 1 :])
            break
        if word in ONE_NUMBER_FIELDS and at + 1 < len(words):
            number = read_number(words[at + 1])
            if number is not None and word in INFO_NUMBERS:
                numbers[word] = number
            at += 1
        elif word == "score" and at + 2 < len(words) and words[at + 1] in ("cp", "mate"):
            number = read_number(words[at + 2])
            score = score if number is None else Score(words[at + 1], number)
            at += 2
        elif word in ("lowerbound", "upperbound"):
            bound = word
        at += 1
    return Info(score=score, bound=bound, line=line, **numbers)


def read_number(text: str) -> int | None:
    """A whole number of at most 18 digits; `None` for everything else."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None
