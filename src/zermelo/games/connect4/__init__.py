"""Connect Four, on a board of any size that 64 bits hold."""

from zermelo.games.connect4.rules import ConnectFour as ConnectFour
