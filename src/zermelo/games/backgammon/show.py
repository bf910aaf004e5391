"""A position of backgammon as lines of text: white is X and moves to the lower right, black is O."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.games.backgammon.board import BAR, CENTRED, CHEQUERS, POINTS, BackgammonPosition, Phase

if TYPE_CHECKING:
    from zermelo.games.backgammon.rules import Backgammon

MARKS = "XO"
DEEP = 5
"""Chequers that are drawn on a point; of more, the last is their number."""


def write_board(position: BackgammonPosition, game: Backgammon) -> str:
    """The board with white's points numbered, who has what, and who is to do what."""
    upper = [_column(position, point) for point in range(12, 24)]
    lower = [_column(position, point) for point in range(11, -1, -1)]
    bars = [_stack(MARKS[p], position.sides[p][BAR]) for p in (1, 0)]
    lines = [_numbers(range(13, 25))]
    lines += [_row(upper, bars[0], depth) for depth in range(DEEP)]
    lines.append("|" + " " * 18 + "|BAR|" + " " * 18 + "|")
    lines += [_row(lower, bars[1], depth) for depth in reversed(range(DEEP))]
    lines.append(_numbers(range(12, 0, -1)))
    return "\n".join([*lines, *_facts(position, game)])


def _column(position: BackgammonPosition, point: int) -> list[str]:
    """The marks on a point of white's count, from the edge on."""
    white, black = position.sides[0][point], position.sides[1][POINTS - 1 - point]
    return _stack(MARKS[0], white) if white else _stack(MARKS[1], black)


def _stack(mark: str, count: int) -> list[str]:
    marks = [mark] * min(count, DEEP) + [" "] * (DEEP - count)
    if count > DEEP:
        marks[-1] = str(count)
    return marks


def _row(columns: list[list[str]], bar: list[str], depth: int) -> str:
    cells = [f"{column[depth]:>2} " for column in columns]
    return f"|{''.join(cells[:6])}|{bar[depth]:>2} |{''.join(cells[6:])}|"


def _numbers(points: range) -> str:
    cells = [f"{number:>2}-" for number in points]
    return f"+{''.join(cells[:6]).replace(' ', '-')}+---+{''.join(cells[6:]).replace(' ', '-')}+"


def _facts(position: BackgammonPosition, game: Backgammon) -> list[str]:
    lines = []
    for p in (0, 1):
        side = position.sides[p]
        pips = sum(count * (point + 1) for point, count in enumerate(side))
        score = f", {position.score[p]} of {game.match} points" if game.match else ""
        off = CHEQUERS - sum(side)
        lines.append(f"{game.player_name(p)} ({MARKS[p]}): {pips} pips{f', {off} off' if off else ''}{score}")
    if game.cube:
        whose = "in the middle" if position.owner == CENTRED else f"of {game.player_name(position.owner)}"
        lines.append("the Crawford game: no cube" if position.crawford else f"cube {position.cube}, {whose}")
    return [*lines, _doing(position, game)]


def _doing(position: BackgammonPosition, game: Backgammon) -> str:
    who, other = game.player_name(position.turn), game.player_name(1 - position.turn)
    if position.phase == Phase.OVER:
        points = "the match" if game.match else f"{position.points} point{'s' * (position.points != 1)}"
        return f"{who} has won {points}"
    return {
        Phase.OPENING: "each rolls a die; the higher one begins",
        Phase.DECIDE: f"{who} to roll or to double",
        Phase.ANSWER: f"{who} doubles to {2 * position.cube}; {other} to take or to drop",
        Phase.ROLL: f"{who} rolls",
        Phase.PLAY: f"{who} to play {position.dice[0]}{position.dice[1]}",
    }[position.phase]
