"""What a player has heard when it is to call, as the rules of the system see it."""

from __future__ import annotations

from typing import NamedTuple

from zermelo.games._bridge.cards import SUITS
from zermelo.games.bridge.auction import FIRST_BID, PASS, Auction, Calls, bid, level_of, strain_of
from zermelo.games.bridge.meaning import Meaning, Shown

GAME_LEVEL = {"NT": 3, "S": 4, "H": 4, "D": 5, "C": 5}


class Choice(NamedTuple):
    """A call that the system allows to hands with a meaning."""

    call: int
    meaning: Meaning
    forcing: bool = False
    """Whether the partner has to call if the next hand passes."""
    is_judged: bool = False
    """Whether it competes with the other judged calls that fit, and not only by its place in the list."""


class Situation(NamedTuple):
    """The auction so far, for the player to call."""

    auction: Auction
    calls: Calls
    dealer: int
    shown: tuple[Shown, Shown, Shown, Shown]
    """What each hand has told."""
    is_forced: bool
    """Whether the partner's last call is forcing, and the hand in between has passed."""

    @property
    def me(self) -> int:
        return self.auction.turn

    @property
    def partner(self) -> Shown:
        return self.shown[(self.me + 2) % 4]

    def calls_of(self, places: int) -> list[int]:
        """The calls of the hand so many places after the one to call, in their order."""
        hand = (self.me + places) % 4
        return [call for i, call in enumerate(self.calls) if (self.dealer + i) % 4 == hand]

    def bids_of(self, places: int) -> list[int]:
        return [call for call in self.calls_of(places) if call >= FIRST_BID]

    @property
    def mine(self) -> list[int]:
        return self.bids_of(0)

    @property
    def partners(self) -> list[int]:
        return self.bids_of(2)

    @property
    def theirs(self) -> list[int]:
        return sorted(self.bids_of(1) + self.bids_of(3))

    @property
    def their_suits(self) -> list[str]:
        """The suits that they have bid naturally, as far as three cards or more were promised."""
        hands = (self.shown[(self.me + 1) % 4], self.shown[(self.me + 3) % 4])
        named = {strain_of(call) for call in self.theirs}
        return [suit for suit in SUITS if suit in named and max(each.least(suit) for each in hands) >= 3]

    @property
    def last_of_right(self) -> int:
        """The last call of the hand to the right; a pass if it has made none."""
        return self.calls[-1] if self.calls else PASS

    def cheapest(self, strain: str) -> int:
        """The lowest bid in a strain that is still free; above all bids if there is none."""
        level = 1
        while level <= 7 and bid(level, strain) <= self.auction.bid:
            level += 1
        return bid(level, strain)

    def jump(self, strain: str, levels: int = 1) -> int:
        return self.cheapest(strain) + 5 * levels

    def is_game(self, call: int) -> bool:
        """Whether a bid is a game or more."""
        return level_of(call) >= GAME_LEVEL[strain_of(call)]
