"""Othello's positions as text and as a picture.

A position is written as in collections of problems: all cells from a1 on, row by row, X for black, O for white
and - for nothing, then who is to move.
"""

from __future__ import annotations

from typing import Any

from zermelo.errors import PositionError
from zermelo.game import U64
from zermelo.games._grid import Grid


class OthelloBoard(Grid):
    """What people read and write of Othello."""

    record_format = "sgf"
    marks = "-XO"
    first_row_on_top = True
    turn_in_text = True
    cells: int

    def stone(self, s: Any, cell: int) -> int:
        mover, other = (1, 2) if s.turn == 0 else (2, 1)
        return mover if (s.mine >> cell) & 1 else other if (s.theirs >> cell) & 1 else 0

    def setup(self, stones: list[int], turn: int) -> Any:
        return type(self.initial())(U64(self.bits(stones, 1 + turn)), U64(self.bits(stones, 2 - turn)), turn)

    def show(self, s: Any) -> str:
        names = " ".join(chr(97 + column) for column in range(self.columns))
        rows = [f"{i + 1}  {' '.join(self.marks[c] for c in row)}" for i, row in enumerate(self._stones(s))]
        return "\n".join([f"   {names}", *rows, f"{self.player_name(s.turn)} ({self.marks[1 + s.turn]}) to move"])

    def player_name(self, p: int) -> str:
        return "black" if p == 0 else "white"

    def show_action(self, s: Any, a: int) -> str:
        return "pass" if a == self.cells else super().show_action(s, a)

    def write(self, s: Any) -> str:
        return super().write(s).replace("/", "")

    def read(self, text: str) -> Any:
        words = text.upper().replace("/", "").replace(".", "-").split()
        if len(words) != 2 or len(words[0]) != self.cells or set(words[0]) - set("-XO") or words[1] not in ("X", "O"):
            raise PositionError(
                f"{text!r} is not a board: write {self.cells} cells from a1 on, row by row, X for black, O for white, "
                f"- for nothing, then who is to move, as in {self.write(self.initial())!r}"
            )
        return self.setup([self.marks.index(mark) for mark in words[0]], self.marks.index(words[1]) - 1)

    def draw_stone(self, stone: int, x: int, y: int) -> str:
        paint = "#2b2b2b" if stone == 1 else "#ffffff"
        return f'<circle cx="{x}" cy="{y}" r="16" style="fill:{paint};stroke:#2b2b2b;stroke-width:1.5"/>'
