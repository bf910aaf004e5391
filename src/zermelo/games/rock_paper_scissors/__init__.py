"""Rock, paper, scissors."""

from zermelo.games.rock_paper_scissors.rules import RockPaperScissors as RockPaperScissors
