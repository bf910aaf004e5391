"""What the games of one simultaneous choice share: a payoff table is their rules, and their picture.

The players choose one after the other, and `view` hides the first choice until both have chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import chain
from random import Random
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zermelo.errors import PositionError
from zermelo.game import Game

MOST_DRAWN = 12
"""Rows, and columns, of a table that is drawn: more would be too small to read."""
CELL, LINE, MARGIN = 56, 36, 10
LETTER = 9
"""The width of a letter, about."""
STYLE = (
    ".paper{fill:#f7f4ec;stroke:#8a8372}.cell{fill:#ffffff;stroke:#c9c3b4}.head{fill:#e4e9ef;stroke:#8a8372}"
    ".on{fill:#f6dfae}.met{fill:#e8b64c}text{font:15px sans-serif;text-anchor:middle;dominant-baseline:central;"
    "fill:#22252a}.first{fill:#23588f;font-weight:600}.second{fill:#a83f26;font-weight:600}.gets{font-size:12px}"
)

Choices = tuple[Sequence[str], Sequence[str]]


def draw_payoffs(
    names: Sequence[str], choices: Choices, payoffs: NDArray[np.float64], chosen: tuple[int, int], chooser: int | None
) -> str:
    """The table of `payoffs[p, row, column]`, with what has been `chosen` (−1 for nothing) in colour.

    The rows, or the columns, of the `chooser` are places of their names.
    """
    zero_sum = bool((payoffs[0] == -payoffs[1]).all())
    rows, columns = choices
    said = [[_write(payoffs[:, i, j], zero_sum) for j in range(len(columns))] for i in range(len(rows))]
    side = max(LETTER * max(len(name) for name in (*rows, names[0])) + 2 * MARGIN, CELL)
    cell = max(LETTER * max(len(each) for each in (*columns, *chain(*said))) + 2 * MARGIN, CELL)
    lefts = [MARGIN + side + cell * j for j in range(len(columns))]
    tops = [MARGIN + 2 * LINE + LINE * i for i in range(len(rows))]
    width, height = lefts[-1] + cell + MARGIN, tops[-1] + LINE + 2 * MARGIN + LINE
    heads = [
        _group(rows[i], chooser == 0, _box(MARGIN, tops[i], side, rows[i], _kind("head", chosen[0] == i)))
        for i in range(len(rows))
    ] + [
        _group(
            columns[j], chooser == 1, _box(lefts[j], tops[0] - LINE, cell, columns[j], _kind("head", chosen[1] == j))
        )
        for j in range(len(columns))
    ]
    cells = [
        [_box(lefts[j], tops[i], cell, said[i][j], _cell(chosen, i, j)) for j in range(len(columns))]
        for i in range(len(rows))
    ]
    # The cells come first: the name of a row lies on top, and is what a mark goes round.
    lines = cells if chooser != 1 else [list(column) for column in zip(*cells, strict=True)]
    owners = columns if chooser == 1 else rows
    body = "".join(_group(owners[i], chooser is not None, "".join(line)) for i, line in enumerate(lines))
    gets = f"what {names[0]} gets" if zero_sum else f"what {names[0]} gets, what {names[1]} gets"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'style="max-width:{2 * width}px"><style>{STYLE}</style>'
        f'<rect x="1" y="1" width="{width - 2}" height="{height - 2}" rx="10" class="paper"/>'
        f"{_text(MARGIN + side / 2, tops[0] - LINE / 2, names[0], 'first')}"
        f"{_text(lefts[0] + cell * len(columns) / 2, MARGIN + LINE / 2, names[1], 'second')}"
        f"{body}{''.join(heads)}{_text(width / 2, height - MARGIN - LINE / 2, gets, 'gets')}</svg>"
    )


def _write(payoff: NDArray[np.float64], zero_sum: bool) -> str:
    shown = [f"{value:g}".replace("-", "−") for value in payoff]
    return shown[0] if zero_sum else ", ".join(shown)


def _cell(chosen: tuple[int, int], i: int, j: int) -> str:
    if chosen == (i, j):
        return "cell met"
    return _kind("cell", i == chosen[0] or j == chosen[1])


def _kind(kind: str, on: bool) -> str:
    return f"{kind} on" if on else kind


def _box(x: float, y: float, width: float, said: str, kind: str) -> str:
    shape = f'<rect x="{x}" y="{y}" width="{width}" height="{LINE}" class="{kind}"/>'
    return shape + _text(x + width / 2, y + LINE / 2, said)


def _text(x: float, y: float, said: str, kind: str = "") -> str:
    return f'<text x="{x}" y="{y}"{f" class={chr(34)}{kind}{chr(34)}" if kind else ""}>{escape(said)}</text>'


def _group(name: str, is_place: bool, shapes: str) -> str:
    return f'<g data-at="{escape(name)}">{shapes}</g>' if is_place else shapes


NOT_YET = -1
"""The place of an action that is still to be chosen."""


class MatrixGame(Game["MatrixGame.State", int]):
    """Two players choose at once; `table` says what the first gets, and `other` the second, if not the opposite."""

    simultaneous = True
    shelf = "theory"
    player_colours = ("#23588f", "#a83f26")

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

    def set_payoffs(self, first: ArrayLike, second: ArrayLike | None = None) -> None:
        """Takes the tables, and the facts that follow from them."""
        mine = np.array(first, dtype=float)
        theirs = -mine if second is None else np.array(second, dtype=float)
        self.payoffs = np.stack([mine, theirs])
        self.rows, self.columns = mine.shape
        sums = mine + theirs
        self.utility_sum = float(sums.flat[0]) if (sums == sums.flat[0]).all() else None
        self.bounds = (float(self.payoffs.min()), float(self.payoffs.max()))
        if len(np.unique(self.payoffs)) > 3:  # more than won, drawn and lost
            self.unit = "points"

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

    def sample(self, view: View, p: int, random: Random) -> State:
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

    def touched(self, s: State, a: int) -> tuple[tuple[str, int], ...]:
        return ()  # the picture itself shows what has been chosen

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
