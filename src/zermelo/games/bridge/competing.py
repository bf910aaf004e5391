"""The system when the opponents have opened, or have come in: overcalls, takeout doubles, what partner makes of them.

Judged choices compete with each other: a player that simulates takes the one that scores best.
"""

from __future__ import annotations

from collections.abc import Iterator

from zermelo.games._bridge.cards import SUITS
from zermelo.games.bridge.auction import DOUBLE, FIRST_BID, PASS, bid, level_of, strain_of
from zermelo.games.bridge.meaning import Meaning, need
from zermelo.games.bridge.opening import respond_to_no_trump
from zermelo.games.bridge.situation import Choice, Situation

TAKEOUT, NEGATIVE, PENALTY = "takeout", "negative", "for penalty"
HIGHEST_TAKEOUT = bid(4, "H")


def overcalls(s: Situation) -> Iterator[Choice]:
    """They have opened, and we have said nothing yet."""
    theirs = strain_of(s.auction.bid)
    if theirs == "NT":
        yield from _over_no_trump(s)
        return
    level = level_of(s.auction.bid)
    if level == 1:
        yield Choice(bid(1, "NT"), need(hcp=(15, 18), is_balanced=True, stopped=theirs))
    yield Choice(DOUBLE, need(points=(18, 60), note="strong"), forcing=True)
    for suit in ("S", "H", "D", "C"):
        call = s.cheapest(suit)
        if suit not in (theirs, *s.their_suits) and call < HIGHEST_TAKEOUT:
            low, high, length = ((8, 17, 5), (11, 17, 5), (13, 18, 6), (14, 18, 6))[min(level_of(call), 4) - 1]
            if level_of(call) <= 2 and level <= 2:
                weak = need(hcp=(5, 9), note="weak jump", suits={suit: 6})
                yield Choice(s.jump(suit), weak, is_judged=True)
            yield Choice(call, need(points=(low, high), suits={suit: length}), is_judged=True)
    if s.auction.bid <= HIGHEST_TAKEOUT:
        yield Choice(DOUBLE, takeout(theirs, (12 if level < 3 else 14, 37)), forcing=True, is_judged=True)
    yield Choice(PASS, need(points=(0, 17)), is_judged=True)


def takeout(theirs: str, hcp: tuple[int, int]) -> Meaning:
    """Short in their suit, with three cards in all others."""
    return need(hcp=hcp, note=TAKEOUT, suits={suit: (0, 2) if suit == theirs else 3 for suit in SUITS})


def _over_no_trump(s: Situation) -> Iterator[Choice]:
    yield Choice(DOUBLE, need(hcp=(16, 37), note=PENALTY))
    for suit in ("S", "H", "D", "C"):
        call = s.cheapest(suit)
        if level_of(call) <= 3:
            length = 5 if suit in "SH" and level_of(call) == 2 else 6
            yield Choice(call, need(points=(10, 16), suits={suit: length}), is_judged=True)
    yield Choice(PASS, need(hcp=(0, 15)), is_judged=True)


def answer_double(s: Situation, weak: int, invites: int) -> Iterator[Choice]:
    """Partner has doubled for takeout, or negatively: bid the best suit, the higher the more points.

    With at most `weak` points the cheapest bid, with more and at most `invites` a jump, with more a game.
    """
    theirs = s.their_suits
    stopped = "".join(theirs)
    free = [suit for suit in ("S", "H", "D", "C") if suit not in theirs]
    for suit in free:
        if suit in "SH":
            yield Choice(bid(4, suit), need(points=(invites + 1, 60), suits={suit: 4}))
    yield Choice(bid(3, "NT"), need(hcp=(invites + 2, 37), stopped=stopped))
    for length in (5, 4):
        for suit in free:
            yield Choice(s.jump(suit), need(points=(weak + 1, invites), suits={suit: length}))
    yield Choice(s.jump("NT"), need(hcp=(invites, invites + 1), stopped=stopped))
    if theirs:
        yield Choice(PASS, need(note=PENALTY, suits={theirs[0]: 6}))
    for length in (5, 4):
        for suit in free:
            yield Choice(s.cheapest(suit), need(points=(0, weak), suits={suit: length}))
    yield Choice(s.cheapest("NT"), need(hcp=(weak - 2, weak + 2), stopped=stopped))
    for suit in free:
        yield Choice(s.cheapest(suit), need(points=(0, weak), suits={suit: 3}))


