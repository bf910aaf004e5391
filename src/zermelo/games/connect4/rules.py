"""The rules of Connect Four; its board, notation and picture come with `Grid`.

Each column of the board is a run of `rows + 1` bits, lowest row first; the spare bit on top is always 0, so
that adding a stone never carries into the next column and lines never wrap around.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from zermelo.games._grid import Grid


class ConnectFour(Grid["ConnectFour.State"]):
    """Drop stones into columns; whoever first has four in a row, across, down or slantwise, wins."""

    scale = 1000.0

    class State(NamedTuple):
        mine: int  # the stones of the player to move
        all: int  # the stones of both
        turn: int

    def __init__(self, columns: int = 7, rows: int = 6):
        self.columns, self.rows = self.size(columns, rows, spare=1)
        self.middle = ((1 << rows) - 1) << columns // 2 * (rows + 1)
        self.full = sum(((1 << rows) - 1) << c * (rows + 1) for c in range(columns))

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for column in range(0 if self.won(s.mine ^ s.all) else self.columns):
            if not (s.all >> (column * (self.rows + 1) + self.rows - 1)) & 1:
                yield column

    def result(self, s: State, a: int) -> State:
        return self.State(s.mine ^ s.all, s.all | (s.all + (1 << (a * (self.rows + 1)))), 1 - s.turn)

    def won(self, stones: int) -> bool:
        for step in (1, self.rows, self.rows + 1, self.rows + 2):
            pairs = stones & (stones >> step)
            if pairs & (pairs >> (2 * step)):
                return True
        return False

    def touched(self, s: State, a: int) -> list[tuple[str, int]]:
        column = (s.all >> (a * (self.rows + 1))) & ((1 << self.rows) - 1)
        return [(self.place_name(0, a), self.rows - 1 - column.bit_count())]  # of a column, drawn from the top down

    def is_terminal(self, s: State) -> bool:
        return self.won(s.mine ^ s.all) or s.all == self.full

    def utility(self, s: State, p: int) -> float:
        if self.won(s.mine ^ s.all):
            return -1.0 if p == s.turn else 1.0
        return 0.0

    # Beyond the rules: what makes a search wiser and faster.

    def threats(self, stones: int, taken: int) -> int:
        """The empty cells that would complete four of `stones` in a row."""
        found = (stones << 1) & (stones << 2) & (stones << 3)
        for step in (self.rows, self.rows + 1, self.rows + 2):
            above = (stones << step) & (stones << (2 * step))
            below = (stones >> step) & (stones >> (2 * step))
            found |= above & ((stones << (3 * step)) | (stones >> step))
            found |= below & ((stones >> (3 * step)) | (stones << step))
        return found & (self.full ^ taken)

    def evaluate(self, s: State, p: int) -> float:
        """Ten points for each threat, one for each stone in the middle of the board."""
        theirs = s.mine ^ s.all
        points = 10 * (self.threats(s.mine, s.all).bit_count() - self.threats(theirs, s.all).bit_count())
        points += (s.mine & self.middle).bit_count() - (theirs & self.middle).bit_count()
        return (points if p == s.turn else -points) / self.scale

    def priority(self, s: State, a: int) -> float:
        """The threats that a stone in column `a` leaves its owner with; then, the middle before the edges."""
        after = self.result(s, a)
        from_middle = abs(2 * a - self.columns + 1)
        return 20.0 * self.threats(after.mine ^ after.all, after.all).bit_count() - from_middle

    def target(self, s: State, a: int) -> int:
        """The cell on which the stone comes to rest, counted as in a state's bits."""
        first = a * (self.rows + 1)
        return first + ((s.all >> first) & ((1 << self.rows) - 1)).bit_count()

    def is_irreversible(self, s: State, a: int) -> bool:
        return True

    def pass_turn(self, s: State) -> State:
        return self.State(s.mine ^ s.all, s.all, 1 - s.turn)

    symmetry_count = 2  # left and right

    def symmetric(self, s: State, k: int) -> State:
        return self.State(self.mirrored(s.mine), self.mirrored(s.all), s.turn) if k else s

    def mirrored(self, stones: int) -> int:
        height, image = self.rows + 1, 0
        for column in range(self.columns):
            image |= ((stones >> column * height) & ((1 << height) - 1)) << (self.columns - 1 - column) * height
        return image

    def symmetric_action(self, a: int, k: int) -> int:
        return self.columns - 1 - a if k else a

    # What `Grid` asks.

    def stone(self, s: State, cell: int) -> int:
        bit = (cell % self.columns) * (self.rows + 1) + cell // self.columns
        if not (s.all >> bit) & 1:
            return 0
        return 1 + (s.turn if (s.mine >> bit) & 1 else 1 - s.turn)

    def setup(self, stones: list[int], turn: int) -> State:
        columns = [[*stones[c :: self.columns], 0] for c in range(self.columns)]
        if any(below == 0 and above for column in columns for below, above in pairwise(column)):
            raise ValueError("a stone hangs in the air")
        bits = [stone for column in columns for stone in column]
        mine, theirs = self.bits(bits, 1 + turn), self.bits(bits, 2 - turn)
        if self.won(mine):
            raise ValueError(f"{self.marks[1 + turn]} has four in a row already, so it cannot be its turn")
        return self.State(mine, mine | theirs, turn)

    def show_action(self, s: State, a: int) -> str:
        return str(a + 1)

    def place_name(self, line: int, column: int) -> str:
        return str(column + 1)

    def column_name(self, column: int) -> str:
        return str((column + 1) % 10)
