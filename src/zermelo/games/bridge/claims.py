"""Claims: a player says how many of the tricks that are left the own side takes, in place of playing them.

A claim stands at once if, with all cards seen, no play of the other side prevents it. Otherwise the other side is
asked: both defenders of a declarer's claim, the declarer alone of a defender's. If all agree, it stands; if one
refuses, the play goes on. The hand of who claims is seen by everybody from then on, as it is laid on the table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from zermelo.errors import InputError
from zermelo.games._bridge.cards import HAND_NAMES, Hands
from zermelo.games.bridge.auction import LAST_BID, Contract

AGREE, REFUSE = LAST_BID + 1, LAST_BID + 2
ANSWERS = {AGREE: "agree", REFUSE: "refuse"}
CLAIM = LAST_BID + 3
"""The number of a claim of no trick, which gives all of them up; one of n tricks is n more."""


class Claim(NamedTuple):
    hand: int  # of who claims
    tricks: int  # of those that are left
    cards: int  # that had been played
    sure: bool  # whether nothing prevents it
    asked: int  # how many players have to agree if it is not
    answers: tuple[int, ...]

    @property
    def stands(self) -> bool:
        return self.sure or self.answers == (AGREE,) * self.asked

    @property
    def pending(self) -> bool:
        """Whether somebody has yet to answer."""
        return not self.sure and REFUSE not in self.answers and len(self.answers) < self.asked

    def text(self) -> str:
        """As in a position: `=5`, and `y` or `n` for each answer."""
        return f"={self.tricks}" + "".join("y" if answer == AGREE else "n" for answer in self.answers)


Claims = tuple[Claim, ...]


def asked_about(contract: Contract, hand: int) -> Sequence[int]:
    """Whom a claim of the player of `hand` is put to, in order."""
    return [(hand + 1) % 4, (hand + 3) % 4] if hand == contract.declarer else [contract.declarer]


def may_claim(claims: Claims, side: int, cards: int) -> bool:
    """Whether a side may claim after so many cards: not before the dummy is seen, and once in a trick."""
    return cards > 0 and not any(each.hand % 2 == side and each.cards // 4 == cards // 4 for each in claims)


@lru_cache(maxsize=4096)
def is_sure(hands: Hands, trumps: int, leader: int, trick: tuple[int, ...], tricks: int) -> bool:
    """Whether the side that is to play takes so many of the tricks that are left, whatever the other side does."""
    from zermelo.games._bridge.solver import StrainTables, solve_worlds

    if tricks == 0:
        return True
    left = max(hand.bit_count() for hand in hands)
    plays = (leader + len(trick)) % 4
    least = tricks if plays % 2 == 0 else left - tricks + 1  # of north and south, who are asked about
    (cards,) = solve_worlds([hands], StrainTables(), trumps, leader, trick, (least - 1, least))
    found = [taken >= least for _, taken in cards]
    return any(found) if plays % 2 == 0 else not all(found)


def claim_name(action: int) -> str:
    """`claim-5`, `agree` or `refuse`."""
    return ANSWERS.get(action) or f"claim-{action - CLAIM}"


def read_claim(text: str) -> int | None:
    """`claim 5`, `claim-5`, `agree`, `refuse`; `None` if it is none of them."""
    plain = text.strip().casefold()
    found = re.fullmatch(r"claim[- ]?(\d{1,2})", plain)
    if found:
        return CLAIM + int(found[1])
    return next((answer for answer, name in ANSWERS.items() if name == plain), None)


def say_claim(claim: Claim) -> str:
    """`south claims 5 tricks, to which west agrees`."""
    said = f"{HAND_NAMES[claim.hand]} claims {claim.tricks} {'trick' if claim.tricks == 1 else 'tricks'}"
    if claim.stands:
        return f"{said}, which {'nothing prevents' if claim.sure else 'is agreed to'}"
    return said if claim.pending else f"{said}, which is refused"


def read_tokens(text: str) -> list[tuple[str, str]]:
    """The cards and claims of a position: each a card, or `=5` with the letters of its answers."""
    found = re.findall(r"(=\d{1,2})([yn]{0,2})|(\w\w)", text)
    if "".join(map("".join, found)) != text:
        raise InputError(f"{text!r:.80} is no row of cards: write SAS2 and so on, and a claim as =5, =5yy or =5n")
    return [(claim or card, answers) for claim, answers, card in found]
