"""Goofspiel, the game of pure strategy: bid your cards for prizes."""

from zermelo.games.goofspiel.rules import Goofspiel as Goofspiel
