"""The rules of m,n,k-games; their board, notation and picture come with `Grid`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.games._grid import Grid, lines


class TicTacToe(Grid["TicTacToe.State"]):
    """Whoever first has k in a row, across, down or slantwise, wins on a board of m columns and n rows."""

    class State(NamedTuple):
        mine: int  # the cells of the player to move, one bit a cell
        theirs: int
        turn: int

    def __init__(self, m: int = 3, n: int = 3, k: int = 3):
        self.columns, self.rows = self.size(m, n, k)
        self.lines, self.full = lines(m, n, k), (1 << m * n) - 1

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

    def setup(self, stones: list[int], turn: int) -> State:
        mine, theirs = self.bits(stones, 1 + turn), self.bits(stones, 2 - turn)
        if any(mine & line == line for line in self.lines):
            raise ValueError(f"{self.marks[1 + turn]} has a line already, so it cannot be its turn")
        return self.State(mine, theirs, turn)
