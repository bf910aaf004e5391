"""The rules of chicken, also called hawk and dove."""

from __future__ import annotations

from zermelo.games._matrix import MatrixGame


class Chicken(MatrixGame):
    """Two drive towards each other; whoever swerves loses face, and if nobody does both lose more."""

    choices = (("dare", "swerve"),) * 2
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[0, 7], [2, 6]], [[0, 2], [7, 6]])
