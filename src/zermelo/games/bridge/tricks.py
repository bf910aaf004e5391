"""The play as far as it has come, and who is seen to have no more cards of a suit."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from zermelo.games._bridge.cards import HAND_NAMES, SUIT_BITS, SUIT_MASK, SUITS, beats, card_name

SUIT_NAMES = ("spades", "hearts", "diamonds", "clubs")


class Play(NamedTuple):
    """The tricks so far."""

    leader: int  # of the trick under way
    trick: tuple[int, ...]  # its cards
    taken: tuple[int, int]  # tricks of each side
    voids: tuple[int, int, int, int]
    """Of each hand, a bit for each suit that it has not followed."""
    played: tuple[int, int, int, int]
    """Of each hand, the cards that it has played."""

    @property
    def turn(self) -> int:
        return (self.leader + len(self.trick)) % 4


@lru_cache(maxsize=1 << 16)
def follow(cards: tuple[int, ...], leader: int, trumps: int) -> Play:
    """The play after these cards, of which `leader` led the first."""
    if not cards:
        return Play(leader, (), (0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    before, card = follow(cards[:-1], leader, trumps), cards[-1]
    turn, trick = before.turn, (*before.trick, card)
    played = _with(before.played, turn, before.played[turn] | 1 << card)
    voids = before.voids
    if card // SUIT_BITS != trick[0] // SUIT_BITS:
        voids = _with(voids, turn, voids[turn] | 1 << trick[0] // SUIT_BITS)
    if len(trick) < 4:
        return Play(before.leader, trick, before.taken, voids, played)
    winner = (before.leader + winning_place(trick, trumps)) % 4
    north_south, east_west = before.taken
    taken = (north_south + 1 - winner % 2, east_west + winner % 2)
    return Play(winner, (), taken, voids, played)


def _with(four: tuple[int, int, int, int], place: int, value: int) -> tuple[int, int, int, int]:
    first, second, third, fourth = (value if i == place else each for i, each in enumerate(four))
    return first, second, third, fourth


def winning_place(trick: tuple[int, ...], trumps: int) -> int:
    """The place in the trick of the card that wins so far."""
    best = 0
    for i in range(1, len(trick)):
        if beats(trick[i], trick[best], trumps):
            best = i
    return best


def suit_cards(suit: int) -> int:
    """All cards of a suit."""
    return SUIT_MASK << SUIT_BITS * suit


def playable(hand: int, trick: tuple[int, ...]) -> int:
    """The cards that may be played: of the suit led, if there are any."""
    led = hand & suit_cards(trick[0] // SUIT_BITS) if trick else 0
    return led or hand


def fault_of_card(hand: int, turn: int, trick: tuple[int, ...], card: int) -> str | None:
    """Why a card may not be played, in a few words; `None` if it may."""
    who = HAND_NAMES[turn]
    if not hand >> card & 1:
        return f"{who} plays {card_name(card)} and does not hold it"
    if not playable(hand, trick) >> card & 1:
        led = SUIT_NAMES[trick[0] // SUIT_BITS]
        return f"{who} plays {card_name(card)} and still has {led}, which were led: that is a revoke"
    return None


def deck(ranks: int) -> list[int]:
    """The cards of the `ranks` highest ranks, suit by suit from the highest."""
    return [SUIT_BITS * suit + rank for suit in range(len(SUITS)) for rank in range(12, 12 - ranks, -1)]
