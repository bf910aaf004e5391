"""The rules of hold'em endgames: hands from two ranges, four or five cards on the board, no-limit betting.

With five cards on the board there is one round of betting, then the best five of seven cards win. With four there is a
round, a fifth card, and a second round.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.errors import OptionError
from zermelo.game.ranges import Hand
from zermelo.games._endgame import Endgame
from zermelo.games.holdem.cards import CARDS, card_name, kind_of, read_cards, read_range, strengths


class Holdem(Endgame):
    """The last cards of a hand of no-limit hold'em, with every hand that either player may hold."""

    title = "Hold'em endgame"
    shelf = "cards"

    private_cards = 2

    def __init__(
        self,
        board: str = "Ks7h2d5c9s",
        first: str = "all",
        second: str = "all",
        pot: int = 100,
        stack: int = 300,
        bets: tuple[float, ...] = (50, 100),
        raises: int = 3,
    ):
        self.board = read_cards(board)
        if len(self.board) not in (4, 5):
            raise OptionError(f"a board has five cards on the river, four on the turn; {board!r} has {len(self.board)}")
        ranges = (self._range(first), self._range(second))
        deck = () if len(self.board) == 5 else tuple(card for card in range(CARDS) if card not in self.board)
        super().__init__(ranges, deck, pot, stack, bets, raises)

    def _range(self, text: str) -> list[Hand]:
        return [
            Hand(card_name(hand[0]) + card_name(hand[1]), hand, weight, kind_of(hand))
            for hand, weight in read_range(text, self.board).items()
        ]

    def strengths(self, p: int, cards: tuple[int, ...]) -> Sequence[int]:
        return strengths([hand.cards for hand in self.ranges[p]], (*self.board, *cards))

    def card_name(self, card: int) -> str:
        return card_name(card)
