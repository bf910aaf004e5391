"""Prisoner's dilemma."""

from zermelo.games.prisoners_dilemma.rules import PrisonersDilemma as PrisonersDilemma
