"""The rules of Othello, and its positions as text and picture.

A position is written as in collections of problems: all cells from a1 on, row by row, X for black, O for white
and - for nothing, then who is to move.

One bit a cell, row by row from the top left corner, as the board is read: a1 is bit 0, b1 bit 1. An action is
the cell of the new disc; the number of cells stands for a pass, which is legal only where nothing else is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from zermelo.errors import PositionError
from zermelo.game import U64
from zermelo.games.othello.patterns import Patterned
from zermelo.options import choice, flag, takes
from zermelo.search.trace.words import plural


def runs(start: int, through: int, step: int) -> tuple[int, int]:
    """The bits of `through` that are reached from `start`, `step` bits up and `step` bits down at a time.

    At most six in a row: first one step twice, then two steps twice.
    """
    up, down = through & (start << step), through & (start >> step)
    up, down = up | (through & (up << step)), down | (through & (down >> step))
    pairs_up, pairs_down = through & (through << step), through & (through >> step)
    for _ in range(2):
        up, down = up | (pairs_up & (up << (2 * step))), down | (pairs_down & (down >> (2 * step)))
    return up, down


def enclosed(disc: int, mine: int, through: int, step: int) -> int:
    """The runs of `through` between `disc` and one of `mine`, up and down."""
    up, down = runs(disc, through, step)
    nothing = U64(0)
    return (up if (up << step) & mine else nothing) | (down if (down >> step) & mine else nothing)


class Othello(Patterned["Othello.State"]):
    """Enclose your opponent's discs to turn them over; whoever has more when nobody can move wins."""

    player_colours = ("#2b2b2b", "#ffffff")

    record_format = "sgf"
    marks = "-XO"
    first_row_on_top = True
    turn_in_text = True
    symmetry_count = 8
    training: ClassVar[Mapping[str, Any]] = {
        "family": "sum",
        "width": 0,
        "nodes": 200,
        "opening_plies": 20,
        "ending_stage": 12,
        "ending_nodes": 50_000,
        "generations": 8,
        "taught_share": 0.5,
        "score_share": 0.3,
        "first_share": 0.0,
        "window_share": 1.0,
        "passes": 16.0,
        "rate": 0.02,
    }
    cells: int

    class State(NamedTuple):
        mine: U64  # the discs of the player to move, one bit a cell
        theirs: U64
        turn: int

    @takes(
        size=choice(4, 6, 8, about="squares a side"),
        discs=flag(about="whether the difference in discs counts, and not only who wins"),
    )
    def __init__(self, size: int = 8, discs: bool = False):
        self.columns = self.rows = size
        self.cells = size * size
        self.full = (1 << self.cells) - 1
        self.left = sum(1 << size * row for row in range(size))
        self.right = self.left << (size - 1)
        self.inner = self.full & ~(self.left | self.right)  # where runs across do not wrap around the edge
        self.discs = discs
        if discs:
            self.bounds = (float(-self.cells), float(self.cells))
            self.unit = "discs"
        self.scale = 1.0 if discs else self.most_points
        row = (1 << size) - 1
        self.top_and_bottom = row | row << (self.cells - size)
        self.corners = (self.left | self.right) & self.top_and_bottom
        self.north = (1 << self.cells // 2) - 1
        self.west = sum(self.left << column for column in range(size // 2))
        self.diagonal = sum(1 << (row * size + c) for row in (1, size - 2) for c in (1, size - 2))

    def initial(self) -> State:
        middle = (self.rows // 2 - 1) * self.columns + self.columns // 2 - 1
        rising = (1 << (middle + 1)) | (1 << (middle + self.columns))
        falling = (1 << middle) | (1 << (middle + self.columns + 1))
        return self.State(U64(rising), U64(falling), 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        moves = self.moves(s.mine, s.theirs)
        if moves == 0 and self.moves(s.theirs, s.mine) != 0:
            yield self.cells
        while moves:
            yield (moves & -moves).bit_length() - 1
            moves &= moves - 1

    def result(self, s: State, a: int) -> State:
        if a == self.cells:
            return self.State(s.theirs, s.mine, 1 - s.turn)
        turned = self.turned(s.mine, s.theirs, a)
        return self.State(U64(s.theirs ^ turned), U64(s.mine | turned | U64(1 << a)), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        if s.mine | s.theirs == self.full:
            return True
        return self.moves(s.mine, s.theirs) == 0 and self.moves(s.theirs, s.mine) == 0

    def utility(self, s: State, p: int) -> float:
        mine, theirs = s.mine.bit_count(), s.theirs.bit_count()
        sign = (mine > theirs) - (mine < theirs) if p == s.turn else (mine < theirs) - (mine > theirs)
        # The cells that stay empty count for the winner.
        return float(sign * (self.cells - 2 * min(mine, theirs)) if self.discs else sign)

    # One line a direction, not a loop over them: so compiled code has neither branches nor shifts by a variable.

    def moves(self, mine: int, theirs: int) -> int:
        """The cells where the owner of `mine` may put a disc: those beyond a run of `theirs`."""
        inside = theirs & self.inner
        right, left = runs(mine, inside, 1)
        rising_down, rising_up = runs(mine, inside, self.columns - 1)
        down, up = runs(mine, theirs, self.columns)
        falling_down, falling_up = runs(mine, inside, self.columns + 1)
        found = (
            (right << 1)
            | (left >> 1)
            | (rising_down << (self.columns - 1))
            | (rising_up >> (self.columns - 1))
            | (down << self.columns)
            | (up >> self.columns)
            | (falling_down << (self.columns + 1))
            | (falling_up >> (self.columns + 1))
        )
        return found & self.full & ~(mine | theirs)

    def turned(self, mine: int, theirs: int, a: int) -> int:
        """The discs among `theirs` that a disc on `a` turns over: the runs that end at one of `mine`."""
        disc, inside = U64(1 << a), theirs & self.inner
        return (
            enclosed(disc, mine, inside, 1)
            | enclosed(disc, mine, inside, self.columns - 1)
            | enclosed(disc, mine, theirs, self.columns)
            | enclosed(disc, mine, inside, self.columns + 1)
        )

    # Beyond the rules: an estimate, and which moves to try first.

    most_points = 2000.0
    """More than all the points that one side can have."""

    def evaluate(self, s: State, p: int) -> float:
        points = self.points(s.mine, s.theirs) - self.points(s.theirs, s.mine)
        if self.discs:
            points = max(1 - self.cells, min(self.cells - 1, points // 10 if points > 0 else -(-points // 10)))
        return (points if p == s.turn else -points) / self.scale

    def points(self, mine: int, theirs: int) -> int:
        """Mobility now and soon, corners and what hangs on them, less discs that give a corner away."""
        empty = self.full & ~(mine | theirs)
        row_up, row_down = runs(mine & self.corners, mine & self.top_and_bottom, 1)
        column_up, column_down = runs(mine & self.corners, mine & (self.left | self.right), self.columns)
        anchored = row_up | row_down | column_up | column_down
        risky = mine & self.around(empty & self.corners)
        return (
            8 * self.moves(mine, theirs).bit_count()
            + 3 * (self.around(theirs) & empty).bit_count()
            + 60 * (mine & self.corners).bit_count()
            + 15 * anchored.bit_count()
            - 15 * (risky.bit_count() + (risky & self.diagonal).bit_count())
        )

    def around(self, cells: int) -> int:
        """`cells` and all that touch them."""
        row = cells | ((cells & ~self.right) << 1) | ((cells & ~self.left) >> 1)
        return (row | (row << self.columns) | (row >> self.columns)) & self.full

    def priority(self, s: State, a: int) -> float:
        """Corners first, the cells beside an empty one last, and what leaves the other few moves before the rest."""
        if a == self.cells:
            return 0.0
        after = self.result(s, a)
        disc = U64(1 << a)
        risky = disc & self.around(self.corners & ~(s.mine | s.theirs))
        value = 20 if disc & self.corners else -5 if risky & self.diagonal else -2 if risky else 0
        return float(value - self.moves(after.mine, after.theirs).bit_count())

    # What a search for endings asks.

    def remaining_plies(self, s: State) -> int:
        return self.cells - (s.mine | s.theirs).bit_count()

    def upper_bound(self, s: State, p: int) -> float:
        """All cells but those of the other's stable discs."""
        lost = 2 * self.stable(s.theirs if p == s.turn else s.mine, s.mine | s.theirs).bit_count()
        return float(self.cells - lost if self.discs else (lost < self.cells) - (lost > self.cells))

    def stable(self, discs: int, occupied: int) -> int:
        """Those of `discs` that can be seen never to be turned over: in each direction the line is full, or a neighbour
        on it is stable or beyond the edge."""
        across, beside, top = self.left | self.right, self.columns - 1, self.top_and_bottom
        rows, columns = self.full_lines(occupied, 1, across), self.full_lines(occupied, self.columns, top)
        rising = self.full_lines(occupied, beside, across | top) | across | top
        falling = self.full_lines(occupied, beside + 2, across | top) | across | top
        found: int = U64(0)
        more = discs & (rows | across) & (columns | top) & rising & falling
        while more != found:
            found = more
            more = discs & (rows | across | (found << 1) | (found >> 1))
            more &= columns | top | (found << self.columns) | (found >> self.columns)
            more &= rising | (found << beside) | (found >> beside)
            more &= falling | (found << (beside + 2)) | (found >> (beside + 2))
        return found

    def full_lines(self, occupied: int, step: int, edge: int) -> int:
        """The cells of lines that are full, `step` bits from cell to cell, and end on the `edge`."""
        up, down = occupied, occupied
        for _ in range(self.columns - 1):
            up, down = occupied & (edge | (up << step)), occupied & (edge | (down >> step))
        return up & down

    def ending_priority(self, s: State, a: int) -> float:
        """Corners, and quarters of the board with an odd number of empty cells, where one can have the last disc."""
        if a == self.cells:
            return 0.0
        empty, disc = self.full & ~(s.mine | s.theirs), U64(1 << a)
        half = self.north if disc & self.north else self.full & ~self.north
        quarter = half & (self.west if disc & self.west else self.full & ~self.west)
        return (2.0 if disc & self.corners else 0.0) + float((empty & quarter).bit_count() & 1)

    def target(self, s: State, a: int) -> int:
        return a

    def is_irreversible(self, s: State, a: int) -> bool:
        return True

    def symmetric(self, s: State, k: int) -> State:
        return self.State(U64(self.symmetric_bits(s.mine, k)), U64(self.symmetric_bits(s.theirs, k)), s.turn)

    def learned_as(self) -> Othello:
        return Othello(self.rows, discs=True)

    def symmetric_action(self, a: int, k: int) -> int:
        return a if a == self.cells else self.symmetric_cell(a, k)

    # Text and picture.

    def stone(self, s: State, cell: int) -> int:
        mover, other = (1, 2) if s.turn == 0 else (2, 1)
        return mover if (s.mine >> cell) & 1 else other if (s.theirs >> cell) & 1 else 0

    def setup(self, stones: list[int], turn: int) -> State:
        return type(self.initial())(U64(self.bits(stones, 1 + turn)), U64(self.bits(stones, 2 - turn)), turn)

    def show(self, s: State) -> str:
        names = " ".join(chr(97 + column) for column in range(self.columns))
        rows = [f"{i + 1}  {' '.join(self.marks[c] for c in row)}" for i, row in enumerate(self._stones(s))]
        return "\n".join([f"   {names}", *rows, f"{self.player_name(s.turn)} ({self.marks[1 + s.turn]}) to move"])

    def player_name(self, p: int) -> str:
        return "black" if p == 0 else "white"

    def show_action(self, s: State, a: int) -> str:
        return "pass" if a == self.cells else super().show_action(s, a)

    def write(self, s: State) -> str:
        return super().write(s).replace("/", "")

    def read(self, text: str) -> State:
        words = text.upper().replace("/", "").replace(".", "-").split()
        if len(words) != 2 or len(words[0]) != self.cells or set(words[0]) - set("-XO") or words[1] not in ("X", "O"):
            raise PositionError(
                f"{text!r} is not a board: write {self.cells} cells from a1 on, row by row, X for black, O for white, "
                f"- for nothing, then who is to move, as in {self.write(self.initial())!r}"
            )
        return self.setup([self.marks.index(mark) for mark in words[0]], self.marks.index(words[1]) - 1)

    style = ".cell{fill:#2f7d5b;stroke:#1d5a40}.z-dot{fill:#08201a}"

    def is_landing(self, s: State, line: int, column: int) -> bool:
        return True

    def tally(self, s: State, p: int) -> str:
        discs = s.mine if s.turn == p else s.theirs
        return plural(int(discs).bit_count(), "disc", "discs")

    def count_pieces(self, s: State, p: int) -> dict[str, int]:
        own, size = int(s.mine if p == s.turn else s.theirs), self.rows
        return {"corner": sum(own >> cell & 1 for cell in (0, size - 1, size * (size - 1), size * size - 1))}

    def say_end(self, s: State) -> str:
        return " : ".join(self.tally(s, p).split()[0] for p in (0, 1))

    def draw_stone(self, stone: int, x: int, y: int) -> str:
        paint = "#2b2b2b" if stone == 1 else "#ffffff"
        return f'<circle cx="{x}" cy="{y}" r="16" style="fill:{paint};stroke:#2b2b2b;stroke-width:1.5"/>'
