"""A fresh game in thirty lines of rules, with an evaluation: Domineering.

Two players lay dominoes on a board: player 0 upright ones, player 1 flat ones. Whoever cannot lay another loses. Run
it, check it, play it:

    python examples/own_game.py
    zermelo check examples/own_game.py:Domineering
    zermelo play examples/own_game.py:Domineering:columns=5
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import zermelo as z


class Domineering(z.Game):
    """Lay dominoes, player 0 upright, player 1 flat; whoever cannot lay another loses."""

    class State(NamedTuple):
        covered: int  # one bit a cell, the lowest for the lower left corner
        turn: int

    def __init__(self, columns: int = 4, rows: int = 4):
        self.columns = columns
        self.rows = rows
        self.scale = float(columns * rows)  # estimates are whole numbers of moves, divided by this

    def initial(self) -> State:
        return self.State(0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        for cell in range(self.columns * self.rows):
            if self.fits(s.covered, cell, s.turn):
                yield cell

    def result(self, s: State, a: int) -> State:
        return self.State(s.covered | 1 << a | 1 << a + (self.columns if s.turn == 0 else 1), 1 - s.turn)

    def is_terminal(self, s: State) -> bool:
        return self.moves(s.covered, s.turn) == 0

    def utility(self, s: State, p: int) -> float:
        return -1.0 if p == s.turn else 1.0

    def fits(self, covered: int, cell: int, p: int) -> bool:
        """Whether a domino of player `p` fits on `cell` and the next one up, or to the right."""
        if p == 0:
            return cell // self.columns + 1 < self.rows and not (covered >> cell | covered >> cell + self.columns) & 1
        return cell % self.columns + 1 < self.columns and not (covered >> cell | covered >> cell + 1) & 1

    def moves(self, covered: int, p: int) -> int:
        count = 0
        for cell in range(self.columns * self.rows):
            count += self.fits(covered, cell, p)
        return count

    # Optional: an estimate, so that a search may stop before the end, and text for people.

    def evaluate(self, s: State, p: int) -> float:
        return (self.moves(s.covered, p) - self.moves(s.covered, 1 - p)) / (self.columns * self.rows)

    def show(self, s: State) -> str:
        rows = [s.covered >> self.columns * row for row in reversed(range(self.rows))]
        return "\n".join(" ".join("■" if row >> c & 1 else "·" for c in range(self.columns)) for row in rows)

    def show_action(self, s: State, a: int) -> str:
        return f"{'abcdefgh'[a % self.columns]}{a // self.columns + 1}"


def main() -> None:
    game = Domineering()
    s = game.initial()
    for depth in (1, 2, 4):
        found = z.alphabeta(game, s, depth=depth)
        print(f"depth {depth}: {game.show_action(s, found.action)}, worth {found.value:+.3f}, {found.nodes:,} nodes")
    found = z.solve(game)
    print(f"solved:  {game.show_action(s, found.action)}, worth {found.value:+.3f}, {found.nodes:,} nodes\n")
    for action in found.line:
        s = game.result(s, action)
    print(f"{game.show(s)}\n\nplayer {s.turn} cannot lay another domino")


if __name__ == "__main__":
    main()
