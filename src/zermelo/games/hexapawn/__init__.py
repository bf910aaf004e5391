"""Hexapawn, Martin Gardner's smallest chess, on a board of any size that 64 bits hold."""

from zermelo.games.hexapawn.rules import Hexapawn as Hexapawn
