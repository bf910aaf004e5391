"""Cards, hands and deals of bridge, and their text.

A hand is one word, a card one bit of it: 16 · suit + rank, suits in the order spades, hearts, diamonds, clubs, ranks
from the two (0) to the ace (12). `native/games/bridge/cards.hpp` has them so, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from zermelo.errors import InputError

RANKS = "23456789TJQKA"
SUITS = "SHDC"
SYMBOLS = "♠♥♦♣"
STRAINS = (*SUITS, "NT")
"""The suits, then no trump, by their numbers in the core."""
HANDS = "NESW"
HAND_NAMES = ("north", "east", "south", "west")
SIDES = ("NS", "EW")
VULNERABLE = ("none", "NS", "EW", "both")
SUIT_BITS = 16
SUIT_MASK = (1 << len(RANKS)) - 1

Hands = tuple[int, int, int, int]


def card_name(card: int) -> str:
    """`SA` for the ace of spades."""
    return SUITS[card // SUIT_BITS] + RANKS[card % SUIT_BITS]


def beats(card: int, best: int, strain: int) -> bool:
    """Whether a card wins against the one that was winning the trick; `strain` is the number of the trumps."""
    if card // SUIT_BITS == best // SUIT_BITS:
        return card > best
    return card // SUIT_BITS == strain


def read_card(text: str) -> int:
    """`SA`, `S10`, `AS` or `♠A`; `InputError` if it is no card."""
    plain = text.strip().upper().replace("10", "T")
    for symbol, suit in zip(SYMBOLS, SUITS, strict=True):
        plain = plain.replace(symbol, suit)
    if len(plain) == 2:
        for each in (plain, plain[::-1]):
            if each[0] in SUITS and each[1] in RANKS:
                return SUIT_BITS * SUITS.index(each[0]) + RANKS.index(each[1])
    raise InputError(f"{text!r} is not a card: write suit and rank, as in SA or H7")


def cards_of(hand: int) -> list[int]:
    """The cards of a hand, suit by suit from the highest."""
    return [
        SUIT_BITS * suit + rank
        for suit in range(4)
        for rank in range(12, -1, -1)
        if hand >> SUIT_BITS * suit + rank & 1
    ]


def suit_text(hand: int, suit: int) -> str:
    """The ranks of a suit, from the highest."""
    return "".join(RANKS[card % SUIT_BITS] for card in cards_of(hand) if card // SUIT_BITS == suit)


@dataclass(frozen=True, slots=True)
class Board:
    """A deal, with what is written on a board."""

    hands: Hands
    dealer: int = 0
    vulnerable: str = "none"
    name: str = ""

    def __post_init__(self) -> None:
        check_hands(self.hands)

    @property
    def tricks(self) -> int:
        return self.hands[0].bit_count()

    def text(self, first: int = 0) -> str:
        """The hands as PBN has them, as in `N:AK4.QT9…`."""
        return f"{HANDS[first]}:{' '.join(hand_text(self.hands[(first + i) % 4]) for i in range(4))}"

    def is_vulnerable(self, side: int) -> bool:
        return self.vulnerable in (SIDES[side], "both")


def hand_text(hand: int) -> str:
    return ".".join(suit_text(hand, suit) for suit in range(4))


def check_hands(hands: Sequence[int]) -> None:
    """Refuses hands that are no deal."""
    seen: dict[int, int] = {}
    for number, hand in enumerate(hands):
        for card in cards_of(hand):
            if card in seen:
                owners = f"{HAND_NAMES[seen[card]]} and {HAND_NAMES[number]} both have"
                raise InputError(f"{owners} the card {card_name(card)}; give it to one of them")
            seen[card] = number
    counts = [hand.bit_count() for hand in hands]
    if len(set(counts)) > 1 or not counts[0]:
        each = ", ".join(f"{name} {number}" for name, number in zip(HAND_NAMES, counts, strict=True))
        raise InputError(f"the hands must have the same number of cards, and at least one: {each}")


def read_deal(text: str) -> Hands:
    """The hands of a deal in PBN, as in `N:AK4.QT9… …`; `InputError` says what is wrong."""
    found = re.fullmatch(r"\s*([NESWnesw])\s*:\s*(.*)", text, re.DOTALL)
    if found is None:
        raise InputError(
            f"{text!r:.80} is not a deal: write N: and four hands from there on, as in N:AK4.QT9.J87.6532 …"
        )
    parts = found[2].split()
    if len(parts) != 4:
        raise InputError(f"a deal has four hands, and {text!r:.80} has {len(parts)}; a blank stands between two")
    hands = [0, 0, 0, 0]
    for i, part in enumerate(parts):
        hands[(HANDS.index(found[1].upper()) + i) % 4] = read_hand(part)
    north, east, south, west = hands
    check_hands(hands)
    return north, east, south, west


def read_hand(text: str) -> int:
    """A hand as PBN writes it: the ranks of spades, hearts, diamonds, clubs with points between them."""
    suits = text.upper().replace("10", "T").split(".")
    if len(suits) != 4:
        raise InputError(
            f"{text!r:.40} is not a hand: write its four suits with points between, as in AK4.QT9.J87.6532"
        )
    return join_suits(suits, text)


def join_suits(suits: Sequence[str], text: str) -> int:
    """The hand with these ranks in each suit."""
    hand = 0
    for suit, ranks in enumerate(suits):
        for rank in ranks.replace("-", ""):
            if rank not in RANKS:
                raise InputError(f"{rank!r} in {text!r:.40} is not a rank: they are {RANKS[::-1]}")
            bit = 1 << SUIT_BITS * suit + RANKS.index(rank)
            if hand & bit:
                raise InputError(f"the hand {text!r:.40} has the card {SUITS[suit]}{rank} twice")
            hand |= bit
    return hand


def random_deal(ranks: int, seed: int) -> Hands:
    """A deal of the `ranks` highest ranks of each suit."""
    deck = [SUIT_BITS * suit + rank for suit in range(4) for rank in range(len(RANKS) - ranks, len(RANKS))]
    Random(seed).shuffle(deck)
    north, east, south, west = (sum(1 << card for card in deck[ranks * i : ranks * (i + 1)]) for i in range(4))
    return north, east, south, west


def called(name: str, kind: str, number: int) -> str:
    """A board of a file in a message: by its name, if that is short and in one line, else by its number."""
    return name if name and len(name) <= 40 and name.isprintable() else f"{kind} {number}"


def board_facts(number: int) -> tuple[int, str]:
    """The dealer and the vulnerable sides of a board by its number."""
    return (number - 1) % 4, VULNERABLE[((number - 1) + (number - 1) // 4) % 4]


def diagram(hands: Sequence[int | None]) -> Iterator[str]:
    """The four hands around a table, in lines; one that is `None` is not seen."""
    blocks = [
        ["?", "", "", ""] if hand is None else [f"{SYMBOLS[suit]} {suit_text(hand, suit) or '–'}" for suit in range(4)]
        for hand in hands
    ]
    margin = " " * 16
    yield from (margin + line for line in blocks[0] if line)
    compass = ("    N", "  W   E", "    S", "")
    for west, middle, east in zip(blocks[3], compass, blocks[1], strict=True):
        yield f"{west:<16}{middle:<12}{east}".rstrip()
    yield from (margin + line for line in blocks[2] if line)
