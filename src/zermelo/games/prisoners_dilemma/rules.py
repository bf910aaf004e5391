"""The rules of the prisoner's dilemma: utilities are years in prison, with a minus."""

from __future__ import annotations

from zermelo.errors import OptionError
from zermelo.games._matrix import MatrixGame


class PrisonersDilemma(MatrixGame):
    """Whoever confesses goes free or gets less, whatever the other does; yet both would be better off silent."""

    choices = (("cooperate", "confess"),) * 2
    names = ("Ann", "Bob")

    def __init__(self, both_silent: int = 1, sucker: int = 4, tempted: int = 0, both_confess: int = 3) -> None:
        if not tempted < both_silent < both_confess < sucker:
            raise OptionError("a dilemma needs years with tempted < both_silent < both_confess < sucker")
        years = [[both_silent, sucker], [tempted, both_confess]]
        self.set_payoffs(
            [[-y for y in row] for row in years], [[-y for y in column] for column in zip(*years, strict=True)]
        )
