"""The board of checkers, and its positions and moves as text: numbered squares, as in PDN."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from zermelo.errors import PositionError
from zermelo.games._grid import Grid

BITS = tuple(n + n // 8 for n in range(32))
"""The bit of each square, from square 1 on."""
BOARD = sum(1 << bit for bit in BITS)
ROWS = tuple(sum(1 << bit for bit in BITS[4 * row : 4 * row + 4]) for row in range(8))
"""The squares of each row, from the top."""
SIDES = "BW"


class CheckersBoard(Grid):
    """What people read and write of checkers."""

    player_below = 1
    record_format = "pdn"
    marks = ".bwBW"
    columns = rows = 8
    first_row_on_top = True
    turn_in_text = True
    middle = sum(1 << BITS[square - 1] for square in (10, 11, 14, 15, 18, 19, 22, 23))
    draw_after: int

    def stone(self, s: Any, cell: int) -> int:
        row, column = divmod(cell, 8)
        if (row + column) % 2 == 0:
            return 0
        bit = BITS[4 * row + column // 2]
        if not ((s.mine | s.theirs) >> bit) & 1:
            return 0
        owner = s.turn if (s.mine >> bit) & 1 else 1 - s.turn
        return int(1 + owner + 2 * ((s.kings >> bit) & 1))

    def show(self, s: Any) -> str:
        lines = []
        for row, stones in enumerate(self._stones(s)):
            marks = (self.marks[c] if (row + column) % 2 else " " for column, c in enumerate(stones))
            lines.append(f"{' '.join(marks)}   {4 * row + 1:>2} to {4 * row + 4}")
        return "\n".join([*lines, f"{self.player_name(s.turn)} to move"])

    def player_name(self, p: int) -> str:
        return "black" if p == 0 else "white"

    def stone_name(self, stone: int) -> str:
        return f"{super().stone_name(stone)} {'king' if stone > 2 else 'man'}"

    # Moves: 11-15 steps, 22x15x8 jumps twice.

    def show_action(self, s: Any, a: int) -> str:
        at, jumps, way = a & 63, (a >> 6) & 15, a >> 10
        squares = [at]
        for jump in range(max(jumps, 1)):
            direction = (way >> (2 * jump)) & 3
            width = (2 if jumps else 1) * (4 + direction % 2)
            squares.append(squares[-1] + (width if direction < 2 else -width))
        return ("x" if jumps else "-").join(str(BITS.index(square) + 1) for square in squares)

    def read_action(self, s: Any, text: str) -> Any:
        """As usual; the first and the last square will do where only one move leads from one to the other."""
        ends = re.split("[-x]", text.strip().lower())
        names = {a: re.split("[-x]", self.show_action(s, a)) for a in self.actions(s)}
        found = [a for a, squares in names.items() if [squares[0], squares[-1]] == ends]
        return found[0] if len(found) == 1 else super().read_action(s, text)

    def clicks(self, s: Any, a: int) -> list[list[tuple[str, ...]]]:
        """The piece and its square; after a jump, the square of the next one."""
        start, *onward = re.split("[-x]", self.show_action(s, a))
        return [[(start, onward[0]), *((square,) for square in onward[1:])]]

    def halfway(self, s: Any, steps: Sequence[Sequence[str]]) -> str:
        """The piece where its jumps have brought it, without those it has taken."""
        squares = [BITS[int(square) - 1] for step in steps for square in step]
        start, to = 1 << squares[0], 1 << squares[-1]
        taken = sum(1 << (a + b) // 2 for a, b in pairwise(squares))
        kings = s.kings & ~(taken | start) | (to if s.kings & start else 0)
        return self.picture(s._replace(mine=s.mine & ~start | to, theirs=s.theirs & ~taken, kings=kings))

    # Positions: B:W21,22,K30:B1,2,K5 has black to move.

    def write(self, s: Any) -> str:
        pieces = ((1 - s.turn, s.theirs), (s.turn, s.mine))
        parts = [SIDES[s.turn]]
        for side, bits in sorted(pieces, reverse=True):
            squares = (f"{'K' * ((s.kings >> bit) & 1)}{n + 1}" for n, bit in enumerate(BITS) if (bits >> bit) & 1)
            parts.append(SIDES[side] + ",".join(squares))
        return ":".join(parts + [f"H{s.quiet}"] * (self.draw_after > 0))

    def read(self, text: str) -> Any:
        found = re.fullmatch(r"([BW]):([BW])([K\d,]*):([BW])([K\d,]*)(?::H(\d+))?\.?", text.strip().upper())
        if not found or found[2] == found[4]:
            raise PositionError(
                f"{text!r} is not a position: write who is to move and the squares of both sides, K before a king's, "
                f"as in {self.write(self.initial())!r}"
            )
        men = {found[2]: self._squares(found[3], text), found[4]: self._squares(found[5], text)}
        (black, black_kings), (white, white_kings) = men["B"], men["W"]
        quiet = int(found[6] or 0)
        if black & white:
            raise PositionError(f"{text!r} is not a position: two pieces stand on one square")
        if black & ~black_kings & ROWS[7] or white & ~white_kings & ROWS[0]:
            raise PositionError(f"{text!r} is not a position: a man on its last row would be a king")
        if quiet > 2 * self.draw_after:
            raise PositionError(
                f"{text!r} is not a position: no more than {2 * self.draw_after} quiet plies are counted"
            )
        turn = SIDES.index(found[1])
        mine, theirs = (black, white) if turn == 0 else (white, black)
        return type(self.initial())(mine, theirs, black_kings | white_kings, turn, quiet)

    def _squares(self, text: str, position: str) -> tuple[int, int]:
        """The pieces and the kings of one side."""
        pieces = kings = 0
        for word in text.split(",") if text else []:
            number = word.removeprefix("K")
            if not number.isdecimal() or not 1 <= int(number) <= 32 or pieces & 1 << BITS[int(number) - 1]:
                raise PositionError(
                    f"{position!r} is not a position: {word!r} is no square from 1 to 32, or there twice"
                )
            bit = 1 << BITS[int(number) - 1]
            pieces |= bit
            kings |= bit if word != number else 0
        return pieces, kings

    def place_name(self, line: int, column: int) -> str:
        return str(4 * line + column // 2 + 1) if (line + column) % 2 else ""

    def is_dark(self, line: int, column: int) -> bool:
        return (line + column) % 2 == 1

    def draw_names(self, side: int) -> str:
        """The number of every square on which pieces stand."""
        squares = ((row, column) for row in range(8) for column in range(8) if self.is_dark(row, column))
        names = "".join(
            f'<text x="{side * column + 2}" y="{side * row + 9}" class="name">{self.place_name(row, column)}</text>'
            for row, column in squares
        )
        return f'<g style="pointer-events:none">{names}</g>'

    def draw_stone(self, stone: int, x: int, y: int) -> str:
        paint = "#4a4436" if stone % 2 else "#ffffff"
        crown = (
            f'<circle cx="{x}" cy="{y}" r="8" style="fill:none;stroke:#c8a13d;stroke-width:4"/>' if stone > 2 else ""
        )
        return f'<circle cx="{x}" cy="{y}" r="16" style="fill:{paint};stroke:#4a4436;stroke-width:2"/>{crown}'
