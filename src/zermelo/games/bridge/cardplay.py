"""Card play by rules: leads, second hand low, third hand high, and a declarer who draws trumps, finesses and cashes.

    choose_card(table)     a legal card

Nothing is searched. What a player sees is in a `Table`: its own hand, the dummy, the trick, and the cards that are out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from zermelo.games._bridge.cards import SUIT_BITS, cards_of
from zermelo.games.bridge.auction import FIRST_BID, strain_of
from zermelo.games.bridge.tricks import playable, suit_cards, winning_place

if TYPE_CHECKING:
    from zermelo.games.bridge.rules import Bridge

NO_TRUMP = 4
TEN = 8
"""The rank of the ten: from there on cards are honours."""


class Table(NamedTuple):
    """What the player sees who chooses the card."""

    hand: int
    partner: int  # the partner's cards if they are seen, else 0
    next_seen: int  # the cards of the hand that plays next, if it is the dummy
    trick: tuple[int, ...]
    trumps: int
    out: int  # cards in hands that are not seen, and those of the dummy where it is an opponent
    declares: bool
    partner_suit: int  # a suit that the partner has bid, or −1

    def suit(self, suit: int, hand: int | None = None) -> list[int]:
        """The cards of a suit in a hand, one's own by default, from the highest."""
        return cards_of((self.hand if hand is None else hand) & suit_cards(suit))

    def is_high(self, card: int) -> bool:
        """Whether no card that is out beats it in its own suit."""
        return not self.out & suit_cards(card // SUIT_BITS) & ~((2 << card) - 1)

    def are_trumps_out(self) -> bool:
        return self.trumps != NO_TRUMP and bool(self.out & suit_cards(self.trumps))


def see_table(game: Bridge, view: Bridge.View, p: int) -> Table:
    contract, play = game.contract_of(view), game.play(view)
    assert contract is not None
    seen = game.seen_hands(view, p)
    hand = seen[play.turn]
    assert hand is not None
    declares = play.turn % 2 == contract.declarer % 2
    partner = seen[(play.turn + 2) % 4] or 0
    played = play.played[0] | play.played[1] | play.played[2] | play.played[3]
    everything = sum(1 << card for card in game.deck)
    out = everything & ~played & ~hand & ~(partner if declares else 0)
    suits = [
        "SHDC".index(strain_of(call))
        for i, call in enumerate(view.calls)
        if (game.dealer + i) % 4 == (play.turn + 2) % 4 and call >= FIRST_BID and strain_of(call) != "NT"
    ]
    following = seen[(play.turn + 1) % 4] or 0
    return Table(hand, partner, following, play.trick, contract.trumps, out, declares, suits[0] if suits else -1)


def choose_card(t: Table) -> int:
    """The card to play."""
    legal = cards_of(playable(t.hand, t.trick))
    if len(legal) == 1:
        return legal[0]
    if not t.trick:
        if not t.declares:
            return defender_lead(t)
        return declarer_lead(t)
    led = t.trick[0] // SUIT_BITS
    if legal[0] // SUIT_BITS != led:
        return without_the_suit(t, legal)
    return (second_hand, third_hand, fourth_hand)[len(t.trick) - 1](t, legal)


# Following.


def winners_of(t: Table, legal: list[int]) -> list[int]:
    """Those of the cards that win the trick as it stands, from the lowest."""
    return [card for card in reversed(legal) if winning_place((*t.trick, card), t.trumps) == len(t.trick)]


def second_hand(t: Table, legal: list[int]) -> int:
    """Low, but cover an honour, and take what would run away when the last trumps are near."""
    winning = winners_of(t, legal)
    if winning and t.trick[0] % SUIT_BITS >= TEN and winning[-1] % SUIT_BITS > TEN:
        return winning[0] if not t.is_high(winning[-1]) else winning[-1]
    if t.declares and winning and finesses(t, legal):
        return finesses(t, legal)[0]
    return legal[-1]


def third_hand(t: Table, legal: list[int]) -> int:
    """As high as it takes: partner's card may be good enough, and the dummy may be beaten cheaply."""
    if t.declares and finesses(t, legal):
        return finesses(t, legal)[0]
    partner_wins = winning_place(t.trick, t.trumps) == 0
    if partner_wins and t.is_high(t.trick[0]):
        return legal[-1]
    winning = winners_of(t, legal)
    if not winning:
        return legal[-1]
    above = t.next_seen & suit_cards(t.trick[0] // SUIT_BITS)
    if t.next_seen:
        for card in winning:
            if not above & ~((2 << card) - 1):
                own_enough = partner_wins and not above & ~((2 << t.trick[0]) - 1)
                return legal[-1] if own_enough else card
    if partner_wins and t.declares and t.trick[0] % SUIT_BITS >= TEN:
        return legal[-1]  # the card was led for a finesse
    return lowest_of_run(t, winning[-1], legal)


def fourth_hand(t: Table, legal: list[int]) -> int:
    """Win as cheaply as possible, unless the partner does."""
    winning = winners_of(t, legal)
    return winning[0] if winning and winning_place(t.trick, t.trumps) != 1 else legal[-1]


def finesses(t: Table, legal: list[int]) -> list[int]:
    """The lowest card that wins unless the next hand covers it, if a higher one is still out beneath our best."""
    winning = winners_of(t, legal)
    higher = [card for card in winning if t.is_high(card)]
    tenace = [card for card in winning if not t.is_high(card) and card % SUIT_BITS >= TEN]
    return tenace[:1] if higher and tenace else []


def lowest_of_run(t: Table, card: int, legal: list[int]) -> int:
    """The lowest of the cards that are as good as `card`."""
    best = card
    for lower in sorted((c for c in legal if c < card), reverse=True):
        between = t.out & ((1 << best) - 1) & ~((2 << lower) - 1) & suit_cards(card // SUIT_BITS)
        if between:
            break
        best = lower
    return best


def without_the_suit(t: Table, legal: list[int]) -> int:
    """Ruff if the others win the trick, else throw the lowest card of the suit that is worth least."""
    winning = winners_of(t, legal)
    place = winning_place(t.trick, t.trumps)
    partner_wins = len(t.trick) >= 2 and place == len(t.trick) - 2
    sure = partner_wins and (len(t.trick) == 3 or t.is_high(t.trick[place]))
    if winning and not sure and (not partner_wins or t.trick[place] % SUIT_BITS < TEN):
        return winning[0]
    side = [card for card in legal if card // SUIT_BITS != t.trumps] or legal
    return min(side, key=lambda card: (t.is_high(card), guards(t, card), card % SUIT_BITS))


def guards(t: Table, card: int) -> int:
    """1 if the card protects an honour of its suit that is not high."""
    own = t.suit(card // SUIT_BITS)
    return int(own[0] % SUIT_BITS > TEN and not t.is_high(own[0]) and len(own) <= 12 - own[0] % SUIT_BITS + 1)


# Leading.


def defender_lead(t: Table) -> int:
    """Winners against no trump, sequences, partner's suit, the fourth of the longest."""
    suits = [suit for suit in range(4) if t.suit(suit)]
    for suit in suits:
        own = t.suit(suit)
        if t.trumps != NO_TRUMP and suit != t.trumps and len(own) == 1 and t.suit(t.trumps) and not t.is_high(own[0]):
            return own[0]  # in the hope of a ruff
    if t.trumps == NO_TRUMP:
        high = [card for card in cards_of(t.hand) if t.is_high(card)]
        left = t.hand.bit_count()
        if high and (len(high) * 3 >= left or left <= 5):
            return high[0]
    if t.partner_suit >= 0 and t.suit(t.partner_suit) and t.partner_suit != t.trumps:
        own = t.suit(t.partner_suit)
        return own[0] if len(own) <= 2 or sequence(own) else own[-1]
    side = [suit for suit in suits if suit != t.trumps] or suits
    runs = [suit for suit in side if sequence(t.suit(suit))]
    if runs:
        return t.suit(max(runs, key=lambda suit: len(t.suit(suit))))[0]
    safe = [s for s in side if t.trumps == NO_TRUMP or t.suit(s)[0] % SUIT_BITS != 12] or side
    own = t.suit(max(safe, key=lambda suit: (len(t.suit(suit)), -t.suit(suit)[0])))
    return own[3] if len(own) > 3 else own[-1]


def sequence(own: list[int]) -> bool:
    """Whether the two highest cards of a suit touch, and are honours."""
    return len(own) > 1 and own[0] - own[1] == 1 and own[1] % SUIT_BITS >= TEN


def declarer_lead(t: Table) -> int:
    """Draw trumps, cash what is high, else work on the longest suit."""
    if t.are_trumps_out() and t.suit(t.trumps):
        ours = len(t.suit(t.trumps)) + len(t.suit(t.trumps, t.partner))
        if ours > (t.out & suit_cards(t.trumps)).bit_count():
            return lead_suit(t, t.trumps)
    side = [suit for suit in range(4) if t.suit(suit) and suit != t.trumps]
    if not side:
        return cards_of(t.hand)[0]
    work = [suit for suit in side if to_be_won(t, suit)]
    if work:
        return lead_suit(t, max(work, key=lambda suit: (to_be_won(t, suit), length(t, suit))))
    high = [suit for suit in side if any(t.is_high(card) for card in cards_of((t.hand | t.partner) & suit_cards(suit)))]
    if high:
        return lead_suit(t, min(high, key=lambda suit: len(t.suit(suit))))
    return t.suit(max(side, key=lambda suit: length(t, suit)))[-1]


def length(t: Table, suit: int) -> int:
    return len(t.suit(suit)) + len(t.suit(suit, t.partner))


def to_be_won(t: Table, suit: int) -> int:
    """How many tricks a suit could give in the longer hand beyond those that are sure."""
    longest = max(len(t.suit(suit)), len(t.suit(suit, t.partner)))
    both = cards_of((t.hand | t.partner) & suit_cards(suit))
    sure = sum(t.is_high(card) for card in both)
    honours = sum(card % SUIT_BITS >= TEN for card in both)
    return min(longest - sure, honours) if sure < longest and honours > sure else 0


def lead_suit(t: Table, suit: int) -> int:
    """A high card if there is one here, or one to run; else low towards the partner's honours."""
    own, his = t.suit(suit), t.suit(suit, t.partner)
    if t.is_high(own[0]) and not (his and finesse_over_there(t, his) and len(own) > 1):
        return own[0]
    if his and (t.is_high(his[0]) or his[0] > own[0]):
        return own[-1] if not sequence(own) else own[0]
    return own[0] if sequence(own) else own[-1]


def finesse_over_there(t: Table, his: list[int]) -> bool:
    """Whether the partner has a tenace: a high card, and an honour below one that is out."""
    return t.is_high(his[0]) and any(card % SUIT_BITS >= TEN and not t.is_high(card) for card in his)
