"""The rules of hexapawn; its board and picture come with `Grid`.

An action is 3 · cell + 1 + side: the pawn on `cell` goes one row ahead, and `side` columns to the right; it
captures if `side` is −1 or 1. White (player 0) goes up the board and black (player 1) down.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.games._grid import Grid, draw_pawn
from zermelo.options import takes, whole


class Hexapawn(Grid["Hexapawn.State"]):
    """Pawns move forward and capture diagonally; reach the far row, or leave your opponent without a move, to win."""

    player_colours = ("#fffdf7", "#4a4436")

    player_below = 0
    marks = ".wb"
    turn_in_text = True
    symmetry_count = 2  # left and right

    class State(NamedTuple):
        mine: int  # the pawns of the player to move, one bit a cell
        theirs: int
        turn: int

    @takes(columns=whole(1, about="columns of the board"), rows=whole(3, about="rows of the board"))
    def __init__(self, columns: int = 3, rows: int = 3):
        self.columns, self.rows = self.size(columns, rows)
        self.lowest = (1 << columns) - 1
        self.highest = self.lowest << columns * (rows - 1)
        # More than all the points that one side can have, so that estimates stay inside the bounds.
        self.scale = float(columns * (self.pawn_points + rows))

    def initial(self) -> State:
        return self.State(self.lowest, self.highest, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if not self.arrived(s):
            for cell in range(self.columns * self.rows):
                for side in (-1, 0, 1):
                    if self.is_legal(s, cell, side):
                        yield 3 * cell + 1 + side

    def result(self, s: State, a: int) -> State:
        to = 1 << self.target(s, a)
        return self.State(s.theirs & ~to, (s.mine & ~(1 << a // 3)) | to, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        if self.arrived(s):
            return True
        for cell in range(self.columns * self.rows):
            for side in (-1, 0, 1):
                if self.is_legal(s, cell, side):
                    return False
        return True

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0

    def arrived(self, s: State) -> bool:
        """Whether whoever moved last has a pawn on its far row."""
        return s.theirs & (self.lowest if s.turn == 0 else self.highest) != 0

    def is_legal(self, s: State, cell: int, side: int) -> bool:
        """Whether the player to move has a pawn on `cell` that may go ahead and `side` columns to the right."""
        if not (s.mine >> cell) & 1 or not 0 <= cell % self.columns + side < self.columns:
            return False
        to = self.target(s, 3 * cell + 1 + side)
        if side == 0:
            return not ((s.mine | s.theirs) >> to) & 1
        return (s.theirs >> to) & 1 == 1

    # What the cut-off, the ordering, quiescence and the null move ask.

    pawn_points = 10
    """What a pawn is worth beside the rows it has advanced, one point each."""

    def evaluate(self, s: State, p: int) -> float:
        points = self.points(s.mine, s.turn) - self.points(s.theirs, 1 - s.turn)
        return (points if p == s.turn else -points) / (self.columns * (self.pawn_points + self.rows))

    def points(self, pawns: int, p: int) -> int:
        points = 0
        for cell in range(self.columns * self.rows):
            if (pawns >> cell) & 1:
                row = cell // self.columns
                points += self.pawn_points + (row if p == 0 else self.rows - 1 - row)
        return points

    def priority(self, s: State, a: int) -> float:
        return 1.0 if self.is_noisy(s, a) else 0.0

    def is_noisy(self, s: State, a: int) -> bool:
        return a % 3 != 1

    def target(self, s: State, a: int) -> int:
        return a // 3 + a % 3 - 1 + (self.columns if s.turn == 0 else -self.columns)

    def pass_turn(self, s: State) -> State:
        return self.State(s.theirs, s.mine, 1 - s.turn)

    def is_irreversible(self, s: State, a: int) -> bool:
        return True

    # Text: what `Grid` asks, and moves as in chess, `a2a3` and `b2xc3`.

    def symmetric(self, s: State, k: int) -> State:
        return self.State(self.symmetric_bits(s.mine, k), self.symmetric_bits(s.theirs, k), s.turn)

    def symmetric_action(self, a: int, k: int) -> int:
        return 3 * self.symmetric_cell(a // 3, k) + (2 - a % 3 if k else a % 3)

    def stone(self, s: State, cell: int) -> int:
        return self.owner(s.mine, s.theirs, s.turn, cell)

    def count_pieces(self, s: State, p: int) -> dict[str, int]:
        return {"pawn": int(s.mine if p == s.turn else s.theirs).bit_count()}

    def setup(self, stones: list[int], turn: int) -> State:
        white, black = self.bits(stones, 1), self.bits(stones, 2)
        if white.bit_count() > self.columns or black.bit_count() > self.columns:
            raise ValueError(f"each side has at most {self.columns} pawns")
        if (white if turn == 0 else black) & (self.highest if turn == 0 else self.lowest):
            raise ValueError(f"{self.marks[1 + turn]} has reached the far row already, so it cannot be its turn")
        return self.State(*((white, black) if turn == 0 else (black, white)), turn)

    def show_action(self, s: State, a: int) -> str:
        way = "x" if self.is_noisy(s, a) else ""
        return super().show_action(s, a // 3) + way + super().show_action(s, self.target(s, a))

    def draw_stone(self, stone: int, x: int, y: int) -> str:
        return draw_pawn(stone, x, y)
