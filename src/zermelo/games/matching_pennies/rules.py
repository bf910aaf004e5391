"""The rules of matching pennies: one wants to match, the other not to."""

from __future__ import annotations

from zermelo.games._matrix import MatrixGame


class MatchingPennies(MatrixGame):
    """Ann wins if both show the same side of a penny, Bob if not."""

    choices = (("heads", "tails"),) * 2
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[1, -1], [-1, 1]])
