"""The system once both partners have spoken: add up what is known, and place the contract.

With 25 points together a side wants to be in game (28 for a minor), with 33 in a small slam and with 37 in a grand
slam; eight trumps are a fit. Who knows that the points may be there, and not that they are, invites.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.games._bridge.cards import SUITS
from zermelo.games.bridge.auction import PASS, bid, level_of, strain_of
from zermelo.games.bridge.meaning import need
from zermelo.games.bridge.situation import GAME_LEVEL, Choice, Situation

GAME_POINTS = {"NT": 25, "S": 25, "H": 25, "D": 28, "C": 28}
SMALL_SLAM, GRAND_SLAM = 33, 37
FIT = 8


def place(s: Situation) -> Iterator[Choice]:
    """Slams, games, choices between games, invitations, and where to rest."""
    low, high = s.partner.strength
    yield from _slams(s, low)
    if s.auction.bid and s.is_game(s.auction.bid):
        yield from _correct(s)
        yield Choice(PASS, need(points=(0, max(SMALL_SLAM - 1 - low, 0))))
        return
    yield from _games(s, low)
    if high - low >= 2:
        yield from _invitations(s, low, min(high, low + 3))
    yield from _rest(s)


def _trumps(s: Situation, suit: str) -> int:
    """The cards of a suit that make a fit with what the partner has shown."""
    return max(FIT - s.partner.least(suit), 0)


def _slams(s: Situation, low: int) -> Iterator[Choice]:
    for suit in ("S", "H", "D", "C"):
        if s.partner.least(suit) >= 3 or _own_length(s, suit) >= 6:
            length = _trumps(s, suit) if s.partner.least(suit) >= 2 else 6
            yield Choice(bid(7, suit), need(points=(GRAND_SLAM - low, 60), suits={suit: length}))
            yield Choice(bid(6, suit), need(points=(SMALL_SLAM - low, GRAND_SLAM - 1 - low), suits={suit: length}))
    yield Choice(bid(7, "NT"), need(hcp=(GRAND_SLAM - low, 37)))
    yield Choice(bid(6, "NT"), need(hcp=(SMALL_SLAM - low, GRAND_SLAM - 1 - low)))


def _own_length(s: Situation, suit: str) -> int:
    return s.shown[s.me].least(suit)


def _games(s: Situation, low: int) -> Iterator[Choice]:
    for suit in ("S", "H"):
        if suit not in s.their_suits and s.partner.least(suit) >= 2:
            length = _trumps(s, suit)
            yield Choice(bid(4, suit), need(points=(max(GAME_POINTS[suit] - low, 0), 60), suits={suit: length}))
    for suit in ("S", "H"):
        if suit not in s.their_suits and not s.partner.least(suit) >= 3:
            yield Choice(bid(4, suit), need(points=(GAME_POINTS[suit] - low, 60), suits={suit: 7}))
    stopped = "".join(s.their_suits)
    yield Choice(bid(3, "NT"), need(hcp=(max(GAME_POINTS["NT"] - low, 0), 37), stopped=stopped))
    for suit in ("D", "C"):
        if suit not in s.their_suits and s.partner.least(suit) >= 3:
            yield Choice(bid(5, suit), need(points=(GAME_POINTS[suit] - low, 60), suits={suit: _trumps(s, suit)}))


def _invitations(s: Situation, low: int, high: int) -> Iterator[Choice]:
    for suit in ("S", "H"):
        points = (max(GAME_POINTS[suit] - high, 0), GAME_POINTS[suit] - 1 - low)
        call = bid(3, suit)
        if s.partner.least(suit) >= 2 and suit not in s.their_suits:
            yield Choice(call, need(points=points, note="invites", suits={suit: _trumps(s, suit)}))
        elif call > s.auction.bid and _own_length(s, suit) >= 4:
            yield Choice(call, need(points=points, note="invites", suits={suit: 6}))
    points = (max(GAME_POINTS["NT"] - high, 0), GAME_POINTS["NT"] - 1 - low)
    yield Choice(bid(2, "NT"), need(hcp=points, note="invites", stopped="".join(s.their_suits)))


def _rest(s: Situation) -> Iterator[Choice]:
    """Stay, or go to the better of partner's suits; if partner waits for a call, the cheapest that says least."""
    for suit in ("S", "H", "D", "C"):
        call = s.cheapest(suit)
        his = s.partner.least(suit)
        if his >= 4 and level_of(call) <= 3 and suit != _current(s):
            yield Choice(call, need(note="preference", suits={suit: _trumps(s, suit)}))
        elif _own_length(s, suit) >= 4 and level_of(call) <= 2 and _known(s) < 4:
            yield Choice(call, need(note="rests", suits={suit: 6}))
    if not s.is_forced:
        yield Choice(PASS, need())
        return
    for suit in ("S", "H", "D", "C"):
        call = s.cheapest(suit)
        if s.partner.least(suit) >= 4 and level_of(call) <= GAME_LEVEL[suit]:
            yield Choice(call, need(note="preference", suits={suit: 3}))
        if level_of(call) <= 3:
            yield Choice(call, need(suits={suit: 6 if s.mine else 5}))
    yield Choice(s.cheapest("NT"), need())


def _correct(s: Situation) -> Iterator[Choice]:
    """Out of no trump into a game in a major of eight cards."""
    for suit in ("S", "H"):
        if s.auction.bid == bid(3, "NT") and s.auction.bidder % 2 == s.me % 2 and s.partner.least(suit) >= 4:
            yield Choice(bid(4, suit), need(note="eight trumps", suits={suit: _trumps(s, suit)}))


def _known(s: Situation) -> int:
    """The cards that the partner has shown in the suit of our last bid."""
    current = _current(s)
    return s.partner.least(current) if current in SUITS else 0


def _current(s: Situation) -> str:
    return strain_of(s.auction.bid) if s.auction.bid and s.auction.bidder % 2 == s.me % 2 else ""
