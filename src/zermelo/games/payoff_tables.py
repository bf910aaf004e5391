"""The small games whose rules are a payoff table: both players choose once, at the same time.

Each class is a game of the package under its own name, as in `zermelo play rock-paper-scissors`; `payoff_tables.md`
has the facts.
"""

from __future__ import annotations

from zermelo.errors import OptionError
from zermelo.games._matrix import MatrixGame
from zermelo.options import takes, whole


class BattleOfTheSexes(MatrixGame):
    """Both want to go out together, one rather to the opera, the other rather to the fight."""

    choices = (("opera", "fight"),) * 2
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[2, 0], [0, 1]], [[1, 0], [0, 2]])


class Chicken(MatrixGame):
    """Two drive towards each other; whoever swerves loses face, and if nobody does, both lose more."""

    choices = (("dare", "swerve"),) * 2
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[0, 7], [2, 6]], [[0, 2], [7, 6]])


class MatchingPennies(MatrixGame):
    """Ann wins if both show the same side of a penny, Bob if not."""

    choices = (("heads", "tails"),) * 2
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[1, -1], [-1, 1]])


class PrisonersDilemma(MatrixGame):
    """Whoever confesses goes free or gets less, whatever the other does; yet both would be better off silent."""

    choices = (("cooperate", "confess"),) * 2
    names = ("Ann", "Bob")

    @takes(both_silent=whole(), sucker=whole(), tempted=whole(), both_confess=whole())
    def __init__(self, both_silent: int = 1, sucker: int = 4, tempted: int = 0, both_confess: int = 3) -> None:
        if not tempted < both_silent < both_confess < sucker:
            raise OptionError("a dilemma needs years with tempted < both_silent < both_confess < sucker")
        years = [[both_silent, sucker], [tempted, both_confess]]
        self.set_payoffs(
            [[-y for y in row] for row in years], [[-y for y in column] for column in zip(*years, strict=True)]
        )


class RedBlue(MatrixGame):
    """Red picks 1 or 2, Blue picks A, B or C; a table says what Blue pays Red."""

    choices = (("1", "2"), ("A", "B", "C"))
    names = ("Red", "Blue")

    def __init__(self) -> None:
        self.set_payoffs([[30, -10, 20], [-10, 20, -20]])


class RockPaperScissors(MatrixGame):
    """Rock beats scissors, scissors beat paper, paper beats rock."""

    choices = (("rock", "paper", "scissors"),) * 2
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])


class Shapley(MatrixGame):
    """Rock, paper, scissors in which only the winner gets something: fictitious play goes round for ever."""

    choices = (("top", "middle", "bottom"), ("left", "centre", "right"))
    names = ("Ann", "Bob")

    def __init__(self) -> None:
        self.set_payoffs([[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[0, 1, 0], [0, 0, 1], [1, 0, 0]])
