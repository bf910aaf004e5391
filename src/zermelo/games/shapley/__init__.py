"""Shapley's game."""

from zermelo.games.shapley.rules import Shapley as Shapley
