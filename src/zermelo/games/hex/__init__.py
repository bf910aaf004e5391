"""Hex, the connection game of Piet Hein and John Nash."""

from zermelo.games.hex.rules import Hex as Hex
