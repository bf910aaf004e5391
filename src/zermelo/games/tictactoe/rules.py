"""The rules of m,n,k-games; their board, notation and picture come with `Grid`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.games._grid import Grid, lines
from zermelo.options import takes, whole


class TicTacToe(Grid["TicTacToe.State"]):
    """The first to get three marks in a row, across, down or diagonally, wins."""

    class State(NamedTuple):
        mine: int  # the cells of the player to move, one bit a cell
        theirs: int
        turn: int

    @takes(m=whole(about="columns"), n=whole(about="rows"), k=whole(about="marks in a row that win"))
    def __init__(self, m: int = 3, n: int = 3, k: int = 3):
        (self.columns, self.rows), self.lines, self.full = self.size(m, n, k), lines(m, n, k), (1 << m * n) - 1

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for cell in range(0 if self.is_terminal(s) else self.columns * self.rows):
            if not ((s.mine | s.theirs) >> cell) & 1:
                yield cell

    def result(self, s: State, a: int) -> State:
        return self.State(s.theirs, s.mine | (1 << a), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return self.utility(s, 0) != 0.0 or (s.mine | s.theirs) == self.full

    def utility(self, s: State, p: int) -> float:
        for line in self.lines:  # only whoever moved last can have completed one
            if s.theirs & line == line:
                return -1.0 if p == s.turn else 1.0
        return 0.0

    # Beyond the rules: what makes the null move possible, symmetries, and what `Grid` asks.

    def pass_turn(self, s: State) -> State:
        return self.State(s.theirs, s.mine, 1 - s.turn)

    @property
    def symmetry_count(self) -> int:  # type: ignore[override]
        return 8 if self.columns == self.rows else 4

    def symmetric(self, s: State, k: int) -> State:
        return self.State(self.symmetric_bits(s.mine, k), self.symmetric_bits(s.theirs, k), s.turn)

    def symmetric_action(self, a: int, k: int) -> int:
        return self.symmetric_cell(a, k)

    def stone(self, s: State, cell: int) -> int:
        return self.owner(s.mine, s.theirs, s.turn, cell)

    title = "Tic-tac-toe"
    player_colours = ("#1f6f8b", "#c8553d")
    cover = "x.o/.x./o.."

    def is_landing(self, s: State, line: int, column: int) -> bool:
        return not self.is_terminal(s)

    def decisive(self, s: State) -> list[tuple[str, int]]:
        cells = range(self.columns * self.rows)
        won = {cell for line in self.lines if s.theirs & line == line for cell in cells if line >> cell & 1}
        return [(self.show_action(s, cell), -1) for cell in sorted(won)]

    def say_end(self, s: State) -> str:
        return f"{self.lines[0].bit_count()} in a row" if self.decisive(s) else "the board is full"

    def setup(self, stones: list[int], turn: int) -> State:
        mine, theirs = self.bits(stones, 1 + turn), self.bits(stones, 2 - turn)
        if any(mine & line == line for line in self.lines):
            raise ValueError(f"{self.marks[1 + turn]} has a line already, so it cannot be its turn")
        return self.State(mine, theirs, turn)
