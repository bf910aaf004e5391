"""A value as the protocols write it: centipawns, or moves to a win; and the chances to win, draw and lose.

A game whose players count in pawns says what a pawn is worth (`Game.pawn`). In all others 10,000 centipawns are the
distance from a draw to a win. A win or a loss whose end is known, by the line or by the plies to it, is given in moves
of the player to move: `mate 3`, `mate -2`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zermelo.game import Game
from zermelo.game.contract import A, S

WIN_CENTIPAWNS = 10_000
"""Centipawns from a draw to a win, in a game that has no pawns."""
UNBOUNDED_CENTIPAWNS = 100
"""Centipawns that one unit of utility is worth in a game without bounds."""
LEADING_NUMBERS = ("depth", "seldepth", "multipv")
FOLLOWING_NUMBERS = ("nodes", "nps", "hashfull", "tbhits", "time", "currmovenumber")
INFO_NUMBERS = (*LEADING_NUMBERS, *FOLLOWING_NUMBERS)
ONE_NUMBER_FIELDS = {*INFO_NUMBERS, "sbhits", "cpuload"}
"""The fields that have one number."""


class Score(NamedTuple):
    """`cp 30` or `mate -2`, for the player to move."""

    kind: str
    number: int


class Odds(NamedTuple):
    """How often of a thousand times the player to move wins, draws and loses."""

    win: int
    draw: int
    loss: int


def has_odds(game: Game) -> bool:
    """Whether a value says how probable a win is: its two players win, draw or lose, and nothing is between."""
    low, high = game.bounds
    return game.kind.scalar and game.players == 2 and low < game.neutral < high and high - low <= 2


def write_odds(game: Game, value: float, exact: bool) -> Odds:
    """The chances of the player to move in a position worth `value`.

    Without a win rate of the game a value is an expected result, and no draw is expected.
    """
    low, high = game.bounds
    if exact and value == game.neutral:
        return Odds(0, 1000, 0)
    if value in (low, high) or game.win_rate is None:
        win = (value - low) / (high - low)
        loss = 1 - win
    else:
        half, spread = game.win_rate
        lead = value - game.neutral
        win, loss = (1 / (1 + math.exp(min((half - v) / spread, 700))) for v in (lead, -lead))
    wins, losses = round(1000 * win), round(1000 * loss)
    wins = min(wins, 1000 - losses)
    return Odds(wins, 1000 - wins - losses, losses)


def write_score(game: Game[S, A], state: S, value: float, line: Sequence[A], plies: int = 0) -> Score:
    """The score of a `value` for the player to move in `state`, with best play along `line`.

    `plies` are those to a win or a loss, which the line may not show to the end; 0 if unknown.
    """
    if _is_decided(game, value):
        moves = _moves_to_the_end(game, state, line, plies)
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
    if game.pawn is not None:
        return 100 / game.pawn
    low, high = game.bounds
    way = high - game.neutral if winning else game.neutral - low
    return WIN_CENTIPAWNS / way if 0 < way < math.inf else UNBOUNDED_CENTIPAWNS


def _is_decided(game: Game, value: float) -> bool:
    """Whether `value` is a win or a loss, which no estimate is."""
    low, high = game.bounds
    return low < game.neutral < high and value in (low, high)


def _moves_to_the_end(game: Game[S, A], state: S, line: Sequence[A], plies: int) -> int:
    """How often the player to move moves along `line`, and then in turn with the other; 0 if the end is unknown."""
    if game.is_terminal(state):
        return 0
    mover = game.player(state)
    moves = 0
    line = line[: plies or None]  # a repetition may end the game before, which the states do not know
    for action in line:
        if game.is_terminal(state):
            return 0
        moves += game.player(state) == mover
        state = game.result(state, action)
    if game.is_terminal(state):
        return moves
    left = plies - len(line)
    return moves + (left + (game.player(state) == mover)) // 2 if plies > 0 else 0


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
    wdl: Odds | None = None
    nodes: int | None = None
    nps: int | None = None
    hashfull: int | None = None
    """Thousandths of the transposition table that this search has filled."""
    tbhits: int | None = None
    """Positions found in endgame tables."""
    time: int | None = None
    """Milliseconds."""
    currmove: str = ""
    """The move that is being searched."""
    currmovenumber: int | None = None
    """Its place in the order of the search, from 1 on."""
    line: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = ["info"]
        for name in LEADING_NUMBERS:
            if getattr(self, name) is not None:
                parts.append(f"{name} {getattr(self, name)}")
        if self.score is not None:
            parts.append(f"score {self.score.kind} {self.score.number}")
            parts += [self.bound] if self.bound else []
        if self.wdl is not None:
            parts.append("wdl {} {} {}".format(*self.wdl))
        if self.currmove:
            parts.append(f"currmove {self.currmove}")
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
    bound = move = ""
    wdl: Odds | None = None
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
        elif word == "wdl":
            shares = [each for each in map(read_number, words[at + 1 : at + 4]) if each is not None]
            wdl = Odds(*shares) if len(shares) == 3 else wdl
            at += len(shares)
        elif word == "currmove" and at + 1 < len(words):
            move = words[at + 1]
            at += 1
        elif word in ("lowerbound", "upperbound"):
            bound = word
        at += 1
    return Info(score=score, bound=bound, wdl=wdl, currmove=move, line=line, **numbers)


def read_number(text: str) -> int | None:
    """A whole number of at most 18 digits; `None` for everything else."""
    digits = text[1:] if text[:1] in ("-", "+") else text
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) <= 18 else None
