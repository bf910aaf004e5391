"""A position of backgammon as lines of text, and as an SVG drawing.

In text white is X and moves to the lower right, black is O. In the drawing points are numbered as the player to move
counts them, and these numbers are their names as places; so are `bar` and `off`, the tray at the right.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.games._table import PIPS
from zermelo.games.backgammon.board import BAR, CENTRED, CHEQUERS, POINTS, BackgammonPosition, Phase, pip_count

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
        pips = pip_count(side)
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


SIDE = 30
"""The width of a point, and of a chequer."""
WIDTH, HEIGHT = 15 * SIDE, 12 * SIDE
MARGIN = 18
"""Above and below, for the numbers."""
STYLE = (
    ".board{fill:#efe3c4;stroke:#8a8372;stroke-width:3}.bar,.tray{fill:#cdbf9c}.odd{fill:#c8553d}.even{fill:#8a8372}"
    ".white{fill:#f7f4ec;stroke:#2e2a24}.black{fill:#2e2a24;stroke:#f7f4ec}.count,.number{font:13px sans-serif;"
    "text-anchor:middle;dominant-baseline:central}.number{font-size:11px;fill:#22252a}.die{fill:#f7f4ec;stroke:#2e2a24}"
    ".pip{fill:#2e2a24}.used{opacity:.3}.free{fill:transparent}"
)


def draw(position: BackgammonPosition, left: Sequence[int] | None = None) -> str:
    """The chequers, those borne off, the dice and the cube; of the dice those are faint that are not `left`."""
    mover = position.turn
    parts = [_point(position, point, mover) for point in range(POINTS)]
    parts += [_bar(player, position.sides[player][BAR], player == mover) for player in (1, 0)]
    parts += [_tray(player, CHEQUERS - sum(position.sides[player]), player == mover) for player in (1, 0)]
    if position.phase == Phase.PLAY:
        parts += _dice(position.dice, left)
    if position.cube > 1 or position.phase in (Phase.DECIDE, Phase.ANSWER):
        parts.append(_cube({CENTRED: 6, 0: 10.5, 1: 1.5}[position.owner], position.cube))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 {-MARGIN} {WIDTH + 8} {HEIGHT + 2 * MARGIN}">'
        f'<style>{STYLE}</style><rect width="{WIDTH}" height="{HEIGHT}" class="board"/>{"".join(parts)}</svg>'
    )


def _point(position: BackgammonPosition, point: int, mover: int) -> str:
    """A point of white's count with what stands on it, and its number."""
    column = point - 12 if point >= 12 else 11 - point
    x, above = SIDE * (column + 0.5 + (column >= 6)), point >= 12
    foot, tip = (0, 5 * SIDE) if above else (HEIGHT, HEIGHT - 5 * SIDE)
    name = point + 1 if mover == 0 else POINTS - point
    triangle = f"{x - SIDE / 2},{foot} {x + SIDE / 2},{foot} {x},{tip}"
    heights = [SIDE * (i + 0.5) if above else HEIGHT - SIDE * (i + 0.5) for i in range(DEEP)]
    white, black = position.sides[0][point], position.sides[1][POINTS - 1 - point]
    stack = _draw_stack(0 if white else 1, white or black, x, heights, f' data-at="{name}"')
    return (
        f'<g data-at="{name}"><rect x="{x - SIDE / 2}" y="{min(foot, tip)}" width="{SIDE}" height="{5 * SIDE}" '
        f'class="free"/><polygon points="{triangle}" class="{"odd" if point % 2 else "even"}"/></g>{stack}'
        f'<text x="{x}" y="{-MARGIN / 2 if above else HEIGHT + MARGIN / 2}" class="number">{name}</text>'
    )


def _bar(player: int, count: int, is_place: bool) -> str:
    """A player's half of the bar."""
    above = player == 1
    heights = [HEIGHT / 2 + (-1 if above else 1) * SIDE * (i + 1) for i in range(DEEP)]
    at = ' data-at="bar"' if is_place else ""
    half = (
        f'<rect x="{6 * SIDE}" y="{0 if above else HEIGHT / 2}" width="{SIDE}" height="{HEIGHT / 2}" class="bar"{at}/>'
    )
    return half + (_draw_stack(player, count, 6.5 * SIDE, heights, at) if count else "")


def _draw_stack(player: int, count: int, x: float, heights: Sequence[float], at: str) -> str:
    """Chequers one on the other; where there is none, the room for the first."""
    if not count:
        return f'<circle cx="{x}" cy="{heights[0]}" r="{SIDE / 2 - 1}" class="free"{at}/>'
    kind = ("white", "black")[player]
    drawn = heights[: min(count, DEEP)]
    circles = "".join(f'<circle cx="{x}" cy="{y}" r="{SIDE / 2 - 1}" class="{kind}"{at}/>' for y in drawn)
    if count <= DEEP:
        return circles
    paint = ("#2e2a24", "#f7f4ec")[player]
    number = f'<text x="{x}" y="{drawn[-1]}" class="count" style="fill:{paint};pointer-events:none">{count}</text>'
    return circles + number


def _tray(player: int, count: int, is_place: bool) -> str:
    """A player's chequers that are off, at its corner."""
    above = player == 1
    at = ' data-at="off"' if is_place else ""
    x, y = 13.5 * SIDE, 0 if above else HEIGHT - 5 * SIDE
    tray = f'<rect x="{x}" y="{y}" width="{SIDE}" height="{5 * SIDE}" class="tray"{at}/>'
    rows = (9 * i + 1 if above else HEIGHT - 9 * (i + 1) for i in range(count))
    kind = ("white", "black")[player]
    off = "".join(f'<rect x="{x}" y="{row}" width="{SIDE}" height="8" class="{kind}"/>' for row in rows)
    return f"{tray}<g style='pointer-events:none'>{off}</g>"


def _dice(dice: tuple[int, int], left: Sequence[int] | None) -> list[str]:
    """Two dice, or four of a double."""
    faces = [dice[0]] * 4 if dice[0] == dice[1] else list(dice)
    unused = list(faces if left is None else left)
    drawn = []
    for i, face in enumerate(faces):
        is_used = face not in unused
        if not is_used:
            unused.remove(face)
        drawn.append(_die(10 + 1.1 * (i - (len(faces) - 1) / 2), face, is_used))
    return drawn


def _die(column: float, face: int, is_used: bool) -> str:
    x, y = column * SIDE, HEIGHT / 2
    pips = "".join(
        f'<circle cx="{x + 7 * (int(spot) % 3 - 1)}" cy="{y + 7 * (int(spot) // 3 - 1)}" r="2.4" class="pip"/>'
        for spot in PIPS[face]
    )
    kind = ' class="used"' if is_used else ""
    return f'<g{kind}><rect x="{x - 12}" y="{y - 12}" width="24" height="24" rx="4" class="die"/>{pips}</g>'


def _cube(row: float, stake: int) -> str:
    x, y = 6.5 * SIDE, row * SIDE
    return (
        f'<g style="pointer-events:none"><rect x="{x - 12}" y="{y - 12}" width="24" height="24" rx="4" class="die"/>'
        f'<text x="{x}" y="{y}" class="count" style="fill:#2e2a24">{stake}</text></g>'
    )
