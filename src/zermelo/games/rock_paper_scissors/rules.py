"""The rules of rock, paper, scissors: three actions in a circle."""

from __future__ import annotations

from zermelo.games._matrix import MatrixGame


class RockPaperScissors(MatrixGame):
    """Rock beats scissors, scissors beat paper, paper beats rock."""

    choices = (("rock", "paper", "scissors"),) * 2
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
