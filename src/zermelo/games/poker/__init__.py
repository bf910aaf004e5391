"""Whole hands of hold'em between two players, no limit: from the blinds to the showdown."""

from zermelo.games.poker.rules import Poker as Poker
