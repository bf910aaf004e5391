"""Chess, and Chess960; the rules are native (`native/games/chess`)."""

from zermelo.games.chess.rules import Chess as Chess
