"""Rubber bridge: deals with their auctions and plays until a side has won two games."""

from zermelo.games.rubber.rules import Rubber as Rubber
