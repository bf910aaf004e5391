"""Backgammon: see README.md beside this file."""

from zermelo.games.backgammon.rules import Backgammon as Backgammon
