"""The patterns of Othello, as inputs of a weighted sum: what lies along edges, in corners and on lines.

A pattern is a shape of cells in an order. What lies on it is a number to base 3, in which the i-th cell counts 3^i
times 0 if it is empty, 1 with a disc of the player and 2 with one of the other. A shape has the same inputs wherever
it lies on the board, and one that is symmetric is read in both directions, of which the lesser number counts: so a
weight is learned from all places.

| shape | cells | places | read in both directions |
|---|---|---|---|
| an edge with its two X-squares | 10 | 4 | yes |
| the 2nd, 3rd and 4th line from an edge | 8 each | 4 each | yes |
| diagonals of 4 to 8 cells | 4 … 8 | 4 each, 2 of the longest | yes |
| corners of 3 × 3 | 9 | 4 | yes |
| corners of 2 × 5 | 10 | 8 | no |

On smaller boards lines are shorter, and what does not fit is left out. Beside the patterns there is an input for each
number of moves that the player and the other have, and for each number of empty cells.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, TypeVar

from zermelo.game import U64
from zermelo.games._grid import Grid

MOST_SIZE = 8
MOST_CELLS = 10
SHORTEST_DIAGONAL = 4
BLOCK = 5
"""The length of a corner of 2 × 5."""
MOST_MOVES = 40
"""More moves count as so many."""
STAGE_DISCS, STAGES = 4, 15

# Where the inputs of each shape begin.
EDGES = 0
LINES = EDGES + 3**10
DIAGONALS = LINES + 3 * 3**8
CORNERS = DIAGONALS + sum(3**length for length in range(SHORTEST_DIAGONAL, MOST_SIZE + 1))
BLOCKS = CORNERS + 3**9
MOVES = BLOCKS + 3**10
EMPTY = MOVES + 2 * (MOST_MOVES + 1)
INPUTS = EMPTY + MOST_SIZE**2 + 1

# The ways to read a set of up to ten bits as a number to base 3, and where each begins in the table of them all.
SETS = 1 << MOST_CELLS
STRAIGHT, CORNER_TURNED, FAR_CORNER, FAR_CORNER_TURNED, FAR_BLOCK, BACKWARD = range(0, 6 * SETS, SETS)
EDGE_BACKWARD = BACKWARD + (MOST_SIZE + 1) * SETS


class HasDiscs(Protocol):
    """A state of Othello."""

    @property
    def mine(self) -> int: ...
    @property
    def theirs(self) -> int: ...
    @property
    def turn(self) -> int: ...


B = TypeVar("B", bound=HasDiscs)


class Patterned(Grid[B]):
    """Othello as a network sees it."""

    inputs_are_patterns = True
    input_count, stage_count = INPUTS, STAGES
    left: int
    cells: int

    def moves(self, mine: int, theirs: int) -> int:
        """The cells where the owner of `mine` may put a disc."""
        raise self._missing("moves(self, mine, theirs)")

    def stage(self, s: B) -> int:
        return min(((s.mine | s.theirs).bit_count() - 4) // STAGE_DISCS, STAGES - 1)

    def inputs(self, s: B, p: int) -> Iterator[int]:
        n, row = self.rows, (1 << self.rows) - 1
        mine, theirs = s.mine, s.theirs
        if p != s.turn:
            mine, theirs = theirs, mine
        mine_turned, theirs_turned = self.turned_over(mine), self.turned_over(theirs)
        for side in range(4):
            m, t = (mine, theirs) if side < 2 else (mine_turned, theirs_turned)
            first, step = (0, n) if side & 1 else (n * (n - 1), -n)
            # The lines from this side on.
            m1, t1 = m >> first & row, t >> first & row
            m2, t2 = m >> first + step & row, t >> first + step & row
            m3, t3 = m >> first + 2 * step & row, t >> first + 2 * step & row
            edge = m1 | (m2 >> 1 & 1) << n | (m2 >> n - 2 & 1) << n + 1
            other_edge = t1 | (t2 >> 1 & 1) << n | (t2 >> n - 2 & 1) << n + 1
            yield EDGES + self.least(edge, other_edge, STRAIGHT, EDGE_BACKWARD + n * SETS)
            yield LINES + self.least(m2, t2, STRAIGHT, BACKWARD + n * SETS)
            if n > 4:
                yield LINES + 3**8 + self.least(m3, t3, STRAIGHT, BACKWARD + n * SETS)
                yield BLOCKS + self.base_three(m1 & 31 | (m2 & 31) << BLOCK, t1 & 31 | (t2 & 31) << BLOCK, STRAIGHT)
                far, other_far = m1 >> n - BLOCK | m2 >> n - BLOCK << BLOCK, t1 >> n - BLOCK | t2 >> n - BLOCK << BLOCK
                yield BLOCKS + self.base_three(far, other_far, FAR_BLOCK)
            if n > 6:
                m4, t4 = m >> first + 3 * step & row, t >> first + 3 * step & row
                yield LINES + 2 * 3**8 + self.least(m4, t4, STRAIGHT, BACKWARD + n * SETS)
            if side < 2:
                near, other_near = m1 & 7 | (m2 & 7) << 3 | (m3 & 7) << 6, t1 & 7 | (t2 & 7) << 3 | (t3 & 7) << 6
                yield CORNERS + self.least(near, other_near, STRAIGHT, CORNER_TURNED)
                far = m1 >> n - 3 | m2 >> n - 3 << 3 | m3 >> n - 3 << 6
                other_far = t1 >> n - 3 | t2 >> n - 3 << 3 | t3 >> n - 3 << 6
                yield CORNERS + self.least(far, other_far, FAR_CORNER, FAR_CORNER_TURNED)
        for cells, column, backward, begin in DIAGONALS_OF[n]:
            diagonal, other_diagonal = (
                self.columns_of(mine & cells) >> column,
                self.columns_of(theirs & cells) >> column,
            )
            yield begin + self.least(diagonal, other_diagonal, STRAIGHT, backward)
        yield MOVES + min(self.moves(mine, theirs).bit_count(), MOST_MOVES)
        yield MOVES + MOST_MOVES + 1 + min(self.moves(theirs, mine).bit_count(), MOST_MOVES)
        yield EMPTY + self.cells - (mine | theirs).bit_count()

    def base_three(self, mine: int, theirs: int, reading: int) -> int:
        """What lies on a pattern, as a number."""
        return READINGS[reading + mine] + 2 * READINGS[reading + theirs]

    def least(self, mine: int, theirs: int, one: int, other: int) -> int:
        """The lesser of two readings."""
        return min(self.base_three(mine, theirs, one), self.base_three(mine, theirs, other))

    def columns_of(self, cells: int) -> int:
        """The columns in which `cells` lie, as bits."""
        cells |= cells >> 4 * self.columns
        cells |= cells >> 2 * self.columns
        return (cells | cells >> self.columns) & (1 << self.columns) - 1

    def turned_over(self, cells: int) -> int:
        """Rows made columns, and columns rows."""
        if self.rows < MOST_SIZE:
            return U64(self.symmetric_bits(cells, 4))
        # Squares of four cells, of two and of one are exchanged across the diagonal.
        moved = (cells ^ cells >> 28) & 0x00000000F0F0F0F0
        cells = cells ^ moved ^ moved << 28
        moved = (cells ^ cells >> 14) & 0x0000CCCC0000CCCC
        cells = cells ^ moved ^ moved << 14
        moved = (cells ^ cells >> 7) & 0x00AA00AA00AA00AA
        return U64(cells ^ moved ^ moved << 7)


def read_to_base_three() -> tuple[int, ...]:
    """For each way to read, and each set of bits, the sum of 3^place over the bits of the set."""
    square = [(row, column) for row in range(3) for column in range(3)]
    places = [
        range(MOST_CELLS),  # straight
        [3 * column + row for row, column in square],  # a corner, with rows and columns exchanged
        [3 * row + 2 - column for row, column in square],  # one at the far end of its rows
        [3 * (2 - column) + row for row, column in square],
        [BLOCK * row + BLOCK - 1 - column for row in range(2) for column in range(BLOCK)],  # a block there
        *(range(length)[::-1] for length in range(MOST_SIZE + 1)),  # backward, by length
        *([*range(size)[::-1], size + 1, size] for size in range(MOST_SIZE + 1)),  # an edge backward, by its length
    ]
    found: list[int] = []
    for order in places:
        sums = [0]
        for bits in range(1, SETS):  # the sum without the lowest bit, and what that one adds
            lowest = (bits & -bits).bit_length() - 1
            sums.append(sums[bits & bits - 1] + (3 ** order[lowest] if lowest < len(order) else 0))
        found += sums
    return tuple(found)


def find_diagonals(size: int) -> tuple[tuple[int, int, int, int], ...]:
    """The diagonals of at least four cells: these, their first column, the reading backward, where the inputs begin."""
    found = []
    for step in (1, -1):
        for shift in range(SHORTEST_DIAGONAL - size, size - SHORTEST_DIAGONAL + 1):
            line = [(row, shift + (row if step > 0 else size - 1 - row)) for row in range(size)]
            inside = [(row, column) for row, column in line if 0 <= column < size]
            cells = sum(1 << size * row + column for row, column in inside)
            begin = DIAGONALS + sum(3**length for length in range(SHORTEST_DIAGONAL, len(inside)))
            found.append((cells, min(column for _, column in inside), BACKWARD + len(inside) * SETS, begin))
    return tuple(found)


READINGS = read_to_base_three()
DIAGONALS_OF = tuple(find_diagonals(size) for size in range(MOST_SIZE + 1))
"""By the size of the board."""
