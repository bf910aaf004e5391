"""Three games with nothing but the six methods, to be learned by `zermelo train`: connection, territory and capture.

zermelo train bench/own_games.py:Ataxx --minutes 10 --out ataxx.safetensors
python bench/learning.py bench/own_games.py:Ataxx --network ataxx.safetensors
"""

from __future__ import annotations

from typing import NamedTuple

import zermelo as z


class Y(z.Game):
    """Connect all three sides of a triangle of points."""

    class State(NamedTuple):
        stones: tuple[int, int]
        turn: int

    def __init__(self, side: int = 8):
        points = [(row, column) for row in range(side) for column in range(row + 1)]
        number = {point: i for i, point in enumerate(points)}
        steps = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1))
        self.count = len(points)
        self.near = tuple(
            sum(1 << number[r + dr, c + dc] for dr, dc in steps if (r + dr, c + dc) in number) for r, c in points
        )
        self.left = sum(1 << number[row, 0] for row in range(side))
        self.right = sum(1 << number[row, row] for row in range(side))
        self.bottom = sum(1 << number[side - 1, column] for column in range(side))

    def initial(self) -> State:
        return self.State((0, 0), 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State):
        if not self.is_terminal(s):
            taken = s.stones[0] | s.stones[1]
            for i in range(self.count):
                if not taken >> i & 1:
                    yield i

    def result(self, s: State, a: int) -> State:
        if s.turn == 0:
            return self.State((s.stones[0] | 1 << a, s.stones[1]), 1)
        return self.State((s.stones[0], s.stones[1] | 1 << a), 0)

    def connects(self, stones: int) -> bool:
        starts = stones & self.left
        while starts:
            group, edge = 0, starts & -starts
            while edge:
                group |= edge
                around = 0
                while edge:
                    around |= self.near[(edge & -edge).bit_length() - 1]
                    edge &= edge - 1
                edge = around & stones & ~group
            if group & self.right and group & self.bottom:
                return True
            starts &= ~group
        return False

    def is_terminal(self, s: State) -> bool:
        return self.connects(s.stones[1 - s.turn])

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0


class Ataxx(z.Game):
    """Grow or jump, and turn the neighbours; most stones on a full board win."""

    class State(NamedTuple):
        mine: int
        theirs: int
        turn: int
        plies: int

    size, longest = 6, 120

    def __init__(self) -> None:
        size = self.size
        cells = [(row, column) for row in range(size) for column in range(size)]

        def around(cell: tuple[int, int], distance: int) -> int:
            return sum(1 << i for i, (r, c) in enumerate(cells) if max(abs(r - cell[0]), abs(c - cell[1])) == distance)

        self.one = tuple(around(cell, 1) for cell in cells)
        self.two = tuple(around(cell, 2) for cell in cells)
        self.cells = size * size

    def initial(self) -> State:
        size = self.size
        return self.State(1 | 1 << size * size - 1, 1 << size - 1 | 1 << size * (size - 1), 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State):
        if self.is_terminal(s):
            return
        moved = False
        for to in range(self.cells):
            if not (s.mine | s.theirs) >> to & 1:
                if self.one[to] & s.mine:
                    moved = True
                    yield to
                jumping = self.two[to] & s.mine
                while jumping:
                    moved = True
                    yield self.cells * ((jumping & -jumping).bit_length()) + to
                    jumping &= jumping - 1
        if not moved:
            yield -1

    def result(self, s: State, a: int) -> State:
        if a < 0:
            return self.State(s.theirs, s.mine, 1 - s.turn, s.plies + 1)
        mine, to = s.mine, a
        if a >= self.cells:
            start, to = divmod(a, self.cells)
            mine &= ~(1 << start - 1)
        turned = self.one[to] & s.theirs
        return self.State(s.theirs & ~turned, mine | 1 << to | turned, 1 - s.turn, s.plies + 1)

    def is_terminal(self, s: State) -> bool:
        stones = s.mine | s.theirs
        full = stones.bit_count() == self.cells
        return full or not s.mine or not s.theirs or s.plies >= self.longest

    def utility(self, s: State, p: int) -> float:
        lead = s.mine.bit_count() - s.theirs.bit_count()
        if lead == 0:
            return 0.0
        return 1.0 if (lead > 0) == (p == s.turn) else -1.0


class Clobber(z.Game):
    """Capture a neighbour with each move; whoever cannot loses."""

    class State(NamedTuple):
        stones: tuple[int, int]
        turn: int

    rows, columns = 7, 6

    def initial(self) -> State:
        cells = range(self.rows * self.columns)
        even = sum(1 << i for i in cells if (i // self.columns + i % self.columns) % 2 == 0)
        return self.State((even, (1 << self.rows * self.columns) - 1 - even), 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State):
        mine, theirs = s.stones[s.turn], s.stones[1 - s.turn]
        for start in range(self.rows * self.columns):
            if mine >> start & 1:
                column = start % self.columns
                if start >= self.columns and theirs >> start - self.columns & 1:
                    yield 4 * start
                if column < self.columns - 1 and theirs >> start + 1 & 1:
                    yield 4 * start + 1
                if theirs >> start + self.columns & 1:
                    yield 4 * start + 2
                if column > 0 and theirs >> start - 1 & 1:
                    yield 4 * start + 3

    def result(self, s: State, a: int) -> State:
        start, way = a >> 2, a & 3
        step = (-self.columns, 1, self.columns, -1)[way]
        mine = s.stones[s.turn] & ~(1 << start) | 1 << start + step
        theirs = s.stones[1 - s.turn] & ~(1 << start + step)
        return self.State((mine, theirs) if s.turn == 0 else (theirs, mine), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        for _ in self.actions(s):
            return False
        return True

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0
