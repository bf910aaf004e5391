"""Kuhn poker: one card each, one bet."""

from zermelo.games.kuhn.rules import Kuhn as Kuhn
