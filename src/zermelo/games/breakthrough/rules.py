"""The rules of Breakthrough; its board and picture come with `Grid`.

One bit a cell. An action is 3 · cell + 1 + side: the pawn on `cell` goes one row ahead, and `side` columns to the
right; only a slanting one may capture. White (player 0) goes up the board and black (player 1) down.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.errors import OptionError
from zermelo.game import U64
from zermelo.games._grid import Grid, draw_pawn
from zermelo.options import takes, whole


class Breakthrough(Grid["Breakthrough.State"]):
    """Pawns move forward or diagonally and capture diagonally; reach the far row, or take all pawns, to win."""

    player_colours = ("#fffdf7", "#4a4436")

    player_below = 0
    marks = ".wb"
    turn_in_text = True
    scale = 1.0
    symmetry_count = 2  # left and right

    class State(NamedTuple):
        mine: U64  # the pawns of the player to move, one bit a cell
        theirs: U64
        turn: int

    @takes(columns=whole(about="columns of the board"), rows=whole(about="rows of the board"))
    def __init__(self, columns: int = 8, rows: int = 8):
        if not 2 <= columns <= 16 or rows < 4 or columns * rows > 64:
            raise OptionError(
                f"a board of {columns} × {rows} is not possible: it needs 2 to 16 columns, 4 rows or more, "
                "and at most 64 cells"
            )
        self.columns, self.rows = columns, rows
        self.full = (1 << columns * rows) - 1
        self.lowest = (1 << columns) - 1
        left = sum(1 << columns * row for row in range(rows))
        self.far_rows = (self.lowest << columns * (rows - 1), self.lowest)  # each player's goal
        self.beyond = (left << (columns - 1), 0, left)  # where a step to the left, ahead, to the right wraps around
        # More than all the points that one side can have, so that estimates stay inside the bounds.
        self.scale = float(2 * columns * (self.pawn_points + self.row_points[-1]))

    def initial(self) -> State:
        home = self.lowest | (self.lowest << self.columns)
        return self.State(U64(home), U64(home << self.columns * (self.rows - 2)), 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            for side in (0, -1, 1):
                pawns = self.movers(s, side)
                while pawns:
                    yield 3 * ((pawns & -pawns).bit_length() - 1) + 1 + side
                    pawns &= pawns - 1

    def result(self, s: State, a: int) -> State:
        to = 1 << self.target(s, a)
        return self.State(U64(s.theirs & ~to), U64(s.mine & ~(1 << a // 3) | to), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return s.mine == 0 or s.theirs & self.far_rows[1 - s.turn] != 0

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0

    def movers(self, s: State, side: int) -> int:
        """The pawns of the player to move that may go ahead and `side` columns to the right."""
        free = self.full & ~(s.mine | self.beyond[1 + side])
        if side == 0:
            free &= ~s.theirs
        way = self.columns + side if s.turn == 0 else self.columns - side
        return s.mine & (free >> way if s.turn == 0 else free << way)

    # Beyond the rules: what makes a search wiser and faster.

    pawn_points = 20
    row_points = (0, 0, 1, 2, 4, 7, 11, 16)
    """What a pawn is worth beside its row, and what the rows are worth, the last of them further ones as well."""

    def evaluate(self, s: State, p: int) -> float:
        points = self.points(s.mine, s.turn) - self.points(s.theirs, 1 - s.turn)
        return (points if p == s.turn else -points) / self.scale

    def points(self, pawns: int, p: int) -> int:
        points = self.pawn_points * pawns.bit_count()
        for row in range(2, self.rows):
            line = self.lowest << self.columns * (row if p == 0 else self.rows - 1 - row)
            points += self.row_points[min(row, 7)] * (pawns & line).bit_count()
        return points

    def priority(self, s: State, a: int) -> float:
        """The nearer to the far row the earlier, and captures before other moves of their row or one further."""
        row = self.target(s, a) // self.columns
        return float((row if s.turn == 0 else self.rows - 1 - row) + (1.5 if self.is_noisy(s, a) else 0.0))

    def is_noisy(self, s: State, a: int) -> bool:
        return (s.theirs >> self.target(s, a)) & 1 == 1

    def target(self, s: State, a: int) -> int:
        return a // 3 + a % 3 - 1 + (self.columns if s.turn == 0 else -self.columns)

    def pass_turn(self, s: State) -> State:
        return self.State(s.theirs, s.mine, 1 - s.turn)

    def is_irreversible(self, s: State, a: int) -> bool:
        return True

    def symmetric(self, s: State, k: int) -> State:
        return self.State(U64(self.symmetric_bits(s.mine, k)), U64(self.symmetric_bits(s.theirs, k)), s.turn)

    def symmetric_action(self, a: int, k: int) -> int:
        return 3 * self.symmetric_cell(a // 3, k) + (2 - a % 3 if k else a % 3)

    # Text: what `Grid` asks, and moves as in chess, `a2a3`, `a2b3` and `b2xc3`.

    def stone(self, s: State, cell: int) -> int:
        return self.owner(s.mine, s.theirs, s.turn, cell)

    def count_pieces(self, s: State, p: int) -> dict[str, int]:
        return {"pawn": int(s.mine if p == s.turn else s.theirs).bit_count()}

    def setup(self, stones: list[int], turn: int) -> State:
        white, black = self.bits(stones, 1), self.bits(stones, 2)
        if max(white.bit_count(), black.bit_count()) > 2 * self.columns:
            raise ValueError(f"each side has at most {2 * self.columns} pawns")
        mine, theirs = (white, black) if turn == 0 else (black, white)
        if theirs == 0 or mine & self.far_rows[turn]:
            raise ValueError(f"{self.marks[1 + turn]} has won already, so it cannot be its turn")
        return self.State(U64(mine), U64(theirs), turn)

    def show_action(self, s: State, a: int) -> str:
        way = "x" if self.is_noisy(s, a) else ""
        return super().show_action(s, a // 3) + way + super().show_action(s, self.target(s, a))

    def draw_stone(self, stone: int, x: int, y: int) -> str:
        return draw_pawn(stone, x, y)
