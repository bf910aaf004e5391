"""Positions of bridge as text, and the names of calls, cards and claims.

A position is the four hands as they were dealt, from north on, the calls, and the cards with the claims between them:
`N:AK4.QT9.J87.6532 … 1NT-P-P-P SQS8=5n`. Reading one plays it again, so that the first thing that is illegal is named.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from zermelo.errors import InputError, PositionError
from zermelo.games._bridge.cards import card_name, cards_of, check_hands, hand_text, read_card, read_hand
from zermelo.games.bridge.auction import PASS, call_name, read_call
from zermelo.games.bridge.claims import AGREE, CLAIM, REFUSE, claim_name, read_tokens

if TYPE_CHECKING:
    from zermelo.games.bridge.rules import Bridge


def action_name(a: int) -> str:
    """A call, a card or a claim as people write it."""
    return claim_name(a) if a >= AGREE else call_name(a) if a >= PASS else card_name(a)


def write_position(game: Bridge, s: Bridge.State) -> str:
    hands = " ".join(map(hand_text, game.dealt_hands(s)))
    calls = "-".join(map(call_name, s.calls)) or "."
    claims = {at: "".join(claim.text() for claim in s.claims if claim.cards == at) for at in range(len(s.cards) + 1)}
    cards = "".join(claims[at] + card_name(card) for at, card in enumerate(s.cards)) + claims[len(s.cards)]
    return f"N:{hands} {calls} {cards or '.'}"


def read_position(game: Bridge, text: str) -> Bridge.State:
    found = re.fullmatch(r"\s*N:(\S+ \S+ \S+ \S+) (\S+) (\S+)\s*", text)
    if found is None:
        raise PositionError(
            f"{text!r:.120} is not a position: write the hands as they were dealt, the calls and the cards, "
            "as in 'N:AK4.QT9.J87.6532 … 1NT-P-3NT-P-P-P SAS2', and a point for none"
        )
    calls = [] if found[2] == "." else found[2].split("-")
    try:
        cards = [] if found[3] == "." else read_tokens(found[3])
        return replay(game, [read_hand(part) for part in found[1].split()], calls, cards)
    except InputError as error:
        raise PositionError(f"{text!r:.120} is not a position: {error}") from None


def replay(game: Bridge, hands: Sequence[int], calls: Sequence[str], cards: Sequence[tuple[str, str]]) -> Bridge.State:
    """The state after these calls, cards and claims as text; `InputError` names the first that is illegal."""
    north, east, south, west = hands
    s = game.State((north, east, south, west), sum(hand.bit_count() for hand in hands), (), ())
    if game.is_dealing(s):
        held = sorted(game.deck.index(card) for hand in hands for card in cards_of(hand) if card in game.deck)
        if held != list(range(s.dealt)) or max(hand.bit_count() for hand in hands) > game.tricks:
            raise InputError(f"the cards are dealt in order, from {card_name(game.deck[0])} down")
        if calls or cards:
            raise InputError("nobody calls or plays before all cards are dealt")
        return s
    check_hands(hands)
    if north.bit_count() != game.tricks:
        raise InputError(f"each hand has {game.tricks} cards here, not {north.bit_count()}")
    for number, text in enumerate(calls, 1):
        s = checked(game, s, read_call(text), f"call {number}")
    for text, answers in cards:
        where = f"card {len(s.cards) + 1}"
        s = checked(game, s, CLAIM + int(text[1:]) if text[0] == "=" else read_card(text), where)
        for answer in answers:
            s = checked(game, s, AGREE if answer == "y" else REFUSE, where)
    return s


def checked(game: Bridge, s: Bridge.State, a: int, where: str) -> Bridge.State:
    """The state after `a`, which need not be legal: then `InputError`."""
    fault = game.fault(s, a)
    if fault:
        raise InputError(f"{where}: {fault}")
    return game.result(s, a)
