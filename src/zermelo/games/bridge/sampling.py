"""Deals that fit all that a player has seen and heard, as often as they are likely.

Cards are dealt at random to the hands that are hidden, none to a hand that has not followed its suit; each deal has the
weight with which the bidding system makes the calls that were heard, and deals are drawn by their weights.
"""

from __future__ import annotations

from itertools import accumulate
from random import Random
from typing import TYPE_CHECKING

from zermelo.games._bridge.cards import SUIT_BITS, Hands
from zermelo.games.bridge.auction import Calls
from zermelo.games.bridge.system import likelihood
from zermelo.games.bridge.tricks import suit_cards

if TYPE_CHECKING:
    from zermelo.games.bridge.rules import Bridge

CANDIDATES, FEWEST = 40, 200
"""Deals that are weighed for each that is drawn, and at least."""


class Beliefs:
    """The deals that a player believes in during one board: those that still fit are kept, new ones fill up.

    So their positions were solved before, most of them, and what was proved of them is of use again.
    """

    def __init__(self) -> None:
        self.deals: list[Hands] = []
        """As they were dealt."""
        self.calls: Calls = ()
        """What was heard when they were drawn: later calls change what is likely."""

    def worlds(self, game: Bridge, view: Bridge.View, p: int, count: int, random: Random) -> list[Hands]:
        """What the four hands may have left."""
        hidden = Hidden(game, view, p)
        kept = [deal for deal in self.deals if hidden.allows(deal)][:count] if view.calls == self.calls else []
        fresh = draw_worlds(game, view, p, count - len(kept), random) if len(kept) < count else []
        self.calls = view.calls
        self.deals = kept + [hidden.whole(world) for world in fresh]
        return [hidden.left(deal) for deal in self.deals]


def draw_worlds(game: Bridge, view: Bridge.View, p: int, count: int, random: Random) -> list[Hands]:
    """What the four hands may have left; a deal can come several times."""
    hidden = Hidden(game, view, p)
    deals = [hidden.draw(random) for _ in range(max(CANDIDATES * count, FEWEST) if view.calls else count)]
    if not view.calls:
        return deals
    sums = list(accumulate(hidden.weight(deal) for deal in deals))
    # One random number, and from there on equal steps: no deal comes more often than its weight says.
    step, place = sums[-1] / count, 0
    found: list[Hands] = []
    at = random.random() * step
    for i in range(count):
        while place < len(sums) - 1 and sums[place] <= at + i * step:
            place += 1
        found.append(deals[place])
    return found


class Hidden:
    """What a player does not see, and what is known of it."""

    def __init__(self, game: Bridge, view: Bridge.View, p: int):
        self.known: list[int] = [0] * 4
        for hand, cards in enumerate(game.seen_hands(view, p)):
            self.known[hand] = cards or 0
        self.hands = [hand for hand, cards in enumerate(game.seen_hands(view, p)) if cards is None]
        play = game.play(view) if view.cards else None
        self.played = play.played if play else (0, 0, 0, 0)
        self.voids = play.voids if play else (0, 0, 0, 0)
        self.rooms = [game.tricks - self.played[hand].bit_count() for hand in range(4)]
        seen = self.played[0] | self.played[1] | self.played[2] | self.played[3] | sum(self.known)
        unseen = [card for card in game.deck if not seen >> card & 1]
        owners = {card: [h for h in self.hands if not self.voids[h] >> card // SUIT_BITS & 1] for card in unseen}
        self.groups = [[card for card in unseen if len(owners[card]) == n] for n in range(1, len(self.hands) + 1)]
        self.owners = owners
        self.heard = [
            (view.calls[:i], call, (game.dealer + i) % 4)
            for i, call in enumerate(view.calls)
            if (game.dealer + i) % 4 in self.hands
        ]
        self.dealer = game.dealer

    def draw(self, random: Random) -> Hands:
        """A deal without regard to the calls: cards that few hands may have are dealt first."""
        while True:  # with three hidden hands the last cards may find no place; then all are dealt again
            hands, rooms = list(self.known), list(self.rooms)
            if self._deal(hands, rooms, random):
                return hands[0], hands[1], hands[2], hands[3]

    def _deal(self, hands: list[int], rooms: list[int], random: Random) -> bool:
        for group in self.groups:
            for card in random.sample(group, len(group)):
                owners = self.owners[card]
                place = random.randrange(sum(rooms[hand] for hand in owners) or 1)
                for hand in owners:
                    place -= rooms[hand]
                    if place < 0 and rooms[hand]:
                        hands[hand] |= 1 << card
                        rooms[hand] -= 1
                        break
                else:
                    return False
        return True

    def whole(self, world: Hands) -> Hands:
        """The deal with the cards that were played."""
        north, east, south, west = (left | gone for left, gone in zip(world, self.played, strict=True))
        return north, east, south, west

    def left(self, deal: Hands) -> Hands:
        """The deal without them."""
        north, east, south, west = (whole & ~gone for whole, gone in zip(deal, self.played, strict=True))
        return north, east, south, west

    def allows(self, deal: Hands) -> bool:
        """Whether all that is seen fits a deal."""
        for hand in range(4):
            left = deal[hand] & ~self.played[hand]
            if self.played[hand] & ~deal[hand] or (hand not in self.hands and left != self.known[hand]):
                return False
            if any(self.voids[hand] >> suit & 1 and left & suit_cards(suit) for suit in range(4)):
                return False
        return True

    def weight(self, deal: Hands) -> float:
        """How likely the hidden hands make the calls that they have made."""
        weight = 1.0
        for calls, call, hand in self.heard:
            weight *= likelihood(calls, self.dealer, deal[hand] | self.played[hand], call)
        return weight
