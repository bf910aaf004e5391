"""The rules of one-card poker: each player is dealt one card of a deck, then there is one round of no-limit betting.

The higher rank wins; equal ranks share the pot.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.game.ranges import Hand
from zermelo.games._endgame import Endgame
from zermelo.options import takes, whole

NAMES = "23456789TJQKA"
SUITS = "♠♥♦♣"
MOST_RANKS = 1000


class OneCard(Endgame):
    """One card each, bets of any size: bluffing and calling in their simplest form."""

    title = "One-card poker"
    shelf = "cards"

    @takes(ranks=whole(2, MOST_RANKS), suits=whole(1, len(SUITS)))
    def __init__(
        self,
        ranks: int = 13,
        suits: int = 1,
        pot: int = 2,
        stack: int = 6,
        bets: tuple[float, ...] = (50, 100),
        raises: int = 3,
    ):
        self.ranks_of_deck = ranks
        self.suits = suits
        cards = range(ranks * suits)
        hands = [Hand(self.card_name(card), (card,), 1.0, self.rank_name(card // suits)) for card in cards]
        super().__init__((hands, hands), (), pot, stack, bets, raises)

    def strengths(self, p: int, cards: tuple[int, ...]) -> Sequence[int]:
        return [card // self.suits for card in range(self.ranks_of_deck * self.suits)]

    def rank_name(self, rank: int) -> str:
        return NAMES[len(NAMES) - self.ranks_of_deck + rank] if self.ranks_of_deck <= len(NAMES) else str(rank + 1)

    def card_name(self, card: int) -> str:
        suit = SUITS[card % self.suits] if self.suits > 1 else ""
        return self.rank_name(card // self.suits) + suit
