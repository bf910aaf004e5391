"""Checkers, as played in Britain and America: English draughts."""

from zermelo.games.checkers.rules import Checkers as Checkers
