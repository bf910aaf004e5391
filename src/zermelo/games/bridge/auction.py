"""The auction: calls as numbers and as text, which of them are legal, and the contract that they lead to.

Calls follow on the cards, whose numbers end at 63. An auction is the tuple of its calls; the dealer makes the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from zermelo.errors import InputError
from zermelo.games._bridge.cards import HAND_NAMES, HANDS, STRAINS
from zermelo.games._bridge.score import BIDDING, BOOK, LEVELS, score

PASS, DOUBLE, REDOUBLE, FIRST_BID = 64, 65, 66, 67
LAST_BID = FIRST_BID + len(LEVELS) * len(BIDDING) - 1
SINGLE = {PASS: "P", DOUBLE: "X", REDOUBLE: "XX"}
WORDS = {"P": PASS, "PASS": PASS, "X": DOUBLE, "D": DOUBLE, "DBL": DOUBLE, "DOUBLE": DOUBLE}
WORDS |= {"XX": REDOUBLE, "R": REDOUBLE, "REDOUBLE": REDOUBLE, "RDBL": REDOUBLE}
DOUBLED = ("", "X", "XX")

Calls = tuple[int, ...]


class Contract(NamedTuple):
    """What is played, and by whom."""

    level: int
    strain: str
    doubled: int  # 1 for a double, 2 for a redouble
    declarer: int

    def __str__(self) -> str:
        return f"{self.level}{self.strain}{DOUBLED[self.doubled]}-{HANDS[self.declarer]}"

    @property
    def trumps(self) -> int:
        """The number of the strain in the core."""
        return STRAINS.index(self.strain)

    @property
    def dummy(self) -> int:
        return (self.declarer + 2) % 4

    def points(self, tricks: int, vulnerable: bool, book: int = BOOK) -> int:
        """What the declarer's side scores with so many tricks."""
        return score(self.level, self.strain, tricks, vulnerable, self.doubled, book)


class Auction(NamedTuple):
    """What an auction has come to."""

    turn: int
    bid: int  # the last bid, or 0
    bidder: int
    doubled: int
    passes: int  # in a row, at the end
    length: int  # in calls
    named: tuple[tuple[int, ...], tuple[int, ...]]
    """Of each side, who first bid each strain, in the order of `BIDDING`; −1 if nobody has."""

    @property
    def is_over(self) -> bool:
        return self.passes == (3 if self.bid else 4)

    @property
    def contract(self) -> Contract | None:
        """`None` if nobody has bid."""
        if not self.bid:
            return None
        level, strain = divmod(self.bid - FIRST_BID, len(BIDDING))
        return Contract(level + 1, BIDDING[strain], self.doubled, self.named[self.bidder % 2][strain])


def call_name(call: int) -> str:
    """`1NT`, `P`, `X` or `XX`."""
    if call in SINGLE:
        return SINGLE[call]
    level, strain = divmod(call - FIRST_BID, len(BIDDING))
    return f"{level + 1}{BIDDING[strain]}"


def bid(level: int, strain: str) -> int:
    """The number of a bid."""
    return FIRST_BID + (level - 1) * len(BIDDING) + BIDDING.index(strain)


def level_of(call: int) -> int:
    return (call - FIRST_BID) // len(BIDDING) + 1


def strain_of(call: int) -> str:
    return BIDDING[(call - FIRST_BID) % len(BIDDING)]


def read_call(text: str) -> int:
    """`1NT`, `1n`, `1♠`, `pass`, `p`, `x`, `double`, `xx`; `InputError` if it is no call."""
    plain = text.strip().upper()
    for symbol, strain in zip("♠♥♦♣", "SHDC", strict=True):
        plain = plain.replace(symbol, strain)
    if plain in WORDS:
        return WORDS[plain]
    found = re.fullmatch(r"([1-7])(NT?|[SHDC])", plain)
    if found is None:
        raise InputError(f"{text!r:.40} is not a call: write P, X, XX, or level and strain as in 1NT or 4S")
    return bid(int(found[1]), "NT" if found[2][0] == "N" else found[2])


def read_contract(text: str) -> Contract:
    """`3NT-S`, `4HX-W`; `InputError` if it is none."""
    found = re.fullmatch(r"([1-7])(NT?|[SHDC])(X{0,2})[- ]?([NESW])", text.strip().upper())
    if found is None:
        raise InputError(f"{text!r:.40} is not a contract: write bid and declarer, as in 3NT-S or 4HX-W")
    return Contract(int(found[1]), "NT" if found[2][0] == "N" else found[2], len(found[3]), HANDS.index(found[4]))


NOBODY = (-1,) * len(BIDDING)


@lru_cache(maxsize=1 << 16)
def hear(calls: Calls, dealer: int) -> Auction:
    """The auction after these calls, all of them legal."""
    if not calls:
        return Auction(dealer, 0, -1, 0, 0, 0, (NOBODY, NOBODY))
    before, call = hear(calls[:-1], dealer), calls[-1]
    turn, length = (before.turn + 1) % 4, before.length + 1
    if call == PASS:
        return before._replace(turn=turn, passes=before.passes + 1, length=length)
    if call in (DOUBLE, REDOUBLE):
        return before._replace(turn=turn, passes=0, length=length, doubled=call - PASS)
    side, place = before.turn % 2, (call - FIRST_BID) % len(BIDDING)
    own = before.named[side]
    if own[place] < 0:
        own = (*own[:place], before.turn, *own[place + 1 :])
    named = (own, before.named[1]) if side == 0 else (before.named[0], own)
    return Auction(turn, call, before.turn, 0, 0, length, named)


def legal_calls(auction: Auction, levels: int = len(LEVELS)) -> Iterator[int]:
    """Pass first, then doubles, then bids from the lowest."""
    yield PASS
    for call in (DOUBLE, REDOUBLE):
        if fault_of(auction, call) is None:
            yield call
    yield from range(max(auction.bid + 1, FIRST_BID), FIRST_BID + levels * len(BIDDING))


def fault_of(auction: Auction, call: int) -> str | None:
    """Why a call is illegal, in a few words; `None` if it is legal."""
    who = HAND_NAMES[auction.turn]
    if auction.is_over:
        return f"{call_name(call)} comes after the end of the auction"
    theirs = auction.bid and auction.bidder % 2 != auction.turn % 2
    if call == DOUBLE and (not theirs or auction.doubled):
        return f"{who} doubles, and there is no undoubled bid of the other side"
    if call == REDOUBLE and (not auction.bid or theirs or auction.doubled != 1):
        return f"{who} redoubles, and the other side has not doubled"
    if call >= FIRST_BID and call <= auction.bid:
        return f"{who} bids {call_name(call)}, which is not above {call_name(auction.bid)}"
    return None


def hear_checked(calls: Sequence[int], dealer: int) -> Auction:
    """The auction after these calls; `InputError` names the first that is illegal."""
    for i, call in enumerate(calls):
        fault = fault_of(hear(tuple(calls[:i]), dealer), call)
        if fault:
            raise InputError(f"call {i + 1}: {fault}")
    return hear(tuple(calls), dealer)