def free_calls_after_double(s: Situation) -> Iterator[Choice]:
    """Partner doubled, and the next hand has bid: nobody has to."""
    for suit in ("S", "H", "D", "C"):
        call = s.cheapest(suit)
        if suit not in s.their_suits and level_of(call) <= 3:
            low = 6 if level_of(call) <= 2 else 8
            yield Choice(call, need(points=(low, 11), suits={suit: 4}), is_judged=True)
    for suit in ("S", "H"):
        if suit not in s.their_suits:
            yield Choice(bid(4, suit), need(points=(12, 60), suits={suit: 4}))
    yield Choice(PASS, need(points=(0, 11)), is_judged=True)


def advance_overcall(s: Situation) -> Iterator[Choice]:
    """Partner has overcalled in a suit."""
    suit = strain_of(s.partners[-1])
    stopped = "".join(s.their_suits)
    if suit == "NT":
        if s.auction.bid == bid(1, "NT"):
            yield from respond_to_no_trump(s.auction.bid)
        return
    if suit in "SH":
        yield Choice(bid(4, suit), need(points=(13, 60), suits={suit: 3}))
    yield Choice(s.jump(suit), need(points=(11, 12), note="invites", suits={suit: 3}))
    yield Choice(s.cheapest(suit), need(points=(6, 10), note="raise", suits={suit: 3}), is_judged=True)
    yield Choice(s.jump(suit), need(hcp=(3, 8), note="weak raise", suits={suit: 4}), is_judged=True)
    yield Choice(bid(3, "NT"), need(hcp=(14, 37), stopped=stopped))
    for own in ("S", "H", "D", "C"):
        if own not in (suit, *s.their_suits):
            yield Choice(s.cheapest(own), need(points=(10, 15), suits={own: 5}), is_judged=True)
    yield Choice(s.cheapest("NT"), need(hcp=(9, 12), stopped=stopped), is_judged=True)
    yield Choice(PASS, need(points=(0, 12)), is_judged=True)


def negative_double(s: Situation) -> Iterator[Choice]:
    """Partner opened one of a suit and the next hand overcalled in one: four cards in the majors that nobody named."""
    opened = strain_of(s.partners[0])
    unbid = [suit for suit in "SH" if suit not in (opened, strain_of(s.auction.bid))]
    if unbid and FIRST_BID <= s.auction.bid <= bid(3, "S") and strain_of(s.auction.bid) != "NT":
        low = 6 + 2 * (level_of(s.auction.bid) - 1)
        majors = dict.fromkeys(unbid, 4)
        yield Choice(DOUBLE, need(points=(low, 60), note=NEGATIVE, suits=majors), forcing=True, is_judged=True)


def compete(s: Situation) -> Iterator[Choice]:
    """Both sides have bid: raise with a fit, double what cannot make, or let them play."""
    low, high = s.partner.strength
    hoped = min((low + high) // 2, low + 4)
    for suit in ("S", "H", "D", "C"):
        call, his = s.cheapest(suit), s.partner.least(suit)
        if his >= 3 and level_of(call) <= 5 and suit not in s.their_suits:
            # As many tricks as trumps, nearly; with less than that somebody has to have the points.
            trumps = level_of(call) + 6
            least = (17, 17, 20, 23, 26)[level_of(call) - 1] - hoped
            yield Choice(call, need(points=(max(least, 0), 60), suits={suit: max(trumps - his, 2)}), is_judged=True)
        elif his == 0 and suit not in s.their_suits and level_of(call) <= 3:
            length = 5 + (level_of(call) == 3) + bool(s.mine)
            least = (18, 20, 23)[level_of(call) - 1] - hoped
            yield Choice(call, need(points=(max(least, 8), 60), suits={suit: length}), is_judged=True)
    if s.auction.bid and strain_of(s.auction.bid) != "NT":
        theirs = strain_of(s.auction.bid)
        least = max(24 - hoped, 8)
        if level_of(s.auction.bid) >= 2:
            yield Choice(DOUBLE, need(hcp=(least, 37), note=PENALTY, suits={theirs: 4}), is_judged=True)
        if level_of(s.auction.bid) >= 4:
            yield Choice(DOUBLE, need(hcp=(least + 2, 37), note=PENALTY), is_judged=True)
    elif s.auction.bid:
        yield Choice(DOUBLE, need(hcp=(max(24 - hoped, 10), 37), note=PENALTY), is_judged=True)
    yield Choice(PASS, need(), is_judged=True)
