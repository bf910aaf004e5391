"""The bidding system: which calls it allows in an auction, what each says, and what a hand calls.

    choices(calls, dealer)     the calls that the system allows next, the first that fits first
    meanings(calls, dealer)    what every call of an auction has said
    allowed(calls, dealer, hand)   those of the choices among which a hand has to judge
    explain(calls, dealer)     the auction in words: `1NT` 15–17 HCP, balanced

The rules stand in `opening.py`, `competing.py` and `placing.py`. The same meanings explain calls to people, choose
calls for a hand, and weigh the hands that a player may hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from zermelo.games._bridge.cards import HANDS
from zermelo.games.bridge.auction import (
    DOUBLE,
    FIRST_BID,
    LAST_BID,
    PASS,
    Calls,
    bid,
    call_name,
    fault_of,
    hear,
    level_of,
    strain_of,
)
from zermelo.games.bridge.competing import (
    advance_overcall,
    answer_double,
    compete,
    free_calls_after_double,
    negative_double,
    overcalls,
)
from zermelo.games.bridge.meaning import Meaning, Shown, features, joined, need
from zermelo.games.bridge.opening import (
    answer_no_trump,
    openings,
    rebid,
    rebid_over_no_trump,
    rebid_strong,
    respond_to_no_trump,
    respond_to_preempt,
    respond_to_strong,
    respond_to_suit,
)
from zermelo.games.bridge.placing import place
from zermelo.games.bridge.situation import Choice, Situation

NO_TRUMPS = (bid(1, "NT"), bid(2, "NT"))
STRONG = bid(2, "C")
NOTHING = (Shown(), Shown(), Shown(), Shown())
UNEXPECTED = 0.01
JUDGED_FIRST = 0.7
"""How often a player with several calls to judge between takes the first."""


@lru_cache(maxsize=1 << 14)
def choices(calls: Calls, dealer: int) -> tuple[Choice, ...]:
    """The legal calls that the system allows, as a hand tries them; the last is for all that is left."""
    s = situation(calls, dealer)
    found = [c for c in _rules(s) if c.call <= LAST_BID and fault_of(s.auction, c.call) is None]
    if not any(c.call == PASS for c in found) and not (s.is_forced and found):
        found.append(Choice(PASS, need()))
    return tuple(found)


def _rules(s: Situation) -> Iterator[Choice]:
    """The rules for this auction."""
    if not s.auction.bid:
        yield from openings()
    elif not s.mine and not s.partners:
        yield from _without_bids(s)
    elif s.theirs and s.auction.bidder % 2 != s.me % 2:
        yield from _contested(s)
    else:
        yield from _uncontested(s)


def _without_bids(s: Situation) -> Iterator[Choice]:
    """They have bid, and our side has not."""
    if DOUBLE not in s.calls_of(2):
        if DOUBLE in s.calls_of(0):
            yield from compete(s)
        else:
            yield from overcalls(s)
    elif s.last_of_right == PASS and s.is_forced:
        yield from answer_double(s, 8, 11)
    elif s.last_of_right == PASS:
        yield Choice(PASS, need(note="agrees to the double"))
    else:
        yield from free_calls_after_double(s)


def _contested(s: Situation) -> Iterator[Choice]:
    """Both sides have bid, they last."""
    first_response = not s.mine and len(s.partners) == 1
    if first_response and _opened(s, 2) and level_of(s.partners[0]) == 1 and strain_of(s.partners[0]) != "NT":
        yield from respond_to_suit(s, s.partners[0])
        yield from negative_double(s)
    elif first_response and not _opened(s, 2) and DOUBLE not in s.calls_of(0):
        yield from advance_overcall(s)
    elif s.is_forced and not s.partners:
        yield from answer_double(s, 15, 18)
        return
    yield from compete(s)


def _opened(s: Situation, places: int) -> bool:
    """Whether the hand so many places on made the first bid of all."""
    first = next(i for i, call in enumerate(s.calls) if call >= FIRST_BID)
    return (s.dealer + first) % 4 == (s.me + places) % 4


def _uncontested(s: Situation) -> Iterator[Choice]:
    """Our side has bid last."""
    mine, partners = s.mine, s.partners
    if not mine and len(partners) == 1 and _opened(s, 2):
        yield from _first_response(s, partners[0])
    elif not mine and partners and DOUBLE not in s.calls_of(0):
        yield from advance_overcall(s)
    elif len(mine) == 1 and len(partners) == 1 and (_opened(s, 0) or mine[0] == NO_TRUMPS[0]):
        yield from _first_rebid(s, mine[0], partners[0])
    else:
        yield from place(s)


def _first_response(s: Situation, opened: int) -> Iterator[Choice]:
    if opened in NO_TRUMPS:
        yield from respond_to_no_trump(opened)
    elif opened == STRONG:
        yield from respond_to_strong()
    elif level_of(opened) == 1:
        yield from respond_to_suit(s, opened)
        yield Choice(PASS, need(points=(0, 5)))
    else:
        yield from respond_to_preempt(opened)


def _first_rebid(s: Situation, opened: int, answered: int) -> Iterator[Choice]:
    if opened in NO_TRUMPS and answered <= bid(level_of(opened) + 1, "H"):
        yield from answer_no_trump(opened, answered)
    elif opened == STRONG:
        yield from rebid_strong(s)
    elif answered == bid(1, "NT"):
        yield from rebid_over_no_trump(s, opened)
    elif s.is_forced:
        yield from rebid(s, opened, answered)
    else:
        yield from place(s)


@lru_cache(maxsize=1 << 14)
def situation(calls: Calls, dealer: int) -> Situation:
    """What the player to call has heard."""
    auction = hear(calls, dealer)
    if not calls:
        return Situation(auction, calls, dealer, NOTHING, False)
    before = situation(calls[:-1], dealer)
    said = said_by(calls, dealer)
    shown = [
        each.also([c.meaning for c in said]) if hand == before.me else each for hand, each in enumerate(before.shown)
    ]
    north, east, south, west = shown
    partner = said_by(calls[:-1], dealer) if len(calls) > 1 else []
    is_forced = calls[-1] == PASS and any(c.forcing for c in partner)
    return Situation(auction, calls, dealer, (north, east, south, west), is_forced)


def said_by(calls: Calls, dealer: int) -> list[Choice]:
    """The choices that the last call may have been; none if it was no part of the system."""
    if not calls:
        return []
    return [c for c in choices(calls[:-1], dealer) if c.call == calls[-1]]


def meanings(calls: Calls, dealer: int) -> list[list[Meaning]]:
    """What each call says: it may have several meanings, one or the other, or none in this system."""
    return [[c.meaning for c in said_by(calls[: i + 1], dealer)] for i in range(len(calls))]


def explain(calls: Calls, dealer: int) -> list[str]:
    """A line for each call, as in `N 1NT   15–17 HCP, balanced`."""
    lines = []
    for i, (call, said) in enumerate(zip(calls, meanings(calls, dealer), strict=True)):
        words = " or ".join(map(str, joined(said))) or "no call of this system"
        lines.append(f"{HANDS[(dealer + i) % 4]} {call_name(call):<4} {words}")
    return lines


def allowed(calls: Calls, dealer: int, hand: int) -> list[int]:
    """The calls among which the hand has to judge, the one that the rules would take first; most often it is one."""
    own = features(hand)
    every = choices(calls, dealer)
    fitting = [c for c in every if c.meaning.fits(own)] or [every[-1]]
    if not fitting[0].is_judged:
        return [fitting[0].call]
    return list(dict.fromkeys(c.call for c in fitting if c.is_judged))


def likelihood(calls: Calls, dealer: int, hand: int, call: int) -> float:
    """How likely the hand makes this call; small, not 0, where the system would have it do something else."""
    expected = allowed(calls, dealer, hand)
    if call not in expected:
        return UNEXPECTED
    return JUDGED_FIRST if call == expected[0] else (1 - JUDGED_FIRST)
