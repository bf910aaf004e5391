"""Cards and ranges of hold'em as text, and how strong hands are.

A card is 4 · rank + suit: 0 is the two of clubs, 51 the ace of spades.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from zermelo.engine.core import _core
from zermelo.errors import InputError, OptionError

RANKS = "23456789TJQKA"
SUITS = "cdhs"
CARDS = 52
CLASSES = (
    *("high card", "pair", "two pairs", "three of a kind", "straight"),
    *("flush", "full house", "four of a kind", "straight flush"),
)
CLASS_UNIT = 16**5
"""A strength divided by this is the place of its class in `CLASSES`."""

Pair = tuple[int, int]
"""Two cards, the higher number first."""


def card_name(card: int) -> str:
    return RANKS[card // 4] + SUITS[card % 4]


def read_cards(text: str) -> tuple[int, ...]:
    """`Ks7h2d` as cards; spaces do not matter."""
    plain = re.sub(r"[\s,]", "", text)
    found = []
    for i in range(0, len(plain), 2):
        rank, suit = plain[i : i + 1].upper(), plain[i + 1 : i + 2].lower()
        if rank not in RANKS or not suit or suit not in SUITS:
            raise OptionError(
                f"{plain[i : i + 2]!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, as in Ks"
            )
        found.append(4 * RANKS.index(rank) + SUITS.index(suit))
    twice = [card for card in found if found.count(card) > 1]
    if twice:
        raise OptionError(f"the card {card_name(twice[0])} is there twice in {text!r}")
    return tuple(found)


def kind_of(hand: Pair) -> str:
    """The class of a hand: AA, AKs or AKo."""
    high, low = RANKS[hand[0] // 4], RANKS[hand[1] // 4]
    return high + low + ("" if high == low else "s" if hand[0] % 4 == hand[1] % 4 else "o")


def read_range(text: str, board: tuple[int, ...]) -> dict[Pair, float]:
    """Hands with their weights, without those that the board blocks.

    Items stand between commas, slashes or spaces: AA, AK, AKs, AKo, AhKd, all; TT+, ATs+, 99-66, A9s-A6s; a weight
    follows a colon, 1 if not said. What is said later counts.
    """
    found: dict[Pair, float] = {}
    for item in re.split(r"[\s,/]+", text.strip("() \t\n")):
        if not item:
            continue
        name, colon, number = item.partition(":")
        weight = _read_weight(item, number) if colon else 1.0
        for hand in _read_item(name, board):
            if not set(hand) & set(board):
                found[hand] = weight
    found = {hand: found[hand] for hand in sorted(found) if found[hand] > 0}
    if not found:
        raise OptionError(f"the range {text!r} has no hand left beside the board: write one, as in AA,KQs,76s:0.5")
    return found


def _read_weight(item: str, number: str) -> float:
    try:
        weight = float(number)
    except ValueError:
        weight = math.nan
    if not 0 <= weight < math.inf:
        raise OptionError(f"the weight in {item!r} must be a number, 0 or more, as in 76s:0.5")
    return weight


def _read_item(name: str, board: tuple[int, ...]) -> list[Pair]:
    if name.lower() in ("all", "any"):
        return [(high, low) for low, high in combinations(range(CARDS), 2)]
    if re.fullmatch(r"(?:[2-9TJQKA][cdhs]){2}", name, re.IGNORECASE):
        cards = read_cards(name)
        if set(cards) & set(board):
            raise OptionError(f"the hand {name} has a card of the board")
        return [(max(cards), min(cards))]
    first, dash, last = name.partition("-")
    plus = first.endswith("+")
    high, low, suited = _read_class(first.removesuffix("+"), name)
    if dash:
        other_high, other_low, other_suited = _read_class(last, name)
        alike = suited == other_suited and (high == other_high or (high == low and other_high == other_low))
        if plus or not alike:
            raise OptionError(f"{name!r} is no run of hands: write 99-66 or A9s-A6s")
        lows = range(min(low, other_low), max(low, other_low) + 1)
    elif plus:
        lows = range(low, len(RANKS) if high == low else high)
    else:
        lows = range(low, low + 1)
    return [hand for other in lows for hand in _hands(other if high == low else high, other, suited)]


def _read_class(text: str, item: str) -> tuple[int, int, str]:
    match = re.fullmatch(r"([2-9TJQKA])([2-9TJQKA])([so]?)", text, re.IGNORECASE)
    if match is None or (match[1].upper() == match[2].upper() and match[3]):
        raise OptionError(f"{item!r} is not a hand: write AA, AKs, AKo, AK, AhKd, TT+, A9s-A6s or all")
    ranks = sorted((RANKS.index(match[1].upper()), RANKS.index(match[2].upper())), reverse=True)
    return ranks[0], ranks[1], match[3].lower()


def _hands(high: int, low: int, suited: str) -> list[Pair]:
    found = []
    for i in range(4):
        for j in range(4):
            fits = i > j if high == low else (i == j) if suited == "s" else (i != j) if suited == "o" else True
            if fits:
                found.append((4 * high + i, 4 * low + j))
    return found


def evaluate(hands: ArrayLike) -> NDArray[np.int32]:
    """The strength of each row of 5 to 7 cards, as an array: the stronger has the greater number."""
    rows = np.ascontiguousarray(hands, dtype=np.uint8)
    try:
        return np.frombuffer(_core.hand_strengths(rows.tobytes(), rows.shape[1]), dtype="=i4")
    except ValueError as error:
        raise InputError(str(error)) from None


def strengths(hands: Sequence[tuple[int, ...]], board: tuple[int, ...]) -> list[int]:
    """The strength of each hand with a board of five; −1 where a hand has a card of the board."""
    own = np.array(hands, dtype=np.uint8).reshape(len(hands), -1)
    free = ~np.isin(own, board).any(axis=1)
    found = np.full(len(hands), -1, dtype=np.int64)
    shown = np.tile(np.array(board, dtype=np.uint8), (int(free.sum()), 1))
    found[free] = evaluate(np.concatenate([own[free], shown], axis=1))
    numbers: list[int] = found.tolist()
    return numbers
