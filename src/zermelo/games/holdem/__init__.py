"""Hold'em endgames: the river or the turn, with a range of hands for each player."""

from zermelo.games.holdem.rules import Holdem as Holdem
