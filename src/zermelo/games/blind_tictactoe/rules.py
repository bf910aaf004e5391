"""The rules of blind tic-tac-toe; its board, notation and picture come with `Grid`.

The variant: an attempt on a taken cell is refused, which shows that cell to the player, who then tries
again. The other player hears nothing of it. Since one mark is made a turn, both know how many marks there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from zermelo.games._grid import Grid, lines


class BlindTicTacToe(Grid["BlindTicTacToe.State"]):
    """Three in a row win, but you see only your own marks and the cells where you ran into your opponent's."""

    title = "Blind tic-tac-toe"
    player_colours = ("#1f6f8b", "#c8553d")

    marks = ".xoXO"
    """Capitals are the marks that the other player has run into."""

    class State(NamedTuple):
        crosses: int  # the marks of player 0, one bit a cell
        noughts: int
        found_crosses: int  # those that player 1 has run into
        found_noughts: int
        turn: int

    class View(NamedTuple):
        mine: int
        found: int  # the other player's marks that I have run into
        turn: int

    def __init__(self) -> None:
        self.columns, self.rows = self.size(3, 3)
        self.lines = lines(3, 3, 3)

    def initial(self) -> State:
        return self.State(0, 0, 0, 0, 0)

    def player(self, s: State) -> int:
        return s.turn

    def actions(self, s: State) -> Iterator[int]:
        known = s.crosses | s.found_noughts if s.turn == 0 else s.noughts | s.found_crosses
        for cell in range(0 if self.is_terminal(s) else 9):
            if not (known >> cell) & 1:
                yield cell

    def result(self, s: State, a: int) -> State:
        mark = 1 << a
        if s.turn == 0:
            if s.noughts & mark:
                return self.State(s.crosses, s.noughts, s.found_crosses, s.found_noughts | mark, 0)
            return self.State(s.crosses | mark, s.noughts, s.found_crosses, s.found_noughts, 1)
        if s.crosses & mark:
            return self.State(s.crosses, s.noughts, s.found_crosses | mark, s.found_noughts, 1)
        return self.State(s.crosses, s.noughts | mark, s.found_crosses, s.found_noughts, 0)

    def won(self, cells: int) -> bool:
        for line in self.lines:  # noqa: SIM110 (any() over a generator does not compile)
            if cells & line == line:
                return True
        return False

    def is_terminal(self, s: State) -> bool:
        return (s.crosses | s.noughts) == 0b111_111_111 or self.won(s.crosses) or self.won(s.noughts)

    def utility(self, s: State, p: int) -> float:
        if self.won(s.crosses):
            return 1.0 if p == 0 else -1.0
        if self.won(s.noughts):
            return 1.0 if p == 1 else -1.0
        return 0.0

    # What a player sees, and what may lie behind it.

    def view(self, s: State, p: int) -> View:
        if p == 0:
            return self.View(s.crosses, s.found_noughts, s.turn)
        return self.View(s.noughts, s.found_crosses, s.turn)

    def sample(self, view: View, p: int, random: Random) -> State:
        """Any placement of the other's hidden marks is equally likely, and any of mine may have been found."""
        theirs = 0
        for _attempt in range(1000):
            theirs = self.draw_marks(view, p, random)
            if not self.won(theirs):  # else the game would be over, unless no other placement is left
                break
        found = 0
        for cell in range(9):
            if (view.mine >> cell) & 1 and random.random() < 0.5:
                found |= 1 << cell
        if p == 0:
            return self.State(view.mine, theirs, found, view.found, view.turn)
        return self.State(theirs, view.mine, view.found, found, view.turn)

    def draw_marks(self, view: View, p: int, random: Random) -> int:
        """The other's marks: those found and as many hidden ones as there must be, each placement equally likely."""
        hidden, places = 0, 0
        for cell in range(9):
            hidden += ((view.mine >> cell) & 1) - ((view.found >> cell) & 1)
            places += 1 - (((view.mine | view.found) >> cell) & 1)
        hidden += view.turn if p == 1 else -view.turn  # in player 1's turn there is one cross more than noughts
        marks = view.found
        for cell in range(9):
            if not ((view.mine | view.found) >> cell) & 1:
                if random.random() * places < hidden:
                    marks |= 1 << cell
                    hidden -= 1
                places -= 1
        return marks

    # Text: what `Grid` asks, and what one player may be shown.

    def stone(self, s: State, cell: int) -> int:
        if (s.crosses >> cell) & 1:
            return 3 if (s.found_crosses >> cell) & 1 else 1
        if (s.noughts >> cell) & 1:
            return 4 if (s.found_noughts >> cell) & 1 else 2
        return 0

    def setup(self, stones: list[int], turn: int) -> State:
        found_crosses, found_noughts = self.bits(stones, 3), self.bits(stones, 4)
        crosses, noughts = self.bits(stones, 1) | found_crosses, self.bits(stones, 2) | found_noughts
        if self.won(crosses if turn == 0 else noughts):
            raise ValueError(f"{self.marks[1 + turn]} has a line already, so it cannot be its turn")
        return self.State(crosses, noughts, found_crosses, found_noughts, turn)

    def show_view(self, view: View, p: int) -> str:
        """The board as player `p` knows it; `?` may be empty or not."""
        return self.show(self.known(view, p)).replace(".", "?")

    def view_picture(self, view: View, p: int) -> str:
        return self.picture(self.known(view, p))

    def known(self, view: View, p: int) -> State:
        """The board with the marks alone that player `p` knows of."""
        crosses, noughts = (view.mine, view.found) if p == 0 else (view.found, view.mine)
        return self.State(crosses, noughts, 0, 0, view.turn)

    def draw_stone(self, stone: int, x: int, y: int) -> str:
        drawn = super().draw_stone(2 - stone % 2, x, y)
        if stone > 2:  # a mark that has been found lies on a tinted cell
            return f'<rect x="{x - 18}" y="{y - 18}" width="36" height="36" fill="#f0dca8"/>{drawn}'
        return drawn
