"""Othello, on boards of 4 × 4, 6 × 6 and 8 × 8."""

from zermelo.games.othello.rules import Othello as Othello
