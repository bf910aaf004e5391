"""Kingmaker: the take-away game for three players, or any other number."""

from zermelo.games.kingmaker.rules import Kingmaker as Kingmaker
