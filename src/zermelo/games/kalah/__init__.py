"""Kalah, with any number of houses and seeds that two integers hold."""

from zermelo.games.kalah.rules import Kalah as Kalah
