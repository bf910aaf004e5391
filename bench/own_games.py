"""Games with nothing but the six methods, to be learned by `zermelo train`: connection, territory, and two of captures.

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


class Konane(z.Game):
    """Jump over stones of the other in a line, and capture them; whoever cannot loses.

    The board begins full. Each removes a stone first: one in the middle, then one beside it."""

    class State(NamedTuple):
        mine: z.U64
        theirs: z.U64
        turn: int

    size = 8
    steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
    longest = 3
    """Jumps of one move."""

    def __init__(self) -> None:
        size = self.size
        self.cells = size * size
        self.removals = 4 * self.longest * self.cells
        """The actions from here on remove a stone."""
        self.middle = tuple(
            size * row + column for row in (size // 2 - 1, size // 2) for column in (size // 2 - 1, size // 2)
        )

        def along(cell: int, way: int, distance: int) -> int:
            row, column = cell // size + distance * self.steps[way][0], cell % size + distance * self.steps[way][1]
            return size * row + column if 0 <= row < size and 0 <= column < size else -1

        self.along = tuple(
            tuple(tuple(along(cell, way, distance) for distance in range(2 * self.longest + 1)) for way in range(4))
            for cell in range(self.cells)
        )

    def initial(self) -> State:
        even = sum(1 << i for i in range(self.cells) if (i // self.size + i % self.size) % 2 == 0)
        return self.State(even, (1 << self.cells) - 1 - even, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State):
        mine, theirs = s.mine, s.theirs
        removed = self.cells - mine.bit_count() - theirs.bit_count()
        if removed == 0:
            for cell in self.middle:
                if mine >> cell & 1:
                    yield self.removals + cell
        elif removed == 1:
            for cell in range(self.cells):
                for way in range(4):
                    other = self.along[cell][way][1]
                    if mine >> cell & 1 and other >= 0 and not (mine | theirs) >> other & 1:
                        yield self.removals + cell
        else:
            for cell in range(self.cells):
                if mine >> cell & 1:
                    for way in range(4):
                        for jumps in range(self.longest):
                            over, to = self.along[cell][way][2 * jumps + 1], self.along[cell][way][2 * jumps + 2]
                            if to < 0 or not theirs >> over & 1 or (mine | theirs) >> to & 1:
                                break
                            yield (cell * 4 + way) * self.longest + jumps

    def result(self, s: State, a: int) -> State:
        mine, theirs = s.mine, s.theirs
        if a >= self.removals:
            mine &= ~(1 << a - self.removals)
        else:
            cell, way, jumps = a // self.longest // 4, a // self.longest % 4, a % self.longest + 1
            mine &= ~(1 << cell)
            mine |= 1 << self.along[cell][way][2 * jumps]
            for jump in range(jumps):
                theirs &= ~(1 << self.along[cell][way][2 * jump + 1])
        return self.State(theirs, mine, 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        for _ in self.actions(s):
            return False
        return True

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0
