"""Liar's dice: hidden dice, rising bids, and a challenge."""

from zermelo.games.liars_dice.rules import LiarsDice as LiarsDice
