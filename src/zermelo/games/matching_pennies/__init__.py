"""Matching pennies."""

from zermelo.games.matching_pennies.rules import MatchingPennies as MatchingPennies
