"""The rules of Hex; its rhombus of hexagons is written row by row from the top, as `Grid` does for squares.

A cell touches six others: its left and right neighbours, two in the row above (same column and one to the
right) and two in the row below (same column and one to the left).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from zermelo.games._grid import Grid
from zermelo.options import flag, takes, whole

HALF, RADIUS = 17, 20  # from the middle of a hexagon to a side and to a corner, √3 : 2

STYLE = (
    ".cell{fill:#f7f4ec;stroke:#8a8372}.side{fill:none;stroke-width:5;stroke-linejoin:round}"
    ".one{stroke:#1f6f8b}.two{stroke:#c8553d}.stone.one{fill:#1f6f8b}.stone.two{fill:#c8553d}"
    ".name{font:10px sans-serif;fill:#5c564a;text-anchor:middle;dominant-baseline:central}"
)


def rhombus(rows: list[list[int]]) -> str:
    """The board whose rows, from the top, hold 0 for an empty cell, 1 and 2 for the players' stones."""
    last = len(rows) - 1
    cells, sides, stones, names = [], [], [], []
    for row, marks in enumerate(rows):
        across, down = HALF * (2 * row + 1), RADIUS + row * 3 * RADIUS // 2  # the numbers of rows and columns are one
        names.append(f'<text x="{across}" y="-10" class="name">{chr(97 + row)}</text>')
        names.append(f'<text x="{HALF * row - 11}" y="{down}" class="name">{row + 1}</text>')
        for column, mark in enumerate(marks):
            x, y = HALF * (2 * column + row + 1), RADIUS + row * 3 * RADIUS // 2
            # Clockwise from the top corner.
            corners = [(0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)]
            points = [f"{x + HALF * dx},{y + RADIUS * dy // 2}" for dx, dy in corners]
            at = f"{chr(97 + column)}{row + 1}"
            cells.append(f'<polygon points="{" ".join(points)}" class="cell" data-at="{at}"/>')
            for player, at_edge, edge in (
                ("one", row == 0, (5, 0, 1)),
                ("one", row == last, (2, 3, 4)),
                ("two", column == 0, (3, 4, 5)),
                ("two", column == last, (0, 1, 2)),
            ):
                if at_edge:
                    way = " ".join(points[corner] for corner in edge)
                    sides.append(f'<polyline points="{way}" class="side {player}"/>')
            if mark:
                stones.append(
                    f'<circle cx="{x}" cy="{y}" r="11" data-at="{at}" class="stone {"one" if mark == 1 else "two"}"/>'
                )
    width, height = HALF * (3 * last + 2), RADIUS * 2 + last * 3 * RADIUS // 2
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -18 {width + 24} {height + 22}"><style>{STYLE}</style>'
        f'{"".join(cells + sides + stones)}<g style="pointer-events:none">{"".join(names)}</g></svg>'
    )


