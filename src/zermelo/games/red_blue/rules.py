"""The rules of Red and Blue, the payoff matrix of the lectures."""

from __future__ import annotations

from zermelo.games._matrix import MatrixGame


class RedBlue(MatrixGame):
    """Red picks 1 or 2, Blue picks A, B or C; a table says what Blue pays Red."""

    choices = (("1", "2"), ("A", "B", "C"))
    names = ("Red", "Blue")

    def __init__(self) -> None:
        self.set_payoffs([[30, -10, 20], [-10, 20, -20]])
