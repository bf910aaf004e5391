"""Breakthrough, on a board of any size that 64 bits hold."""

from zermelo.games.breakthrough.rules import Breakthrough as Breakthrough
