"""The rules of the battle of the sexes: coordination with different tastes."""

from __future__ import annotations

from zermelo.games._matrix import MatrixGame


class BattleOfTheSexes(MatrixGame):
    """Both want to go out together, one rather to the opera, the other rather to the fight."""

    choices = (("opera", "fight"),) * 2
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[2, 0], [0, 1]], [[1, 0], [0, 2]])
