"""Leduc poker: a private card each, a public one, two rounds of betting."""

from zermelo.games.leduc.rules import Leduc as Leduc
