"""The rules of Connect Four; its board, notation and picture come with `Grid`.

Each column of the board is a run of `rows + 1` bits, lowest row first; the spare bit on top is always 0, so
that adding a stone never carries into the next column and lines never wrap around.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from zermelo.games._grid import SIDE, Grid
from zermelo.options import takes, whole


class ConnectFour(Grid["ConnectFour.State"]):
    """Drop discs into the columns; the first to get four in a row, across, down or diagonally, wins."""

    class State(NamedTuple):
        mine: int  # the stones of the player to move
        all: int  # the stones of both
        turn: int

    @takes(columns=whole(about="columns of the board"), rows=whole(about="rows of the board"))
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

    scale = 1000.0

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

    title = "Connect Four"
    player_colours = ("#d0342c", "#f5c431")
    cover = "......./......./...o.../..xx.../..oxo../.xoxxo."
    style = ".cell{fill:#2459a8;stroke:#2459a8}.hole{fill:#f3f5f8}.z-over .cell{fill:#2f6cc4;stroke:#2f6cc4}"

    def stone(self, s: State, cell: int) -> int:
        bit = (cell % self.columns) * (self.rows + 1) + cell // self.columns
        if not (s.all >> bit) & 1:
            return 0
        return 1 + (s.turn if (s.mine >> bit) & 1 else 1 - s.turn)

    def is_landing(self, s: State, line: int, column: int) -> bool:
        taken = (s.all >> column * (self.rows + 1)) & ((1 << self.rows) - 1)
        return line == self.rows - 1 - taken.bit_count() and not self.is_terminal(s)

    def decisive(self, s: State) -> list[tuple[str, int]]:
        stones, found = s.mine ^ s.all, 0
        for step in (1, self.rows, self.rows + 1, self.rows + 2):
            pairs = stones & (stones >> step)
            first = pairs & (pairs >> (2 * step))
            found |= first | first << step | first << 2 * step | first << 3 * step
        places = [divmod(bit, self.rows + 1) for bit in range(found.bit_length()) if found >> bit & 1]
        return [(self.place_name(0, column), self.rows - 1 - row) for column, row in places]

    def say_end(self, s: State) -> str:
        return "four in a row" if self.won(s.mine ^ s.all) else "the board is full"

    def draw_cell(self, x: int, y: int, dark: bool) -> str:
        return f'{super().draw_cell(x, y, dark)}<circle cx="{x + SIDE // 2}" cy="{y + SIDE // 2}" r="15" class="hole"/>'

    def draw_stone(self, stone: int, x: int, y: int) -> str:
        paint = self.player_colours[stone - 1]
        ring = f'<circle cx="{x}" cy="{y}" r="10" style="fill:none;stroke:#00000033;stroke-width:2"/>'
        return f'<circle cx="{x}" cy="{y}" r="15" style="fill:{paint}"/>{ring}'

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
