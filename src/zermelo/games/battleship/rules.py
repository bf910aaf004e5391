"""The rules of a small game of battleship.

Each player hides one straight ship on a grid of its own; neither sees where. Then they shoot in turn at cells of the
other's grid, and hear whether they hit. Whoever first has hit all cells of the ship wins; if nobody has after so many
shots each, it is a draw.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from zermelo.errors import OptionError, PositionError
from zermelo.game import Game
from zermelo.options import takes, whole

COLUMNS = "abcd"


SIDE = 40
"""Of a cell in the picture."""
STYLE = (
    ".water{fill:#cfe3ea;stroke:#6f93a3}.ship{fill:#6b7280;stroke:#4a4436}.hit{fill:#b3261e}.miss{fill:#ffffff;"
    "stroke:#6f93a3}.label{font:14px sans-serif;fill:#22252a}"
)


class Sea(NamedTuple):
    """The waters of one player, as somebody knows them."""

    label: str
    ship: int
    shots: int
    is_place: bool = False


class Battleship(Game["Battleship.State", int]):
    """Hide a ship, then take turns to shoot at your opponent's; you are told when you hit."""

    class State(NamedTuple):
        first: int  # the ship of player 0, one bit a cell; 0 if not placed yet
        second: int
        shots: int  # where player 0 has shot
        answers: int  # where player 1 has shot
        moves: int  # shots of both so far

    class View(NamedTuple):
        mine: int
        shots: int
        hits: int
        answers: int  # where the other has shot
        moves: int

    @takes(
        columns=whole(1, 4, about="columns of the sea"),
        rows=whole(1, 4, about="rows of the sea"),
        length=whole(1, 4, about="cells of a ship"),
        shots=whole(1, 16, about="shots of each player"),
    )
    def __init__(self, columns: int = 2, rows: int = 2, length: int = 2, shots: int = 3):
        if length > max(columns, rows):
            raise OptionError(f"a ship of length {length} does not fit on a board of {columns} × {rows}")
        if shots > columns * rows:
            raise OptionError(f"shots must be at most the number of cells, {columns * rows}, not {shots}")
        self.columns = columns
        self.rows = rows
        self.length = length
        self.shots = shots
        self.ships = tuple(self.placements())

    def placements(self) -> list[int]:
        """Every way to lay the ship, as bits."""
        found: list[int] = []
        for dx, dy in ((1, 0), (0, 1)):
            for y in range(self.rows - dy * (self.length - 1)):
                for x in range(self.columns - dx * (self.length - 1)):
                    ship = sum(1 << ((y + dy * i) * self.columns + x + dx * i) for i in range(self.length))
                    if ship not in found:
                        found.append(ship)
        return found

    @property
    def board_size(self) -> tuple[int, int]:
        return self.columns, self.rows

    def initial(self) -> State:
        return self.State(0, 0, 0, 0, 0)

    def player(self, s: State) -> int:
        if s.first == 0:
            return 0
        return 1 if s.second == 0 else s.moves % 2

    def actions(self, s: State) -> Iterator[int]:
        if s.second == 0:
            for i in range(len(self.ships)):
                yield i
        elif not self.is_terminal(s):
            tried = s.shots if s.moves % 2 == 0 else s.answers
            for cell in range(self.columns * self.rows):
                if not (tried >> cell) & 1:
                    yield cell

    def result(self, s: State, a: int) -> State:
        if s.first == 0:
            return self.State(self.ships[a], 0, 0, 0, 0)
        if s.second == 0:
            return self.State(s.first, self.ships[a], 0, 0, 0)
        if s.moves % 2 == 0:
            return self.State(s.first, s.second, s.shots | (1 << a), s.answers, s.moves + 1)
        return self.State(s.first, s.second, s.shots, s.answers | (1 << a), s.moves + 1)

    def is_sunk(self, ship: int, shots: int) -> bool:
        return ship != 0 and ship & shots == ship

    def is_terminal(self, s: State) -> bool:
        return s.moves == 2 * self.shots or self.is_sunk(s.second, s.shots) or self.is_sunk(s.first, s.answers)

    def utility(self, s: State, p: int) -> float:
        if self.is_sunk(s.second, s.shots):
            return 1.0 if p == 0 else -1.0
        if self.is_sunk(s.first, s.answers):
            return 1.0 if p == 1 else -1.0
        return 0.0

    def view(self, s: State, p: int) -> View:
        if p == 0:
            return self.View(s.first, s.shots, s.shots & s.second, s.answers, s.moves)
        return self.View(s.second, s.answers, s.answers & s.first, s.shots, s.moves)

    def sample(self, view: View, p: int, random: Random) -> State:
        """The other's ship lies anywhere that fits the hits and misses."""
        if p == 0 and view.mine == 0:
            return self.initial()
        fitting = [ship for ship in self.ships if ship & view.shots == view.hits and ship != view.hits]
        theirs = random.choice(fitting)
        if p == 0:
            return self.State(view.mine, theirs, view.shots, view.answers, view.moves)
        return self.State(theirs, view.mine, view.answers, view.shots, view.moves)

    # Text: cells are a1, b1, …; a ship is its first and its last cell.

    def cell_name(self, cell: int) -> str:
        return f"{COLUMNS[cell % self.columns]}{cell // self.columns + 1}"

    def cells_name(self, cells: int) -> str:
        return "".join(self.cell_name(c) for c in range(self.columns * self.rows) if (cells >> c) & 1) or "-"

    def show(self, s: State) -> str:
        lines = [
            f"player {p}: ship {self.cells_name(ship)}, shots {self.cells_name(shots)}"
            for p, ship, shots in ((0, s.first, s.shots), (1, s.second, s.answers))
        ]
        return "\n".join(lines)

    def show_view(self, view: View, p: int) -> str:
        if view.mine == 0:
            return "to place a ship"
        shots = f"shots {self.cells_name(view.shots)}, hits {self.cells_name(view.hits)}"
        return f"ship {self.cells_name(view.mine)}, {shots}, the other's {self.cells_name(view.answers)}"

    def picture(self, s: State) -> str:
        return self.draw([Sea("player 0", s.first, s.answers), Sea("player 1", s.second, s.shots)])

    def view_picture(self, view: View, p: int) -> str:
        placed = bool(view.mine)
        mine = Sea("your ship", view.mine, view.answers, not placed)
        return self.draw([mine, Sea("your shots", view.hits, view.shots, placed)])

    def draw(self, seas: list[Sea]) -> str:
        """Waters side by side: ships dark, shots as dots, red where they hit."""
        width = SIDE * self.columns
        parts = [self._sea(sea, i * (width + SIDE)) for i, sea in enumerate(seas)]
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -22 {2 * width + SIDE + 8} {SIDE * self.rows + 26}">'
            f"<style>{STYLE}</style>{''.join(parts)}</svg>"
        )

    def _sea(self, sea: Sea, left: int) -> str:
        shapes = [f'<text x="{left}" y="-8" class="label">{sea.label}</text>']
        for cell in range(self.columns * self.rows):
            x, y = left + SIDE * (cell % self.columns), SIDE * (self.rows - 1 - cell // self.columns)
            at = f' data-at="{self.cell_name(cell)}"' if sea.is_place else ""
            ship = (sea.ship >> cell) & 1
            kind = "ship" if ship else "water"
            dot = f'<circle cx="{x + SIDE // 2}" cy="{y + SIDE // 2}" r="7" class="{"hit" if ship else "miss"}"/>'
            square = f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" class="{kind}"/>'
            shapes.append(f"<g{at}>{square}{dot if (sea.shots >> cell) & 1 else ''}</g>")
        return "".join(shapes)

    def show_action(self, s: State, a: int) -> str:
        if s.second:
            return self.cell_name(a)
        cells = [cell for cell in range(self.columns * self.rows) if (self.ships[a] >> cell) & 1]
        return self.cell_name(cells[0]) + (self.cell_name(cells[-1]) if len(cells) > 1 else "")

    def read(self, text: str) -> State:
        s: Battleship.State = super().read(text)
        whole = 1 << (self.columns * self.rows)
        ships = all(ship == 0 or ship in self.ships for ship in (s.first, s.second)) and (s.first != 0 or s.second == 0)
        shots = 0 <= s.shots < whole and 0 <= s.answers < whole and (s.second != 0 or s.moves == 0)
        turns = s.shots.bit_count() == (s.moves + 1) // 2 and s.answers.bit_count() == s.moves // 2
        if not ships or not shots or not turns or not 0 <= s.moves <= 2 * self.shots:
            raise PositionError(f"{text!r} is not a position of this game; the start is {self.write(self.initial())}")
        return s
