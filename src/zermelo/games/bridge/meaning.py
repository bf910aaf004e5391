"""What a call says of a hand: ranges of points and lengths, which can be compared with hands and put into words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from typing import NamedTuple

from zermelo.games._bridge.cards import SUIT_BITS, SUIT_MASK, SUITS
from zermelo.games.bridge.tricks import SUIT_NAMES

Range = tuple[int, int]
Suits = Mapping[str, int | Range]
"""Lengths of suits: at least so many cards, or a range."""
ANY_HCP, ANY_LENGTH, ANY_POINTS = (0, 37), (0, 13), (0, 60)
HONOURS = {12: 4, 11: 3, 10: 2, 9: 1}
"""High-card points of ace, king, queen and jack."""
BALANCED = ((3, 3, 3, 4), (2, 3, 4, 4), (2, 3, 3, 5))


class Features(NamedTuple):
    """What the system looks at in a hand."""

    hcp: int
    points: int
    """High-card points, and one for every card of a suit beyond the fourth."""
    lengths: tuple[int, ...]  # spades, hearts, diamonds, clubs
    is_balanced: bool
    stoppers: tuple[bool, ...]


@lru_cache(maxsize=1 << 16)
def features(hand: int) -> Features:
    suits = [hand >> SUIT_BITS * suit & SUIT_MASK for suit in range(4)]
    lengths = tuple(suit.bit_count() for suit in suits)
    hcp = sum(points for suit in suits for rank, points in HONOURS.items() if suit >> rank & 1)
    stoppers = tuple(_stops(suit, length) for suit, length in zip(suits, lengths, strict=True))
    return Features(hcp, hcp + sum(max(length - 4, 0) for length in lengths), lengths, _is_even(lengths), stoppers)


def _is_even(lengths: tuple[int, ...]) -> bool:
    """Whether a hand of these lengths is balanced; in a small deck if no suit is longer by more than two."""
    if sum(lengths) == 13:
        return tuple(sorted(lengths)) in BALANCED
    return max(lengths) - min(lengths) <= 2


def _stops(suit: int, length: int) -> bool:
    """The ace, a guarded king, or a queen with two more."""
    return bool(suit >> 12 or (suit >> 11 and length > 1) or (suit >> 10 and length > 2))


class Meaning(NamedTuple):
    """What a hand has."""

    hcp: Range = ANY_HCP
    points: Range = ANY_POINTS
    lengths: tuple[Range, Range, Range, Range] = (ANY_LENGTH,) * 4
    is_balanced: bool = False
    stopped: str = ""
    """The suits with a stopper, as letters."""
    note: str = ""
    """What is agreed beyond that, as in `asks for a major`."""

    def fits(self, hand: Features) -> bool:
        return (
            self.hcp[0] <= hand.hcp <= self.hcp[1]
            and self.points[0] <= hand.points <= self.points[1]
            and all(low <= n <= high for (low, high), n in zip(self.lengths, hand.lengths, strict=True))
            and (hand.is_balanced or not self.is_balanced)
            and all(hand.stoppers[SUITS.index(suit)] for suit in self.stopped)
        )

    @property
    def strength(self) -> Range:
        """Its points, by whichever measure it says more."""
        return max(self.hcp[0], self.points[0]), min(self.hcp[1], self.points[1])

    @property
    def told(self) -> tuple[Range, ...]:
        """The lengths, with what being balanced says of them."""
        return tuple((max(low, 2), min(high, 5)) if self.is_balanced else (low, high) for low, high in self.lengths)

    def __str__(self) -> str:
        parts = [range_text(self.hcp, ANY_HCP, "HCP"), range_text(self.points, ANY_POINTS, "points")]
        parts += [range_text(length, ANY_LENGTH, name) for length, name in zip(self.lengths, SUIT_NAMES, strict=True)]
        parts += ["balanced"] if self.is_balanced else []
        parts += [f"stopper in {SUIT_NAMES[SUITS.index(suit)]}" for suit in self.stopped]
        said = ", ".join(part for part in parts if part)
        return f"{self.note}: {said}" if self.note and said else self.note or said or "nothing"


def joined(meanings: Sequence[Meaning]) -> list[Meaning]:
    """As few meanings as say the same to people: those that differ in their ranges only become one."""
    found: dict[tuple[bool, str, str], Meaning] = {}
    for each in meanings:
        kind = (each.is_balanced, each.stopped, each.note)
        other = found.get(kind, each)
        spades, hearts, diamonds, clubs = map(_hull, each.lengths, other.lengths)
        hcp, points = _hull(each.hcp, other.hcp), _hull(each.points, other.points)
        found[kind] = Meaning(hcp, points, (spades, hearts, diamonds, clubs), *kind)
    return list(found.values())


def _hull(first: Range, second: Range) -> Range:
    return min(first[0], second[0]), max(first[1], second[1])


def range_text(found: Range, all_of: Range, name: str) -> str:
    """`15–17 HCP`, `5+ spades`, `at most 11 points`; empty if it says nothing."""
    low, high = max(found[0], all_of[0]), min(found[1], all_of[1])
    if (low, high) == all_of:
        return ""
    if high == all_of[1]:
        return f"{low}+ {name}"
    if low == all_of[0]:
        return f"at most {high} {name}"
    return f"{low} {name}" if low == high else f"{low}–{high} {name}"


def need(
    hcp: Range = ANY_HCP,
    points: Range = ANY_POINTS,
    is_balanced: bool = False,
    stopped: str = "",
    note: str = "",
    suits: Suits | None = None,
    **named: int | Range,
) -> Meaning:
    """A meaning; `S=5` are five spades or more, `S=(2, 4)` two to four, and `suits={"S": 5}` says the same."""
    told = {**(suits or {}), **named}
    lengths = [(found, 13) if isinstance(found := told.get(suit, 0), int) else found for suit in SUITS]
    spades, hearts, diamonds, clubs = lengths
    return Meaning(hcp, points, (spades, hearts, diamonds, clubs), is_balanced, stopped, note)


class Shown(NamedTuple):
    """What a player has told of its hand by all its calls."""

    strength: Range = (0, 40)
    lengths: tuple[Range, Range, Range, Range] = (ANY_LENGTH,) * 4

    def also(self, meanings: list[Meaning]) -> Shown:
        """With a call that has one of these meanings."""
        if not meanings:
            return self
        said = reduce(_hull, (meaning.strength for meaning in meanings))
        told = [meaning.told for meaning in meanings]
        spades, hearts, diamonds, clubs = (
            _both(self.lengths[i], reduce(_hull, (each[i] for each in told))) for i in range(4)
        )
        return Shown(_both(self.strength, said), (spades, hearts, diamonds, clubs))

    def least(self, suit: str) -> int:
        """The cards that it has at least in a suit."""
        return self.lengths[SUITS.index(suit)][0]


def _both(first: Range, second: Range) -> Range:
    """The values in both; the second range if there are none, as after a call that was no part of the system."""
    low, high = max(first[0], second[0]), min(first[1], second[1])
    return (low, high) if low <= high else second
