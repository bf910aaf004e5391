"""What games on a grid of cells share: text, notation, pictures and bit masks.

Cells are numbered along the rows, from the lowest row up: cell = row · columns + column. A game that sets
`first_row_on_top` counts its rows from the top down instead.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from zermelo.errors import OptionError, PositionError
from zermelo.game import Game


def lines(columns: int, rows: int, k: int) -> tuple[int, ...]:
    """The bit mask of every run of `k` cells across, down or slantwise."""
    found = []
    for row in range(rows):
        for column in range(columns):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (-1, 1)):
                if 0 <= column + dx * (k - 1) < columns and row + dy * (k - 1) < rows:
                    cells = ((row + dy * i) * columns + column + dx * i for i in range(k))
                    found.append(sum(1 << cell for cell in cells))
    return tuple(dict.fromkeys(found))


def draw_pawn(stone: int, x: int, y: int) -> str:
    """The SVG of a pawn, a white one if `stone` is 1, that stays upright when the board is turned round."""
    paint = "fill:#ffffff;stroke:#4a4436" if stone == 1 else "fill:#4a4436;stroke:#4a4436"
    return (
        f'<g class="upright" style="{paint};stroke-width:2"><path d="M{x - 10},{y + 14}h20l-6,-16h-8z"/>'
        f'<circle cx="{x}" cy="{y - 7}" r="7"/></g>'
    )


SIDE = 40
"""Of a cell in a picture."""
STYLE = (
    ".cell{fill:#f7f4ec;stroke:#8a8372}.dark{fill:#d3c8ae}"
    ".name{font-family:sans-serif;fill:currentColor;opacity:.75;text-anchor:middle;dominant-baseline:central}"
    ".one{fill:none;stroke:#1f6f8b;stroke-width:5}.two{fill:none;stroke:#c8553d;stroke-width:5}"
    ".landing{opacity:0;pointer-events:none}.z-over .landing{opacity:.45}"
)


class HasTurn(Protocol):
    """A state that says who is to move."""

    @property
    def turn(self) -> int: ...


B = TypeVar("B", bound=HasTurn)


class Grid(Game[B, int]):
    """A game on a grid: give `columns`, `rows`, `stone` and `setup`, and get text, notation and pictures."""

    scale = 1.0
    columns: int
    rows: int
    marks = ".xo"
    """How an empty cell, a stone of player 0 and one of player 1 are written; further kinds alternate so too."""
    first_row_on_top = False
    """Whether a person sees the first row at the top of the board."""
    style = ""
    """CSS of the game's own for its picture."""
    turn_in_text = False
    """Whether a position's text names who is to move, because the stones do not tell."""

    def stone(self, s: B, cell: int) -> int:
        """What stands on `cell`: 0 for nothing, else an index into `marks`."""
        raise self._missing("stone(self, s, cell)")

    def setup(self, stones: list[int], turn: int) -> B:
        """The state with these stones, cell by cell, and who is to move; a `ValueError` says what is wrong."""
        raise self._missing("setup(self, stones, turn)")

    @property
    def board_size(self) -> tuple[int, int]:
        return self.columns, self.rows

    @staticmethod
    def size(columns: int, rows: int, k: int = 1, spare: int = 0) -> tuple[int, int]:
        """`columns` and `rows`, if such a board fits the 64 bits of a state."""
        if columns < 1 or rows < 1 or k < 1 or columns * (rows + spare) - spare > 63:
            raise OptionError(f"a board of {columns} × {rows} is not possible: it needs 1 to {63 - spare} cells")
        if columns > 26:
            raise OptionError(f"{columns} columns have no names: the letters a to z name 26")
        if k > max(columns, rows):
            raise OptionError(f"{k} in a row do not fit on a board of {columns} × {rows}; make k smaller")
        return columns, rows

    @staticmethod
    def owner(mine: int, theirs: int, turn: int, cell: int) -> int:
        """Whose stone is on `cell`, by the bits of the player to move, who is `turn`, and of the other one."""
        if (mine >> cell) & 1:
            return 1 + turn
        return 2 - turn if (theirs >> cell) & 1 else 0

    @staticmethod
    def bits(stones: list[int], kind: int) -> int:
        """The bit mask of the places where `stones` holds `kind`."""
        return sum(1 << i for i, stone in enumerate(stones) if stone == kind)

    def symmetric_cell(self, cell: int, k: int) -> int:
        """Where `cell` goes under symmetry `k`: 1 mirrors the columns, 2 the rows, 4 exchanges both."""
        row, column = cell // self.columns, cell % self.columns
        row, column = self.rows - 1 - row if k & 2 else row, self.columns - 1 - column if k & 1 else column
        return column * self.columns + row if k & 4 else row * self.columns + column

    def symmetric_bits(self, cells: int, k: int) -> int:
        """Where the bit mask `cells` goes under symmetry `k`."""
        image = 0
        for cell in range(self.columns * self.rows):
            if (cells >> cell) & 1:
                image |= 1 << self.symmetric_cell(cell, k)
        return image

    def _stones(self, s: B) -> list[list[int]]:
        """The rows of the board, from the top down, as a person looks at it."""
        cells = [self.stone(s, cell) for cell in range(self.columns * self.rows)]
        rows = [cells[row * self.columns : (row + 1) * self.columns] for row in range(self.rows)]
        return rows if self.first_row_on_top else rows[::-1]

    def show(self, s: B) -> str:
        width = len(str(self.rows))
        board = [
            f"{self.rows - i:>{width}}  {' '.join(self.marks[c] for c in row)}" for i, row in enumerate(self._stones(s))
        ]
        names = " ".join(self.column_name(column) for column in range(self.columns))
        turn = [f"{self.marks[1 + s.turn]} to move"] if self.turn_in_text else []
        return "\n".join([*board, " " * (width + 2) + names, *turn])

    def column_name(self, column: int) -> str:
        """The one character under a column of the board."""
        return chr(97 + column)

    def player_name(self, p: int) -> str:
        return self.marks[1 + p]

    def stone_name(self, stone: int) -> str:
        """What a person calls a stone."""
        return self.player_name((stone - 1) % 2)

    def show_action(self, s: B, a: int) -> str:
        return f"{chr(97 + a % self.columns)}{a // self.columns + 1}"

    def write(self, s: B) -> str:
        board = "/".join("".join(self.marks[c] for c in row) for row in self._stones(s))
        return f"{board} {self.marks[1 + s.turn]}" if self.turn_in_text else board

    def read(self, text: str) -> B:
        words = (text.lower() if self.marks.islower() else text).split()
        rows = words[0].split("/") if words else []
        if (
            len(words) != 1 + self.turn_in_text
            or len(rows) != self.rows
            or any(len(row) != self.columns or set(row) - set(self.marks) for row in rows)
            or (self.turn_in_text and words[1] not in (self.marks[1], self.marks[2]))
        ):
            raise PositionError(
                f"{text!r} is not a board: write {self.rows} rows of {self.columns} from the top, "
                f"in {' '.join(self.marks)!r}{', then who is to move' if self.turn_in_text else ''}, "
                f"as in {self.write(self.initial())!r}"
            )
        stones = [self.marks.index(mark) for row in (rows if self.first_row_on_top else rows[::-1]) for mark in row]
        try:
            return self.setup(stones, self.marks.index(words[1]) - 1 if self.turn_in_text else self._turn(stones))
        except ValueError as error:
            raise PositionError(f"{text!r} is not a position: {error}") from None

    def _turn(self, stones: list[int]) -> int:
        """Who is to move where stones are put in turn and stay: whoever has fewer, else player 0."""
        ahead = sum(1 if stone % 2 else -1 for stone in stones if stone)
        if ahead not in (0, 1):
            raise ValueError(f"{self.marks[1]} must have as many stones as {self.marks[2]}, or one more")
        return ahead

    def picture(self, s: B) -> str:
        shapes = []
        for i, row in enumerate(self._stones(s)):
            for column, stone in enumerate(row):
                x, y = column * SIDE, i * SIDE
                at = self.place_name(i, column)
                mark = self.draw_stone(stone, x + SIDE // 2, y + SIDE // 2) if stone else ""
                if not stone and self.is_landing(s, i, column):
                    mark = f'<g class="landing">{self.draw_stone(1 + s.turn, x + SIDE // 2, y + SIDE // 2)}</g>'
                cell = self.draw_cell(x, y, self.is_dark(i, column))
                named = f' data-is="{self.stone_name(stone)}"' if stone else ""
                shapes.append(f'<g data-at="{at}"{named}>{cell}{mark}</g>' if at else cell + mark)
        edge = self.edge
        width, height = self.columns * SIDE + 2 * edge, self.rows * SIDE + 2 * edge
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{-edge} {-edge} {width} {height}" class="own-ground">'
            f"<style>{STYLE}{self.style}</style>{''.join(shapes)}{self.draw_names()}</svg>"
        )

    @property
    def edge(self) -> int:
        """The margin of a picture, with the names of columns and rows: the same part of it on every board."""
        return max(self.columns, self.rows) * SIDE // 23

    def draw_cell(self, x: int, y: int, dark: bool) -> str:
        """The SVG of an empty cell with its corner at (x, y)."""
        kind = "cell dark" if dark else "cell"
        return f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" class="{kind}"/>'

    def is_landing(self, s: B, line: int, column: int) -> bool:
        """Whether a stone that is put in this place comes to rest in the cell in a line of the picture, from the top: a
        page shows it there while the pointer is over the place."""
        return False

    def is_dark(self, line: int, column: int) -> bool:
        """Whether the cell in a line of the picture, from the top, is a dark one."""
        return False

    def draw_names(self) -> str:
        """The names of columns and rows, beside the board."""
        foot = self.rows * SIDE + self.edge // 2
        names = [
            f'<text x="{SIDE * column + SIDE // 2}" y="{foot}" class="name">{self.column_name(column)}</text>'
            for column in range(self.columns)
        ]
        for line in range(self.rows):
            row = line + 1 if self.first_row_on_top else self.rows - line
            names.append(f'<text x="{-self.edge // 2}" y="{SIDE * line + SIDE // 2}" class="name">{row}</text>')
        size = max(4, self.edge * 2 // 3)
        return f'<g style="pointer-events:none;font-size:{size}px">{"".join(names)}</g>'

    def place_name(self, line: int, column: int) -> str:
        """What actions call the cell in a line of the picture, from the top; nothing if they never name it."""
        return f"{chr(97 + column)}{line + 1 if self.first_row_on_top else self.rows - line}"

    def draw_stone(self, stone: int, x: int, y: int) -> str:
        """The SVG of a stone whose cell has its middle at (x, y)."""
        if stone == 1:
            return f'<path d="M{x - 11},{y - 11}l22,22m0,-22l-22,22" class="one"/>'
        return f'<circle cx="{x}" cy="{y}" r="12" class="two"/>'
