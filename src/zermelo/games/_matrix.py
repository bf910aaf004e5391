"""What the games of one simultaneous choice share: a payoff table is their rules.

The players choose one after the other, and `view` hides the first choice until both have chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.errors import PositionError
from zermelo.game import Game
from zermelo.games._payoffs import MOST_DRAWN, draw_payoffs

NOT_YET = -1
"""The place of an action that is still to be chosen."""


class MatrixGame(Game):
    """Two players choose at once; `table` says what the first gets, and `other` the second, if not the opposite."""

    simultaneous = True

    choices: ClassVar[tuple[tuple[str, ...], tuple[str, ...]]] = ((), ())
    """What each player's actions are called, in one word each."""
    names: ClassVar[tuple[str, str]] = ("row", "column")

    class State(NamedTuple):
        first: int  # the action of player 0, or −1
        second: int

    class View(NamedTuple):
        mine: int
        both: bool  # whether both have chosen
        turn: int

    def set_payoffs(self, first: Any, second: Any = None) -> None:
        """Takes the tables, and the facts that follow from them."""
        mine = np.array(first, dtype=float)
        theirs = -mine if second is None else np.array(second, dtype=float)
        self.payoffs = np.stack([mine, theirs])
        self.rows, self.columns = mine.shape
        sums = mine + theirs
        self.utility_sum = float(sums.flat[0]) if (sums == sums.flat[0]).all() else None
        self.bounds = (float(self.payoffs.min()), float(self.payoffs.max()))

    def initial(self) -> State:
        return self.State(NOT_YET, NOT_YET)

    def player(self, s: State) -> int:
        return 0 if s.first == NOT_YET else 1

    def actions(self, s: State) -> Iterator[int]:
        count = 0
        if s.first == NOT_YET:
            count = self.rows
        elif s.second == NOT_YET:
            count = self.columns
        for a in range(count):
            yield a

    def result(self, s: State, a: int) -> State:
        if s.first == NOT_YET:
            return self.State(a, s.second)
        return self.State(s.first, a)

    def is_terminal(self, s: State) -> bool:
        return s.first != NOT_YET and s.second != NOT_YET

    def utility(self, s: State, p: int) -> float:
        return float(self.payoffs[p, s.first, s.second])

    def view(self, s: State, p: int) -> View:
        return self.View(s.first if p == 0 else s.second, self.is_terminal(s), self.player(s))

    def sample(self, view: View, p: int, random: Any) -> State:
        """The first may have chosen anything."""
        return self.State(NOT_YET if p == 0 else random.randrange(self.rows), NOT_YET)

    # Text: an action is its name, a position the choices made so far.

    def player_name(self, p: int) -> str:
        return self.names[p]

    def show_action(self, s: State, a: int) -> str:
        return self.choices[self.player(s)][a]

    def show(self, s: State) -> str:
        def tell(p: int, a: int) -> str:
            return f"{self.names[p]}: {'?' if a == NOT_YET else self.choices[p][a]}"

        return f"{tell(0, s.first)}\n{tell(1, s.second)}"

    def show_view(self, view: View, p: int) -> str:
        mine = "?" if view.mine == NOT_YET else self.choices[p][view.mine]
        return f"{self.names[p]} (you): {mine}"

    def picture(self, s: State) -> str:
        chooser = None if self.is_terminal(s) else self.player(s)
        return self.draw((s.first, s.second), chooser) or super().picture(s)

    def view_picture(self, view: View, p: int) -> str:
        chosen = (view.mine, NOT_YET) if p == 0 else (NOT_YET, view.mine)
        chooser = p if view.mine == NOT_YET and view.turn == p else None
        return self.draw(chosen, chooser) or super().view_picture(view, p)

    def draw(self, chosen: tuple[int, int], chooser: int | None) -> str:
        """The table, if it is small enough for a drawing."""
        if max(self.rows, self.columns) > MOST_DRAWN:
            return ""
        return draw_payoffs(self.names, self.choices, self.payoffs, chosen, chooser)

    def read(self, text: str) -> State:
        s: MatrixGame.State = super().read(text)
        chosen = NOT_YET <= s.first < self.rows and NOT_YET <= s.second < self.columns
        if not chosen or (s.first == NOT_YET and s.second != NOT_YET):
            raise PositionError(f"{text!r} is not a position; the start is written (-1,-1), and player 0 chooses first")
        return s