class Hex(Grid["Hex.State"]):
    """Connect your two sides: blue (x) from top to bottom, red (o) from left to right."""

    player_colours = ("#1f6f8b", "#c8553d")
    cover = "..o../.ox../.xo../oxx../.xo.. x"

    record_format = "sgf"
    first_row_on_top = True
    turn_in_text = True
    symmetry_count = 2  # half a turn

    class State(NamedTuple):
        mine: int  # the cells of the player to move, one bit a cell
        theirs: int
        turn: int

    @takes(
        size=whole(2, 7, about="cells a side"),
        swap=flag(about="whether the second player may take over the first move"),
    )
    def __init__(self, size: int = 5, swap: bool = False):
        self.columns, self.rows = self.size(size, size)
        self.swap = swap
        self.swapping = size * size  # the action that takes over the first stone
        self.full = (1 << size * size) - 1
        self.top = (1 << size) - 1
        self.bottom = self.top << size * (size - 1)
        self.left = sum(1 << size * row for row in range(size))
        self.right = self.left << (size - 1)
        self.scale = float(size * size)

    def initial(self) -> State:
        return self.State(0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        if not self.is_terminal(s):
            for cell in range(self.columns * self.rows):
                if not ((s.mine | s.theirs) >> cell) & 1:
                    yield cell
            one_stone = s.theirs != 0 and s.theirs & (s.theirs - 1) == 0
            if self.swap and s.turn == 1 and s.mine == 0 and one_stone:
                yield self.swapping

    def result(self, s: State, a: int) -> State:
        if a == self.swapping:
            return self.State(0, self.mirrored(s.theirs), 0)
        return self.State(s.theirs, s.mine | (1 << a), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return self.joined(s.theirs, 1 - s.turn)

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0

    def joined(self, stones: int, p: int) -> bool:
        """Whether `stones` join the two sides of player `p`."""
        if p == 0:
            return self.flood(stones & self.top, stones) & self.bottom != 0
        return self.flood(stones & self.left, stones) & self.right != 0

    def flood(self, cells: int, stones: int) -> int:
        """`cells` and all `stones` that are connected to them."""
        grown = cells | (self.around(cells) & stones)
        while grown != cells:
            cells = grown
            grown = cells | (self.around(cells) & stones)
        return cells

    def around(self, cells: int) -> int:
        """The neighbours of `cells`; bits beyond the board may be set."""
        not_left, not_right = cells & ~self.left, cells & ~self.right
        across = (not_left >> 1) | (not_right << 1)
        above = (cells >> self.columns) | (not_right >> (self.columns - 1))
        below = (cells << self.columns) | (not_left << (self.columns - 1))
        return across | above | below

    def mirrored(self, stones: int) -> int:
        """`stones` with rows and columns exchanged, which exchanges the players' sides."""
        cells = 0
        for cell in range(self.columns * self.rows):
            if (stones >> cell) & 1:
                cells |= 1 << (cell % self.columns * self.columns + cell // self.columns)
        return cells

    # An estimate: who needs fewer stones to join the sides, if the other one stood still.

    def evaluate(self, s: State, p: int) -> float:
        mine, theirs = self.missing(s.mine, s.theirs, s.turn), self.missing(s.theirs, s.mine, 1 - s.turn)
        return (theirs - mine if p == s.turn else mine - theirs) / (self.columns * self.rows)

    def missing(self, stones: int, others: int, p: int) -> int:
        """How many stones player `p` lacks on the shortest way from side to side that avoids `others`."""
        start, goal = (self.top, self.bottom) if p == 0 else (self.left, self.right)
        reached = self.flood(stones & start, stones)
        for count in range(self.columns * self.rows):
            if reached & goal:
                return count
            reached = self.flood(reached | ((start | self.around(reached)) & self.full & ~others), stones)
        return self.columns * self.rows

    # Beyond the rules: what makes the null move possible, symmetries, what `Grid` asks, and text.

    def pass_turn(self, s: State) -> State:
        return self.State(s.theirs, s.mine, 1 - s.turn)

    def symmetric(self, s: State, k: int) -> State:
        return self.State(self.symmetric_bits(s.mine, 3 * k), self.symmetric_bits(s.theirs, 3 * k), s.turn)

    def symmetric_action(self, a: int, k: int) -> int:
        return a if a == self.swapping else self.symmetric_cell(a, 3 * k)

    def stone(self, s: State, cell: int) -> int:
        return self.owner(s.mine, s.theirs, s.turn, cell)

    def setup(self, stones: list[int], turn: int) -> State:
        ahead = stones.count(1) - stones.count(2)
        # A swap turns one cross into one nought, so from then on noughts may be one ahead.
        if ahead != turn and not (self.swap and ahead == turn - 1 and 2 in stones):
            raise ValueError(f"{self.marks[1]} and {self.marks[2]} put stones in turn, so the numbers do not fit")
        mine, theirs = self.bits(stones, 1 + turn), self.bits(stones, 2 - turn)
        if self.joined(mine, turn):
            raise ValueError(f"{self.marks[1 + turn]} has won already, so it cannot be its turn")
        return self.State(mine, theirs, turn)

    def show(self, s: State) -> str:
        names = " ".join(chr(97 + column) for column in range(self.columns))
        rows = [
            f"{' ' * row}{row + 1}  {' '.join(self.marks[stone] for stone in stones)}"
            for row, stones in enumerate(self._stones(s))
        ]
        return "\n".join([f"  {names}", *rows, f"{self.player_name(s.turn)} ({self.marks[1 + s.turn]}) to move"])

    def player_name(self, p: int) -> str:
        return "blue" if p == 0 else "red"

    def show_action(self, s: State, a: int) -> str:
        return "swap" if a == self.swapping else super().show_action(s, a)

    def picture(self, s: State) -> str:
        return rhombus(self._stones(s))
