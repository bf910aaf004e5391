"""Chicken."""

from zermelo.games.chicken.rules import Chicken as Chicken
