"""The rules of Shapley's game of 1964: the players' payoffs chase each other around the table."""

from __future__ import annotations

from zermelo.games._matrix import MatrixGame


class Shapley(MatrixGame):
    """Rock, paper, scissors in which only the winner gets something: fictitious play goes round for ever."""

    choices = (("top", "middle", "bottom"), ("left", "centre", "right"))
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
