"""A small game of battleship: hide a ship, shoot at the other's."""

from zermelo.games.battleship.rules import Battleship as Battleship
